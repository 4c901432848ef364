// The icon of the tab, with a sign on it.

// As in favicon.svg.
const ICON =
  "<rect width='64' height='64' rx='14' fill='%2314523f'/><path d='M25 30 15 24 10 10M22 36 11 34 4 24M22 41 11 44 6 55M26 46 18 52 16 61M39 30 49 24 54 10M42 36 53 34 60 24M42 41 53 44 58 55M38 46 46 52 48 61' fill='none' stroke='%23fff' stroke-width='4.2' stroke-linecap='round' stroke-linejoin='round'/><path d='M32 17C37 25 45 30 45 39 45 47 37 48 34 44Q34.5 48 37 51H27Q29.5 48 30 44C27 48 19 47 19 39 19 30 27 25 32 17Z' fill='%23fff'/>";

/** Return an SVG drawing as an address. @param {string} body */
const drawing = (body) =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>${body}</svg>`;

/** Return the drawing of a sign. @param {string} sign */
function iconWith(sign) {
  if (sign === '•') return drawing(`${ICON}<circle cx='48' cy='16' r='14' fill='%23f2b632'/>`);
  const text = `<text x='32' y='49' font-family='sans-serif' font-size='48' font-weight='700' text-anchor='middle' fill='%232b1f00'>${sign}</text>`;
  return drawing(`<rect width='64' height='64' rx='14' fill='%23f2b632'/>${text}`);
}

/** Bind the icon of the page; return the function that puts a sign on it. */
export function bindIcon() {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
  const plain = link.getAttribute('href') ?? '';
  let shown = '';
  return (/** @type {string} */ sign) => {
    if (sign === shown) return;
    shown = sign;
    link.href = sign ? iconWith(sign) : plain;
    link.dataset.sign = sign;
  };
}

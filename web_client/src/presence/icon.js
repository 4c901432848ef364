// The icon of the tab, with a sign on it.

const SPADE =
  "<rect width='64' height='64' rx='14' fill='%2314523f'/><path d='M32 10c6 10 18 16 18 27 0 10-11 11-15.6 4Q35 49 40 52H24q5-3 5.600-11C25 48 14 47 14 37c0-11 12-17 18-27Z' fill='%23fff'/>";

/** Return an SVG drawing as an address. @param {string} body */
const drawing = (body) =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'>${body}</svg>`;

/** Return the drawing of a sign. @param {string} sign */
function iconWith(sign) {
  if (sign === '•') return drawing(`${SPADE}<circle cx='48' cy='16' r='14' fill='%23f2b632'/>`);
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

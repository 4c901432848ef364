// Style sheets that the front page does without.

/** @type {Map<string, Promise<unknown>>} */
const sheets = new Map();

/**
 * Settled when the sheet is there; one that did not come is asked for again.
 *
 * @param {string} name
 * @returns {Promise<unknown>}
 */
export function sheet(name) {
  const known = sheets.get(name);
  if (known) return known;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = `/css/${name}.css`;
  const loading = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      sheets.delete(name);
      link.remove();
      reject(new Error(name));
    };
  });
  sheets.set(name, loading);
  document.head.append(link);
  return loading;
}

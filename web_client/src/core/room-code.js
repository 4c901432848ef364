// Room codes as people write them: Crockford's base 32, in which O is 0, and I and L are 1.

const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/**
 * The room's code in what somebody typed or pasted, a whole link included; null if none.
 *
 * @param {string} text
 */
export function codeIn(text) {
  const path = /\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;
  const code = path.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/**
 * The finished round that a path or a pasted link leads to: `/r/CODE/N`; null if it leads to none.
 *
 * @param {string} text
 */
export function roundIn(text) {
  const n = /\/r\/[^/?#\s]+\/(\d{1,6})\s*$/i.exec(text)?.[1];
  const code = n ? codeIn(text) : null;
  return code ? { code, n: Number(n) } : null;
}

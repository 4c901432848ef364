// Room codes as people type them: Crockford's base 32, in which O is 0, and I and L are 1.

import { CODE_ALPHABET, CODE_LENGTH } from '../contract/protocol.js';

const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);

/**
 * Return the room code in a text that was typed or pasted, which may be a whole link.
 * @param {string} text
 * @returns {string | null} null if there is none
 */
export function codeIn(text) {
  const path = /\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;
  const code = path.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/**
 * Return the finished round that a path or a pasted link leads to: `/r/CODE/N`.
 * @param {string} text
 * @returns {{code: string, n: number} | null} null if it leads to none
 */
export function roundIn(text) {
  const n = /\/r\/[^/?#\s]+\/(\d{1,6})(?:[?#]\S*)?\s*$/i.exec(text)?.[1];
  const code = n ? codeIn(text) : null;
  return code ? { code, n: Number(n) } : null;
}

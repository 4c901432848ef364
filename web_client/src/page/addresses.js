// Addresses of rooms: their codes as people type them (Crockford's base 32, in which O is 0, and I and L
// are 1), and the invitations behind them, which say what a player knows of a room before joining it. The
// server puts that of a link into the head of its page; that of a typed code is requested.

import { CODE_ALPHABET, CODE_LENGTH } from '../contract/protocol.js';
import { parse } from '../contract/text.js';

/** @import {Invitation} from '../contract/messages.d.ts' */

const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);

/**
 * Return the room code in a text that was typed or pasted, which may be a whole link.
 * @param {string} text
 * @returns {string | null} null if there is none
 */
export function codeIn(text) {
  const typed = /\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/**
 * Return the finished round that a path or a pasted link leads to: `/r/CODE/n`, with its number in the room.
 * @param {string} text
 * @returns {{code: string, n: number} | null} null if it leads to none
 */
export function roundIn(text) {
  const n = /\/r\/[^/?#\s]+\/(\d{1,6})(?:[?#]\S*)?\s*$/i.exec(text)?.[1]; // the server takes no more digits
  const code = n ? codeIn(text) : null;
  return code ? { code, n: Number(n) } : null;
}

/** The rooms by code; null means that there is no such room. @type {Map<string, Invitation | null>} */
const invitations = new Map();

/**
 * Store the room that the server has put into the head of a room's page.
 * @param {string} path of the page
 * @param {string | null | undefined} text the room in JSON, `null` if there is none; other pages have no text
 */
export function storeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path); // the page of a finished round is no invitation
  if (code && text) invitations.set(code, parse(text));
}

/** Return a room, null if there is none, or undefined if that is not known. @param {string} code */
export const invitationTo = (code) => invitations.get(code);

/**
 * Request a room as it is now, and store it. Without a whole answer it is not known any more.
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} null if there is none, undefined if that is not known
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) invitations.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) invitations.set(code, null);
  else invitations.delete(code);
  return invitations.get(code);
}

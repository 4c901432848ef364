// Addresses of rooms: their codes as people type them (in Crockford's base 32, O is 0, and I and L are 1), and their
// invitations, which describe a room before a player joins it. The server puts the invitation into the head of the
// document of a room's link. For a typed code, the page requests it.

import { CODE_ALPHABET, CODE_LENGTH } from '../contract/protocol.js';
import { parse } from '../contract/text.js';

/** @import {Invitation} from '../contract/messages.d.ts' */

const CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);

/** Return the room code in a typed or pasted text, which may be a whole link, or null. @param {string} text */
export function codeIn(text) {
  const typed = /\/r\/([^/?#\s]+)/i.exec(text)?.[1] ?? text;
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return CODE.test(code) ? code : null;
}

/**
 * Return the room and the number of a finished round that a path or a pasted link names as `/r/CODE/n`.
 * @param {string} text
 * @returns {{code: string, n: number} | null} null for any other address
 */
export function roundIn(text) {
  const n = /\/r\/[^/?#\s]+\/(\d{1,6})(?:[?#]\S*)?\s*$/i.exec(text)?.[1]; // the server takes no more digits
  const code = n ? codeIn(text) : null;
  return code ? { code, n: Number(n) } : null;
}

/** The invitations by code, null if there is no such room. @type {Map<string, Invitation | null>} */
const invitations = new Map();

/**
 * Store the invitation that the server has put into the head of a room's page.
 * @param {string} path of the page
 * @param {string | null | undefined} text in JSON, `null` if there is no such room; other pages have no text
 */
export function storeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path); // the page of a finished round is no invitation
  if (code && text) invitations.set(code, parse(text));
}

/** Return a room's stored invitation: null if there is no such room, undefined if that is not known. @param {string} code */
export const invitationTo = (code) => invitations.get(code);

/**
 * Request the invitation to a room and store it, or forget the stored one if the request fails.
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} null if there is no such room, undefined if the request failed
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) invitations.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) invitations.set(code, null);
  else invitations.delete(code);
  return invitations.get(code);
}

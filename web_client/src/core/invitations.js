// Rooms as they are known before a player joins them. The server puts the room of a link into the
// head of its page; the room of a typed code is requested.

import { parse } from './names.js';
import { codeIn, roundIn } from './room-code.js';

/** @import {Invitation} from './messages.d.ts' */

/** The rooms by code; null means that there is no such room. @type {Map<string, Invitation | null>} */
const known = new Map();

/**
 * Store the room that the server has put into the head of a room's page.
 *
 * @param {string} path of the page
 * @param {string | null | undefined} text the room in JSON, `null` if there is none; other pages have
 *   no text
 */
export function storeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path); // the page of a finished round invites nobody
  if (!code || !text) return;
  known.set(code, JSON.parse(text));
}

/** Return a room, null if there is none, or undefined if neither is known. @param {string} code */
export const invitationTo = (code) => known.get(code);

/**
 * Request a room as it is now.
 *
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} null if there is none, undefined if the request
 *   fails
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) known.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) known.set(code, null);
  else known.delete(code);
  return known.get(code);
}

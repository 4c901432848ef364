// What is known of rooms before they are joined. The page of a room's link knows it from its head;
// for a typed code it is requested.

import { parse } from './names.js';
import { codeIn, roundIn } from './room-code.js';

/** @import {Invitation} from './messages.d.ts' */

/** The rooms by code; null is a room that is not there. @type {Map<string, Invitation | null>} */
const known = new Map();

/**
 * Take what the head of the page says of the room of its address.
 *
 * @param {string} path
 * @param {string | null | undefined} text
 */
export function takeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path);
  if (!code || !text) return;
  known.set(code, JSON.parse(text));
}

/** Return a room, null if there is none, or undefined if that is not known. @param {string} code */
export const invitationTo = (code) => known.get(code);

/**
 * Request what is to be known of a room now.
 *
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} undefined if the server does not say
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) known.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) known.set(code, null);
  else known.delete(code);
  return known.get(code);
}

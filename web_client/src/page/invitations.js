// Invitations: what a player knows of a room before joining it. The server puts that of a link into the
// head of its page; that of a typed code is requested.

import { parse } from '../contract/names.js';
import { codeIn, roundIn } from './room-code.js';

/** @import {Invitation} from '../contract/messages.d.ts' */

/** The rooms by code; null means that there is no such room. @type {Map<string, Invitation | null>} */
const invitations = new Map();

/**
 * Store the room that the server has put into the head of a room's page.
 * @param {string} path of the page
 * @param {string | null | undefined} text the room in JSON, `null` if there is none; other pages have
 *   no text
 */
export function storeInvitation(path, text) {
  const code = roundIn(path) ? null : codeIn(path); // the page of a finished round is no invitation
  if (!code || !text) return;
  invitations.set(code, JSON.parse(text));
}

/** Return a room, null if there is none, or undefined if that is not known. @param {string} code */
export const invitationTo = (code) => invitations.get(code);

/**
 * Request a room as it is now.
 * @param {string} code
 * @returns {Promise<Invitation | null | undefined>} null if there is none, undefined if the request
 *   fails
 */
export async function fetchInvitation(code) {
  const answer = await fetch(`/api/rooms/${code}`).catch(() => null);
  if (answer?.ok) invitations.set(code, await answer.text().then(parse, () => undefined));
  else if (answer?.status === 404) invitations.set(code, null);
  else invitations.delete(code);
  return invitations.get(code);
}

// The addresses of finished rounds, and their documents, each of which is fetched once.

import { parse } from '../core/names.js';
import { readReplay } from '../core/notation.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Replay} from '../core/notation.js'
 * @typedef {{code: string, n: number}} Place
 */

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** Return the address of a round's data. @param {Place} place */
export const dataOf = ({ code, n }) => `/api/rooms/${code}/rounds/${n}`;

/** Return the link that shows a round to anybody. @param {Place} place */
export const linkTo = ({ code, n }) => `/r/${code}/${n}`;

/**
 * Fetch a JSON document; the same path is fetched again only after a failure.
 *
 * @param {string} path
 * @param {(document: any) => any} [read]
 * @returns {Promise<any>} what `read` makes of it; rejected with the status if it is no success
 */
function fetchOnce(path, read = (document) => document) {
  const known = fetched.get(path);
  if (known) return known;
  const answer = fetch(path).then(async (response) => {
    if (!response.ok) throw new Error(String(response.status));
    return read(parse(await response.text()));
  });
  answer.catch(() => fetched.delete(path));
  fetched.set(path, answer);
  return answer;
}

/** Fetch how a round went; rejected with `404` if there is no such round or it is not over. @param {Place} place @returns {Promise<RoundCourse>} */
export const fetchRound = (place) => fetchOnce(`${dataOf(place)}/course`);

/** Fetch one player's game. @param {Place} place @param {number} seat @returns {Promise<Replay>} */
export const fetchReplay = (place, seat) => fetchOnce(`${dataOf(place)}/seats/${seat}`, readReplay);

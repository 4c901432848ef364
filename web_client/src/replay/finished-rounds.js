// The addresses of finished rounds, and their documents; each document is fetched once.

import { parse } from '../core/names.js';
import { readReplay } from '../core/notation.js';

/**
 * @import {RoundCourse} from '../core/messages.d.ts'
 * @import {Replay} from '../core/notation.js'
 * @typedef {{code: string, n: number}} RoundId
 */

/** The documents by path. @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** Return the path of a round's data. @param {RoundId} id */
export const dataPath = ({ code, n }) => `/api/rooms/${code}/rounds/${n}`;

/** Return the path of the page of a round, which is open to everybody. @param {RoundId} id */
export const pagePath = ({ code, n }) => `/r/${code}/${n}`;

/**
 * Fetch a JSON document; the same path is fetched again only after a failure.
 *
 * @param {string} path
 * @param {(document: any) => any} [read]
 * @returns {Promise<any>} the result of `read`; rejected with the status if it is no success
 */
function fetchOnce(path, read = (document) => document) {
  const earlier = fetched.get(path);
  if (earlier) return earlier;
  const answer = fetch(path).then(async (response) => {
    if (!response.ok) throw new Error(String(response.status));
    return read(parse(await response.text()));
  });
  answer.catch(() => fetched.delete(path));
  fetched.set(path, answer);
  return answer;
}

/** Fetch the course of a round; rejected with `404` if there is no such round or it is not over. @param {RoundId} id @returns {Promise<RoundCourse>} */
export const fetchRound = (id) => fetchOnce(`${dataPath(id)}/course`);

/** Fetch one player's game. @param {RoundId} id @param {number} seat @returns {Promise<Replay>} */
export const fetchReplay = (id, seat) => fetchOnce(`${dataPath(id)}/seats/${seat}`, readReplay);

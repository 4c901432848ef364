// The addresses of finished rounds, and their documents; each document is fetched once.

import { parse } from '../contract/names.js';
import { readReplay } from '../contract/notation.js';

/**
 * @import {RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Replay} from '../contract/notation.js'
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
 * @param {string} path
 * @param {(document: any) => any} [read]
 * @returns {Promise<any>} the result of `read`; rejected with the status if it is no success
 */
function fetchOnce(path, read = (document) => document) {
  const earlier = fetched.get(path);
  if (earlier) return earlier;
  // After a failover another round may have this number; the server then says so.
  const answer = fetch(path, { cache: 'no-cache' }).then(async (response) => {
    if (!response.ok) throw new Error(String(response.status));
    return read(parse(await response.text()));
  });
  answer.catch(() => fetched.delete(path));
  fetched.set(path, answer);
  return answer;
}

/** Fetch the course of a round; rejected with `404` before its end. @param {RoundId} id @returns {Promise<RoundCourse>} */
export const fetchRound = (id) => fetchOnce(`${dataPath(id)}/course`);

/** Fetch the review of a round as it is now; rejected if there is none. @param {RoundId} id @returns {Promise<RoundReview>} */
export async function fetchReview(id) {
  const response = await fetch(`${dataPath(id)}/review`);
  if (!response.ok) throw new Error(String(response.status));
  return parse(await response.text());
}

/** The win that was known before the race. */
export const KNOWN_WIN = 'proof';

/** Return the last known win of a player's game. @param {number} seat */
export const winOf = (seat) => `${seat}/win`;

/**
 * Fetch a game, act by act.
 * @param {RoundId} id
 * @param {string} game `KNOWN_WIN`, the number of a player's seat, or one of `winOf`
 * @returns {Promise<Replay>}
 */
export const fetchReplay = (id, game) =>
  fetchOnce(`${dataPath(id)}/${game === KNOWN_WIN ? game : `seats/${game}`}`, readReplay);

// Rounds that are over: where they are, and the fetching of them, once each.

/**
 * @import {Replay, RoundCourse} from '../core/messages.d.ts'
 * @typedef {{code: string, n: number}} Place
 */

/** @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** @param {Place} place */
export const dataOf = ({ code, n }) => `/api/rooms/${code}/rounds/${n}`;

/** The link that shows a round to anybody. @param {Place} place */
export const linkTo = ({ code, n }) => `/r/${code}/${n}`;

/** @param {string} path @returns {Promise<any>} */
function get(path) {
  const known = fetched.get(path);
  if (known) return known;
  const answer = fetch(path).then((response) => {
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  });
  answer.catch(() => fetched.delete(path));
  fetched.set(path, answer);
  return answer;
}

/** How a round went; fails with `404` if there is none or it is not over. @param {Place} place @returns {Promise<RoundCourse>} */
export const fetchRound = (place) => get(`${dataOf(place)}/course`);

/** One player's game. @param {Place} place @param {number} seat @returns {Promise<Replay>} */
export const fetchReplay = (place, seat) => get(`${dataOf(place)}/seats/${seat}`);

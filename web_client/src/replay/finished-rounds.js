// The addresses of finished rounds, and their documents. Each is fetched once, but for the review, which
// tells until when a win was known in each game: the server makes it after the race, so the page asks
// again until it is done.

import { parse, readReplay } from '../contract/notation.js';
import { makeTape } from './course.js';

/**
 * @import {RoundCourse, RoundReview} from '../contract/messages.d.ts'
 * @import {Tape} from './course.js'
 * @typedef {{code: string, n: number}} RoundId
 */

/** Return the path of a round's data. @param {RoundId} id */
export const dataPath = ({ code, n }) => `/api/rooms/${code}/rounds/${n}`;

/** Fetch a JSON document; rejected with the status if it is no success. @param {string} path @param {RequestInit} [how] */
async function fetchDocument(path, how) {
  const response = await fetch(path, how);
  if (!response.ok) throw new Error(String(response.status));
  return parse(await response.text());
}

/** The documents by path. @type {Map<string, Promise<any>>} */
const fetched = new Map();

/** Fetch a document; the same path is fetched again only after a failure. @param {string} path @param {(document: any) => any} [read] @returns {Promise<any>} */
function fetchOnce(path, read) {
  // After a failover another round may have this number; the server then says so.
  const answer = fetched.get(path) ?? fetchDocument(path, { cache: 'no-cache' }).then(read);
  answer.catch(() => fetched.delete(path));
  fetched.set(path, answer);
  return answer;
}

/** Fetch the course of a round; rejected with `404` before its end. @param {RoundId} id @returns {Promise<RoundCourse>} */
export const fetchRound = (id) => fetchOnce(`${dataPath(id)}/course`);

/** The win that was known before the race. */
export const KNOWN_WIN = 'proof';

/** Return the last known win of a player's game. @param {number} seat */
export const winOf = (seat) => `${seat}/win`;

/**
 * Fetch the tape of a game.
 * @param {RoundId} id
 * @param {string} game `KNOWN_WIN`, the number of a player's seat, or one of `winOf`
 * @returns {Promise<Tape>}
 */
export const fetchTape = (id, game) =>
  fetchOnce(`${dataPath(id)}/${game === KNOWN_WIN ? game : `seats/${game}`}`, (replay) =>
    makeTape(readReplay(replay)),
  );

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.4;
/** After half an hour a review is left: the server is too busy. */
const MOST_ASKED = 120;

/**
 * Return the time before the next question, or null if there is none.
 * @param {RoundReview['state']} state of the review
 * @param {number} asked how often it was asked for
 */
export const nextWait = (state, asked) =>
  state === 'done' || asked >= MOST_ASKED
    ? null
    : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** asked);

/**
 * Follow the review of a round; it changes until it is done.
 * @param {RoundId} id
 * @param {(review: RoundReview) => void} show
 * @returns {() => void} a function that ends it
 */
export function followReview(id, show) {
  let timer = 0;
  let ended = false;

  /** Ask for the review. @param {number} asked how often it was asked for */
  async function ask(asked) {
    /** @type {RoundReview | null} */
    const review = await fetchDocument(`${dataPath(id)}/review`).catch(() => null);
    if (ended) return;
    if (review) show(review);
    const wait = nextWait(review?.state ?? 'waiting', asked);
    if (wait !== null) timer = window.setTimeout(ask, wait, asked + 1);
  }

  ask(0);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

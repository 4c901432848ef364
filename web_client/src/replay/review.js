// The review of a finished round: until when a win was known in each game. The server makes it after
// the race, so the page asks again until it is done.

import { fetchReview } from './finished-rounds.js';

/**
 * @import {RoundReview} from '../contract/messages.d.ts'
 * @import {RoundId} from './finished-rounds.js'
 */

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
const GROWTH = 1.4;
/** The time in which a busy server begins a review, and that in which it is done; later they are left. */
const GIVE_UP_MS = { waiting: 30 * 60_000, running: 15 * 60_000 };

/**
 * Return the time before the next question, or null if there is none.
 * @param {RoundReview['state']} state of the review
 * @param {number} asked how often it was asked for
 * @param {number} passedMs since it is in this state
 */
export function nextWait(state, asked, passedMs) {
  if (state === 'done' || passedMs > GIVE_UP_MS[state]) return null;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** asked);
}

/**
 * Follow the review of a round; it changes until it is done.
 * @param {RoundId} id
 * @param {(review: RoundReview) => void} show
 * @returns {() => void} a function that ends it
 */
export function followReview(id, show) {
  let since = performance.now();
  /** @type {RoundReview['state']} */
  let state = 'waiting';
  let timer = 0;
  let ended = false;

  /** Ask for the review. @param {number} asked how often it was asked for */
  async function ask(asked) {
    const review = await fetchReview(id).catch(() => null);
    if (ended) return;
    if (review) show(review);
    if (review && review.state !== state) [state, since] = [review.state, performance.now()];
    const wait = nextWait(state, asked, performance.now() - since);
    if (wait !== null) timer = window.setTimeout(ask, wait, asked + 1);
  }

  ask(0);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** Return the reviews by seat. @param {RoundReview | null} review */
export const bySeat = (review) => new Map((review?.games ?? []).map((game) => [game.seat, game]));

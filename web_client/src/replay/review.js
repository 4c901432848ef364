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
/** The time after which a server that has not begun makes no reviews. */
const GIVE_UP_WAITING_MS = 60_000;
/** The time after which a review that is not done is left as it is. */
const GIVE_UP_MS = 15 * 60_000;

/**
 * Return the time before the next question, or null if there is none.
 * @param {RoundReview['state']} state of the review
 * @param {number} asked how often it was asked for
 * @param {number} passedMs since the first question
 */
export function nextWait(state, asked, passedMs) {
  if (state === 'done' || passedMs > (state === 'waiting' ? GIVE_UP_WAITING_MS : GIVE_UP_MS))
    return null;
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * GROWTH ** asked);
}

/**
 * Follow the review of a round; it changes until it is done.
 * @param {RoundId} id
 * @param {(review: RoundReview) => void} show
 * @returns {() => void} a function that ends it
 */
export function followReview(id, show) {
  const began = performance.now();
  let timer = 0;
  let ended = false;

  /** Ask for the review. @param {number} asked how often it was asked for */
  async function ask(asked) {
    const review = await fetchReview(id).catch(() => null);
    if (ended) return;
    if (review) show(review);
    const wait = nextWait(review?.state ?? 'waiting', asked, performance.now() - began);
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

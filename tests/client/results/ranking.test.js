import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { strings } from '../../../web_client/src/core/language.js';
import { heading } from '../../../web_client/src/results/ranking.js';
import { matchTallyOf } from '../../../web_client/src/results/tally.js';

/** Return the heading for Ada, seat 0, of a ranking of names. @param {string[]} names @param {number[]} [winners] */
const shown = (names, winners) =>
  heading(
    /** @type {any} */ ({
      ranking: names.map((name, seat) => ({ seat, name, place: seat + 1, won: false })),
      winners,
    }),
    0,
  );

test('the heading names the winners that the server names', () => {
  assert.equal(shown(['Ada', 'Bob'], [0]), 'You win, Ada!');
  assert.equal(shown(['Ada', 'Bob'], [1]), 'Bob wins');
  assert.equal(shown(['Ada', 'Bob', 'Cy'], [1, 2]), 'Bob and Cy share the win');
});

test('the first of players who all gave up is no winner', () => {
  assert.equal(shown(['Ada', 'Bob'], []), 'Nobody finished');
  assert.equal(shown(['Ada', 'Bob']), 'Nobody finished', 'from a server of the release before');
  assert.equal(shown(['Ada'], []), 'Practice over');
});

test('in a match of several rounds the heading of a round names the round', () => {
  const ranking = /** @type {any[]} */ (['Ada', 'Bob'].map((name, seat) => ({ seat, name })));
  const shownIn = (/** @type {number[]} */ winners) => heading({ ranking, winners }, 0, 2);
  assert.equal(shownIn([0]), 'You win round 2, Ada!');
  assert.equal(shownIn([1]), 'Bob wins round 2');
  assert.equal(shownIn([0, 1]), 'Round 2 is a tie: Ada and Bob');
  assert.equal(shownIn([]), 'Nobody finished round 2');
});

test('the heading of a match that is over names its winners', () => {
  assert.equal(strings.matchVerdict(['Ada'], true), 'You win the match, Ada!');
  assert.equal(strings.matchVerdict(['Bob'], false), 'Bob wins the match');
  assert.equal(strings.matchVerdict(['Ada', 'Bob'], true), 'The match is a tie: Ada and Bob');
  assert.equal(strings.matchVerdict([], false), 'Nobody wins the match');
});

test('the tally of a match counts what decides it', () => {
  /** @type {any} */
  const match = {
    cards: [
      { name: 'Ada', place: 1, wins: 1, score: 40 },
      { name: 'Bob', place: 2, wins: 2, score: 30 },
      { name: 'Late', place: null, wins: 0, score: 0 },
    ],
  };
  assert.deepEqual(matchTallyOf(match, 'score'), [
    { name: 'Ada', wins: 40 },
    { name: 'Bob', wins: 30 },
  ]);
  assert.equal(matchTallyOf(match, 'wins')[1]?.wins, 2);
  const nothing = { cards: match.cards.map((/** @type {any} */ card) => ({ ...card, wins: 0 })) };
  assert.deepEqual(matchTallyOf(/** @type {any} */ (nothing), 'wins'), []);
});

test('equal figures come with what decides between them', () => {
  assert.equal(strings.tieBreak('last_gain'), 'ahead by last gain');
});

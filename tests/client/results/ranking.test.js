import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { heading } from '../../../web_client/src/results/ranking.js';

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

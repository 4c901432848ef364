import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coloursOf, takenColours } from '../../../web_client/src/state/seat-colours.js';
import { example } from '../examples.js';

/** A room of seats with these colours; a colour in brackets is a spectator's. @param {(string | undefined)[]} colours */
const room = (...colours) => ({
  ...example('joined').room,
  seats: colours.map((colour, seat) => ({
    seat,
    colour: colour?.replace(/[()]/g, ''),
    role: colour?.startsWith('(') ? 'spectator' : 'player',
  })),
});

test('the server says which colour a seat has', () => {
  const colours = coloursOf(room('gold', 'blue'));
  assert.deepEqual([0, 1].map(colours), ['gold', 'blue']);
});

test('players who have left keep their colours in the results', () => {
  const over = example('round_over', 'secret');
  assert.deepEqual([0, 1].map(coloursOf(null, over)), ['blue', 'gold']);
  assert.deepEqual([0, 1].map(coloursOf(room('pink'), over)), ['pink', 'gold']);
});

test('a server of release 1.0 sends no colours: the numbers of the seats give them', () => {
  const colours = coloursOf(room(undefined, undefined));
  assert.deepEqual([0, 1, 8].map(colours), ['blue', 'red', 'blue']);
});

test('colours of other players are taken, but not those of spectators', () => {
  assert.deepEqual([...takenColours(room('blue', 'gold', '(teal)'), 0)], ['gold']);
});

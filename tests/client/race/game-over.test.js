import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { hasWonRace } from '../../../web_client/src/state/first-home.js';
import { strings } from '../../../web_client/src/strings/language.js';

/** Return a race of this player, seat 0, and another one. @param {any} own @param {any} [settings] @returns {any} */
const race = (own, settings = {}) => ({
  me: { seat: 0 },
  room: { settings: { ranking: 'first_home', cheats: 'shown', ...settings } },
  standings: [
    { seat: 0, place: 1, won: true, cheats: 0, ...own },
    { seat: 1, place: 2, won: false, cheats: 0 },
  ],
});

test('the first at home has won where nobody can overtake', () => {
  assert.equal(hasWonRace(race({})), true);
  assert.equal(hasWonRace(race({ place: 2 })), false);
  assert.equal(hasWonRace(race({ won: false })), false, 'a stopped game can be overtaken');
  assert.equal(hasWonRace(race({}, { ranking: 'best_score' })), false);
  assert.equal(hasWonRace(race({ cheats: 1 })), true);
  assert.equal(hasWonRace(race({ cheats: 1 }, { cheats: 'out' })), false);
  const alone = race({});
  assert.equal(hasWonRace({ ...alone, standings: alone.standings.slice(0, 1) }), false);
});

test('a winner reads the time and how many still race', () => {
  assert.equal(
    `${strings.youWin(145_900)} ${strings.soFar(null, 3)}`,
    'You win! 2:25. 3 players still racing.',
  );
});

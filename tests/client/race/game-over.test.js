import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeQuestion } from '../../../web_client/src/race/stuck.js';
import { hasWonRace, lostTo, openPlace } from '../../../web_client/src/state/first-home.js';
import { strings } from '../../../web_client/src/strings/language.js';

/** Return a race of this player, seat 0, and another one. @param {any} own @param {any} [settings] */
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

test('a player who has lost is asked once whether to race on, and an act is an answer', () => {
  const behind = (at, settings = {}) => {
    const { me, room, standings } = race({ seat: 1, state: 'FINISHED' }, settings);
    const own = { ...standings[1], seat: 0, state: 'RACING' };
    const running = { ...room, code: 'A', state: 'RUNNING', round: { n: 1 } };
    return { me, room: running, standings: [standings[0], own], play: { shown: { at } } };
  };
  const lost = behind(7);
  assert.equal(lostTo(lost)?.seat, 1);
  assert.equal(openPlace(lost), 2);
  assert.equal(lostTo(behind(7, { ranking: 'best_score' })), undefined);
  const pressed = makeQuestion();
  assert.equal(pressed.asksBehind(lost)?.seat, 1);
  assert.equal(pressed.asksBehind(lost)?.seat, 1, 'it stays until it is answered');
  pressed.raceOnBehind();
  assert.equal(pressed.asksBehind(lost), undefined);
  const acted = makeQuestion();
  acted.asksBehind(lost);
  assert.equal(acted.asksBehind(behind(8)), undefined);
  assert.equal(acted.asksBehind(behind(8)), undefined);
  const { title, text, goOn } = strings.behindAsk('Bob', 2, 95_000);
  assert.equal(
    `${title} ${text} [${goOn}]`,
    'Bob wins. You can still finish: 1:35 left. [Play on for 2nd]',
  );
});

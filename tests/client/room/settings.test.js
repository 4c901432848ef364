import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { SETTINGS as TABLE } from '../../../web_client/src/contract/settings.js';
import { configure, forgetSent } from '../../../web_client/src/room/configure.js';
import { freeSeats, placeAt, roundOf } from '../../../web_client/src/room/places.js';
import {
  applies,
  choicesOf,
  differences,
  isShown,
  NAMES,
  withChange,
} from '../../../web_client/src/room/setting-choices.js';
import { example, game } from '../examples.js';

const SETTINGS = { ...example('joined').room.settings, game: 'spider-4', auto_remove: true };

/**
 * Return the settings that are sent after a change.
 *
 * @param {any} settings
 * @param {any} name
 * @param {any} value
 * @param {string[]} [byHand]
 * @returns {any}
 */
function afterChange(settings, name, value, byHand = []) {
  const before = { ...SETTINGS, ...settings };
  const games = { before: game(before.game), now: game(name === 'game' ? value : before.game) };
  return withChange(before, name, value, { chosen: new Set([...byHand, name]), games });
}

const scoreAndLayout = ({ score, layout }) => [score, layout];

test('a change of the deal leaves the layout open unless the host has chosen it', () => {
  const deal = (settings, byHand) =>
    scoreAndLayout(afterChange(settings, 'deal', 'numbered', byHand));
  assert.deepEqual(deal({ layout: 'left4' }, []), ['woods', undefined]);
  assert.deepEqual(deal({ layout: 'left4' }, ['layout']), ['woods', 'left4']);
  assert.deepEqual(deal({ layout: 'spread' }, ['score']), ['woods', undefined]);
});

test('a change of the game brings its usual score and layout unless the host has chosen them', () => {
  const to = (settings, now, byHand = ['']) =>
    scoreAndLayout(afterChange(settings, 'game', now, byHand));
  assert.deepEqual(to({ score: 'woods' }, 'little-spider'), [undefined, undefined]);
  const little = { game: 'little-spider', score: 'cards' };
  assert.deepEqual(to(little, 'spider-4'), [undefined, undefined]);
  assert.deepEqual(to({ score: 'cards' }, 'spiderette-4', ['score']), ['cards', undefined]);
  const spread = { game: 'spiderette-4', layout: 'spread' };
  assert.deepEqual(to(spread, 'spider-4', ['layout', 'score']), ['woods', 'spread']);
});

test('values that the new game does not have are left open, chosen or not', () => {
  const open = afterChange({ score: 'dos', layout: 'spread' }, 'game', 'spiderette-4', [
    'score',
    'layout',
  ]);
  assert.deepEqual(scoreAndLayout(open), [undefined, undefined]);
});

test('a score from a preset stays with a new game that has it', () => {
  assert.deepEqual(scoreAndLayout(afterChange({ score: 'dos' }, 'game', 'spider-2')), [
    'dos',
    undefined,
  ]);
});

test('all other settings are sent as they are', () => {
  const { layout: _, ...rest } = afterChange({}, 'deal', 'numbered');
  const { layout: __, ...all } = { ...SETTINGS, deal: 'numbered' };
  assert.deepEqual(rest, all);
  assert.deepEqual(afterChange({}, 'time_limit_s', 300), { ...SETTINGS, time_limit_s: 300 });
});

test('settings of which the new game knows nothing go, and come back as new', () => {
  const little = afterChange({ exceptions: 'hard', relaxed_deal: true }, 'game', 'little-spider');
  assert.deepEqual([little.exceptions, little.relaxed_deal], ['off', false]);
  assert.ok(!('auto_remove' in little));
  const back = afterChange({ ...little, auto_remove: false }, 'game', 'spider-1');
  assert.ok(!('auto_remove' in back)); // the server turns it on again
});

test('the DOS score opens what does not go with it, and nothing opens the score', () => {
  const dos = afterChange({ undo: 'any', cheats: 'out' }, 'score', 'dos', ['undo']);
  assert.ok(!('undo' in dos) && !('auto_remove' in dos));
  const forced = { score: 'dos', undo: 'off', auto_remove: false };
  const woods = afterChange(forced, 'score', 'woods');
  assert.ok(!('undo' in woods) && !('auto_remove' in woods));
  const chosen = afterChange(forced, 'score', 'woods', ['undo', 'auto_remove']);
  assert.deepEqual([chosen.undo, chosen.auto_remove], ['off', false]);
  assert.equal(afterChange(forced, 'undo', 'any').score, 'dos'); // the server refuses it with a sentence
});

test('a setting that has lost its effect gets its default', () => {
  assert.equal(afterChange({ undo: 'any', cheats: 'out' }, 'undo', 'off').cheats, 'shown');
  assert.equal(afterChange({ undo: 'any', cheats: 'out' }, 'undo', 'counted').cheats, 'out');
  assert.equal(afterChange({ deal: 'numbered', number: 24 }, 'deal', 'secret').number, null);
  assert.equal(
    afterChange({ rounds: 6, match_ranking: 'score' }, 'rounds', 1).match_ranking,
    'wins',
  );
});

test('every setting is a field as soon as it has an effect', () => {
  for (const name of NAMES) {
    const { onlyWith, games, byGame } = TABLE[name];
    const settings = onlyWith ? { ...SETTINGS, [onlyWith.name]: onlyWith.values[0] } : SETTINGS;
    assert.ok(isShown(name, settings, game('spider-4')), name);
    if (onlyWith) assert.ok(!applies(name, { ...settings, [onlyWith.name]: 'other' }), name);
    if (games || byGame) {
      const little = { ...settings, game: 'little-spider' };
      assert.ok(!isShown(name, little, game('little-spider')), name);
    }
  }
});

test('numbers are offered with the one that the room has', () => {
  const limits = choicesOf('time_limit_s', { time_limit_s: 600 }, undefined);
  assert.deepEqual(limits, [300, 600, 900, 1_800, 3_600, 7_200, null]);
  const rests = choicesOf('after_win_s', { after_win_s: 90 }, undefined);
  assert.deepEqual(rests, [60, 90, 120, 300, null]);
  assert.deepEqual(choicesOf('score', SETTINGS, game('spiderette-4')), ['woods', 'cards', 'moves']);
  assert.deepEqual(choicesOf('score', SETTINGS, undefined), ['woods', 'dos', 'cards', 'moves']);
});

test('changed settings are found by name', () => {
  assert.deepEqual(differences(SETTINGS, SETTINGS), []);
  const other = { ...SETTINGS, hints: true, time_limit_s: 1_200 };
  assert.deepEqual(differences(SETTINGS, other), ['hints', 'time_limit_s']);
});

/** Return a room whose answers the test sends, and what was sent to it. */
function made() {
  const sent = [];
  const room = { code: '7777777', settings: { hints: false, undo: 'any', score: 'woods' } };
  const app = { state: () => ({ room }), send: ({ settings }) => sent.push(settings) };
  const change = (changes) => configure(app, (base) => ({ ...base, ...changes }));
  const answer = (settings) => {
    room.settings = settings;
  };
  return { sent, change, answer };
}

beforeEach(() => {
  forgetSent();
  mock.timers.reset();
});

test('a change that follows an answer to an earlier one keeps those that are still open', () => {
  const { sent, change, answer } = made();
  change({ hints: true });
  change({ undo: 'none' });
  answer(sent[0]);
  change({ score: 'moves' });
  assert.deepEqual(sent[2], { hints: true, undo: 'none', score: 'moves' });
});

test('a change about people is kept like all others', () => {
  const { sent, change, answer } = made();
  answer({ one_seat: false, undo: 'any' });
  change({ one_seat: true });
  change({ undo: 'none' });
  assert.equal(sent[1].one_seat, true);
});

test('a change is made on what the room answered', () => {
  const { sent, change, answer } = made();
  change({ hints: true });
  answer({ ...sent[0], layout: 'left4' }); // what was left open
  change({ score: 'moves' });
  assert.deepEqual(sent[1], { hints: true, undo: 'any', score: 'moves', layout: 'left4' });
});

test('a refused change is no base for the next one', () => {
  const { sent, change } = made();
  change({ hints: true });
  forgetSent();
  change({ score: 'moves' });
  assert.deepEqual(sent[1], { hints: false, undo: 'any', score: 'moves' });
});

const seatsOf = (players, settings = {}) => ({
  seats: [
    ...Array.from({ length: players }, (_, seat) => ({ seat, role: 'player' })),
    { seat: 99, role: 'spectator' },
  ],
  settings: { max_players: 100, locked: false, ...settings },
});

test('a small room has four places, and one more for a friend until eight players are in', () => {
  assert.equal(
    [1, 2, 3, 4, 7, 8, 12].map((players) => freeSeats(seatsOf(players))).join(),
    '3,2,1,1,1,0,0',
  );
});

test('no seat is free that nobody could take', () => {
  assert.equal(freeSeats(seatsOf(2, { max_players: 3 })), 1);
  assert.equal(freeSeats(seatsOf(2, { max_players: 2 })), 0);
  assert.equal(freeSeats(seatsOf(3, { max_players: 2 })), 0);
  assert.equal(freeSeats(seatsOf(2, { locked: true })), 0);
  assert.equal(freeSeats(seatsOf(1, { max_players: 1 })), 0);
});

test('the first place is below the middle, and the others follow clockwise', () => {
  const places = [0, 1, 2, 3].map((at) => placeAt(at, 4));
  assert.deepEqual(
    places.map(({ x, y }) => [Math.round(x) + 0, Math.round(y) + 0]),
    [
      [0, 1],
      [-1, 0],
      [0, -1],
      [1, 0],
    ],
  );
  assert.ok(Math.abs(placeAt(-1, 3).x - placeAt(2, 3).x) < 1e-9, 'before the first is the last');
});

test('twelve places stand round the table, and more stand across it', () => {
  assert.deepEqual([1, 8, 9, 12, 13].map(roundOf), ['few', 'few', 'many', 'many', '']);
});

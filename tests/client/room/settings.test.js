import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS as TABLE } from '../../../web_client/src/contract/settings.js';
import { freeSeats, placeAt, roundOf } from '../../../web_client/src/room/places.js';
import * as choices from '../../../web_client/src/room/setting-choices.js';
import { example, game } from '../examples.js';

const { applies, choicesOf, differences, isShown, NAMES, withChange } = choices;
const SETTINGS = { ...example('joined').room.settings, game: 'spider-4', auto_remove: true };

function afterChange(settings, name, value, byHand = []) {
  const before = { ...SETTINGS, ...settings };
  const games = { before: game(before.game), now: game(name === 'game' ? value : before.game) };
  return withChange(before, name, value, { chosen: new Set([...byHand, name]), games });
}

test('a change brings its usual score and layout unless the host has chosen them', () => {
  const OPEN = undefined; // the server chooses
  const little = { game: 'little-spider', score: 'cards' };
  const spread = { game: 'spiderette-4', layout: 'spread' };
  for (const [settings, name, value, byHand, score, layout] of [
    [{ layout: 'left4' }, 'deal', 'numbered', [], 'woods', OPEN],
    [{ layout: 'left4' }, 'deal', 'numbered', ['layout'], 'woods', 'left4'],
    [{ layout: 'spread' }, 'deal', 'numbered', ['score'], 'woods', OPEN],
    [{ score: 'woods' }, 'game', 'little-spider', [''], OPEN, OPEN],
    [little, 'game', 'spider-4', [''], OPEN, OPEN],
    [{ score: 'cards' }, 'game', 'spiderette-4', ['score'], 'cards', OPEN],
    [spread, 'game', 'spider-4', ['layout', 'score'], 'woods', 'spread'],
    // Values that the new game does not have are left open, chosen or not.
    [{ score: 'dos', layout: 'spread' }, 'game', 'spiderette-4', ['score', 'layout'], OPEN, OPEN],
    // A score from a preset stays with a new game that has it.
    [{ score: 'dos' }, 'game', 'spider-2', [], 'dos', OPEN],
  ]) {
    const after = afterChange(settings, name, value, byHand);
    assert.deepEqual([after.score, after.layout], [score, layout]);
  }
});

test('all other settings are sent as they are, but those of which the new game knows nothing go', () => {
  const { layout: _, ...rest } = afterChange({}, 'deal', 'numbered');
  const { layout: __, ...all } = { ...SETTINGS, deal: 'numbered' };
  assert.deepEqual(rest, all);
  assert.deepEqual(afterChange({}, 'time_limit_s', 300), { ...SETTINGS, time_limit_s: 300 });
  const little = afterChange({ exceptions: 'hard', relaxed_deal: true }, 'game', 'little-spider');
  assert.deepEqual([little.exceptions, little.relaxed_deal], ['off', false]);
  assert.ok(!('auto_remove' in little));
  const back = afterChange({ ...little, auto_remove: false }, 'game', 'spider-1');
  assert.ok(!('auto_remove' in back)); // the server turns it on again
});

test('the DOS score opens what does not go with it, and nothing opens the score', () => {
  const dos = afterChange({ undo: 'any', cheats: 'out' }, 'score', 'dos', ['undo']);
  const forced = { score: 'dos', undo: 'off', auto_remove: false };
  const woods = afterChange(forced, 'score', 'woods');
  for (const after of [dos, woods]) assert.ok(!('undo' in after) && !('auto_remove' in after));
  const chosen = afterChange(forced, 'score', 'woods', ['undo', 'auto_remove']);
  assert.deepEqual([chosen.undo, chosen.auto_remove], ['off', false]);
  assert.equal(afterChange(forced, 'undo', 'any').score, 'dos'); // the server refuses it with a sentence
});

test('a setting that has lost its effect gets its default', () => {
  for (const [settings, name, value, other, is] of [
    [{ undo: 'any', cheats: 'out' }, 'undo', 'off', 'cheats', 'shown'],
    [{ undo: 'any', cheats: 'out' }, 'undo', 'counted', 'cheats', 'out'],
    [{ deal: 'numbered', number: 24 }, 'deal', 'secret', 'number', null],
    [{ rounds: 6, match_ranking: 'score' }, 'rounds', 1, 'match_ranking', 'wins'],
  ])
    assert.equal(afterChange(settings, name, value)[other], is);
});

test('every setting is a field as soon as it has an effect', () => {
  for (const name of NAMES) {
    const { onlyWith, games, byGame } = TABLE[name];
    const settings = onlyWith ? { ...SETTINGS, [onlyWith.name]: onlyWith.values[0] } : SETTINGS;
    assert.ok(isShown(name, settings, game('spider-4')), name);
    if (onlyWith) assert.ok(!applies(name, { ...settings, [onlyWith.name]: 'other' }), name);
    const little = { ...settings, game: 'little-spider' };
    if (games || byGame) assert.ok(!isShown(name, little, game('little-spider')), name);
  }
});

test('numbers are offered with the one that the room has, and changes are found by name', () => {
  for (const [name, settings, id, offered] of [
    ['time_limit_s', { time_limit_s: 600 }, '', [300, 600, 900, 1_800, 3_600, 7_200, null]],
    ['after_win_s', { after_win_s: 90 }, '', [60, 90, 120, 300, null]],
    ['score', SETTINGS, 'spiderette-4', ['woods', 'cards', 'moves']],
    ['score', SETTINGS, '', ['woods', 'dos', 'cards', 'moves']],
  ])
    assert.deepEqual(choicesOf(name, settings, id ? game(id) : undefined), offered);
  assert.deepEqual(differences(SETTINGS, SETTINGS), []);
  const other = { ...SETTINGS, hints: true, time_limit_s: 1_200 };
  assert.deepEqual(differences(SETTINGS, other), ['hints', 'time_limit_s']);
});

test('a small room has places for friends, and no seat is free that nobody could take', () => {
  const free = (players, settings = {}) => {
    const seats = Array.from({ length: players }, (_, seat) => ({ seat, role: 'player' }));
    const rules = { max_players: 100, locked: false, ...settings };
    return freeSeats({ seats: [...seats, { seat: 99, role: 'spectator' }], settings: rules });
  };
  // Four places, and one more for a friend until eight players are in.
  const usual = [1, 2, 3, 4, 7, 8, 12].map((players) => free(players));
  assert.deepEqual(usual, [3, 2, 1, 1, 1, 0, 0]);
  for (const [players, max_players, is] of [
    [2, 3, 1],
    [2, 2, 0],
    [3, 2, 0],
    [1, 1, 0],
  ])
    assert.equal(free(players, { max_players }), is);
  assert.equal(free(2, { locked: true }), 0);
});

test('the first place is below the middle, and the others follow clockwise', () => {
  const places = [0, 1, 2, 3].map((at) => placeAt(at, 4));
  const rounded = places.map(({ x, y }) => `${Math.round(x) + 0},${Math.round(y) + 0}`);
  assert.deepEqual(rounded, ['0,1', '-1,0', '0,-1', '1,0']);
  assert.ok(Math.abs(placeAt(-1, 3).x - placeAt(2, 3).x) < 1e-9, 'before the first is the last');
  // Twelve places stand round the table, and more stand across it.
  assert.deepEqual([1, 8, 9, 12, 13].map(roundOf), ['few', 'few', 'many', 'many', '']);
});

test('the catalogue is asked for until the server answers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const body = { games: [{ id: 'spider-1' }], presets: [] };
  let asked = 0;
  globalThis.fetch = async () => ({ ok: ++asked === 3, json: async () => body });
  const url = new URL('../../../web_client/src/room/catalogue.js?fresh', import.meta.url);
  const { catalogue, gameInfo, whenLoaded } = await import(url.href);
  const loaded = new Promise((resolve) => whenLoaded(() => resolve(gameInfo('spider-1'))));
  assert.deepEqual(catalogue().games, []);
  for (let tries = 0; tries < 3; tries += 1) {
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    t.mock.timers.tick(10_000);
  }
  assert.equal(await loaded, body.games[0]);
  assert.equal(asked, 3);
});

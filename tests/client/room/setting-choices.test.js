import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS as TABLE } from '../../../web_client/src/contract/settings.js';
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
function sent(settings, name, value, byHand = []) {
  const before = { ...SETTINGS, ...settings };
  const games = { before: game(before.game), now: game(name === 'game' ? value : before.game) };
  return withChange(before, name, value, { chosen: new Set([...byHand, name]), games });
}

const scoreAndLayout = ({ score, layout }) => [score, layout];

test('a change of the deal leaves the layout open unless the host has chosen it', () => {
  const deal = (settings, byHand) => scoreAndLayout(sent(settings, 'deal', 'numbered', byHand));
  assert.deepEqual(deal({ layout: 'left4' }, []), ['woods', undefined]);
  assert.deepEqual(deal({ layout: 'left4' }, ['layout']), ['woods', 'left4']);
  assert.deepEqual(deal({ layout: 'spread' }, ['score']), ['woods', undefined]);
});

test('a change of the game brings its usual score and layout unless the host has chosen them', () => {
  const to = (settings, now, byHand = ['']) => scoreAndLayout(sent(settings, 'game', now, byHand));
  assert.deepEqual(to({ score: 'woods' }, 'little-spider'), [undefined, undefined]);
  const little = { game: 'little-spider', score: 'cards' };
  assert.deepEqual(to(little, 'spider-4'), [undefined, undefined]);
  assert.deepEqual(to({ score: 'cards' }, 'spiderette-4', ['score']), ['cards', undefined]);
  const spread = { game: 'spiderette-4', layout: 'spread' };
  assert.deepEqual(to(spread, 'spider-4', ['layout', 'score']), ['woods', 'spread']);
});

test('values that the new game does not have are left open, chosen or not', () => {
  const open = sent({ score: 'dos', layout: 'spread' }, 'game', 'spiderette-4', [
    'score',
    'layout',
  ]);
  assert.deepEqual(scoreAndLayout(open), [undefined, undefined]);
});

test('a score from a preset stays with a new game that has it', () => {
  assert.deepEqual(scoreAndLayout(sent({ score: 'dos' }, 'game', 'spider-2')), ['dos', undefined]);
});

test('all other settings are sent as they are', () => {
  const { layout: _, ...rest } = sent({}, 'deal', 'numbered');
  const { layout: __, ...all } = { ...SETTINGS, deal: 'numbered' };
  assert.deepEqual(rest, all);
  assert.deepEqual(sent({}, 'time_limit_s', 300), { ...SETTINGS, time_limit_s: 300 });
});

test('settings of which the new game knows nothing go, and come back as new', () => {
  const little = sent({ exceptions: 'hard', relaxed_deal: true }, 'game', 'little-spider');
  assert.equal(little.exceptions, 'off');
  assert.equal(little.relaxed_deal, false);
  assert.ok(!('auto_remove' in little));
  const back = sent({ ...little, auto_remove: false }, 'game', 'spider-1');
  assert.ok(!('auto_remove' in back)); // the server turns it on again
});

test('the DOS score opens what does not go with it, and nothing opens the score', () => {
  const dos = sent({ undo: 'any', cheats: 'out' }, 'score', 'dos', ['undo']);
  assert.ok(!('undo' in dos) && !('auto_remove' in dos));
  const forced = { score: 'dos', undo: 'off', auto_remove: false };
  const woods = sent(forced, 'score', 'woods');
  assert.ok(!('undo' in woods) && !('auto_remove' in woods));
  const chosen = sent(forced, 'score', 'woods', ['undo', 'auto_remove']);
  assert.deepEqual([chosen.undo, chosen.auto_remove], ['off', false]);
  assert.equal(sent(forced, 'undo', 'any').score, 'dos'); // the server refuses it with a sentence
});

test('a setting that has lost its effect gets its default', () => {
  assert.equal(sent({ undo: 'any', cheats: 'out' }, 'undo', 'off').cheats, 'shown');
  assert.equal(sent({ undo: 'any', cheats: 'out' }, 'undo', 'counted').cheats, 'out');
  assert.equal(sent({ deal: 'numbered', number: 24 }, 'deal', 'secret').number, null);
  assert.equal(sent({ rounds: 6, match_ranking: 'score' }, 'rounds', 1).match_ranking, 'wins');
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
  assert.deepEqual(choicesOf('time_limit_s', { time_limit_s: 600 }, undefined), [
    300,
    600,
    900,
    1_800,
    3_600,
    7_200,
    null,
  ]);
  assert.deepEqual(choicesOf('after_win_s', { after_win_s: 90 }, undefined), [
    60,
    90,
    120,
    300,
    null,
  ]);
  assert.deepEqual(choicesOf('score', SETTINGS, game('spiderette-4')), ['woods', 'cards', 'moves']);
  assert.deepEqual(choicesOf('score', SETTINGS, undefined), ['woods', 'dos', 'cards', 'moves']);
});

test('changed settings are found by name', () => {
  assert.deepEqual(differences(SETTINGS, SETTINGS), []);
  const other = { ...SETTINGS, hints: true, time_limit_s: 1_200 };
  assert.deepEqual(differences(SETTINGS, other), ['hints', 'time_limit_s']);
});

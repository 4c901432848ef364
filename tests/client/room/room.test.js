import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS as TABLE } from '../../../web_client/src/contract/protocol.js';
import { catalogue } from '../../../web_client/src/page/loads.js';
import { totalsOf } from '../../../web_client/src/room/match.js';
import { keyOfDeal } from '../../../web_client/src/room/room.js';
import { rulebook } from '../../../web_client/src/room/rules.js';
import { freeSeats } from '../../../web_client/src/room/seats.js';
import * as choices from '../../../web_client/src/room/settings.js';
import english from '../../../web_client/src/strings/en/race.js';
import { example, game, json } from '../examples.js';

const { applies, choicesOf, differences, isShown, NAMES, presetOf, withChange } = choices;
const FRIENDS = example('joined').room.settings;
const SETTINGS = { ...FRIENDS, game: 'spider-4', auto_remove: true };
const { properties } = json('generated/from_client.schema.json').$defs.Settings;
const PRESETS = [{ id: 'hard', settings: { ...FRIENDS, undo: 'off' } }];
const IDS = ['spider-1', 'spider-2', 'spider-4', 'spiderette-1', 'spiderette-4', 'little-spider'];

Object.assign(catalogue, { games: IDS.map(game), presets: PRESETS });

// The settings.

/** Return the settings of a text, such as `game=spider-4 rounds=6`; `?` is left to the server. */
const read = (text) =>
  Object.fromEntries(
    Array.from(text.matchAll(/(\w+)=(\S+)/g), ([, name, value]) => {
      const isWord = /^[a-z?]/.test(value) && !/^(true|false|null)$/.test(value);
      return [name, value === '?' ? undefined : isWord ? value : JSON.parse(value)];
    }),
  );

test('a change removes settings that do not go with it, and keeps the host’s choices', () => {
  for (const [settings, change, byHand, expected] of [
    // A game and a deal bring their usual score and layout, unless the host has chosen them.
    ['layout=left4', 'deal=numbered', '', 'score=woods layout=? game=spider-4'],
    ['layout=left4', 'deal=numbered', 'layout', 'score=woods layout=left4'],
    ['layout=spread', 'deal=numbered', 'score', 'score=woods layout=?'],
    ['score=woods', 'game=little-spider', '', 'score=? layout=?'],
    ['game=little-spider score=cards', 'game=spider-4', '', 'score=? layout=?'],
    ['score=cards', 'game=spiderette-4', 'score', 'score=cards layout=?'],
    ['game=spiderette-4 layout=spread', 'game=spider-4', 'layout', 'score=? layout=spread'],
    // Values that the new game does not have are left open, chosen or not.
    ['score=dos layout=spread', 'game=spiderette-4', 'score layout', 'score=? layout=?'],
    // A score from a preset stays with a new game that has it.
    ['score=dos', 'game=spider-2', '', 'score=dos'],
    // Settings that the new game does not have get their default, or are left open.
    ['exceptions=hard', 'game=little-spider', '', 'exceptions=off auto_remove=?'],
    ['relaxed_deal=true', 'game=little-spider', '', 'relaxed_deal=false'],
    ['game=little-spider auto_remove=false', 'game=spider-1', '', 'auto_remove=?'],
    // The DOS score leaves the settings open that it excludes. Those don't open the score: the server refuses them.
    ['undo=any', 'score=dos', 'undo', 'undo=? auto_remove=?'],
    ['score=dos undo=off auto_remove=false', 'score=woods', '', 'undo=? auto_remove=?'],
    ['score=dos undo=off auto_remove=false', 'score=woods', 'undo', 'undo=off auto_remove=?'],
    ['score=dos undo=off', 'undo=any', '', 'score=dos'],
    // A setting that has lost its effect gets its default.
    ['undo=any cheats=out', 'undo=off', '', 'cheats=shown'],
    ['undo=any cheats=out', 'undo=counted', '', 'cheats=out'],
    ['deal=numbered number=24', 'deal=secret', '', 'number=null'],
    ['degree=hard', 'deal=numbered', 'degree', 'degree=null winnable=true'],
    ['degree=hard', 'winnable=false', 'degree', 'degree=null'],
    ['rounds=6 match_ranking=score', 'rounds=1', '', 'match_ranking=wins'],
    // All other settings are sent unchanged.
    ['hints=true', 'time_limit_s=300', '', 'hints=true score=woods layout=left4 undo=no_reveal'],
  ]) {
    const [[name, value]] = Object.entries(read(change));
    const before = { ...SETTINGS, ...read(settings) };
    const chosen = new Set([name, ...byHand.split(' ')]);
    const after = withChange({ name, before, value, chosen });
    for (const [other, is] of Object.entries(read(expected)))
      assert.equal(after[other], is, `${settings}, ${change}: ${other}`);
  }
});

test('every setting is a field as soon as it has an effect', () => {
  for (const name of NAMES) {
    const { onlyWith, games, byGame } = TABLE[name];
    const settings = onlyWith ? { ...SETTINGS, [onlyWith.name]: onlyWith.values[0] } : SETTINGS;
    assert.ok(isShown(name, settings), name);
    if (onlyWith) assert.ok(!applies(name, { ...settings, [onlyWith.name]: 'other' }), name);
    if (games || byGame) assert.ok(!isShown(name, { ...settings, game: 'little-spider' }), name);
  }
});

test('numbers are offered with the one that the room has, and changes are found by name', () => {
  for (const [name, settings, offered] of [
    ['time_limit_s', { time_limit_s: 600 }, [300, 600, 900, 1_800, 3_600, 7_200, null]],
    ['after_win_s', { after_win_s: 90 }, [60, 90, 120, 300, null]],
    ['score', { game: 'spiderette-4' }, ['woods', 'cards', 'moves']],
    ['degree', {}, [null, 'easy', 'middle', 'hard']],
    ['score', { game: 'not in the catalogue' }, ['woods', 'dos', 'cards', 'moves']],
  ])
    assert.deepEqual(choicesOf(name, settings), offered);
  const other = { ...SETTINGS, hints: true, time_limit_s: 1_200 };
  assert.deepEqual(differences(SETTINGS, other), ['hints', 'time_limit_s']);
});

test('a preset is recognised by its settings, except those about people and spectators', () => {
  const found = (change) => presetOf({ ...FRIENDS, undo: 'off', ...change });
  const besides = { public: true, spectate: 'boards', board_delay_s: 0 };
  assert.deepEqual([found({}), found(besides), found({ rounds: 3 })], ['hard', 'hard', undefined]);
});

// The rules in words.

const bookOf = (change) => {
  const settings = { ...SETTINGS, ...change };
  return rulebook(settings, game(settings.game));
};
const chapter = (change, title) =>
  String(bookOf(change).find((each) => each.title === title)?.lines ?? '');

test('every value of every setting changes the rules', () => {
  for (const [name, { enum: values = [] }] of Object.entries(properties)) {
    if (name === 'game') continue;
    const pages = values.map((value) =>
      JSON.stringify(bookOf({ rounds: 2, undo: name === 'cheats' ? 'any' : 'off', [name]: value })),
    );
    assert.equal(new Set(pages).size, values.length, name);
  }
  for (const name of ['auto_remove', 'relaxed_deal', 'hints', 'chasers', 'programs'])
    assert.notDeepEqual(bookOf({ [name]: true }), bookOf({ [name]: false }), name);
});

test('the chapters describe exactly the settings, with the figures of the old texts', () => {
  for (const undo of ['no_reveal', 'free', 'off'])
    assert.doesNotMatch(JSON.stringify(bookOf({ undo })), /counted/, undo);
  const little = { game: 'little-spider', score: 'cards' };
  const numbered = { deal: 'numbered', number: 24 };
  for (const [title, change, words] of [
    ['The deal', { ...numbered, layout: 'spread' }, /deal number 24 of PySolFC\. It can/],
    ['The deal', { ...numbered, layout: 'left4' }, /24 .*, but with the extra cards on other/],
    ['The deal', { ...numbered, game: 'spiderette-4' }, /24 of PySolFC\. It can be looked up/],
    ['The deal', { layout: 'spread' }, /Columns 1, 4, 7 and 10/],
    ['Dealing', { game: 'spiderette-1' }, /not while a column is empty.*fewer cards/],
    ['Dealing', { relaxed_deal: true }, /^(?!.*fewer).*while .* lasts, onto empty columns too\.$/],
    ['Complete suits', little, /^$/],
    ['Exceptions', little, /^$/],
    ['Exceptions', {}, /^$/],
    ['Match', {}, /^$/],
    ['Who plays', { max_players: 1 }, /^$/],
    ['Score', { score: 'woods' }, /10 points.*15 for.*2 for.*50 for.*990/],
    ['Score', { game: 'spiderette-1' }, /500/],
    ['Score', { score: 'dos' }, /120.*10\..*12 off.*1000.*10,000/],
    ['The end', {}, /^(?!.*first player has won)/],
    ['The end', { after_win_s: 120 }, /Once the first player has won, .* 2 minutes left\./],
    ['The end', { window_s: 86_400, deal: 'seed' }, /The deal isn’t secret: the host may know/],
    ['The end', { window_s: 86_400 }, /Each game ends .* Within 1 day everyone starts when they/],
    ['Watching', { window_s: 86_400, spectate: 'boards' }, /^Nobody sees .* who is done\./],
    ['The deal', { degree: 'hard' }, /Its difficulty is hard.*another one that can be won/],
    ['The deal', { degree: 'hard', winnable: false }, /^(?!.*solver)/],
    ['The deal', { ...numbered, degree: 'hard' }, /^(?!.*solver)/],
    ['Watching', { spectate: 'boards', board_delay_s: 60 }, /1 minute late/],
    ['Who wins', {}, /Winners come first.*gave up.*by time.*by score, then by fewer face-down/],
    ['Who wins', { score: 'moves' }, /by completed suits, then by fewer face-down.*by score/],
  ])
    assert.match(chapter(change, title), words);
});

test('the summary is short, and the catalogue has the figures of a game', () => {
  const usual = { ...FRIENDS, game: 'spider-1', time_limit_s: 900 };
  const line = (of) => english.rulesLine(of).replaceAll('\u00a0', ' '); // no line begins with a dot
  assert.equal(line(usual), 'Spider, one suit · 15 min · undo, unless it showed a card');
  const change = { time_limit_s: null, after_win_s: 120, undo: 'off', hints: true };
  const words = 'Spider, one suit · no time limit · 2 min after the first win · no undo · hints';
  assert.equal(line({ ...usual, ...change }), words);
  const other = { ...game('spiderette-1'), dealt: 27, columns: 6, stock: 25, all_removed: 480 };
  const page = JSON.stringify(rulebook({ ...FRIENDS, game: 'spiderette-1' }, other));
  assert.match(page, /6 columns/);
  assert.match(page, /The other 25 are the stock: 4 deals of 6, then the last 1\./);
  assert.match(page, /All suits removed: 480\./);
  assert.match(page, /This includes the last card\./);
});

// The table, the match and the deal.

test('a small room has places for friends, and no free seat that nobody could take', () => {
  const free = (players, max_players = 100, locked = false) => {
    const seats = [...Array(players).fill({ role: 'player' }), { role: 'spectator' }];
    return freeSeats({ seats, settings: { max_players, locked } });
  };
  // Four places, and one more for a friend until eight players are in.
  const places = [1, 2, 3, 4, 7, 8, 12].map((players) => free(players));
  assert.deepEqual(places, [3, 2, 1, 1, 1, 0, 0]);
  assert.deepEqual([free(2, 3), free(2, 2), free(2, 1), free(1, 1)], [1, 0, 0, 0]);
  assert.equal(free(2, 100, true), 0);
});

test('the shown times of a card add up to its total', () => {
  const lines = [{ time_ms: 317_900 }, null, { time_ms: 268_900 }];
  assert.equal(totalsOf({ time_ms: 586_800, lines }).time_ms, 585_000);
});

test('the page asks only about a numbered deal with a number, and again about another one', () => {
  const of = (change, next_game = 1) => {
    const settings = { ...FRIENDS, deal: 'numbered', number: 24, ...change };
    return keyOfDeal({ ...example('joined').room, next_game, settings });
  };
  for (const none of [of({ deal: 'secret', number: null }), of({ number: null }), of({}, null)])
    assert.equal(none, '');
  const other = [of({ number: 25 }), of({ relaxed_deal: true }), of({ layout: 'spread' })];
  assert.equal(new Set([of({}), of({}, 2), ...other, of({ hints: true })]).size, 5);
});

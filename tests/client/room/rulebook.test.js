import '../english.js';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presetOf } from '../../../web_client/src/room/catalogue.js';
import { dealOf } from '../../../web_client/src/room/deal-label.js';
import { totalsOf } from '../../../web_client/src/room/match.js';
import { rulebook } from '../../../web_client/src/room/rulebook.js';
import { CHAPTERS, settingsSummary } from '../../../web_client/src/strings/en/race.js';
import { example, game as info, json } from '../examples.js';

const FRIENDS = example('joined').room.settings;
const { properties } = json('generated/from_client.schema.json').$defs.Settings;

const bookOf = (change) => {
  const settings = { ...FRIENDS, game: 'spider-4', ...change };
  return rulebook(settings, info(settings.game));
};
const chapter = (change, title) =>
  bookOf(change)
    .find((each) => each.title === title)
    ?.lines.join(' ') ?? '';

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

test('the rules name programs and relaxed deals, and omit what a game does not have', () => {
  for (const programs of [true, false])
    assert.match(chapter({ programs }, CHAPTERS.people), /nobody can prove/);
  assert.equal(chapter({ max_players: 1 }, CHAPTERS.people), '');
  const little = bookOf({ game: 'little-spider', score: 'cards' });
  const titles = little.map(({ title }) => title);
  assert.ok(!titles.includes('Complete suits') && !titles.includes('Exceptions'));
  assert.ok(!bookOf({}).some(({ title }) => title === 'Match' || title === 'Exceptions'));
  for (const game of ['spider-4', 'spiderette-1']) {
    assert.match(chapter({ game }, CHAPTERS.dealing), /not while a column is empty.*fewer cards/);
    const relaxed = chapter({ game, relaxed_deal: true }, CHAPTERS.dealing);
    assert.match(relaxed, /As long as the stock has cards .*, also onto empty columns\.$/);
    assert.doesNotMatch(relaxed, /fewer/);
  }
});

test('the chapters describe what is set, with the figures of the old texts', () => {
  const numbered = { deal: 'numbered', number: 24 };
  const isPysol = /deal number 24 of PySolFC, laid out as it is there\./;
  const isOther = /deal number 24 of PySolFC, but with the extra cards on other columns/;
  const isSmall = /deal number 24 of PySolFC\. It can be looked up/;
  const isLast = /Once the first player has won, the others have 2 minutes left\./;
  const first = /Winners come first.*gave up.*by time.*by score, then by fewer face-down/;
  for (const [title, change, words] of [
    ['The deal', { ...numbered, layout: 'spread' }, isPysol],
    ['The deal', { ...numbered, layout: 'left4' }, isOther],
    ['The deal', { ...numbered, game: 'spiderette-4' }, isSmall],
    ['The deal', { layout: 'spread' }, /Columns 1, 4, 7 and 10/],
    ['Score', { score: 'woods' }, /10 points.*15 for.*2 for.*50 for.*990/],
    ['Score', { game: 'spiderette-1' }, /500/],
    ['Score', { score: 'dos' }, /120.*10\..*12 off.*1000.*10,000/],
    ['The end', { time_limit_s: 1800 }, /30 minutes/],
    ['The end', { after_win_s: 120 }, isLast],
    ['Match', { rounds: 6 }, /6 rounds/],
    ['Watching', { spectate: 'boards', board_delay_s: 60 }, /60 seconds late/],
    ['Who wins', {}, first],
    ['Who wins', { ranking: 'best_score' }, /Winners are ranked by score/],
    ['Who wins', { score: 'moves' }, /by completed suits, then by fewer face-down.*by score/],
    ['Undo', { undo: 'any' }, /a turned card or a deal counts as a cheat/],
    ['Undo', { undo: 'counted' }, /Every undo counts as a cheat/],
  ])
    assert.match(chapter(change, title), words);
  assert.doesNotMatch(chapter({}, 'The end'), /first player has won/);
  for (const undo of ['no_reveal', 'free', 'off'])
    assert.doesNotMatch(JSON.stringify(bookOf({ undo })), /cheat/i, undo);
});

test('the summary is short, and the figures of a game are those of the catalogue', () => {
  const usual = { ...FRIENDS, game: 'spider-1', time_limit_s: 900 };
  assert.equal(settingsSummary(usual), 'Spider, one suit · 15 min');
  const words = 'Spider, one suit · no time limit · 2 min after the first win';
  assert.equal(settingsSummary({ ...usual, time_limit_s: null, after_win_s: 120 }), words);
  const other = { ...info('spiderette-1'), dealt: 27, columns: 6, stock: 25, all_removed: 480 };
  const page = JSON.stringify(rulebook({ ...FRIENDS, game: 'spiderette-1' }, other));
  assert.match(page, /6 columns/);
  assert.match(page, /The other 25 are the stock: 4 deals of 6, then the last 1\./);
  assert.match(page, /All suits removed: 480\./);
  assert.match(page, /That goes for the last 1 cards too\./);
});

test('a preset is recognised by its settings', () => {
  const presets = [
    { id: 'hard', settings: { ...FRIENDS, undo: 'off' } },
    { id: 'friends', settings: FRIENDS },
  ];
  assert.equal(presetOf({ games: [], presets }, { ...FRIENDS, public: true }), 'friends');
  assert.equal(presetOf({ games: [], presets }, { ...FRIENDS, rounds: 3 }), undefined);
  const watched = { ...FRIENDS, spectate: 'boards', board_delay_s: 0 };
  assert.equal(presetOf({ games: [], presets }, watched), 'friends', 'what spectators may see');
});

test('the times of a card add up to its total as they are shown', () => {
  const lines = [{ time_ms: 317_900 }, null, { time_ms: 268_900 }];
  const card = { score: 9, time_ms: 586_800, lines };
  assert.deepEqual(totalsOf(card), { ...card, time_ms: 585_000 });
});

function room(settings, game = 1) {
  const { room: of } = example('joined');
  return { ...of, next_game: game, settings: { ...of.settings, ...settings } };
}

test('only a numbered deal with a number is asked about, and another one anew', () => {
  assert.equal(dealOf(room({ deal: 'secret', number: null })), '');
  const of = (change, game) => dealOf(room({ deal: 'numbered', number: 24, ...change }, game));
  assert.deepEqual([of({ number: null }), of({}, null)], ['', '']);
  const others = [of({}, 2), of({ relaxed_deal: true }), of({ exceptions: 'easy' })];
  const names = ['', of({}), of({ number: 25 }), ...others];
  assert.equal(new Set(names).size, names.length);
  assert.equal(of({ hints: true }), of({}));
});

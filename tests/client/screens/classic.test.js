import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat, standing, table } from '../examples.js';
import { NOW } from '../page.js';
import { acted, atRace, atRoom, pressAll, roomMessage, round, roundOver } from '../scenes.js';

const ADA = seat(0, 'Ada');
const DOS = {
  ...{ game: 'spider-4', score: 'dos', exceptions: 'hard', undo: 'off', auto_remove: false },
  ...{ rounds: 6, max_players: 1 },
};
const STORED = { keys: 'classic', 'asked-first': true, reasons: 'on-request' };
const asked = (page) => page.all('dialog[open] h2').map((each) => each.textContent);
const about = ({ type, action, game, settings }) => action ?? game ?? settings?.exceptions ?? type;
const types = (page) => page.sent().map(about);

/** Open a race by the rules of 1987. @param {any} [own] @param {any} [stored] */
const atDos = (own, stored = {}) =>
  atRace({
    names: ['Ada'],
    table: { game: 'spider-4', legal: 't0x1-t4,deal', ...own },
    room: { settings: DOS, round: round({ t_end: null }) },
    how: { stored: { ...STORED, ...stored } },
  });

test('the room names the keys, by which level and game are chosen and the race starts', async () => {
  const page = await atRoom(room([ADA], { settings: DOS }), { stored: STORED });
  const line = 'Press 1 to 6 to choose the game, F6 to change the level, F7 to start, Q to quit.';
  page.shows({ '#press': line });
  page.document.activeElement.blur();
  await pressAll(page, '3');
  assert.deepEqual(page.sent(), [{ type: 'choose', game: 3 }]);
  await pressAll(page, 'F6 q'); // all other keys are off
  assert.deepEqual(asked(page), ['You are currently at level 2.']);
  await pressAll(page, '1 F7');
  assert.deepEqual([types(page), asked(page)], [['easy', 'start'], []]);
  await pressAll(page, 'q');
  assert.deepEqual(asked(page), ['Quit?']);
  await pressAll(page, 'Escape');
});

test('the first visit asks three questions, once', async () => {
  const page = await atRoom(room([ADA], { settings: DOS }), { stored: { keys: 'classic' } });
  page.document.activeElement.blur();
  for (const [question, key] of [
    [/^Do you want error messages/, 'n'],
    [/^Do you want to confirm/, 'y'],
    [/^What difficulty level/, '1'],
  ]) {
    assert.match(page.text('#first-question'), question);
    await pressAll(page, key);
  }
  assert.deepEqual([types(page), page.all('#first-question').length], [['easy'], 0]);
  const kept = ['reasons', 'confirmDeal', 'asked-first'];
  const values = kept.map((key) => page.window.localStorage[`spider-race.${key}`]);
  assert.deepEqual(values, ['"on-request"', 'true', 'true']);
});

test('a deal is asked for by F9 and confirmed by F10', async () => {
  const page = await atDos({}, { confirmDeal: true });
  await pressAll(page, 'F10');
  assert.equal(page.said(), 'F10 confirms a new row: press F9 first.');
  await pressAll(page, 'F9 s F9');
  assert.deepEqual([asked(page), types(page)], [['Deal a new row of cards?'], []]);
  await pressAll(page, 'F10');
  assert.deepEqual(types(page), ['deal']);
  await page.receive(acted(1, { legal: 'deal', counts: { stock: 40 } }));
  await pressAll(page, '9');
  await page.click('#prompt button:last-child');
  assert.equal(page.said(), 'Cancelled.');
  await pressAll(page, '9 0');
  assert.deepEqual(types(page), ['deal']);
  await page.receive(acted(2, { legal: '', counts: { stock: 0 } }));
  await pressAll(page, 'F9');
  assert.deepEqual(asked(page), ['All 50 cards have been dealt.']);
});

test('the cursor keys surround cards, and F5 says why not more', async () => {
  const piles = ['[2] 9S 8H', 'TS', ...table().piles.slice(2)];
  const page = await atDos({ piles, legal: 't0x1-t1,deal' });
  const marked = (mark) => page.all(`#board [data-in][data-marks~=${mark}]`).length;
  const num = (key) => page.press(key, { code: `Numpad${key}` });
  await num('6');
  assert.equal(marked('cursor'), 1);
  await num('8');
  assert.equal(marked('cursor'), 1);
  assert.doesNotMatch(page.said(), /mixed/);
  await pressAll(page, 'F5');
  assert.equal(page.said(), 'Those cards are of mixed suits. Ask for an exception first (X).');
  await pressAll(page, 'x');
  await num('8');
  await pressAll(page, 'F1');
  assert.deepEqual([marked('cursor'), marked('held')], [2, 2]);
  await pressAll(page, 'Escape');
  assert.equal(marked('held'), 0);
});

test('other keys of 1987 in a race', async () => {
  const page = await atDos();
  for (const [keys, said] of [
    ['s', /^Score 0, 0 moves, 0 suits removed\.$/],
    ['F6', /^You are currently at level 2\. You can change the level between games/],
    ['F3 F5', /suit/],
    ['F8', /^F8 confirms a new game: press F7 first\.$/],
  ]) {
    await pressAll(page, keys);
    assert.match(page.said(), said);
  }
  await pressAll(page, 'c b f');
  const { table: felt, cards } = page.document.documentElement.dataset;
  assert.deepEqual([asked(page), felt, cards], [['Colours'], 'midnight', 'four']);
  assert.match(page.text('#prompt-text'), /^Background 2 of 5: .* Cards 2 of 3:/);
  await page.click('#prompt button:last-child');
  await pressAll(page, 'q');
  assert.equal(page.text('#prompt-text'), 'Your game ends here.');
  await pressAll(page, 'q');
  assert.equal(page.screen(), 'landing');
});

test('in a race with others a new game is refused', async () => {
  const page = await atRace({ how: { stored: STORED } });
  await pressAll(page, 'F7');
  assert.match(page.said(), /^Everyone in a race has the same deal\./);
});

test('the results name the keys, and the card looks as in 1987', async () => {
  const page = await atDos();
  const own = standing(0, 'Ada', { state: 'FORFEIT', place: 1, score: 30, finished_ms: 5_000 });
  const figures = { exceptions: 0, hints: 0, cheats: 0, time_ms: 5_000 };
  const scored = { place: 1, score: 30, moves: 1, ...figures };
  const line = { ...scored, won: false, given_up: true, is_win: false, has_acted: true };
  const match = {
    ...{ rounds: 6, n: [1], games: ['spider-4'], numbers: [1], over: false, winners: [] },
    cards: [{ ...scored, seat: 0, name: 'Ada', wins: 0, lines: [line] }],
  };
  const over = { settings: DOS, round: round({ ended: NOW + 9 }), played: 1, match };
  await page.receive(roundOver([own], []), roomMessage([ADA], { state: 'FINISHED', ...over }));
  const keys = /^Press 1 to play again at level 1, 2 to play again at level 2.*Q to quit\.$/;
  page.shows({ '#winner': 'Practice over', '#press': keys, '#match-card[data-dos]': true });
  page.document.activeElement.blur();
  await page.press('1');
  assert.deepEqual(types(page).slice(0, 2), ['next_round', 'easy']);
});

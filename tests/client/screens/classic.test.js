import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRace, atRoom, pressAll, round } from '../scenes.js';

const ADA = seat(0, 'Ada');
const DOS = {
  ...{ game: 'spider-4', score: 'dos', exceptions: 'hard', undo: 'off', auto_remove: false },
  ...{ rounds: 6, max_players: 1 },
};
const STORED = { keys: 'classic', 'asked-first': true, reasons: 'on-request' };
const LEVEL = 'You are currently at level 2.';
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
  await pressAll(page, '3 F6 q'); // all other keys are off
  assert.deepEqual([page.sent(), asked(page)], [[{ type: 'choose', game: 3 }], [LEVEL]]);
  await pressAll(page, '1 F7');
  assert.deepEqual([types(page), asked(page)], [['easy', 'start'], []]);
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

test('other keys of 1987 in a race', async () => {
  const page = await atDos({}, { confirmDeal: true });
  for (const [keys, said] of [
    ['s', /^Score 0, 0 moves, 0 suits removed\.$/],
    ['F6', /^You are currently at level 2\. You can change the level between games/],
    ['F3 F5', /suit/],
    ['F8', /^F8 confirms a new game: press F7 first\.$/],
    ['F10', /^F10 confirms a new row: press F9 first\.$/],
  ]) {
    await pressAll(page, keys);
    assert.match(page.said(), said);
  }
  await pressAll(page, 'F9 s');
  await page.click('#prompt button:last-child');
  assert.deepEqual([page.said(), types(page)], ['Cancelled.', []]);
  await pressAll(page, 'c b f');
  const { table: felt, cards } = page.document.documentElement.dataset;
  assert.deepEqual([asked(page), felt, cards], [['Colours'], 'midnight', 'four']);
  page.shows({ '#prompt-text': /^Background 2 of 5: .* Cards 2 of 3:/ });
  await page.click('#prompt button:last-child');
  await pressAll(page, 'q');
  page.shows({ '#prompt-text': 'Your game ends here.' });
});

test('in a race with others a new game is refused', async () => {
  const page = await atRace({ how: { stored: STORED } });
  await pressAll(page, 'F7');
  assert.match(page.said(), /^Everyone in a race has the same deal\./);
});

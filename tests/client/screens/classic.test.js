import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRace, atRoom, pressAll, roomMessage, round } from '../scenes.js';

const ADA = seat(0, 'Ada');
const RULES = { game: 'spider-4', score: 'dos', exceptions: 'hard', undo: 'off' };
const DOS = { ...RULES, auto_remove: false, rounds: 6, max_players: 1 };
const STORED = { keys: 'classic', 'asked-first': true, reasons: 'on-request' };

/** The columns beside the first one, the stock and the foundations. */
const PILES = [...Array(9).fill('[4] KH'), '[50]', ...Array(8).fill('')];

test('a digit deals that game of the match at once for a player alone, and otherwise only chooses it', async () => {
  const change = { settings: DOS, next_game: 1 };
  for (const [seats, started] of [
    [[ADA], [{ type: 'start' }]],
    [[ADA, seat(1, 'Bob')], []],
  ]) {
    const page = await atRoom(room(seats, change), { stored: STORED });
    page.document.activeElement.blur();
    await pressAll(page, '3', { sent: [{ type: 'choose', game: 3 }, ...started] });
    await pressAll(page, '9', { sent: [{ type: 'choose', game: 9 }] }); // the server will refuse it
  }
});

test('the first visit asks three questions, once', async () => {
  const page = await atRoom(room([ADA], { settings: DOS }), { stored: { keys: 'classic' } });
  page.document.activeElement.blur();
  for (const [question, key] of [
    [/^Do you want error messages/, 'n'],
    [/^Do you want to confirm/, 'y'],
    [/^What difficulty level/, '1'],
  ]) {
    page.shows({ '#first-question': question });
    await pressAll(page, key);
  }
  page.shows({ '#first-question': 0 });
  const [{ settings }, ...others] = page.sent();
  assert.deepEqual([settings.exceptions, others], ['easy', []]);
  const kept = ['reasons', 'confirmDeal', 'asked-first'];
  const values = kept.map((key) => page.window.localStorage[`spider-race.${key}`]);
  assert.deepEqual(values, ['"on-request"', 'true', 'true']);
});

test('the other classic keys in a race', async () => {
  const page = await atRace({
    names: ['Ada'],
    table: { game: 'spider-4', piles: ['[4] 9S 8S', ...PILES], legal: 't0x1-t4,deal' },
    room: { settings: DOS, round: round({ t_end: null }) },
    how: { stored: { ...STORED, confirmDeal: true } },
  });
  const surrounded = '[data-in=t0][data-marks~=cursor]';
  page.shows({ [surrounded]: 2 }); // the cursor is on all cards that move together, even if they fit nowhere
  await page.fire('#board', 'pointerdown', { button: 0 });
  page.shows({ [surrounded]: 0 });
  for (const [keys, said] of [
    ['s', /^Score 0, 0 moves, 0 suits removed\.$/],
    ['F6', /^You are currently at level 2\. You can change the level between games/],
    ['F3', /^Not possible\. Press F5 to see why\.$/],
    ['F5', /suit/],
    ['F8', /^F8 confirms a new game: press F7 first\.$/],
    ['F10', /^F10 confirms a new row: press F9 first\.$/],
  ]) {
    await pressAll(page, keys, { said });
  }
  await pressAll(page, 'F9 s');
  await page.click('#prompt button:last-child', { said: 'Cancelled.', sent: [] });
  await pressAll(page, 'c b f', { 'html[data-table=lagoon][data-cards=four]': 1 });
  page.shows({ '#prompt-text': /^Background 2 of 16: .* Cards 2 of 3:/ });
});

test('in a race with others a new game is refused, and a question goes with its race', async () => {
  const stored = { ...STORED, confirmDeal: true };
  const page = await atRace({ table: { legal: 'deal' }, how: { stored } });
  await pressAll(page, 'F7', { said: /^Everyone in a race has the same deal\./ });
  await pressAll(page, 'F9', { '#prompt[open]': 1 });
  await page.hears(roomMessage([ADA, seat(1, 'Bob')]), { '#prompt[open]': 0 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seat, table } from '../examples.js';
import * as scenes from '../scenes.js';

const { atRoom, round, running, standingsOf } = scenes;
const CARDS = '2026-11-28/spider-1';
const COURSE = { ms: [0, 20_000, 60_000], score: [500, 620, 990], suits: [0, 1, 8] };
const computer = (level, change) => ({
  ...{ level, entry: level, won: true, state: 'FINISHED', ended_ms: 60_000, moves: 90 },
  ...COURSE,
  ...change,
});
const COMPUTERS = { day: '2026-11-28', game: 'spider-1' };

/** Open a page in a game of today's race. @param {any[]} computers @param {any} [stored] */
async function atDay(computers, stored = {}) {
  const alone = [seat(0, 'Ada', { state: 'RACING', colour: 'blue' })];
  const of = { settings: { max_players: 1 }, round: round({ cards: CARDS, key: 'k' }) };
  const answers = { [`/api/days/${CARDS}/computers`]: { ...COMPUTERS, computers } };
  const page = await atRoom(running(alone, of), { answers, stored });
  const own = [0, 'Ada', { place: 1, score: 500, has_acted: false }];
  await page.receive({ type: 'table', table: table() }, standingsOf(1, own));
  await page.pass(1_000);
  return page;
}

test('in today’s race the chosen computer runs along as an outline, with its own events', async () => {
  const page = await atDay([computer('beginner'), computer('club')]);
  page.shows({ '#day': 'Today’s race', '#race-top': /One suit · one try/ });
  page.shows({ '#standings [data-ghost]': /Club \(ghost\)/, '#standings li': 2 });
  const colours = page.all('#standings li').map(({ dataset }) => dataset.colour);
  assert.equal(new Set(colours).size, 2);
  page.shows({ '#standings [data-part=place]': ['', ''] }); // nobody has done anything yet
  await page.pass(20_000, { '#standings [data-ghost]': /620/ });
  page.shows({ '#standings li:first-child [data-part=place]': '1' });
  page.shows({ '#events [data-ghost] .mark': 2, '#events': /Club \(ghost\).*1 of 8 suits/ });
  await page.pass(40_000, { '#standings [data-won]': /Club/, '#sweep': 0 });
});

test('nobody runs along if the player wants nobody, or the day has no games of computers', async () => {
  const alone = await atDay([computer('club')], { pace: 'nobody' });
  alone.shows({ '#standings li': 1 });
  const none = await atDay([]);
  none.shows({ '#standings li': 1 });
});

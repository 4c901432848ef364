import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seat, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
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

/** Open a page in a game of today's race. @param {any[]} computers @param {any} [stored] @param {any} [more] answers */
async function atDay(computers, stored = {}, more = {}) {
  const alone = [seat(0, 'Ada', { state: 'RACING', colour: 'blue' })];
  const of = { settings: { max_players: 1 }, round: round({ cards: CARDS, key: 'k' }) };
  const figures = { [`/api/days/${CARDS}/computers`]: { ...COMPUTERS, computers } };
  const answers = { ...figures, ...more };
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
  page.shows({ '#standings [data-part=place]': ['', ''] }); // no places before the first act
  await page.pass(20_000, { '#standings [data-ghost]': /620/ });
  page.shows({ '#standings li:first-child [data-part=place]': '1' });
  page.shows({ '#events [data-ghost] .mark': 2, '#events': /Club \(ghost\).*1 of 8 suits/ });
  await page.pass(40_000, { '#standings [data-won]': /Club/, '#sweep': 0 });
});

test('events of a ghost while the tab sleeps keep their times', async () => {
  const page = await atDay([computer('club')]);
  const { now } = performance;
  performance.now = () => now() + 90_000; // time has passed, but no timer has run
  await page.pass(1_000);
  const lines = page.texts('#events li').slice(0, 3).join('\n');
  assert.match(lines, /^1:00 Club.* finished.*\n0:20 Club.* took.*\n0:20 Club.*: 1 of 8/);
});

test('nobody runs along if the player wants nobody, or the day has no games of computers', async () => {
  const alone = await atDay([computer('club')], { pace: 'nobody' });
  alone.shows({ '#standings li': 1 });
  const none = await atDay([]);
  none.shows({ '#standings li': 1 });
  // Computer players may still be playing when a person starts.
  none.answers[`/api/days/${CARDS}/computers`] = { ...COMPUTERS, computers: [computer('club')] };
  await none.pass(30_000, { '#standings [data-ghost]': /620/ });
});

const row = (name, place, ms, change) => ({
  ...{ entry: name, name, place, kind: 'person', state: 'FINISHED', score: 990, moves: 90 },
  ...{ won: true, ms, suits: 8, ...change },
});
const LOST = { won: false, score: 400, suits: 2 };
const OF_COMPUTERS = [
  row('expert', 0, 238_000, { level: 'expert', kind: 'program' }),
  row('club', 0, 311_000, { level: 'club', kind: 'program' }),
  row('beginner', 0, null, { ...LOST, level: 'beginner', kind: 'program' }),
];
const ADA = row('Ada', 2, 271_000);
const EVE = row('Eve', 3, 300_000, { state: 'FORFEIT', won: false });
const ROWS = [row('Mia', 1, 221_000), ADA, EVE];
const BOARD = {
  ...{ day: '2026-11-28', game: 'spider-1', over: false, players: 3, finished: 3, won: 2 },
  ...{ first: 1, rows: ROWS, around: [ADA], own: 'Ada', computers: OF_COMPUTERS },
  spread: { finished: [], suits: [] },
};
const ENDS = Date.parse('2026-11-29');
const TIMES = { day: '2026-11-28', now: ENDS - 16_140_000, ends: ENDS };
const DAYS = { ...TIMES, games: [], next: [], past: [] };
const ANSWERS = { '/api/days': DAYS, [`/api/days/${CARDS}`]: BOARD };

test('the board shows computer players among the results, marked and without a place', async () => {
  const stored = { day: { [CARDS]: 'k' } };
  const page = await openPage(`/d/${CARDS}`, { answers: ANSWERS, stored });
  page.shows({ '#gate': 0, '#day-left': 'Next deal in 4 h 29 min' });
  page.shows({ '#day-beaten': 'You beat Club by 0:40; Expert was 0:33 faster.' });
  const shown = page.all('#ranking tbody tr').map((line) => line.textContent);
  assert.deepEqual(shown, [
    ...['1Mia 3:41', 'Expert 3:58', '2Ada (you) 4:31', 'Club 5:11', '3Eve gave up990 points'],
    'Beginner stuck with 2 suits400 points',
  ]);
  page.shows({ '#ranking [data-part=program]': 3 });
  page.shows({ '[aria-labelledby=day-month]': /Days in a row count once you’ve won a game/ });
  const lost = { ...BOARD, own: 'Eve', around: [EVE] };
  const answers = { ...ANSWERS, [`/api/days/${CARDS}`]: lost };
  const other = await openPage(`/d/${CARDS}`, { answers, stored });
  other.shows({ '#day-beaten': 'You beat Beginner; Club finished in 5:11.' });
});

test('a win of today’s race is celebrated, and a player without a name signs it once', async () => {
  const over = { ...ANSWERS, [`/api/days/${CARDS}`]: { ...BOARD, over: true } };
  const page = await atDay([], {}, over);
  const won = { type: 'table', table: table({ at: 9, outcome: 'won' }) };
  const ended = { cards: CARDS, key: 'k', ended: NOW + 60_000, nameless: true };
  const done = (change) =>
    scenes.roomMessage([seat(0, 'Ada')], {
      ...{ state: 'FINISHED', settings: { max_players: 1 }, played: 1, next_game: null },
      round: round({ ...ended, ...change }),
    });
  await page.receive(won, scenes.roundOver([scenes.won(0, 'Ada')], [0]), done());
  page.shows({ screen: 'race', '#celebration': 1, '#sweep': 1 });
  await page.pass(3_000, { screen: 'day', '#day-sign': true });
  page.sent();
  await page.submit('#name', ' ', { '#name-problem': 'Please enter your name.' });
  await page.submit('#name', 'Nina', {});
  assert.deepEqual(page.sent(), [{ type: 'sign', name: 'Nina' }]);
  const signed = ROWS.map((each) => (each === ADA ? { ...each, name: 'Nina' } : each));
  page.answers[`/api/days/${CARDS}`] = { ...BOARD, over: true, rows: signed, around: [] };
  await page.receive(done({ nameless: undefined }));
  await page.pass(100, { '#day-sign': false, '#ranking [data-own]': '2Nina (you) 4:31' });
});

test('the board links to the room of a nameless game, where it can be signed, while the room is there', async () => {
  const board = { ...BOARD, own: ADA.entry };
  const answers = { ...ANSWERS, [`/api/days/${CARDS}`]: board };
  const stored = { day: { [CARDS]: 'k' }, unsigned: { [CARDS]: '8K3QZ0A' } };
  const inRoom = { ...answers, '/api/rooms/8K3QZ0A': scenes.INVITATION };
  const page = await openPage(`/d/${CARDS}`, { answers: inRoom, stored });
  await page.pass(100, { '#day-unsigned': 'Add your name' });
  assert.equal(page.find('#day-unsigned').getAttribute('href'), '/r/8K3QZ0A');
  const gone = await openPage(`/d/${CARDS}`, { answers, stored });
  await gone.pass(100, { '#day-unsigned': 0 });
});

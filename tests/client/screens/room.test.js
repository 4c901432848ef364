import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRoom, roomMessage } from '../scenes.js';

const [ADA, CLEO] = [seat(0, 'Ada'), seat(2, 'Cleo')];
const BOB = seat(1, 'Bob', { colour: 'red' });
const ready = (each, change = {}) => ({ ...each, state: 'READY', ...change });
const watching = (each) => ({ ...each, role: 'spectator', state: 'WATCHING' });

test('a double click on Ready counts once, and Ready that is taken back can be pressed at once', async () => {
  const page = await atRoom(room([ADA, BOB], { host: 1 }));
  page.shows({ '#start': false, '#set-preset': false, '[data-action=kick]': false }); // only for the host
  for (const detail of [1, 1, 2]) await page.click('#ready', {}, detail);
  assert.deepEqual(page.sent(), [{ type: 'ready', ready: true }]);
  await page.receive(roomMessage([ready(ADA), BOB], { host: 1 }));
  page.shows({ '#ready': 'Cancel ready', '#waiting': /^Waiting for Bob\./ });
  await page.receive(roomMessage([{ ...ADA }, BOB], { host: 1, settings: { time_limit_s: 300 } }));
  const changes = '\u2068Bob\u2069 changed: Time limit: 5 minutes. Please press Ready again.';
  page.shows({ '#changes': changes, '.rules-book [data-changed]': 1 });
  await page.sends('#ready', { type: 'ready', ready: true });
  page.shows({ '#changes': '' });
  await page.receive(roomMessage([ready(ADA), BOB], { host: 1 }));
  await page.pass(600);
  await page.sends('#ready', { type: 'ready', ready: false });
});

test('a change of who can join is no change of the rules', async () => {
  const of = { host: 1, code: '7K3QZ0B' }; // its own code, since the page remembers per room which rules were seen
  const page = await atRoom(room([ADA, BOB], of));
  await page.receive(roomMessage([ADA, BOB], { ...of, settings: { locked: true, approve: true } }));
  page.shows({ '#changes': /^\u2068Bob\u2069 locked the room\. .*: Newcomers wait for the host/ });
  assert.doesNotMatch(page.text('#changes'), /rules/);
});

test('only guests learn of a change, and an open race asks nobody to press Ready again', async () => {
  for (const [code, host, change, line] of [
    ['7K3QZ0C', 0, { time_limit_s: 300 }, 'Please press Ready again.'],
    ['7K3QZ0D', 1, { window_s: 86_400 }, /^\u2068Bob\u2069 changed: (?!.*Ready)/],
    ['7K3QZ0E', 0, { window_s: 86_400 }, ''],
  ]) {
    const page = await atRoom(room([ADA, BOB], { host, code }));
    await page.click('#ready');
    await page.receive(roomMessage([ready(ADA), BOB], { host, code }));
    await page.receive(roomMessage([ADA, BOB], { host, code, settings: change }));
    page.shows({ '#changes': line });
  }
});

test('the seats show who is there and ready, which colours are free, and what the host can do', async () => {
  const robot = seat(3, 'Robo', { kind: 'program', level: 'club' });
  const page = await atRoom(room([ADA, ready(BOB), watching(CLEO)]));
  const row = (n) => `#players [data-seat="${n}"]`;
  page.shows({
    '#players .seats-about': ['You · host · not ready', 'Ready'],
    '#players [data-free]': ['InviteAdd computer', 'InviteAdd computer'],
    '#watchers': /Cleo/,
    [`${row(0)} [data-action=kick]`]: false,
  });
  await page.sends('#colours button[data-colour=red]'); // nothing is sent: red is Bob's
  await page.sends('#colours button[data-colour=gold]', { type: 'take_colour', colour: 'gold' });
  // A player whose connection is lost counts as not ready.
  await page.receive(roomMessage([ADA, ready(BOB, { connection: 'grace' })]));
  page.shows({ [`${row(1)}[data-state=SEATED] .seats-about`]: /^(?!.*Ready)/ });
  await page.receive(roomMessage([ADA, BOB, CLEO, robot], { settings: { locked: true } }));
  page.shows({ '#players [data-free]': [], [row(3)]: /Club/ });
  await page.sends(`${row(3)} [data-action=kick]`, { type: 'kick', seat: 3 }); // without a question, for a computer player
  await page.click(`${row(1)} [data-action=kick]`, { '#ask': /Bob/, sent: [] });
});

test('people who join are read out at once, and the next ones together afterwards', async () => {
  const don = seat(3, 'Don');
  const page = await atRoom(room([ADA]));
  await page.hears(roomMessage([ADA, BOB]), { '#spoken': 'Bob joined.' });
  await page.receive(roomMessage([ADA, BOB, CLEO]), roomMessage([ADA, BOB, CLEO, don]));
  await page.pass(3_000, { '#spoken': 'Bob joined.' });
  await page.pass(1_000, { '#spoken': 'Cleo and Don joined.' });
});

test('the host starts alone, or leaves players behind who are not ready', async () => {
  const page = await atRoom(room([ADA]));
  page.shows({ '#start': 'Start alone', '#ready': false, focus: 'invite' });
  page.shows({ '#invite[data-kind=primary]': 'Send invitation', '.room-side #invitation': true });
  await page.sends('#start', { type: 'ready', ready: true }, { type: 'start' });
  await page.receive(roomMessage([ready(ADA), BOB]));
  await page.sends('#start[data-kind=primary]');
  page.shows({ '#ask': /only be able to watch/ });
  await page.sends('#ask-yes', { type: 'start' });
});

test('the host opens a race over days at once, even alone', async () => {
  const settings = { window_s: 86_400 };
  const page = await atRoom(room([ADA, BOB], { settings }));
  page.shows({ '#ready': false, '#waiting': /^Open the race, and everyone with the link/ });
  await page.sends('#start[data-kind=primary]', { type: 'start' }); // without a question, although nobody is ready
  const guest = await atRoom(room([ADA, BOB], { settings, host: 1 }));
  guest.shows({ '#ready': false, '#start': false, '#waiting': /^Once Bob opens the race/ });
});

test('a start that waits for a deal says so until it is answered', async () => {
  const page = await atRoom(room([ADA, ready(BOB)], { settings: { winnable: true } }));
  const words = 'Looking for a deal that can be won…';
  await page.click('#ready');
  await page.pass(2_000, { '#waiting': words, spoken: words });
  await page.receive({ type: 'said', v: 900, seat: 1, name: 'Bob', text: 'Well?', emote: null });
  page.shows({ '#waiting': words });
  await page.hears(roomMessage([ready(ADA), BOB]), { '#waiting': /^Waiting for Bob\./ });
});

test('requests to join are read out to the host, and the end of the wait to a newcomer', async () => {
  const waiting = [{ seat: 7, name: 'Eve', role: 'player', kind: 'person' }];
  const host = await atRoom(room([ADA]));
  await host.hears(roomMessage([ADA], { waiting }), { said: /Eve/ });
  await host.sends('#requests [data-action=admit]', { type: 'admit', seat: 7 });
  const page = await atRoom(room([ADA], { waiting }), { me: { seat: 7 } });
  page.shows({ screen: 'waiting' });
  await page.hears(roomMessage([ADA, seat(7, 'Eve')]), { screen: 'room', said: /let you in/ });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { openPage } from '../page.js';
import { atRoom, CODE, joined, refused, roomMessage } from '../scenes.js';

const [ADA, BOB, CLEO] = [seat(0, 'Ada'), seat(1, 'Bob'), seat(2, 'Cleo')];
const ready = (each, change = {}) => ({ ...each, state: 'READY', ...change });

test('a name opens a room, which is kept for the way back', async () => {
  const page = await openPage('/');
  await page.click('#create');
  page.shows({ '#name-problem': 'Please enter your name.', focus: 'name' });
  await page.set('#name', ' Ada ');
  assert.equal(page.text('#name-problem'), '');
  await page.click('#create');
  assert.equal(page.screen(), 'seating');
  await page.accept(joined(room([ADA]), { token: 'new' }));
  const [{ type, name, settings }] = page.sent();
  assert.deepEqual([type, name], ['create', 'Ada']);
  assert.deepEqual(settings, { game: 'spider-1', spectate: 'boards' });
  assert.equal(page.screen(), 'room');
  assert.equal(page.window.location.pathname, `/r/${CODE}`);
  assert.deepEqual(JSON.parse(page.window.localStorage['spider-race.seats']), {
    [CODE]: { seat: 0, token: 'new' },
  });
});

test('a double click on Ready sends it once, and its next press takes it back', async () => {
  const page = await atRoom(room([ADA, BOB]));
  for (const detail of [1, 1, 2]) await page.click('#ready', { detail });
  assert.deepEqual(page.sent(), [{ type: 'ready', ready: true }]);
  await page.receive(roomMessage([ready(ADA), BOB]));
  page.shows({ '#ready': 'Cancel ready', '#waiting': /^Waiting for Bob\./ });
  await page.pass(600);
  await page.sends('#ready', { type: 'ready', ready: false });
});

test('Ready that a change of the rules has taken back can be pressed at once', async () => {
  const page = await atRoom(room([ADA, BOB], { host: 1 }));
  await page.click('#ready');
  await page.receive(roomMessage([ready(ADA), BOB], { host: 1 }));
  page.sent();
  await page.receive(roomMessage([{ ...ADA }, BOB], { host: 1, settings: { time_limit_s: 300 } }));
  const changes = '\u2068Bob\u2069 changed: Time limit: 5 minutes. Please press Ready again.';
  page.shows({ '#changes': changes });
  assert.equal(page.all('[data-changed]').length > 0, true);
  await page.click('#ready', { detail: 0 });
  assert.deepEqual([page.sent(), page.text('#changes')], [[{ type: 'ready', ready: true }], '']);
});

test('a change of who can join is not told as one of the rules', async () => {
  const of = { host: 1, code: '7K3QZ0B' }; // what was seen of the rules is kept by room
  const page = await atRoom(room([ADA, BOB], of));
  await page.receive(roomMessage([ADA, BOB], { ...of, settings: { locked: true, approve: true } }));
  page.shows({ '#changes': /^\u2068Bob\u2069 locked the room\. .*: Newcomers wait for the host/ });
  assert.doesNotMatch(page.text('#changes'), /rules/);
});

test('the seats show who is there and ready, and what the host can do', async () => {
  const watcher = { ...CLEO, role: 'spectator', state: 'WATCHING' };
  const page = await atRoom(room([ADA, ready(BOB), watcher]));
  const about = (n) => page.text(`#players [data-seat="${n}"] .seats-about`);
  assert.deepEqual([about(0), about(1)], ['you · host · Not ready', 'Ready']);
  assert.deepEqual(page.texts('#players [data-free]'), ['A free seat', 'A free seat']);
  page.shows({ '#watchers': /Cleo/, '#players [data-seat="0"] [data-action=kick]': false });
  // A player who has left is not ready.
  await page.receive(roomMessage([ADA, ready(BOB, { connection: 'grace' })]));
  assert.equal(page.find('#players [data-seat="1"]').dataset.state, 'SEATED');
  assert.doesNotMatch(about(1), /Ready/);
  await page.receive(roomMessage([ADA, BOB, CLEO, seat(3, 'Don')], { settings: { locked: true } }));
  assert.deepEqual(page.texts('#players [data-free]'), []);
  await page.click('#players [data-seat="1"] [data-action=kick]');
  assert.match(page.text('#ask'), /Bob/);
  await page.sends('#ask-no');
  await page.click('#players [data-seat="1"] [data-action=kick]');
  page.find('#kick-ban').checked = true;
  await page.sends('#ask-yes', { type: 'kick', seat: 1, ban: true });
  await page.receive(roomMessage([ADA, CLEO]));
  assert.match(page.said(), /Bob left\./);
});

test('people who join are announced at once, and the next ones together after that was read', async () => {
  const [don, eve] = [seat(3, 'Don'), seat(4, 'Eve')];
  const page = await atRoom(room([ADA]));
  await page.receive(roomMessage([ADA, BOB]));
  assert.equal(page.said(), 'Bob joined.');
  await page.receive(roomMessage([ADA, BOB, CLEO]), roomMessage([ADA, BOB, CLEO, don]));
  await page.pass(3_000);
  assert.equal(page.said(), 'Bob joined.');
  await page.pass(1_000);
  assert.equal(page.said(), 'Cleo and Don joined.');
  await page.receive(roomMessage([ADA, BOB, CLEO, don, eve]), roomMessage([ADA, BOB, CLEO, don]));
  await page.pass(10_000);
  assert.equal(page.said(), 'Cleo and Don joined.'); // Eve has left again
});

test('guests see no tools of the host, and read who is the host now', async () => {
  const page = await atRoom(room([ADA, BOB, CLEO], { host: 1 }));
  assert.equal(page.all('[data-action=kick]').some(page.isShown), false);
  page.shows({ '#start': false, '#set-preset': false });
  await page.receive(roomMessage([ADA, CLEO], { host: 2 }));
  assert.equal(page.said(), 'Bob left. Cleo is the host now.');
  await page.receive(roomMessage([ADA], { host: 0 }));
  assert.equal(page.said(), 'Cleo left. You’re the host now.');
});

test('the host starts alone, or leaves those behind who are not ready', async () => {
  const page = await atRoom(room([ADA]));
  assert.equal(page.text('#start'), 'Start alone');
  assert.deepEqual([page.find('#invite').dataset.kind, page.focus()], ['primary', 'invite']);
  await page.sends('#start', { type: 'ready', ready: true }, { type: 'start' });
  await page.receive(roomMessage([ready(ADA), BOB]));
  assert.equal(page.find('#start').dataset.kind, 'primary');
  await page.click('#start');
  assert.match(page.text('#ask'), /only be able to watch/);
  await page.sends('#ask-yes', { type: 'start' });
});

test('spectators may sit down, and the colour of another player cannot be taken', async () => {
  const watcher = { ...ADA, role: 'spectator', state: 'WATCHING' };
  const page = await atRoom(room([watcher, BOB], { host: 1 }), { me: { role: 'spectator' } });
  assert.equal(page.text('#ready'), 'Join the race');
  await page.sends('#ready', { type: 'ready', ready: true });
  await page.receive(roomMessage([ADA, { ...BOB, colour: 'red' }]));
  assert.equal(page.find('#colours button[data-colour=red]').disabled, true);
  await page.sends('#colours button[data-colour=gold]', { type: 'take_colour', colour: 'gold' });
});

test('a start that waits for a deal says so until it is answered', async () => {
  const page = await atRoom(room([ADA, ready(BOB)], { settings: { winnable: true } }));
  const words = 'Looking for a deal that can be won…';
  await page.click('#ready');
  await page.pass(2_000);
  page.shows({ '#waiting': words, spoken: words });
  const line = { seat: 1, name: 'Bob', text: 'Shall we?', emote: null };
  await page.receive({ type: 'said', v: 900, ...line });
  assert.equal(page.text('#waiting'), words);
  await page.receive(roomMessage([ready(ADA), BOB]));
  assert.match(page.text('#waiting'), /^Waiting for Bob\./);
});

test('computer players are added and removed by the host', async () => {
  const robot = seat(1, 'Robo', { kind: 'program', level: 'club' });
  const page = await atRoom(room([ADA]));
  await page.click('#computer-players [data-strength=expert]');
  const [add] = page.sent();
  assert.deepEqual([add.type, add.level, add.pace], ['add_bot', 'expert', 'usual']);
  await page.receive(roomMessage([ADA, robot]));
  assert.match(page.text('#players [data-seat="1"]'), /Club/);
  await page.click('#players [data-seat="1"] [data-action=kick]'); // nobody is asked
  assert.deepEqual(page.sent(), [{ type: 'kick', seat: 1 }]);
});

test('people who ask to join are let in or sent away', async () => {
  const eve = { seat: 7, name: 'Eve', role: 'player', kind: 'person' };
  const page = await atRoom(room([ADA], { settings: { approve: true } }));
  await page.receive(roomMessage([ADA], { waiting: [eve] }));
  assert.match(page.said(), /Eve/);
  const [admit] = page.all('#requests button, .requests button').filter(page.isShown);
  await page.click(admit);
  assert.deepEqual(page.sent(), [{ type: 'admit', seat: 7 }]);
});

test('a newcomer who waits for the host is told when it is over', async () => {
  const eve = { seat: 7, name: 'Eve', role: 'player', kind: 'person' };
  const page = await atRoom(room([ADA], { waiting: [eve] }), { me: { seat: 7 } });
  assert.equal(page.screen(), 'waiting');
  await page.receive(roomMessage([ADA, seat(7, 'Eve')]));
  page.shows({ screen: 'room', said: /let you in/ });
});

test('the link is copied, or selected to be copied by hand', async () => {
  const page = await atRoom(room([ADA]));
  await page.click('#invite');
  assert.equal(page.isShown('#invitation'), true);
  assert.match(page.find('#share-link').value, new RegExp(`/r/${CODE}$`));
  Object.defineProperty(page.window.navigator, 'clipboard', { value: undefined });
  Object.assign(page.document, { execCommand: () => true });
  await page.click('#copy');
  assert.equal(page.text('#copy'), 'Copied');
  await page.pass(5_000);
  assert.equal(page.text('#copy'), 'Copy');
  Object.assign(page.document, { execCommand: () => false });
  await page.click('#copy');
  assert.match(page.text('#invite-note'), /The link is selected/);
  assert.equal(page.find('#share-link').selectionEnd, page.find('#share-link').value.length);
});

test('in German the room speaks German', async () => {
  const page = await atRoom(room([ADA, BOB]), { language: 'de' });
  assert.equal(page.text('#ready'), 'Bereit');
  await page.receive(refused('start', 'nobody_ready'));
  assert.equal(page.said(), 'Noch ist niemand bereit.');
});

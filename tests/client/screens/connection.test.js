import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CloseCode, ErrorCode } from '../../../web_client/src/contract/protocol.js';
import { room, seat, table } from '../examples.js';
import { NOW, openPage } from '../page.js';
import * as scenes from '../scenes.js';

const { atRace, atRoom, CODE, INVITATION, joined, racers, refused } = scenes;
const { round, roomMessage, running } = scenes;
const [ADA, BOB] = [seat(0, 'Ada'), seat(1, 'Bob')];
/** The line about the connection, by its state. */
const sign = (is) => `#connection[data-connection=${is}] #connection-words`;

test('the page shows a lost connection, opens it again and shows that', async () => {
  const page = await atRace({ table: { legal: 'deal' } });
  page.shows({ [sign('on')]: 'Connected' });
  const first = page.socket();
  await page.drop(1_006, {
    said: 'Connection lost.',
    [sign('waiting')]: /^Connection lost\. Trying/,
  });
  await page.click('#connection-now', { '#connection-words': 'Connection lost. Reconnecting…' });
  assert.notEqual(page.socket(), first); // the page connects without waiting
  const own = { type: 'table', table: table({ legal: 'deal' }) };
  await page.accept(joined(running(racers('Ada', 'Bob'))), own);
  const [resume] = page.sent('resume');
  assert.deepEqual([resume.room, resume.seat, resume.token], [CODE, 0, 'secret']);
  page.shows({ said: 'You’re back.', focus: 'board', [sign('on')]: 'Connected' });
  page.shows({ '#connection[data-restored]': 1 });
  await page.pass(5_000, { '#connection[data-restored]': 0 });
});

test('a replaced or silent connection is opened again', async () => {
  const page = await atRoom(room([ADA]));
  const first = page.socket();
  await page.drop(4_001, { '#connection-words': /^The server is restarting\./ });
  await page.pass(300); // players of a server that restarts reconnect at once
  const second = page.socket();
  assert.notEqual(second, first);
  await page.accept(joined(room([ADA])));
  page.silence();
  await page.pass(40_000);
  assert.notEqual(page.socket(), second);
});

test('a command without an answer waits for the next connection, unless its round is over', async () => {
  const page = await atRoom(room([ADA, BOB]));
  page.silence();
  await page.click('#ready');
  await page.click('#ready');
  const [ready, ...others] = page.sentWhole();
  assert.deepEqual([ready.type, others], ['ready', []]); // the second waits for the first
  for (const [next, sent] of [
    [room([ADA, BOB]), [ready]],
    [running(racers('Ada', 'Bob')), []],
  ]) {
    await page.drop(1_006);
    await page.click('#connection-now');
    await page.accept(joined(next));
    assert.deepEqual(page.sentWhole('ready'), sent);
  }
});

test('the page says that it is offline, and refuses messages in words', async () => {
  const page = await atRoom(room([ADA]));
  Object.defineProperty(page.window.navigator, 'onLine', { value: false });
  await page.drop(1_006);
  await page.fire(page.window, 'offline');
  await page.pass(1_000, { [sign('offline')]: 'You’re offline. Reconnecting automatically…' });
  await page.click('#ready', { said: 'You’re not connected. Try again in a moment.' });
});

test('a final close leads to a page where the player can go on', async () => {
  const missing = 'This room doesn’t exist, or it’s closed.';
  for (const [code, words] of [
    [4_505, 'The host removed you from the room.'],
    [4_506, 'This room is full.'],
    [4_507, 'The host didn’t let you in.'],
    [4_508, 'The host deleted this table.'],
    [4_509, 'Your seat has moved to your other device.'],
    [4_504, missing],
    [0, missing],
  ]) {
    const closing = { code: `7K3${code || 4_599}` }; // its own code, since the page remembers closed rooms
    const page = await atRoom(room([ADA], closing));
    if (code) await page.drop(code);
    else await page.receive(roomMessage([ADA], { ...closing, state: 'CLOSED' }));
    await page.pass(50, { screen: 'landing', said: words, '#problem': words, '#back': 0 }); // the room is forgotten
  }
  const stored = { seats: { '7K3QZ0K': { seat: 0, token: 't' } } };
  const none = await openPage('/r/7K3QZ0K', { stored });
  await none.accept(refused('resume', 'no_such_room'));
  none.shows({ screen: 'landing', '#problem': missing });
  const page = await atRoom(room([ADA]), { answers: { [`/api/rooms/${CODE}`]: INVITATION } });
  await page.drop(4_502, { screen: 'join', '#problem': 'Your seat is gone. Please join again.' });
  const old = await atRoom(room([ADA]));
  await old.drop(4_501, {
    '#ask': /^DisconnectedThis page is out of date\. Please reload it\.Reload$/,
  });
});

const GONE = ['no_such_room', 'no_such_seat', 'bad_token'];
const GONE_CLOSES = [4_502, 4_504, 4_505, 4_506, 4_507, 4_508, 4_509];

test('the page forgets a seat only if the server says that it is gone; otherwise it tries again', async () => {
  const stored = { seats: { [CODE]: { seat: 0, token: 'secret' } }, race: CODE };
  const answers = { [`/api/rooms/${CODE}`]: INVITATION };
  const key = ({ window }, code = CODE) =>
    JSON.parse(window.localStorage['spider-race.seats'])[code]?.token;
  const kept = 'The server isn’t ready. Your seat is kept.';
  const page = await openPage(`/r/${CODE}`, { stored, answers });
  const temporary = Object.values(ErrorCode).filter((code) => !GONE.includes(code));
  const repeated = [...temporary, 'code_of_a_newer_server'].map((code) => refused('resume', code));
  for (const answer of [...repeated, { type: 'error', code: 'bad_message', where: 'token' }]) {
    await page.accept(answer);
    const [resume] = page.sent('resume');
    assert.deepEqual([resume.token, key(page)], ['secret', 'secret'], answer.code);
    page.shows({ screen: 'seating', '#screen p': kept, '#spoken': kept });
    page.shows({
      [sign('waiting')]: /^The server isn’t ready\. .* Trying again in \d s…$/,
    });
    await page.click('#connection-now');
  }
  await page.accept(joined(room([ADA])));
  page.shows({ screen: 'room', [sign('on')]: 'Connected' });
  for (const code of GONE) {
    const other = await openPage(`/r/${CODE}`, { stored, answers });
    await other.accept(refused('resume', code));
    assert.equal(key(other), undefined, code);
  }
  for (const code of [...Object.values(CloseCode), 1_000]) {
    const other = await atRoom(room([ADA], { code: `7K3${code}` })); // its own code, as above
    await other.drop(code);
    const isKept = key(other, `7K3${code}`) === 'secret';
    assert.equal(isKept, !GONE_CLOSES.includes(code), String(code));
    if (code === CloseCode.REPLACED) await other.click('#ask-no');
  }
});

test('in a race the page says that a seat cannot be taken again yet, until it can', async () => {
  const page = await atRace();
  await page.drop(1_006);
  await page.click('#connection-now');
  await page.accept(refused('resume', 'try_again'));
  page.shows({ screen: 'race', [sign('waiting')]: /^The server isn’t ready\./ });
  await page.pass(8_000);
  await page.accept(joined(running(racers('Ada', 'Bob'))));
  page.shows({ screen: 'race', [sign('on')]: 'Connected' });
});

test('a request for a new seat is repeated as the same attempt, even after a reload', async () => {
  const name = 'Ada';
  const answers = { [`/api/rooms/${CODE}`]: INVITATION };
  const page = await openPage(`/r/${CODE}`, { stored: { name }, answers });
  await page.click('#join');
  await page.accept(refused('join', 'try_again'));
  const [first] = page.sentWhole('join');
  page.shows({ screen: 'seating', '#screen p': 'The server isn’t ready.' });
  await page.pass(8_000);
  await page.accept();
  assert.deepEqual(page.sentWhole('join'), [first]);
  const again = await openPage(`/r/${CODE}`, { stored: { name }, answers, entry: history.state });
  await again.click('#join');
  await again.accept(joined(room([ADA]), { token: 'secret' }));
  assert.equal(again.sentWhole('join')[0].attempt, first.attempt);
  assert.equal(history.state.attempt, null);
});

test('a race against the computer gets its rival although the request has to be repeated', async () => {
  const page = await openPage('/', { stored: { name: 'Ada' } });
  await page.click('[data-strength=club]');
  await page.accept(refused('create', 'try_again'));
  await page.pass(8_000);
  page.shows({ '#screen p': 'The server isn’t ready.' });
  await page.accept(joined(room([ADA]), { token: 'secret' }));
  assert.equal(page.sent('add_bot')[0]?.level, 'club');
  page.shows({ '#screen p': 'Taking your seat…' });
});

test('refusals of the server are sentences, except after a second click', async () => {
  const page = await atRoom(room([ADA]));
  const busy = 'All computer players are busy right now. Try again in a few minutes.';
  for (const [command, code, words] of [
    ['ready', 'not_in_state', ''], // after a second click on Ready
    ['start', 'nobody_ready', 'Nobody is ready yet.'],
    ['ready', 'try_again', 'That didn’t work just now. Try again.'],
    ['add_bot', 'bots_busy', busy],
    ['start', 'code_of_a_newer_server', 'That didn’t work.'],
  ])
    await page.hears(refused(command, code), { said: words });
  const error = { type: 'error', code: 'bad_message', where: 'act.id' };
  await page.hears(error, { said: /reload it\.$/ });
});

test('older messages of a room change nothing, and newer ones its seats and host', async () => {
  const old = roomMessage([ADA, BOB]);
  const page = await atRoom(room([ADA]));
  const names = '#players [data-seat] .seats-name';
  await page.hears(old, { [names]: ['Ada'] });
  const changes = { type: 'changes', v: 10_000, host: 1, gone: [] };
  await page.receive({ ...changes, seats: [seat(2, 'Cy'), BOB] });
  page.shows({ [names]: ['Ada', 'Bob', 'Cy'], '#spoken': /Bob is the host now/ });
  const cy = seat(2, 'Cy', { state: 'READY' });
  await page.receive({ type: 'changes', v: 10_001, host: 0, seats: [cy], gone: [1] });
  page.shows({ [names]: ['Ada', 'Cy'], '#players [data-seat="2"] .seats-about': 'Ready' });
});

const OWN = { seat: 0, token: 'secret' };

test('a seat in an address of an earlier version is stored, and its key leaves the address', async () => {
  const stored = (page) => JSON.parse(page.window.localStorage['spider-race.seats'] ?? '{}');
  const entry = { race: true };
  const old = await openPage(`/r/${CODE}#seat=0.a_B-3`, { entry });
  assert.deepEqual([old.window.location.hash, old.window.history.state], ['', entry]);
  await old.accept(joined(room([ADA])));
  assert.deepEqual(
    [old.sent('resume')[0].token, stored(old)],
    ['a_B-3', { [CODE]: { seat: 0, token: 'a_B-3' } }],
  );
  // A link from another person does not replace this browser's seat.
  const other = await openPage(`/r/${CODE}#seat=1.theirs`, { stored: { seats: { [CODE]: OWN } } });
  await other.accept();
  assert.deepEqual([other.window.location.hash, other.sent('resume')[0].token], ['', 'secret']);
});

test('a seat in an open race or a running game outlasts any number of newer rooms', async () => {
  const { settings } = room([]);
  const open = {
    round: round({ t_end: NOW + 86_400_000 }),
    settings: { ...settings, window_s: 86_400 },
  };
  const rooms = {
    '7K3AAAA': room([ADA]), // a lobby, which is forgotten only after practice rooms
    '7K3BBBB': running([ADA, BOB], open),
    '7K3CCCC': running(racers('Ada', 'Bob')),
  };
  let seats = {};
  const visit = async (code, of) => {
    const page = await openPage(`/r/${code}`, { stored: { seats: { ...seats, [code]: OWN } } });
    await page.accept(joined({ ...of, code }));
    seats = JSON.parse(page.window.localStorage['spider-race.seats']);
  };
  for (const [code, of] of Object.entries(rooms)) await visit(code, of);
  const practice = room([ADA], { settings: { ...settings, max_players: 1 } });
  for (let n = 100; n < 120; n += 1) seats[`7K3P${n}`] = { ...OWN, until: 0 }; // practice rooms after their games
  for (let n = 120; n < 126; n += 1) await visit(`7K3P${n}`, practice);
  const kept = Object.keys(seats);
  assert.deepEqual(kept.slice(0, 3), Object.keys(rooms));
  assert.equal(kept.length, 24);
});

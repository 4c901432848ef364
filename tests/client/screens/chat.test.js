import { test } from 'node:test';
import { room, seat, table } from '../examples.js';
import { atRace, atRoom, joined, refused, roomMessage, running } from '../scenes.js';

const SEATS = [seat(0, 'Ada'), seat(1, 'Bob', { colour: 'red' })];
let v = 100_000;
/** @param {number} n @param {string | null} text @param {any} [change] */
function said(n, text, change = {}) {
  v += 1;
  return { type: 'said', v, seat: n, name: ['Ada', 'Bob'][n], text, emote: null, ...change };
}
const kept = (page, key) => JSON.parse(page.window.localStorage[`spider-race.${key}`]);

test('lines stay in the field until they come back, refused ones with the reason', async () => {
  const page = await atRoom(room(SEATS));
  await page.submit('#chat-line', ' Hello ', { sent: [{ type: 'say', text: 'Hello' }] });
  page.find('#chat-line').value = 'Hello again'; // text typed meanwhile stays
  await page.receive(said(0, 'Hello'), said(1, 'Hi'));
  page.shows({ '#chat-line': 'again', '#chat-log > p': ['Ada Hello', 'Bob Hi'] });
  await page.submit('#chat-line', '  ', { sent: [] });
  await page.submit('#chat-line', 'Hello', { sent: [{ type: 'say', text: 'Hello' }] });
  await page.receive(refused('say', 'too_much_said')); // only the chat's form shows it
  page.shows({ '#chat-problem': 'Slow down a moment.', '#chat-line': 'Hello', said: '' });
  await page.submit('#chat-line', 'Hello', { '#chat-problem': '' });
});

test('a second press before the line has come back sends nothing, and a line without a connection is refused', async () => {
  const page = await atRoom(room(SEATS));
  await page.submit('#chat-line', 'Hi', { sent: [{ type: 'say', text: 'Hi' }] });
  await page.submit('#chat-line', 'Hi', { sent: [] });
  await page.submit('#chat-line', 'Hi!', { sent: [{ type: 'say', text: 'Hi!' }] });
  await page.receive(said(0, 'Hi!'));
  await page.drop(1_006);
  const shown = { said: 'You’re not connected. Try again in a moment.' };
  await page.submit('#chat-line', 'Hi', shown);
  page.find('#status').textContent = '';
  await page.submit('#chat-line', 'Hi', shown);
});

test('browsers translate neither names nor what people write', async () => {
  const page = await atRoom(room(SEATS));
  await page.receive(said(1, 'Gute Nacht'));
  const words = '#chat-log > p [translate=no]';
  page.shows({ [words]: ['Bob', 'Gute Nacht'], '.seats-name[translate=no]': ['Ada', 'Bob'] });
});

test('only typing holds news back, and not for ever', async () => {
  const page = await atRace();
  page.find('#chat-line').focus();
  await page.receive(said(1, 'one'));
  await page.pass(5_000, { said: 'Bob: one' }); // a focused field does not mean that the player types
  await page.fire('#chat-line', 'beforeinput');
  await page.receive(said(1, 'two'));
  for (let second = 0; second < 30; second += 1) {
    await page.fire('#chat-line', 'beforeinput');
    await page.pass(1_000, second < 18 ? { said: 'Bob: one' } : {});
  }
  page.shows({ said: 'Bob: two' });
});

test('an emote is shown on the row of its sender, and read in words', async () => {
  const page = await atRace();
  await page.receive(said(1, null, { emote: 'wow' }));
  page.shows({ '#standings [data-seat="1"] [data-part=emote]': 1 });
  await page.pass(3_000, { '[data-part=emote]': 0 });
  await page.receive(said(1, null, { emote: 'of_a_newer_server' }));
  page.shows({ '#chat-log > p:last-child': /…$/ });
  await page.sends('#emotes [data-emote=thanks]', { type: 'say', emote: 'thanks' });
});

test('lines of muted people are not shown, even after a reload', async () => {
  const page = await atRoom(room(SEATS));
  await page.receive(said(1, 'before'));
  await page.click('#chat-mute button');
  await page.hears(said(1, 'after'), { '#chat-log > p': [] });
  const again = await atRoom(room(SEATS), { stored: { silenced: kept(page, 'silenced') } });
  await again.hears(said(1, 'later'), { '#chat-log > p': [] });
  await again.click('#chat-mute button', { '#chat-log > p': ['Bob later'] });
});

test('after a reload only missed messages are new, and no line appears twice', async () => {
  const first = await atRace();
  const [one, two, three] = [said(1, 'one'), said(1, 'two'), said(1, 'three')];
  await first.receive(one);
  await first.click('#chat-toggle');
  await first.click('#chat-close');
  await first.receive(two);
  const stored = { heard: kept(first, 'heard'), read: kept(first, 'read') };
  const page = await atRace({ room: { v: v + 1 }, how: { stored } });
  await page.hears([one, two, three, three], { '#chat-log > p': 3, '#chat-badge': '2' });
  await page.pass(10_000, { said: /three/ });
});

test('the board takes the focus when the table arrives, but not from a line that is being written', async () => {
  const own = { type: 'table', table: table() };
  const page = await atRoom(running(SEATS));
  await page.hears(own, { focus: 'board' });
  const writing = await atRoom(running(SEATS));
  await writing.click('#chat-toggle', { focus: 'chat-line' });
  await writing.hears(own, { focus: 'chat-line' });
});

test('a player alone has no chat', async () => {
  const page = await atRoom(room([SEATS[0]], { settings: { max_players: 1 } }));
  page.shows({ '#chat': false });
  await page.hears(joined(room(SEATS)), { '#chat': true });
});

test('people who join or leave make lines in the log, never unread ones, and an empty log asks for a first line', async () => {
  const [ada, bob] = SEATS;
  const page = await atRoom(room([ada, bob]));
  const notes = '#chat-log > [data-note]';
  page.shows({ [notes]: ['Say hello while you wait.', 'You opened the table.'] });
  const cleo = seat(2, 'Cleo');
  const ole = seat(3, 'Ole', { role: 'spectator', state: 'WATCHING' });
  await page.receive(roomMessage([ada, bob, cleo, ole]), said(1, 'Hi'));
  page.shows({ [notes]: ['You opened the table.', 'Cleo joined.', 'Ole is watching.'] });
  await page.receive(roomMessage([ada, cleo, ole], { host: 2 }));
  page.shows({ '#chat-log > :nth-last-child(-n+2)': ['Bob left.', 'Cleo is the host now.'] });
  page.shows({ '#chat-badge': '', '#spoken': /Bob left/ });
});

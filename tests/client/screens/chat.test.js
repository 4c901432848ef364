import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRace, atRoom, joined, refused } from '../scenes.js';

const SEATS = [seat(0, 'Ada'), seat(1, 'Bob', { colour: 'red' })];
let v = 100_000;
/** @param {number} n @param {string | null} text @param {any} [change] */
function said(n, text, change = {}) {
  v += 1;
  return { type: 'said', v, seat: n, name: ['Ada', 'Bob'][n], text, emote: null, ...change };
}
const kept = (page, key) => JSON.parse(page.window.localStorage[`spider-race.${key}`]);
const lines = (page) => page.texts('#chat-log > p');
async function submit(page) {
  page.fire(page.find('#chat form'), 'submit');
  await page.draw();
}

test('lines are sent, and stay in the field until they come back, refused ones with the reason', async () => {
  const page = await atRoom(room(SEATS));
  page.find('#chat-line').value = ' Hello ';
  await submit(page);
  assert.deepEqual(page.sent(), [{ type: 'say', text: 'Hello' }]);
  page.find('#chat-line').value = 'Hello again';
  await page.receive(said(0, 'Hello'));
  assert.equal(page.find('#chat-line').value, 'again'); // what was written meanwhile stays
  page.find('#chat-line').value = '  ';
  await submit(page);
  assert.deepEqual(page.sent(), []);
  await page.receive(said(1, '<b>Hi</b>'));
  assert.deepEqual(lines(page), ['AdaHello', 'Bob<b>Hi</b>']);
  assert.equal(page.all('#chat-log b b').length, 0);
  page.find('#chat-line').value = 'Hello';
  await submit(page);
  await page.receive(refused('say', 'too_much_said'));
  assert.equal(page.text('#chat-problem'), 'Slow down a moment.');
  assert.deepEqual([page.find('#chat-line').value, page.said()], ['Hello', '']); // it is said once
  await submit(page);
  assert.equal(page.text('#chat-problem'), '');
});

test('an emote is shown on the row of its sender, and read in words', async () => {
  const page = await atRace();
  await page.receive(said(1, null, { emote: 'wow' }));
  assert.equal(page.all('#standings [data-seat="1"] [data-part=emote]').length, 1);
  await page.pass(3_000);
  assert.equal(page.all('[data-part=emote]').length, 0);
  await page.receive(said(1, null, { emote: 'of_a_newer_server' }));
  assert.match(page.all('#chat-log > p').at(-1).textContent, /…$/);
  await page.click('#emotes [data-emote=thanks]');
  assert.deepEqual(page.sent('say'), [{ type: 'say', emote: 'thanks' }]);
});

test('lines of muted people are not shown, after a reload too', async () => {
  const page = await atRoom(room(SEATS));
  await page.receive(said(1, 'before'));
  await page.click(page.all('#chat-mute button')[0]);
  await page.receive(said(1, 'after'));
  assert.deepEqual(lines(page), []);
  const stored = { silenced: kept(page, 'silenced') };
  const again = await atRoom(room(SEATS), { stored });
  await again.receive(said(1, 'later'));
  assert.deepEqual(lines(again), []);
  await again.click(again.all('#chat-mute button')[0]);
  assert.deepEqual(lines(again), ['Boblater']);
});

test('after a reload only what was missed is new, and nothing is written twice', async () => {
  const first = await atRace();
  const [one, two, three] = [said(1, 'one'), said(1, 'two'), said(1, 'three')];
  await first.receive(one);
  await first.click('#chat-toggle');
  await first.click('#chat-close');
  await first.receive(two);
  const stored = { heard: kept(first, 'heard'), read: kept(first, 'read') };
  const page = await atRace({ room: { v: v + 1 }, how: { stored } });
  await page.receive(one, two, three, three);
  page.shows({ '#chat-log > p': 3, '#chat-badge': '2' });
  await page.pass(10_000);
  assert.match(page.said(), /three/);
});

test('a player alone has no chat', async () => {
  const page = await atRoom(room([SEATS[0]], { settings: { max_players: 1 } }));
  page.shows({ '#chat': false });
  await page.receive(joined(room(SEATS)));
  page.shows({ '#chat': true });
});

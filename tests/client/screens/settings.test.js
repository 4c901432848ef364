import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRoom, refused, roomMessage } from '../scenes.js';

const ADA = seat(0, 'Ada');
const base = room([ADA]).settings;

const asHost = (settings) => atRoom(room([ADA], { settings }));
const sent = (page) => page.sent('configure').at(-1)?.settings;
const answer = (page, settings) => page.receive(roomMessage([ADA], { settings }));

test('a preset brings its rules, but leaves what is about people', async () => {
  const page = await asHost({ locked: true, spectate: 'boards', time_limit_s: 900 });
  assert.equal(page.find('[name=preset]:checked').value, 'friends');
  await page.set('[value=four-suits]', true);
  const settings = sent(page);
  const { game, time_limit_s, locked, spectate } = settings;
  assert.deepEqual([game, time_limit_s, locked, spectate], ['spider-4', 1_800, true, 'boards']);
  await answer(page, settings);
  assert.equal(page.text('#gist'), 'Spider, four suits · 30 min · undo that reveals nothing');
  assert.match(page.text('#rules'), /Four suits/);
  await page.set('#set-hints', true);
  await answer(page, sent(page));
  assert.equal(page.find('[name=preset]:checked').value, 'custom');
});

test('the score follows the game until the host has chosen it, and again after a preset', async () => {
  const page = await asHost();
  await page.set('#set-score', 'cards');
  await answer(page, { ...base, ...sent(page) });
  await page.set('#set-game', 'spider-2');
  assert.equal(sent(page).score, 'cards');
  await page.set('[value=four-suits]', true);
  await answer(page, { ...base, ...sent(page) });
  await page.set('#set-game', 'spider-2');
  assert.equal('score' in sent(page), false); // the server chooses
});

test('a change keeps those that are not answered yet, and what the server has chosen', async () => {
  const page = await asHost();
  await page.set('#set-hints', true);
  const first = sent(page);
  await page.set('#set-one-seat', true);
  const second = sent(page);
  assert.deepEqual([second.hints, second.one_seat], [true, true]);
  await answer(page, first);
  await page.set('#set-undo', 'off');
  const third = sent(page);
  assert.deepEqual([third.hints, third.one_seat, third.undo], [true, true, 'off']);
  await answer(page, { ...third, layout: 'spread' }); // what the server has chosen
  await page.set('#set-chasers', true);
  const { undo, layout, chasers } = sent(page);
  assert.deepEqual([undo, layout, chasers], ['off', 'spread', true]);
});

test('answers to earlier choices do not move a later one back', async () => {
  const page = await asHost({ time_limit_s: 900 });
  await page.set('[value=four-suits]', true);
  const first = sent(page);
  await page.set('[value=windows]', true);
  const second = sent(page);
  await answer(page, first);
  assert.equal(page.find('[name=preset]:checked').value, 'windows');
  await answer(page, second);
  assert.equal(page.find('[name=preset]:checked').value, 'windows');
  // Without an answer the form shows what is in force.
  await page.set('[value=friends]', true);
  await page.pass(2_500);
  assert.equal(page.find('[name=preset]:checked').value, 'windows');
});

test('nothing can be chosen until the catalogue is there', async () => {
  const page = await asHost();
  const { bindSettings } = await import('../../../web_client/src/room/settings-form.js');
  const { element } = bindSettings({ state: () => ({ room: null }), send() {} });
  const fields = [...element.querySelectorAll('input[id^=set-], select[id^=set-]')];
  const canChoose = () => [...new Set(fields.map((each) => !each.disabled))];
  assert.deepEqual(canChoose(), [false]);
  await page.draw(); // it comes
  assert.deepEqual(canChoose(), [true]);
});

test('a refused choice is taken back, with its reason', async () => {
  const page = await asHost();
  await page.set('#set-undo', 'free');
  const details = { cards: [], piles: [], fields: [], reason: 'dos_without_undo' };
  await page.receive(refused('configure', 'bad_settings', { details }));
  assert.equal(page.text('#settings-problem'), 'The DOS score allows no undo: turn undo off.');
  assert.deepEqual([page.find('#set-undo').value, page.said()], ['no_reveal', '']);
  await page.set('#set-hints', true);
  assert.equal(sent(page).undo, 'no_reveal');
});

test('a half typed seed stays while the room changes, and is sent once it is whole', async () => {
  const page = await asHost();
  await page.set('#set-deal', 'seed');
  assert.equal(page.focus(), 'set-seed');
  page.find('#set-seed').value = '0123';
  await answer(page, { hints: true });
  assert.deepEqual([page.find('#set-seed').value, page.find('#set-deal').value], ['0123', 'seed']);
  assert.equal(page.focus(), 'set-seed');
  await page.set('#set-seed', '0123');
  assert.match(page.text('#settings-problem'), /32 digits/);
  assert.equal(sent(page), undefined);
  await page.set('#set-seed', '0123'.repeat(8));
  const settings = sent(page);
  assert.equal(settings.seed, '0123'.repeat(8)); // the server sees from it which deal is meant
  await answer(page, { ...base, ...settings, deal: 'seed' });
  await page.set('#set-deal', 'secret');
  assert.equal(sent(page).seed, null);
});

test('numbers outside of their limits are not sent', async () => {
  const page = await asHost({ deal: 'numbered', number: 24 });
  await page.set('#set-number', '0');
  assert.deepEqual([sent(page), page.find('#set-number').value], [undefined, '24']);
  await page.set('#set-number', '32000');
  assert.equal(sent(page).number, 32_000);
});

test('settings that have no effect are not shown', async () => {
  const code = '7K3QZ0N'; // whether the rules are open is kept by room
  const little = { game: 'little-spider', score: 'cards' };
  const page = await atRoom(room([ADA], { settings: little, code }));
  await page.click('#change-rules');
  page.shows({ '#set-undo': true, '#set-exceptions': false, '#set-seed': false });
  assert.equal(page.isShown('#set-board-delay-s'), false);
  const four = { game: 'spider-4', deal: 'seed', seed: '0'.repeat(32), spectate: 'boards' };
  await page.receive(roomMessage([ADA], { settings: four, code }));
  page.shows({ '#set-exceptions': true, '#set-seed': true, '#set-board-delay-s': true });
});

test('the rules are open to a host who comes to change them, and to guests to read', async () => {
  const of = room([ADA], { code: '7K3QZ0J' }); // whether they are open is kept by room
  const page = await atRoom(of);
  assert.equal(page.text('#change-rules'), 'Change');
  await page.click('#change-rules');
  page.shows({ '#change-rules[aria-expanded=true]': true, '#table-rules': true });
  await page.click('#rules-done');
  page.shows({ '#table-rules': false, focus: 'change-rules' });
  const guest = await atRoom(room([ADA, seat(1, 'Bob')], { host: 1 }));
  assert.equal(guest.text('#change-rules'), 'Rules');
});

test('a press hits its box though an answer comes meanwhile', async () => {
  const page = await asHost();
  const box = page.find('#set-hints');
  page.fire(box, 'pointerdown', {}, 'PointerEvent');
  await answer(page, { time_limit_s: 300 });
  assert.doesNotMatch(page.text('#gist'), /· 5 min/);
  page.fire(box, 'pointerup', {}, 'PointerEvent');
  await page.pass(100);
  assert.match(page.text('#gist'), /· 5 min/);
});

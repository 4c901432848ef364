import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRoom, refused, roomMessage } from '../scenes.js';

const ADA = seat(0, 'Ada');

const asHost = (settings) => atRoom(room([ADA], { settings }));
const sent = (page) => page.sent('configure').at(-1)?.settings;
const answer = (page, settings) => page.receive(roomMessage([ADA], { settings }));
const preset = (page) => page.find('[name=preset]:checked').value;

test('a preset brings its rules, but leaves what is about people', async () => {
  const page = await asHost({ locked: true, spectate: 'boards', time_limit_s: 900 });
  assert.equal(preset(page), 'friends');
  await page.set('#set-score', 'cards');
  await answer(page, sent(page));
  await page.set('#set-game', 'spider-2');
  assert.equal(sent(page).score, 'cards'); // the host has chosen it
  await page.set('[value=four-suits]', true);
  const settings = sent(page);
  const { game, time_limit_s, locked, spectate } = settings;
  assert.deepEqual([game, time_limit_s, locked, spectate], ['spider-4', 1_800, true, 'boards']);
  await answer(page, settings);
  page.shows({ '#gist': 'Spider, four suits · 30 min · undo that reveals nothing' });
  page.shows({ '#rules': /Four suits/ });
  await page.set('#set-game', 'spider-2');
  assert.equal('score' in sent(page), false); // the server chooses again
  await page.set('#set-hints', true);
  await answer(page, { ...settings, game: 'spider-2', hints: true });
  assert.equal(preset(page), 'custom');
});

test('a change keeps those that are not answered yet, and what the server has chosen', async () => {
  const page = await asHost();
  await page.set('#set-hints', true);
  const first = sent(page);
  await page.set('#set-one-seat', true);
  await answer(page, first);
  await page.set('#set-deal', 'numbered');
  const third = sent(page);
  assert.deepEqual([third.hints, third.one_seat, third.layout], [true, true, undefined]);
  await answer(page, { ...third, layout: 'spread' }); // what the server has chosen
  await page.set('#set-chasers', true);
  const { deal, layout, chasers } = sent(page);
  assert.deepEqual([deal, layout, chasers], ['numbered', 'spread', true]);
  // Answers to earlier choices do not move a later one back.
  const presets = [];
  for (const name of ['four-suits', 'windows']) {
    await page.set(`[value=${name}]`, true);
    presets.push(sent(page));
  }
  for (const each of presets) {
    await answer(page, each);
    assert.equal(preset(page), 'windows');
  }
  // Without an answer the form shows what is in force.
  await page.set('[value=friends]', true);
  await page.pass(2_500);
  assert.equal(preset(page), 'windows');
});

test('a refused choice is taken back, with its reason', async () => {
  const page = await asHost();
  await page.set('#set-undo', 'free');
  await page.receive(refused('configure', 'bad_settings', {}, { reason: 'dos_without_undo' }));
  page.shows({ '#settings-problem': 'The DOS score allows no undo: turn undo off.', said: '' });
  page.shows({ '#set-undo': 'no_reveal' });
  await page.set('#set-hints', true);
  assert.equal(sent(page).undo, 'no_reveal');
});

test('a deal by its seed begins with any one, and a half typed one stays while the room changes', async () => {
  const page = await asHost();
  await page.set('#set-deal', 'seed');
  const first = sent(page);
  assert.deepEqual([first.deal, first.seed], ['seed', '8'.repeat(32)]);
  await answer(page, first);
  page.find('#set-seed').focus();
  page.find('#set-seed').value = '0123';
  await answer(page, { ...first, hints: true });
  page.shows({ '#set-seed': '0123' });
  await page.set('#set-seed', '0123');
  page.shows({ '#settings-problem': /32 digits/ });
  assert.equal(sent(page), undefined);
  await page.set('#set-seed', '0123'.repeat(8));
  assert.equal(sent(page).seed, '0123'.repeat(8));
});

test('numbers outside of their limits are not sent', async () => {
  const page = await asHost({ deal: 'numbered', number: 24 });
  await page.set('#set-number', '0');
  page.shows({ '#set-number': '24', sent: [] });
  await page.set('#set-number', '32000');
  assert.equal(sent(page).number, 32_000);
});

test('the rules open and close, with those settings only that have an effect', async () => {
  const code = '7K3QZ0N'; // whether the rules are open is kept by room
  const little = { game: 'little-spider', score: 'cards' };
  const page = await atRoom(room([ADA], { settings: little, code }));
  page.shows({ '#change-rules': 'Change' });
  await page.click('#change-rules');
  page.shows({ '#change-rules[aria-expanded=true]': true, '#set-undo': true });
  page.shows({ '#set-exceptions': false, '#set-seed': false, '#set-board-delay-s': false });
  const four = { game: 'spider-4', deal: 'seed', seed: '0'.repeat(32), spectate: 'boards' };
  await page.receive(roomMessage([ADA], { settings: four, code }));
  page.shows({ '#set-exceptions': true, '#set-seed': true, '#set-board-delay-s': true });
  await page.click('#rules-done');
  page.shows({ '#table-rules': false, focus: 'change-rules' });
  const guest = await atRoom(room([ADA, seat(1, 'Bob')], { host: 1 }));
  guest.shows({ '#change-rules': 'Rules' });
});

test('a press hits its box though an answer comes meanwhile', async () => {
  const page = await asHost();
  await page.fire('#set-hints', 'pointerdown');
  await answer(page, { time_limit_s: 300 });
  assert.doesNotMatch(page.text('#gist'), /· 5 min/);
  await page.fire('#set-hints', 'pointerup');
  await page.pass(100);
  page.shows({ '#gist': /· 5 min/ });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { room, seat } from '../examples.js';
import { atRoom, refused, roomMessage } from '../scenes.js';

const ADA = seat(0, 'Ada');
const asHost = (settings) => atRoom(room([ADA], { settings }));
/** Choose a value, and return the settings that are sent. @param {any} page @param {string} field @param {any} value */
async function choose(page, field, value) {
  await page.set(field, value);
  return page.sent('configure').at(-1)?.settings;
}
const answer = (page, settings) => page.receive(roomMessage([ADA], { settings }));
const preset = (page) => page.find('[name=preset]:checked').value;

test('a preset brings its rules, but keeps the settings about people', async () => {
  const page = await asHost({ locked: true, spectate: 'boards', time_limit_s: 900 });
  assert.equal(preset(page), 'friends');
  await answer(page, await choose(page, '#set-score', 'cards'));
  const own = await choose(page, '#set-game', 'spider-2');
  assert.equal(own.score, 'cards'); // the host has chosen it, so it stays with another game
  const settings = await choose(page, '[value=four-suits]', true);
  const { game, time_limit_s, locked, spectate } = settings;
  assert.deepEqual([game, time_limit_s, locked, spectate], ['spider-4', 1_800, true, 'boards']);
  await answer(page, settings);
  const usual = await choose(page, '#set-game', 'spider-2');
  assert.equal('score' in usual, false); // after a preset, the server chooses it again
  await answer(page, await choose(page, '#set-hints', true));
  assert.equal(preset(page), 'custom');
});

test('a change keeps unanswered changes, and the server’s choices', async () => {
  const page = await asHost();
  const first = await choose(page, '#set-hints', true);
  await page.set('#set-one-seat', true);
  await answer(page, first);
  const third = await choose(page, '#set-deal', 'numbered');
  assert.deepEqual([third.hints, third.one_seat, third.layout], [true, true, undefined]);
  await answer(page, { ...third, layout: 'spread' }); // the layout is the server's choice
  const { deal, layout, chasers } = await choose(page, '#set-chasers', true);
  assert.deepEqual([deal, layout, chasers], ['numbered', 'spread', true]);
});

test('answers to earlier choices never undo a later one', async () => {
  const page = await asHost({ time_limit_s: 900 });
  const first = await choose(page, '[value=four-suits]', true);
  const second = await choose(page, '[value=windows]', true);
  for (const each of [first, second]) {
    await answer(page, each);
    assert.equal(preset(page), 'windows');
  }
  // Without an answer the form shows the settings of the room.
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
  const { undo } = await choose(page, '#set-hints', true);
  assert.equal(undo, 'no_reveal');
});

test('a deal by seed starts with a random one, and a half-typed seed stays while the room changes', async () => {
  const page = await asHost();
  const first = await choose(page, '#set-deal', 'seed');
  assert.deepEqual([first.deal, first.seed], ['seed', '8'.repeat(32)]);
  await answer(page, first);
  page.find('#set-seed').focus();
  page.find('#set-seed').value = '0123';
  await answer(page, { ...first, hints: true });
  page.shows({ '#set-seed': '0123' });
  await page.set('#set-seed', '0123', { '#settings-problem': /32 characters/, sent: [] });
  const { seed } = await choose(page, '#set-seed', '0123'.repeat(8));
  assert.equal(seed, '0123'.repeat(8));
});

test('numbers outside of their limits are not sent', async () => {
  const page = await asHost({ deal: 'numbered', number: 24 });
  await page.set('#set-number', '0', { '#set-number': '24', sent: [] });
  const { number } = await choose(page, '#set-number', '32000');
  assert.equal(number, 32_000);
});

test('the rules open and close, and have only settings with an effect', async () => {
  const code = '7K3QZ0N'; // its own code, since the page remembers per room whether the rules are open
  const little = { game: 'little-spider', score: 'cards' };
  const page = await atRoom(room([ADA], { settings: little, code }));
  page.shows({ '#change-rules': 'Change rules' });
  await page.click('#change-rules', { '#change-rules[aria-expanded=true]': 1, '#set-undo': true });
  page.shows({ '#set-exceptions': false, '#set-seed': false, '#set-board-delay-s': false });
  const four = { game: 'spider-4', deal: 'seed', seed: '0'.repeat(32), spectate: 'boards' };
  await page.receive(roomMessage([ADA], { settings: four, code }));
  page.shows({ '#set-exceptions': true, '#set-seed': true, '#set-board-delay-s': true });
  await page.click('#rules-done', { '#table-rules': false, focus: 'change-rules' });
});

test('a press hits its box although an answer comes meanwhile', async () => {
  const page = await asHost();
  await page.fire('#set-hints', 'pointerdown');
  await answer(page, { time_limit_s: 300 });
  assert.doesNotMatch(page.text('#gist'), /·\s5\smin/);
  await page.fire('#set-hints', 'pointerup');
  await page.pass(100, { '#gist': /·\s5\smin/ });
});

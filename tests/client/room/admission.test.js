import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { makeAnnouncer } from '../../../web_client/src/page/announcer.js';
import { newsOfGame } from '../../../web_client/src/play/act-news.js';
import { presetOf } from '../../../web_client/src/room/catalogue.js';
import { rulebook } from '../../../web_client/src/room/rulebook.js';
import { sameDeal } from '../../../web_client/src/state/practice.js';
import { reduce } from '../../../web_client/src/state/reducer.js';
import { NOTHING, screenOf } from '../../../web_client/src/state/state.js';
import { example, game } from '../examples.js';

const ROOM = example('joined').room;
const EVE = { seat: 7, name: 'Eve', role: 'player' };
/** @param {any} change @returns {any} */
const room = (change) => ({ type: 'room', room: { ...ROOM, v: 50, ...change } });

test('a player who waits for the host has the waiting page', () => {
  const waiting = { ...ROOM, seats: [ROOM.seats[0]], waiting: [EVE] };
  const joined = { ...example('joined'), seat: 7, room: waiting };
  const state = reduce(NOTHING, joined);
  assert.equal(screenOf(state), 'waiting');
  const seat = { ...EVE, state: 'SEATED', connection: 'on' };
  const message = room({ seats: [...ROOM.seats, seat], waiting: [] });
  const after = reduce(state, message);
  assert.equal(screenOf(after), 'room');
  const announce = makeAnnouncer(newsOfGame);
  assert.equal(announce(state, after, message), 'The host let you in.');
});

test('requests to join are announced to the host only', () => {
  const message = room({ waiting: [EVE] });
  for (const [seat, words] of /** @type {[number, string][]} */ ([
    [0, 'Eve wants to join.'],
    [1, ''],
  ])) {
    const before = reduce(NOTHING, { ...example('joined'), seat });
    const announce = makeAnnouncer(newsOfGame);
    assert.equal(announce(before, reduce(before, message), message), words);
  }
});

test('a new host is announced to everybody', () => {
  const message = room({ host: 1 });
  for (const [seat, words] of /** @type {[number, string][]} */ ([
    [1, 'You’re the host now.'],
    [2, 'Grace is the host now.'],
  ])) {
    const before = reduce(NOTHING, { ...example('joined'), seat });
    const announce = makeAnnouncer(newsOfGame);
    assert.equal(announce(before, reduce(before, message), message), words);
  }
});

test('settings about people are part of no preset', () => {
  const presets = [{ id: 'friends', settings: ROOM.settings }];
  const among = /** @type {any} */ ({ games: [], presets });
  const guarded = { ...ROOM.settings, locked: true, max_players: 4, one_seat: true, approve: true };
  assert.equal(presetOf(among, guarded), 'friends');
  assert.equal(presetOf(among, { ...guarded, cheats: 'out' }), undefined);
});

test('a practice room is neither locked nor guarded', () => {
  const settings = { ...ROOM.settings, locked: true, approve: true };
  const again = sameDeal(settings, /** @type {any} */ ({ seed: '24'.repeat(16) }));
  assert.deepEqual([again.locked, again.approve], [false, false]);
});

test('the rules say what a locked deal proves and what it does not', () => {
  const info = game(ROOM.settings.game);
  const [deal] = rulebook(ROOM.settings, info);
  assert.match(deal?.lines.join(' ') ?? '', /nobody can change it.*doesn’t prove that nobody saw/);
  const [open] = rulebook({ ...ROOM.settings, deal: 'numbered', number: 24 }, info);
  assert.doesNotMatch(open?.lines.join(' ') ?? '', /hash/);
});

test('the rules say what latecomers see', () => {
  const text = JSON.stringify(
    rulebook({ ...ROOM.settings, chasers: true }, game(ROOM.settings.game)),
  );
  assert.match(text, /They see cards that racers have not turned yet\./);
});

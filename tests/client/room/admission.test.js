import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../english.js';
import { presetOf } from '../../../web_client/src/room/catalogue.js';
import { example } from '../examples.js';

const ROOM = example('joined').room;
const _EVE = { seat: 7, name: 'Eve', role: 'player' };
const _room = (change) => ({ type: 'room', room: { ...ROOM, v: 50, ...change } });

test('settings about people are part of no preset', () => {
  const presets = [{ id: 'friends', settings: ROOM.settings }];
  const among = { games: [], presets };
  const guarded = { ...ROOM.settings, locked: true, max_players: 4, one_seat: true, approve: true };
  assert.equal(presetOf(among, guarded), 'friends');
  assert.equal(presetOf(among, { ...guarded, cheats: 'out' }), undefined);
});

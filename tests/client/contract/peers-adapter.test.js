// The adapter for the benchmark's load generator. It is no part of the page, but it reads messages with
// modules of the page, and a change there must not break it unnoticed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import adapter, { Receiver } from '../../../bench/peers_adapter.js';
import { TO_CLIENT } from '../examples.js';

const recorded = (about) => TO_CLIENT.find((each) => each.about.includes(about)).message;

/** Return a bot that notes the calls of the adapter. */
function listening() {
  const calls = [];
  const note = (name) => [name, (given) => calls.push([name, given])];
  return { calls, ...Object.fromEntries(['onState', 'onAck', 'onBoard', 'onClose'].map(note)) };
}

test('messages reach a bot in the words of the load generator', () => {
  const bot = listening();
  const receiver = new Receiver(bot, () => assert.fail('nothing is missing'));
  const changes = { type: 'standings_changes', number: 8, changed: [{ seat: 1, score: 499 }] };
  const names = ['a table at t0', 'turned a card', 'an illegal move', 'a tie on top'];
  for (const message of [...names.map(recorded), changes]) receiver.receive(message);
  const [[, atStart], acked, refused, board, changed] = bot.calls;
  assert.equal(atStart.legal.length, 7);
  const legal = [[6, 0, 1], [0, 4, 1]]; // biome-ignore format: as the generator has it
  assert.deepEqual(acked, ['onAck', { id: 1, ok: 1, n: 1, score: 12, legal, deal: 1 }]);
  assert.deepEqual(refused, ['onAck', { id: 2, ok: 0, err: 'wrong_rank' }]);
  assert.deepEqual(board, ['onBoard', [[448, 52, 0, 41], [448, 52, 0, 41], null, null]]); // biome-ignore format: rows
  assert.deepEqual(changed[1], [[448, 52, 0, 41], [1, 499, 0, 41], null, null]); // biome-ignore format: rows
});

test('a gap in the changes is asked for once, and the whole leaderboard closes it', () => {
  const [bot, said] = [listening(), []];
  const receiver = new Receiver(bot, (message) => said.push(message));
  const change = (number) => ({ type: 'standings_changes', number, changed: [] });
  for (const each of [change(3), change(4), recorded('a tie on top')]) receiver.receive(each);
  assert.deepEqual([said, bot.calls.length], [[{ type: 'watch' }], 1]);
});

test('four bots open a room, get ready and act', async () => {
  const [clients, ctx] = [[], { host: '127.0.0.1', port: 1, shared: {} }];
  class Client {
    constructor(options) {
      Object.assign(this, options, { sent: [] });
      clients.push(this);
      queueMicrotask(() => this.onOpen());
    }
    text(message) {
      this.sent.push(JSON.parse(message));
      if (/create|join/.test(message)) this.onText('{"type":"joined","room":{"code":"ABCDEF"}}');
      if (/ready/.test(message)) this.onText(JSON.stringify(recorded('a table at t0')));
    }
  }
  ctx.shared.Client = Client;
  const bots = [0, 1].map((seat) => ({ room: 2, seat, n: 4, ...listening() }));
  for (const bot of bots) bot.conn = await adapter.connect(ctx, bot);
  await adapter.ready(ctx, bots);
  bots[0].conn.send({ t: 'move', id: 9, src: 6, dst: 0, count: 1 });
  const [[create, , act], [join]] = clients.map(({ sent }) => sent);
  assert.equal(create.settings.number, 3);
  assert.deepEqual(act, { type: 'act', id: 9, at: 4, action: 't6x1-t0' });
  assert.deepEqual(join, { type: 'join', room: 'ABCDEF', name: 'P2-1' });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

test('the catalogue is asked for until the server answers', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const body = { games: [{ id: 'spider-1' }], presets: [] };
  let asked = 0;
  globalThis.fetch = async () => ({ ok: ++asked === 3, json: async () => body });
  const url = new URL('../../../web_client/src/room/catalogue.js?fresh', import.meta.url);
  const { catalogue, gameInfo, whenLoaded } = await import(url.href);
  const loaded = new Promise((resolve) => whenLoaded(() => resolve(gameInfo('spider-1'))));
  assert.deepEqual(catalogue().games, []);
  for (let tries = 0; tries < 3; tries += 1) {
    for (let n = 0; n < 10; n += 1) await Promise.resolve();
    t.mock.timers.tick(10_000);
  }
  assert.equal(await loaded, body.games[0]);
  assert.equal(asked, 3);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated, parse } from '../../../web_client/src/contract/names.js';

const DANA = '\u05d3\u05e0\u05d4';

test('a name that is written from right to left is isolated from the text around it', () => {
  assert.equal(isolated(DANA), `\u2068${DANA}\u2069`);
  assert.equal(isolated(`Ada ${DANA}`), `\u2068Ada ${DANA}\u2069`);
  for (const name of ['Ada', 'Zoë 2', '李明', '😀']) assert.equal(isolated(name), name);
});

test('all names of a message are isolated, whatever their depth and however they are written', () => {
  const message = { type: 'room', room: { host: 0, seats: [{ name: DANA }, { name: 'Bob' }] } };
  const text = JSON.stringify(message);
  const escaped = text.replace(/[\u0590-\u05ff]/g, (c) => `\\u0${c.charCodeAt(0).toString(16)}`);
  for (const each of [text, escaped]) {
    const { room } = parse(each);
    assert.deepEqual(room.seats, [{ name: isolated(DANA) }, { name: 'Bob' }]);
    assert.equal(room.host, 0);
  }
  assert.deepEqual(parse('{"text":"hello"}'), { text: 'hello' });
  assert.equal(parse(JSON.stringify({ type: 'said', text: DANA })).text, DANA);
});

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import * as notation from '../../../web_client/src/contract/notation.js';
import * as protocol from '../../../web_client/src/contract/protocol.js';
import { isolated, parse } from '../../../web_client/src/contract/text.js';
import english from '../../../web_client/src/strings/en/race.js';
import { json } from '../examples.js';

const { GAMES, HIGHEST_NUMBER, MAX_BOARDS, SETTINGS } = protocol;
const { formatAction, parseAction, parseLegal, parsePile, readTable } = notation;
const require = createRequire(new URL('../../../web_client/package.json', import.meta.url));
const { Parser } = require('@asyncapi/parser');

test('the description of the websocket is valid, and every reference in it resolves', async () => {
  const text = JSON.stringify(json('generated/asyncapi.json'));
  const { diagnostics } = await new Parser().parse(text); // the official parser
  for (const { path, message } of diagnostics) assert.fail(`${path.join('.')}: ${message}`);
});

const DANA = '\u05d3\u05e0\u05d4';

test('names from right to left are isolated from the text around them, in every message', () => {
  assert.equal(isolated(DANA), `\u2068${DANA}\u2069`);
  assert.equal(isolated(`Ada ${DANA}`), `\u2068Ada ${DANA}\u2069`);
  for (const name of ['Ada', 'Zoë 2', '李明', '😀']) assert.equal(isolated(name), name);
  const message = { type: 'room', room: { host: 0, seats: [{ name: DANA }, { name: 'Bob' }] } };
  const text = JSON.stringify(message);
  const escaped = text.replace(/[\u0590-\u05ff]/g, (c) => `\\u0${c.charCodeAt(0).toString(16)}`);
  for (const each of [text, escaped]) {
    const { room } = parse(each);
    assert.deepEqual([room.seats, room.host], [[{ name: isolated(DANA) }, { name: 'Bob' }], 0]);
  }
  assert.deepEqual(parse('{"text":"hello"}'), { text: 'hello' });
  assert.equal(parse(JSON.stringify({ type: 'said', text: DANA })).text, DANA);
});

const { $defs } = json('generated/from_client.schema.json');
const { properties } = $defs.Settings;

/** Return the limit of a property that may be null. @param {any} schema @param {string} name */
const limit = (schema, name) => schema[name] ?? schema.anyOf.find((each) => name in each)[name];

test('the page has the limits and emotes of the server, and each setting has a chapter', () => {
  assert.equal(limit($defs.Watch.properties.boards, 'maxItems'), MAX_BOARDS);
  assert.equal(limit(properties.number, 'maximum'), HIGHEST_NUMBER);
  const emotes = limit($defs.Say.properties.emote, 'enum');
  assert.deepEqual(Object.keys(english.CHAT.emoteWords).toSorted(), emotes.toSorted());
  assert.deepEqual(Object.keys(SETTINGS), Object.keys(properties));
  for (const [name, { chapter }] of Object.entries(SETTINGS))
    assert.ok(chapter in english.CHAPTERS, name);
});

for (const { about, table, piles, legal } of json('examples/notation.json'))
  test(`a table is read as the engine means it: ${about}`, () => {
    const read = readTable(table);
    const specs = GAMES[table.game].piles;
    const whole = piles.map((pile, i) => ({ ...pile, ...specs[i] }));
    assert.deepEqual(read, { ...table, piles: whole, legal });
    assert.equal(read.legal.map(formatAction).join(','), table.legal);
  });

test('piles and actions are read from text; unknown actions are left out', () => {
  assert.deepEqual(parsePile('t0', '[2] KS QS'), { id: 't0', down: 2, up: ['KS', 'QS'] });
  assert.deepEqual(parsePile('t0', '[50]'), { id: 't0', down: 50, up: [] });
  assert.deepEqual(parsePile('t0', ''), { id: 't0', down: 0, up: [] });
  const move = { type: 'move', from: 't9', count: 12, to: 't4', exception: false };
  assert.deepEqual(parseAction('t9x12-t4'), move);
  assert.deepEqual(parseAction('t9x12-t4!'), { ...move, exception: true });
  assert.deepEqual(parseAction('remove t3'), { type: 'remove', from: 't3' });
  for (const type of ['deal', 'undo', 'redo', 'finish'])
    assert.deepEqual(parseAction(type), { type });
  const moves = ['t9x0-t4', 't9x14-t4', 't9x01-t4', 'T9x1-t4', 't9x1-t4 ', 't9-t4', 't10x1-t4'];
  for (const text of ['', 'jump', ' deal', 'deal\n', 'deal!', 'remove  t3', 'remove t3!', ...moves])
    assert.equal(parseAction(text), null, text);
  assert.equal(formatAction({ type: 'move', from: 't1', count: 2, to: 't3' }), 't1x2-t3');
  assert.deepEqual(parseLegal(''), []);
  assert.deepEqual(parseLegal('undo,jump t3,deal'), [{ type: 'undo' }, { type: 'deal' }]);
});

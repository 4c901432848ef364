// `protocol/generated/asyncapi.json`, read by the official parser of AsyncAPI.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import * as notationModule from '../../../web_client/src/contract/notation.js';
import { isolated, parse } from '../../../web_client/src/contract/notation.js';
import * as protocol from '../../../web_client/src/contract/protocol.js';
import { EXCLUSIONS, SETTINGS } from '../../../web_client/src/contract/settings.js';
import * as english from '../../../web_client/src/strings/en/race.js';
import { CHAPTERS } from '../../../web_client/src/strings/en/race.js';
import { example, json } from '../examples.js';

const { formatAction, parseAction, parseLegal, parsePile, readTable } = notationModule;
const require = createRequire(new URL('../../../web_client/package.json', import.meta.url));
const { Parser } = require('@asyncapi/parser');

const faults = async (document) =>
  (await new Parser().parse(JSON.stringify(document))).diagnostics.map(
    (each) => `${each.path.join('.')}: ${each.message}`,
  );

test('the description of the websocket is valid, and every reference in it resolves', async () => {
  assert.deepEqual(await faults(json('generated/asyncapi.json')), []);
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
const asyncapi = json('generated/asyncapi.json');
const { properties } = $defs.Settings;

/** Return the limit of a property that may be null. @param {any} schema @param {string} name */
const limit = (schema, name) => schema[name] ?? schema.anyOf.find((each) => name in each)[name];

test('codes, limits and emotes are those of the server', () => {
  assert.deepEqual(Object.values(protocol.ErrorCode), asyncapi['x-error-codes']);
  for (const [name, code] of Object.entries(protocol.ErrorCode))
    assert.equal(name, code.toUpperCase());
  const closes = Object.entries(protocol.CloseCode);
  const named = Object.fromEntries(closes.map(([name, code]) => [code, name.toLowerCase()]));
  assert.deepEqual(named, asyncapi['x-close-codes']);
  assert.match(asyncapi.info.description, new RegExp(`subprotocol ${protocol.SUBPROTOCOL}\\.`));
  assert.equal(limit($defs.Watch.properties.boards, 'maxItems'), protocol.MAX_BOARDS);
  assert.equal(limit(properties.number, 'maximum'), protocol.HIGHEST_NUMBER);
  assert.equal($defs.Act.properties.action.pattern, protocol.ACTION_PATTERN.source);
  assert.deepEqual(Object.keys(GAMES), properties.game.enum);
  for (const name of protocol.ABOUT_PEOPLE) assert.ok(name in properties, name);
  const emotes = limit($defs.Say.properties.emote, 'enum');
  assert.deepEqual(Object.keys(english.CHAT.emoteWords).toSorted(), emotes.toSorted());
});

const FRIENDS = example('joined').room.settings;

const excluded = (settings) =>
  EXCLUSIONS.filter(({ values }) =>
    Object.entries(values).every(([name, among]) =>
      among === 'given' ? settings[name] !== null : among.some((each) => each === settings[name]),
    ),
  ).map(({ reason }) => reason);

test('the table of the settings is whole, and finds what does not go together', () => {
  assert.deepEqual(Object.keys(SETTINGS), Object.keys(properties));
  for (const [name, { chapter }] of Object.entries(SETTINGS)) {
    assert.ok(chapter in CHAPTERS, name);
    assert.equal(chapter === 'people', protocol.ABOUT_PEOPLE.includes(name), name);
  }
  for (const { values, usual, games = [] } of Object.values(SETTINGS)) {
    if (values) assert.ok(values.includes(String(usual)));
    for (const game of games) assert.ok(game in GAMES);
  }
  assert.deepEqual(excluded(FRIENDS), []);
  assert.deepEqual(excluded({ ...FRIENDS, score: 'dos', undo: 'any' }), ['dos_without_undo']);
  assert.deepEqual(excluded({ ...FRIENDS, deal: 'seed' }), ['seed_of_seeded']);
  assert.deepEqual(excluded({ ...FRIENDS, deal: 'secret', number: 24 }), ['number_of_numbered']);
});

const EXAMPLES = json('examples/notation.json');
const plain = ({ id, down, up }) => ({ id, down, up });

for (const { about, table, piles, legal } of EXAMPLES)
  test(`a table is read as the engine means it: ${about}`, () => {
    const read = readTable(table);
    assert.deepEqual(read.piles.map(plain), piles);
    const specs = read.piles.map(({ down: _down, up: _up, ...spec }) => spec);
    assert.deepEqual(specs, GAMES[table.game].piles);
    assert.deepEqual(read.legal, legal);
    assert.deepEqual({ ...read, piles: 0, legal: 0 }, { ...table, piles: 0, legal: 0 });
    assert.equal(read.legal.map(formatAction).join(','), table.legal);
  });

test('piles and actions are read from text; unknown actions are left out', () => {
  for (const [text, down, ...up] of [
    ['[2] KS QS', 2, 'KS', 'QS'],
    ['[50]', 50],
    ['', 0],
  ])
    assert.deepEqual(parsePile('t0', text), { id: 't0', down, up });
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

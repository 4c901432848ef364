// The words and limits of `contract/protocol.js` are those of the contract.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import * as protocol from '../../../web_client/src/contract/protocol.js';
import * as english from '../../../web_client/src/strings/en/chat.js';
import { json } from '../examples.js';

const { $defs } = json('generated/from_client.schema.json');
const asyncapi = json('generated/asyncapi.json');
const { properties } = $defs.Settings;

/** Return the limit of a property that may be null. @param {any} schema @param {string} name */
const limit = (schema, name) => schema[name] ?? schema.anyOf.find((each) => name in each)[name];

test('error codes and close codes are those of the server, under the same names', () => {
  assert.deepEqual(Object.values(protocol.ErrorCode), asyncapi['x-error-codes']);
  for (const [name, code] of Object.entries(protocol.ErrorCode))
    assert.equal(name, code.toUpperCase());
  assert.deepEqual(
    Object.fromEntries(
      Object.entries(protocol.CloseCode).map(([name, code]) => [String(code), name.toLowerCase()]),
    ),
    asyncapi['x-close-codes'],
  );
});

test('lengths and limits are those of the schema', () => {
  assert.match(asyncapi.info.description, new RegExp(`subprotocol ${protocol.SUBPROTOCOL}\\.`));
  assert.equal(limit($defs.Watch.properties.boards, 'maxItems'), protocol.MAX_BOARDS);
  assert.equal(limit(properties.number, 'maximum'), protocol.HIGHEST_NUMBER);
  assert.equal($defs.Act.properties.action.pattern, protocol.ACTION_PATTERN.source);
  assert.deepEqual(Object.keys(GAMES), properties.game.enum);
  for (const name of protocol.ABOUT_PEOPLE) assert.ok(name in properties, name);
});

test('the chat has a button for every emote', () => {
  const emotes = limit($defs.Say.properties.emote, 'enum');
  assert.deepEqual(Object.keys(english.CHAT.emoteWords).toSorted(), emotes.toSorted());
});

// `protocol/generated/asyncapi.json`, read by the official parser of AsyncAPI.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { json } from '../examples.js';

const require = createRequire(new URL('../../../web_client/package.json', import.meta.url));
const { Parser } = require('@asyncapi/parser');

/** Return what the parser says against a document. @param {unknown} document */
const faults = async (document) =>
  (await new Parser().parse(JSON.stringify(document))).diagnostics.map(
    (each) => `${each.path.join('.')}: ${each.message}`,
  );

test('the description of the websocket is valid, and every reference in it resolves', async () => {
  assert.deepEqual(await faults(json('generated/asyncapi.json')), []);
});

test('the parser reports a reference to nothing', async () => {
  const document = structuredClone(json('generated/asyncapi.json'));
  document.components.messages['fromClient.Ping'].payload.$ref = '#/components/schemas/None';
  assert.match((await faults(document)).join(), /'#\/components\/schemas\/None' does not exist/);
});

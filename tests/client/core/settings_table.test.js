// The table of settings, which is generated, fits the schema and the words of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ABOUT_PEOPLE, GAMES } from '../../../web_client/src/core/protocol.js';
import { EXCLUSIONS, SETTINGS } from '../../../web_client/src/core/settings.js';
import { CHAPTERS } from '../../../web_client/src/strings/en/rules.js';
import { example, json } from '../examples.js';

const { properties } = json('generated/from_client.schema.json').$defs.Settings;
const FRIENDS = example('joined').room.settings;

test('the table has every setting, in the order of the form', () => {
  assert.deepEqual(Object.keys(SETTINGS), Object.keys(properties));
});

test('every chapter has its title, but that of the people', () => {
  for (const [name, { chapter }] of Object.entries(SETTINGS)) {
    if (chapter === 'people') assert.ok(ABOUT_PEOPLE.includes(name), name);
    else assert.ok(chapter in CHAPTERS, name);
  }
});

test('every default is a value, and every game is one', () => {
  for (const { values, usual, games = [] } of Object.values(SETTINGS)) {
    if (values) assert.ok(values.includes(String(usual)));
    for (const game of games) assert.ok(GAMES.some((each) => each === game));
  }
});

/** @param {Record<string, unknown>} settings */
const excluded = (settings) =>
  EXCLUSIONS.filter(({ values }) =>
    Object.entries(values).every(([name, among]) =>
      among === 'given' ? settings[name] !== null : among.some((each) => each === settings[name]),
    ),
  ).map(({ reason }) => reason);

test('what does not go together can be found by the table', () => {
  assert.deepEqual(excluded(FRIENDS), []);
  assert.deepEqual(excluded({ ...FRIENDS, score: 'dos', undo: 'any' }), ['dos_without_undo']);
  assert.deepEqual(excluded({ ...FRIENDS, deal: 'seed' }), ['seed_of_seeded']);
  assert.deepEqual(excluded({ ...FRIENDS, deal: 'secret', number: 24 }), ['number_of_numbered']);
});

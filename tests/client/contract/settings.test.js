// The table of settings, which is generated, fits the schema and the words of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { ABOUT_PEOPLE } from '../../../web_client/src/contract/protocol.js';
import { EXCLUSIONS, SETTINGS } from '../../../web_client/src/contract/settings.js';
import { CHAPTERS } from '../../../web_client/src/strings/en/rules.js';
import { example, json } from '../examples.js';

const { properties } = json('generated/from_client.schema.json').$defs.Settings;
const FRIENDS = example('joined').room.settings;

test('the table has every setting, in the order of the form', () => {
  assert.deepEqual(Object.keys(SETTINGS), Object.keys(properties));
});

test('every chapter has its title, and that of the people has their settings', () => {
  for (const [name, { chapter }] of Object.entries(SETTINGS)) {
    assert.ok(chapter in CHAPTERS, name);
    assert.equal(chapter === 'people', ABOUT_PEOPLE.includes(name), name);
  }
});

test('every default is a value, and every game is one', () => {
  for (const { values, usual, games = [] } of Object.values(SETTINGS)) {
    if (values) assert.ok(values.includes(String(usual)));
    for (const game of games) assert.ok(game in GAMES);
  }
});

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

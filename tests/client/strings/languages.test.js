// What holds for the sentences of every language, and samples of the German ones.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import { GAMES } from '../../../web_client/src/contract/games.js';
import { SETTINGS } from '../../../web_client/src/contract/settings.js';
import { rulebook } from '../../../web_client/src/room/rulebook.js';
import * as classicGerman from '../../../web_client/src/strings/de/classic.js';
import * as classic from '../../../web_client/src/strings/en/classic.js';
import {
  firstSpoken,
  LANGUAGES,
  speak,
  strings,
} from '../../../web_client/src/strings/language.js';
import { catalogue } from '../english.js';
import { example, game as info, json } from '../examples.js';

const [english, german] = [await catalogue('en'), await catalogue('de')];

const SRC = new URL('../../../web_client/src/strings/', import.meta.url);
const NONE = { cards: [], piles: [], fields: [], reason: null };
const CATALOGUES = Object.entries({ en: english, de: german });
const asyncapi = json('generated/asyncapi.json');

/** Grammar that the files of one language share; no module of the page uses it. */
const GRAMMAR = ['capital', 'count'];

/** Return all names below a value, and the number of parameters of functions. @param {any} value @returns {any} */
function shape(value) {
  if (typeof value === 'function') return value.length;
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((name) => !GRAMMAR.includes(name))
      .toSorted()
      .map((name) => [name, shape(value[name])]),
  );
}

/** Features with strings of their own, each with its files by language. */
const FEATURES = readdirSync(new URL('en/', SRC)).map((file) => ({
  feature: file.replace('.js', ''),
  files: Object.keys(LANGUAGES).map((language) => `${language}/${file}`),
}));

/** Return all sentences below a value. @param {any} value @returns {string[]} */
function sentences(value) {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(sentences) : [];
}

beforeEach(() => speak('en'));

test('the classic sentences have the same names in all languages', () => {
  assert.deepEqual(shape(classicGerman), shape(classic));
});

test('the line about the keys between two games names only those that exist', () => {
  assert.equal(
    classic.afterGame(true, true),
    'Press 1 to play again at level 1, 2 to play again at level 2, G to choose the game, Q to quit.',
  );
  assert.equal(classic.afterGame(false, false), 'Press F7 to play again, Q to quit.');
  assert.equal(
    classic.beforeGame(true, 6),
    'Press 1 to 6 to choose the game, F6 to change the level, F7 to start, Q to quit.',
  );
  assert.equal(classic.beforeGame(false, 1), 'Press F7 to start, Q to quit.');
  assert.equal(classicGerman.beforeGame(false, 1), 'F7: beginnen, Q: aufhören.');
  assert.match(classicGerman.afterGame(true, false), /^1: noch einmal auf Stufe 1, .*aufhören\.$/);
});

test('the news of a round replace those of a race', async () => {
  for (const language of ['en', 'de']) {
    await speak(language);
    for (const [name, text] of Object.entries(strings.ROUND_NEWS)) {
      assert.notEqual(text, /** @type {Record<string, string>} */ (strings.NEWS)[name]);
      assert.doesNotMatch(text, /race|Rennen/);
    }
  }
});

test('a room waits for a round of a match, or else for a race', () => {
  const seats = [0, 1].map((seat) => ({ seat, role: 'player', state: 'SEATED', name: 'Bob' }));
  /** @param {number} rounds @returns {any} */
  const room = (rounds) => ({ seats, settings: { rounds } });
  assert.match(english.waitingFor(room(2), 0), /^Waiting for Bob and you\. The round starts/);
  assert.match(english.waitingFor(room(1), 0), /The race starts when everyone is ready\.$/);
});

test('a room waits for all by name, or for the first two and a number', () => {
  /** @param {...string} names @returns {any} */
  const room = (...names) => ({
    seats: names.map((name, seat) => ({ seat, role: 'player', state: 'SEATED', name })),
    settings: { rounds: 1 },
  });
  const [few, many] = [room('Me', 'Ann', 'Bob', 'Cy'), room('Me', 'Ann', 'Bob', 'Cy', 'Dan')];
  assert.match(english.waitingFor(few, 0), /^Waiting for Ann, Bob, Cy and you\./);
  assert.match(english.waitingFor(many, 0), /^Waiting for Ann, Bob, 2 others and you\./);
  assert.match(english.waitingFor(many, 9), /^Waiting for Me, Ann and 3 others\./);
  assert.match(german.waitingFor(many, 0), /^Warten auf Ann, Bob, 2 weitere und dich\./);
});

test('all languages have the same names, and functions of the same parameters', () => {
  assert.deepEqual(
    CATALOGUES.map(([language]) => language),
    Object.keys(LANGUAGES),
  );
  for (const [language, loaded] of CATALOGUES)
    assert.deepEqual(shape(loaded), shape(english), language);
});

test('every language has the same files, with the same names, and no empty sentence', async () => {
  for (const language of Object.keys(LANGUAGES))
    assert.deepEqual(
      readdirSync(new URL(`${language}/`, SRC)),
      FEATURES.map(({ feature }) => `${feature}.js`),
    );
  for (const { feature, files } of FEATURES) {
    const [first, ...others] = await Promise.all(
      files.map((file) => import(new URL(file, SRC).href)),
    );
    for (const other of others) assert.deepEqual(shape(other), shape(first), feature);
    for (const words of [first, ...others])
      for (const said of sentences({ ...words })) assert.match(said, /\S/, feature);
  }
});

test('every family of games has its rules', () => {
  for (const [language, { GAME_RULES }] of CATALOGUES)
    for (const { family } of Object.values(GAMES))
      for (const chapter of ['deal', 'moves', 'end'])
        assert.ok(
          GAME_RULES[family]?.[chapter],
          `${family} needs ${chapter} in GAME_RULES of web_client/src/strings/${language}/rules.js`,
        );
});

test('every error code has its sentence, with details and without', () => {
  const codes = asyncapi['x-error-codes'];
  const details = { cards: ['9S', 'QD'], piles: ['t2', 't3'], fields: ['number'], reason: null };
  for (const [language, { REFUSALS, refusal }] of CATALOGUES) {
    assert.deepEqual(Object.keys(REFUSALS).toSorted(), codes.toSorted(), language);
    for (const code of codes)
      for (const some of [NONE, details]) assert.match(refusal(code, some), /^[\p{Lu}\d].*\.$/u);
  }
});

test('every close code has its sentence', () => {
  for (const [, { CLOSINGS }] of CATALOGUES)
    for (const code of Object.keys(asyncapi['x-close-codes']).map(Number))
      assert.match(CLOSINGS[code] ?? '', /^\p{Lu}.*\.$/u, String(code));
});

test('every setting and every value to choose has its name', async () => {
  for (const language of Object.keys(LANGUAGES)) {
    await speak(language);
    assert.deepEqual(Object.keys(strings.SETTINGS).toSorted(), Object.keys(SETTINGS).toSorted());
    for (const [name, { values = [], offered = [], nullable }] of Object.entries(SETTINGS)) {
      const all = [...values, ...offered, ...(nullable && offered.length > 0 ? [null] : [])];
      for (const value of all) {
        const shown = strings.settingValue(/** @type {any} */ (name), value);
        assert.match(shown, /^[\p{Lu}\d]/u, `${language} ${name} ${value}`);
      }
    }
  }
});

test('a change of any setting is told in words, with its unit', async () => {
  const { settings } = example('joined').room;
  /** @type {Record<string, readonly (string | number | boolean | null)[]>} */
  const more = {
    board_delay_s: [0, 1, 30, 60, 90, 600],
    time_limit_s: [10, 90, 900, null],
    after_win_s: [10, 60, 90, null],
  };
  for (const language of Object.keys(LANGUAGES)) {
    await speak(language);
    for (const [name, { kind, values, offered, least, most }] of Object.entries(SETTINGS)) {
      const some = values ?? offered ?? (kind === 'switch' ? [true, false] : [least, most]);
      for (const value of more[name] ?? (kind === 'text' ? ['ab'.repeat(16)] : some)) {
        const told = strings.changedSettings('Ada', [/** @type {any} */ (name)], {
          ...settings,
          [name]: value,
        });
        // A name, a value, and nothing else: no unit in the name, no colon within either of them.
        const [, label = '', shown = ''] = told.match(/^Ada[^:]*: ([^:()]+): (.+)$/) ?? [];
        assert.match(label, /^\p{Lu}/u, told);
        assert.doesNotMatch(label, /\b(me|mich)\b/i, told);
        assert.doesNotMatch(shown, /^0\b|undefined|null|_|–$/, told);
        if (name.endsWith('_s') && value) assert.match(shown, /sec|sek|minute|\d:\d\d/i, told);
      }
    }
  }
});

test('a delay of the boards, a limit and a switch are told as somebody would', async () => {
  const { settings } = example('joined').room;
  const some = { ...settings, board_delay_s: 0, time_limit_s: 30, locked: true };
  const names = /** @type {const} */ (['board_delay_s', 'time_limit_s', 'locked']);
  assert.equal(
    strings.changedSettings('Ada', names, some),
    'Ada changed: Board delay: None · Time limit: 30 seconds · Room locked: on',
  );
  await speak('de');
  assert.equal(
    strings.changedSettings('Ada', names, some),
    'Ada hat geändert: Verzögerung der Tische: Keine · Zeitlimit: 30 Sekunden · Raum abgeschlossen: an',
  );
});

test('every language tells the rules of every game in sentences', async () => {
  const { settings } = example('joined').room;
  const { properties } = json('generated/from_client.schema.json').$defs.Settings;
  for (const language of Object.keys(LANGUAGES)) {
    await speak(language);
    for (const game of properties.game.enum)
      for (const score of properties.score.enum)
        for (const { lines } of rulebook({ ...settings, game, score, rounds: 2 }, info(game)))
          for (const line of lines) assert.match(line, /^[\p{Lu}\d].*\.$/u);
  }
});

test('the first supported language is chosen, or English', () => {
  assert.equal(firstSpoken([null, 'fr-FR', 'de-AT', 'en-GB']), 'de');
  assert.equal(firstSpoken(['en', 'de']), 'en');
  assert.equal(firstSpoken(['toString', 'tlh']), 'en');
});

test('sentences change with the language, and stay for an unknown one', async () => {
  assert.equal(await speak('de'), true);
  assert.equal(strings.LANGUAGE, 'Sprache');
  assert.equal(await speak('tlh'), false);
  assert.equal(strings.LANGUAGE, 'Sprache');
});

test('the later one of two requested languages wins', async () => {
  const [first, second] = await Promise.all([speak('de'), speak('en')]);
  assert.deepEqual([first, second, strings.LANGUAGE], [false, true, 'Language']);
});

test('no module has sentences of its own, and none keeps those of one language', () => {
  const root = new URL('../../../web_client/src/', import.meta.url);
  for (const file of readdirSync(root, { recursive: true }).map(String)) {
    if (!file.endsWith('.js') || /^strings\/..\//.test(file)) continue;
    const code = readFileSync(new URL(file, root), 'utf8').replaceAll("text: 'Spider Race'", '');
    const words = /(?:(?:text|title|placeholder|alt|'aria-label'): |announce\()['"`]\p{Lu}.*/u;
    assert.doesNotMatch(code, words, file);
    assert.doesNotMatch(code, /^(?:export )?const .*\bstrings\.[A-Z]/m, file);
    assert.doesNotMatch(code, /^import .* from '.*strings\/\w\w\//m, file);
  }
});

test('German names of cards and piles', () => {
  assert.deepEqual(['9S', 'JC', 'QD', 'KH', 'AS', 'TD'].map(german.spoken), [
    'Pik 9',
    'Kreuz-Bube',
    'Karo-Dame',
    'Herz-König',
    'Pik-Ass',
    'Karo 10',
  ]);
  assert.deepEqual(['t3', 'u0', 'l3', 'f1', 'stock'].map(german.pileName), [
    'Stapel 4',
    'Stapel oben 1',
    'Stapel unten 4',
    'Ablage 2',
    'Talon',
  ]);
});

test('German columns are read out', () => {
  const pile = { down: 4, up: ['9S', '8S', '7S', '3H'] };
  assert.equal(german.describe(pile), '4 verdeckt; Folge Pik 9 bis 7, Herz 3');
  assert.equal(german.describe({ down: 0, up: [] }), 'leer');
  const stack = { down: 0, up: ['KC', '9S'], fan: /** @type {const} */ ('none') };
  assert.equal(german.describe(stack), 'Pik 9 auf 1 Karte');
});

test('German reasons have the case and the number that they need', () => {
  const said = (/** @type {any} */ code, /** @type {any} */ details) =>
    german.refusal(code, { ...NONE, ...details });
  const onto = (/** @type {string} */ card) =>
    said('wrong_rank', { cards: [card, 'QD'], piles: ['t2', 't3'] });
  assert.equal(onto('9S'), 'Pik 9 passt nur auf eine 10; Stapel 4 endet mit Karo-Dame.');
  assert.match(onto('TC'), /^Kreuz 10 passt nur auf einen Buben;/);
  assert.match(onto('JH'), /^Herz-Bube passt nur auf eine Dame;/);
  assert.match(onto('QS'), /^Pik-Dame passt nur auf einen König;/);
  assert.equal(onto('KH'), 'Herz-König passt nur auf einen leeren Stapel.');
  assert.equal(
    said('deal_empty_column', { piles: ['t2'] }),
    'Solange Stapel 3 leer ist, kannst du nicht austeilen.',
  );
  assert.equal(
    said('deal_empty_column', { piles: ['t0', 't2', 't6'] }),
    'Solange Stapel 1, Stapel 3 und Stapel 7 leer sind, kannst du nicht austeilen.',
  );
});

test('German acts, times and numbers', () => {
  const before = example('table').table.piles;
  const changed = example('acted').piles;
  const after = before.map((/** @type {any} */ pile) => ({
    ...pile,
    ...changed.find((/** @type {any} */ each) => each.id === pile.id),
  }));
  const words = german.actDone({ type: 'move', from: 't8', count: 1, to: 't0' }, before, after);
  assert.equal(words, 'Pik 8 auf Stapel 1 gelegt; Pik 4 aufgedeckt.');
  assert.equal(german.exactClock(187_950), '3:07,9');
  assert.equal(german.hoursOrMinutes(3_600), '1 Stunde');
  assert.equal(german.hoursOrMinutes(450), '7,5 Minuten');
  assert.equal(german.onlyWatch(1).startsWith('Jemand ist'), true);
  assert.equal(german.soFar(2, 1), 'Bisher Platz 2. Es spielt noch jemand.');
});

// What holds for the sentences of every language, and samples of the German ones.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { SETTINGS } from '../../../web_client/src/contract/protocol.js';
import { codeIn, roundIn } from '../../../web_client/src/page/addresses.js';
import { rulebook } from '../../../web_client/src/room/rules.js';
import german from '../../../web_client/src/strings/de/race.js';
import english from '../../../web_client/src/strings/en/race.js';
import * as languages from '../../../web_client/src/strings/language.js';
import { strings } from '../../../web_client/src/strings/language.js';
import { example, filesIn, game as info, json, read } from '../examples.js';

const { firstSpoken, LANGUAGES, speak } = languages;
const NONE = { cards: [], piles: [], fields: [], reason: null };
const asyncapi = json('generated/asyncapi.json');

function sentences(value) {
  if (typeof value === 'string') return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(sentences) : [];
}

beforeEach(() => speak('en'));

test('no sentence is empty', async () => {
  for (const file of filesIn('src/strings', '.js').filter((path) => path.includes('/'))) {
    const { default: words } = await import(`../../../web_client/src/strings/${file}`);
    for (const said of sentences(words)) assert.match(said, /\S/, file);
  }
});

test('every error code and close code has its sentence', async () => {
  const codes = asyncapi['x-error-codes'];
  const details = { cards: ['9S', 'QD'], piles: ['t2', 't3'], fields: ['number'], reason: null };
  for (const spoken of Object.keys(LANGUAGES)) {
    await speak(spoken);
    for (const code of [...codes, 'code_of_a_newer_server'])
      for (const some of [NONE, details])
        assert.match(strings.refusal(code, some), /^[\p{Lu}\d].*\.$/u);
    for (const code of Object.keys(asyncapi['x-close-codes']))
      assert.match(strings.CLOSINGS[Number(code)] ?? '', /^\p{Lu}.*\.$/u, code);
  }
});

test('a load that arrives after a larger one leaves its sentences alone', async () => {
  const fresh = await import('../../../web_client/src/strings/language.js?fresh');
  await fresh.booted;
  const larger = fresh.fetchStrings('race', 'after');
  await Promise.all([larger, fresh.fetchStrings('race')]);
  assert.equal(typeof fresh.strings.TABLE.lead, 'function');
});

test('a second game in a race over days is refused by a sentence of its own', () => {
  const refusal = { kind: 'refused', code: 'one_seat', details: NONE };
  const notice = { n: 1, ...refusal, close: 0, attempt: null };
  for (const [spoken, words] of [
    [english, /already played this race\. Everyone gets one game\.$/],
    [german, /wurde dieses Rennen schon gespielt\. Alle haben nur ein Spiel\.$/],
  ]) {
    assert.match(spoken.sentence({ ...notice, command: 'chase' }), words);
    assert.doesNotMatch(spoken.sentence({ ...notice, command: 'join' }), words);
  }
});

test('every setting has its name and its values, and words for a change, with its unit', async () => {
  const { settings } = example('joined').room;
  const more = {
    board_delay_s: [0, 1, 30, 60, 90, 600],
    time_limit_s: [10, 90, 900, null],
    after_win_s: [10, 60, 90, null],
    seed: ['ab'.repeat(16)],
    degree: ['easy', 'middle', 'hard', null],
  };
  for (const spoken of Object.keys(LANGUAGES)) {
    await speak(spoken);
    assert.deepEqual(Object.keys(strings.SETTINGS).toSorted(), Object.keys(SETTINGS).toSorted());
    for (const [name, { usual, values, offered = values, least, most }] of Object.entries(
      SETTINGS,
    )) {
      const some = offered ?? (typeof usual === 'boolean' ? [true, false] : [least, most]);
      for (const value of more[name] ?? some) {
        const told = strings.changedSettings('Ada', [name], { ...settings, [name]: value });
        if (offered) assert.match(strings.settingValue(name, value), /^[\p{Lu}\d]/u, told);
        // A name, a value, and nothing else: no unit in the name, no colon within either of them.
        const [, label = '', shown = ''] = told.match(/^Ada[^:]*: ([^:()]+): (.+)$/) ?? [];
        assert.match(label, /^\p{Lu}/u, told);
        assert.doesNotMatch(label, /\b(me|mich)\b/i, told);
        assert.doesNotMatch(shown, /^0\b|undefined|null|_|–$/, told);
        if (name.endsWith('_s') && value)
          assert.match(shown, /sec|sek|minute|hour|stunde|day|tag|\d:\d\d/i, told);
      }
    }
  }
});

test('every language has the rules of every game in sentences', async () => {
  const { settings } = example('joined').room;
  const { properties } = json('generated/from_client.schema.json').$defs.Settings;
  for (const spoken of Object.keys(LANGUAGES)) {
    await speak(spoken);
    for (const game of properties.game.enum)
      for (const score of properties.score.enum)
        for (const { lines } of rulebook({ ...settings, game, score, rounds: 2 }, info(game)))
          for (const line of lines) assert.match(line, /^[\p{Lu}\d].*\.$/u);
  }
});

test('the first supported or the later requested language is spoken, and stays for an unknown one', async () => {
  assert.equal(firstSpoken([null, 'fr-FR', 'de-AT', 'en-GB']), 'de');
  assert.deepEqual([firstSpoken(['en', 'de']), firstSpoken(['toString', 'tlh'])], ['en', 'en']);
  assert.deepEqual([await speak('de'), strings.LANGUAGE], [true, 'Sprache']);
  assert.deepEqual([await speak('tlh'), strings.LANGUAGE], [false, 'Sprache']);
  const [first, second] = await Promise.all([speak('de'), speak('en')]);
  assert.deepEqual([first, second, strings.LANGUAGE], [false, true, 'Language']);
});

test('no module has sentences of its own, or keeps the sentences of one language', () => {
  for (const file of filesIn('src', '.js')) {
    if (/^strings\/..\//.test(file)) continue;
    const code = read(`src/${file}`).replaceAll("text: 'Spider Race'", '');
    const words = /(?:(?:text|title|placeholder|alt|'aria-label'): |announce\()['"`]\p{Lu}.*/u;
    assert.doesNotMatch(code, words, file);
    assert.doesNotMatch(code, /^(?:export )?const .*\bstrings\.[A-Z]/m, file);
    assert.doesNotMatch(code, /^import .* from '.*strings\/\w\w\//m, file);
  }
});

test('an illegal move is explained by cards and column, in German in case and number', () => {
  const illegal = example('refused', 'illegal');
  const words = english.refusal(illegal.code, illegal.details);
  assert.equal(words, '9♠ needs a 10; column 4 ends in Q♦.');
  for (const [spoken, cards, sentence] of [
    [english, 'KH AS', 'K♥ only goes on an empty column.'],
    [english, '7H AS', '7♥ needs an 8; column 2 ends in A♠.'],
    [english, 'JC 2S', 'J♣ needs a Queen; column 2 ends in 2♠.'],
    [german, '9S QD', 'Pik 9 passt nur auf eine 10; Stapel 2 endet mit Karo-Dame.'],
    [german, 'TC QD', 'Kreuz 10 passt nur auf einen Buben; Stapel 2 endet mit Karo-Dame.'],
    [german, 'JH QD', 'Herz-Bube passt nur auf eine Dame; Stapel 2 endet mit Karo-Dame.'],
    [german, 'QS QD', 'Pik-Dame passt nur auf einen König; Stapel 2 endet mit Karo-Dame.'],
    [german, 'KH QD', 'Herz-König passt nur auf einen leeren Stapel.'],
  ]) {
    const details = { ...NONE, cards: cards.split(' '), piles: ['t0', 't1'] };
    assert.equal(spoken.refusal('wrong_rank', details), sentence);
  }
  for (const [piles, empty] of [
    [['t2'], 'Stapel 3 leer ist'],
    [['t0', 't2', 't6'], 'Stapel 1, Stapel 3 und Stapel 7 leer sind'],
  ]) {
    const told = german.refusal('deal_empty_column', { ...NONE, piles });
    assert.equal(told, `Solange ${empty}, kannst du nicht austeilen.`);
  }
});

test('times and places are written, and codes and rounds found in what people type', () => {
  assert.deepEqual([187_900, 3_723_000, -5].map(strings.clock), ['3:07', '1:02:03', '0:00']);
  const ordinals = [1, 2, 3, 4, 11, 12, 13, 21, 102].map(english.ordinal);
  assert.equal(ordinals.join(), '1st,2nd,3rd,4th,11th,12th,13th,21st,102nd');
  for (const text of ['7K3QZ0A', '7k3-qzoa', ' 7K3 QZOA ', 'http://x.test/r/7K3QZ0A?a=1'])
    assert.equal(codeIn(text), '7K3QZ0A', text);
  for (const text of ['', '7K3QZ0', '7K3QZ0A9', '7K3QZ0A9X', 'http://x.test/', 'UUUUUUU'])
    assert.equal(codeIn(text), null, text);
  for (const text of ['/r/7K3QZ0A/3', ' https://race.example/r/7k3qz0a/3 '])
    assert.deepEqual(roundIn(text), { code: '7K3QZ0A', n: 3 });
  for (const text of ['/r/7K3QZ0A', '7K3QZ0A', '/r/nonsense/3']) assert.equal(roundIn(text), null);
});

test('a number and its noun agree, and a clock with hours has no unit', async () => {
  for (const [spoken, name, args, words] of [
    ['en', 'marked', [true, 1], /^Cards .* 1 column\.$/],
    ['de', 'marked', [true, 1], /^Auf 1 Stapel l/],
    ['de', 'marked', [true, 3], /^Auf 3 Stapeln l/],
    ['en', 'duration', [3_723], /^1:02:03$/],
    ['de', 'duration', [3_723], /^1:02:03$/],
    ['de', 'duration', [90], /^1:30 Minuten$/],
    ['en', 'endsIn', [3_723, false], / in 1:02:03\.$/],
    ['de', 'endsIn', [3_723, false], / in 1:02:03\.$/],
    ['de', 'endsIn', [61, true], / in 1:01 Minuten\.$/],
    ...['hintsTaken', 'faceDown', 'exceptionMade', 'cheatMade', 'boardsLate'].flatMap((each) => [
      ['en', each, [1], /^(?!.*\b1 \w*[^s']s\b)/], // no plural
      ['de', each, [1], /^(?!.*\b1 (Hinweise|Karten|Ausnahmen|Sekunden|Züge)\b)/],
    ]),
  ]) {
    await speak(spoken);
    assert.match(strings[name](...args), words, `${spoken} ${name}`);
  }
});

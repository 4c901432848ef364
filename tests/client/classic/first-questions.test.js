import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preference } from '../../../web_client/src/browser/storage.js';
import { answersOf, questionsFor } from '../../../web_client/src/classic/first-questions.js';
import { answerOf } from '../../../web_client/src/classic/prompt.js';
import * as german from '../../../web_client/src/strings/de/classic.js';
import * as english from '../../../web_client/src/strings/en/classic.js';

/** @param {object} [settings] @param {object} [more] @returns {any} */
const stateOf = (settings, more) => ({
  me: { seat: 0, role: 'player' },
  room: {
    state: 'LOBBY',
    host: 0,
    seats: [{ seat: 0, role: 'player', state: 'SEATED' }],
    waiting: [],
    settings: { score: 'dos', exceptions: 'hard', ...settings },
    ...more,
  },
});

/** @param {string} key @param {string} [code] @returns {any} */
const pressed = (key, code = '') => ({ key, code, shiftKey: false });

test('the host is asked all three questions, and a guest is not asked the level', () => {
  assert.deepEqual(questionsFor(stateOf()), ['reasons', 'confirm', 'level']);
  assert.deepEqual(questionsFor(stateOf({}, { host: 1 })), ['reasons', 'confirm']);
  assert.deepEqual(questionsFor(stateOf({ exceptions: 'off' })), ['reasons', 'confirm']);
});

test('nothing is asked under other rules, outside the room, or of a spectator', () => {
  assert.deepEqual(questionsFor(stateOf({ score: 'woods' })), []);
  for (const state of ['COUNTDOWN', 'RUNNING', 'FINISHED'])
    assert.deepEqual(questionsFor(stateOf({}, { state })), []);
  assert.deepEqual(questionsFor({ ...stateOf(), me: { seat: 0, role: 'spectator' } }), []);
});

test('answers become preferences, or the level of the room', () => {
  /** @type {any[]} */
  const sent = [];
  const state = stateOf();
  /** @type {any} */
  const app = {
    state: () => state,
    send: (/** @type {any} */ message) => sent.push(message),
    announce: () => {},
  };
  /** @param {'reasons' | 'confirm' | 'level'} question @param {any} event */
  const answer = (question, event) => answerOf(answersOf(question, app, english), event)?.act();

  answer('reasons', pressed('n'));
  assert.equal(preference('reasons'), 'on-request');
  answer('reasons', pressed('y'));
  assert.equal(preference('reasons'), 'at-once');
  answer('confirm', pressed('y'));
  assert.equal(preference('confirmDeal'), true);
  answer('confirm', pressed('n'));
  assert.equal(preference('confirmDeal'), false);
  answer('level', pressed('2'));
  assert.deepEqual(sent, [], 'the room has this level');
  answer('level', pressed('1', 'Numpad1'));
  assert.deepEqual(sent, [
    { type: 'configure', settings: { ...state.room.settings, exceptions: 'easy' } },
  ]);
});

test('letters answer in each language and on each layout, and other keys do nothing', () => {
  const app = /** @type {any} */ ({});
  for (const [words, keys] of /** @type {const} */ ([
    [english, ['Y', 'N']],
    [german, ['J', 'N']],
  ])) {
    const answers = answersOf('confirm', app, words);
    assert.deepEqual(
      answers.map(({ keys: [first] }) => first),
      keys,
    );
    assert.equal(answerOf(answers, pressed('y')), answers[0]);
    assert.equal(answerOf(answers, pressed('j')), answers[0]);
    assert.equal(answerOf(answers, pressed('т', 'KeyN')), answers[1], 'Russian');
    assert.equal(answerOf(answers, { ...pressed('n'), ctrlKey: true }), undefined);
    for (const key of ['3', 'F7', 'q', '1'])
      assert.equal(answerOf(answers, pressed(key)), undefined);
  }
});

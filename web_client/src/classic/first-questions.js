// The three questions that the DOS program asks at its first start. They stand in the bar at the foot of
// the room, once in each browser. No race waits for the answers: without them the settings stay.

import { hasAskedFirst, prefer, preference, storeAskedFirst } from '../browser/storage.js';
import { TYPING } from '../play/key-bindings.js';
import { amHost, screenOf } from '../state/state.js';
import { h, listen, loadSheet } from '../widgets/element.js';
import { LEVEL, playAtLevel } from './classic.js';
import { fetchManual } from './manual.js';
import { answerOf, makeAnswerButton } from './prompt.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @import {Manual} from './manual.js'
 * @import {Answer} from './prompt.js'
 * @typedef {ReturnType<typeof bindFirstQuestions>} FirstQuestions
 * @typedef {'reasons' | 'confirm' | 'level'} Question
 */

/** Return the questions for a player; the level is the host's choice. @param {State} state @returns {Question[]} */
export function questionsFor(state) {
  const { room, me } = state;
  if (screenOf(state) !== 'room' || room?.settings.score !== 'dos' || me?.role !== 'player')
    return [];
  const isHosts = amHost(state) && room.settings.exceptions !== 'off';
  return ['reasons', 'confirm', ...(isHosts ? /** @type {const} */ (['level']) : [])];
}

/** Return the answers of a question. @param {Question} question @param {App} app @param {Manual} words @returns {Answer[]} */
export function answersOf(question, app, words) {
  const { yesKey, yes, no, easy, hard } = words.FIRST;
  if (question === 'level')
    return [
      { keys: ['1'], text: easy, act: () => playAtLevel(app, words, 'easy') },
      { keys: ['2'], text: hard, act: () => playAtLevel(app, words, 'hard') },
    ];
  const answer = (/** @type {boolean} */ isYes) =>
    question === 'reasons'
      ? prefer('reasons', isYes ? 'at-once' : 'on-request')
      : prefer('confirmDeal', isYes);
  return [
    { keys: [yesKey, 'Y', 'J'], text: yes, act: () => answer(true) },
    { keys: ['N'], text: no, act: () => answer(false) },
  ];
}

/** Load the sentences and styles of the questions; return the function that binds them. @param {App} app */
export async function loadFirstQuestions(app) {
  const [words] = await Promise.all([fetchManual(), loadSheet('prompt').catch(() => {})]);
  return () => bindFirstQuestions(app, words);
}

/** Bind the questions. @param {App} app @param {Manual} manual */
function bindFirstQuestions(app, manual) {
  let words = manual;
  let language = document.documentElement.lang;
  let answered = 0;
  /** The question and the language of the box. */
  let shown = '';
  /** @type {Answer[]} */
  let answers = [];
  const box = h('div', { class: 'prompt prompt-first', id: 'first-questions', role: 'group' });
  box.setAttribute('aria-labelledby', 'first-question');
  // Before the keys of 1987, to which 1 and 2 are games of the card.
  const unbind = listen(document, 'keydown', press, { capture: true });

  /** Answer by a key. @param {KeyboardEvent} event */
  function press(event) {
    if (!box.isConnected || document.querySelector('dialog[open]')) return;
    const { target } = event;
    const isTyping =
      target instanceof Element &&
      target.closest(TYPING) !== null &&
      !target.matches('[type="radio"], [type="checkbox"]');
    if (isTyping || (event.key.length === 1 && !preference('letterKeys'))) return;
    const answer = answerOf(answers, event);
    if (!answer) return;
    event.preventDefault();
    event.stopPropagation();
    choose(answer);
  }

  /** Choose an answer, and ask the next question. @param {Answer} answer */
  function choose({ act }) {
    answered += 1;
    act();
    update(app.state());
  }

  /** Take the box out of the bar. */
  function remove() {
    box.parentElement?.removeAttribute('data-asks');
    box.remove();
  }

  /** Ask no more. */
  function finish() {
    storeAskedFirst();
    unbind();
    const hadFocus = box.contains(document.activeElement);
    remove();
    if (hadFocus) document.getElementById('ready')?.focus();
  }

  /** Ask a question. @param {Question} question */
  function ask(question) {
    shown = question + language;
    const text = words.FIRST[question];
    const skip = { keys: ['Esc', 'Escape'], text: words.FIRST.skip, act: finish };
    answers = [...answersOf(question, app, words), skip];
    const hadFocus = box.contains(document.activeElement);
    const buttons = answers.map((answer) => makeAnswerButton(answer, choose));
    box.replaceChildren(
      h('p', { id: 'first-question', text }),
      h('div', { class: 'prompt-answers' }, ...buttons),
    );
    if (hadFocus) buttons[0]?.focus();
    app.readOut(text);
  }

  /** Ask the next question in the room; the start of the race ends the questions. @param {State} state */
  async function update(state) {
    if (hasAskedFirst()) {
      if (box.isConnected) finish();
      return;
    }
    const questions = questionsFor(state);
    const question = questions[answered];
    if (!question) {
      const isAnswered = questions.length > 0;
      const begins = shown !== '' && ['countdown', 'race'].includes(screenOf(state));
      if (isAnswered || begins) finish();
      else remove(); // other rules, or another screen
      if (isAnswered) sayLevel(state);
      return;
    }
    const { lang } = document.documentElement;
    if (lang !== language) {
      language = lang;
      words = await fetchManual().catch(() => words);
      update(app.state());
      return;
    }
    if (shown !== question + language) ask(question);
    const place = document.querySelector('.ready-bar');
    if (!place || box.parentNode === place) return;
    place.prepend(box);
    place.setAttribute('data-asks', '');
  }

  /** Tell a guest the level, which the host has chosen. @param {State} state */
  function sayLevel(state) {
    const level = state.room?.settings.exceptions ?? 'off';
    if (level !== 'off' && !amHost(state)) app.announce(words.currently(LEVEL[level]));
  }

  return { update };
}

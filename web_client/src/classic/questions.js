// The questions of the program of 1987 (`seeds/` 3, III): in a box at the lower edge of the page, and
// before the first game in the bar at the foot of the room. Each answer has its keys; a pointer can
// press it too.

import { hasAskedFirst, prefer, preference, storeAskedFirst } from '../browser/storage.js';
import { isChord, isTyping, plainName } from '../play/commands.js';
import { playOnMessages } from '../state/next-game.js';
import { amHost, screenOf } from '../state/state.js';
import { spoken, strings } from '../strings/language.js';
import { h, listen, set } from '../widgets/element.js';

/**
 * @import {App} from '../page/app.d.ts'
 * @import {State} from '../state/state.js'
 * @typedef {object} Answer
 * @property {readonly string[]} keys the names of the keys, as in `commands.js`; the first is shown
 * @property {string} text
 * @property {() => void} act
 * @property {boolean} [stays] whether the box stays, for more answers
 * @typedef {object} Prompt
 * @property {string} title
 * @property {() => string} [text] called again after every answer
 * @property {readonly Answer[]} [answers] besides Escape
 * @property {() => void} [cancelled] called if the box is closed without an answer
 * @typedef {ReturnType<typeof bindFirstQuestions>} FirstQuestions
 * @typedef {'reasons' | 'confirm' | 'level'} Question
 */

/** The return value of a dialog that the page has closed. */
const OUTDATED = 'outdated';

/** Make the button of an answer. @param {Answer} answer @param {(answer: Answer) => void} choose */
const makeButton = (answer, choose) =>
  h(
    'button',
    { 'data-key': answer.keys[0], onclick: () => choose(answer) },
    h('kbd', { text: answer.keys[0] }),
    answer.text,
  );

/** Return the answer of a key, if it has one. @param {readonly Answer[]} answers @param {KeyboardEvent} event */
const answerOf = (answers, event) =>
  isChord(event) ? undefined : answers.find(({ keys }) => keys.includes(plainName(event)));

/** Close the box: its question is out of date. */
export function closePrompt() {
  const open = document.getElementById('prompt');
  if (open instanceof HTMLDialogElement) open.close(OUTDATED);
}

/** Open the box, unless a dialog is open. Until it is closed, all other keys are off. @param {Prompt} prompt */
export function openPrompt({ title, text, answers = [], cancelled }) {
  if (document.querySelector('dialog[open]')) return;
  // The close event of a dialog comes a frame later, and this key before it: remove that dialog now.
  document.getElementById('prompt')?.dispatchEvent(new Event('close'));
  const about = h('p', { id: 'prompt-text', 'aria-live': 'polite', hidden: !text });
  // The browser itself closes the dialog at the key.
  const back = { keys: ['Esc'], text: strings.CLASSIC.back, act: () => {} };
  const backButton = makeButton(back, () => dialog.close());
  backButton.autofocus = true;
  const buttons = answers.map((answer) => makeButton(answer, choose));
  const dialog = h(
    'dialog',
    { class: 'prompt', id: 'prompt', 'aria-labelledby': 'prompt-title' },
    h('h2', { id: 'prompt-title', text: title }),
    about,
    h('div', { class: 'prompt-answers' }, ...buttons, backButton),
  );
  let isAnswered = false;
  const updateText = () => text && set(about, { text: text() });

  /** Choose an answer. @param {Answer} answer */
  function choose(answer) {
    isAnswered = true;
    if (!answer.stays) dialog.close();
    answer.act();
    updateText();
  }

  /** Choose the answer of a key; other keys do nothing. @param {KeyboardEvent} event */
  function press(event) {
    const { target } = event;
    // After a click beside the box the page itself has the focus.
    const isHere = target === document.body || (target instanceof Node && dialog.contains(target));
    if (!isHere || !dialog.open || isChord(event)) return;
    const answer = answerOf(answers, event);
    // Function keys of the browser are off too: F5 would reload the page.
    if (answer || /^F\d+$/.test(event.key)) event.preventDefault();
    event.stopPropagation();
    if (answer) choose(answer);
  }

  const unbind = listen(document, 'keydown', press, { capture: true });
  const onClose = () => {
    unbind();
    dialog.remove();
    if (!isAnswered && dialog.returnValue !== OUTDATED) cancelled?.();
  };
  dialog.addEventListener('close', onClose, { once: true });
  updateText();
  document.body.append(dialog);
  dialog.showModal();
}

/** The number of each level of exceptions. @type {Readonly<Record<'easy' | 'hard', number>>} */
export const LEVEL = { easy: 1, hard: 2 };

/**
 * Play the next game at a level; on the results of a player alone it begins at once.
 * @param {App} app
 * @param {'easy' | 'hard'} exceptions
 */
export function playAtLevel(app, exceptions) {
  for (const message of playOnMessages(app.state(), exceptions)) app.send(message);
  app.announce(strings.CLASSIC.level.chosen(LEVEL[exceptions]));
}

/** Return the first questions for a player; the level is the host's choice. @param {State} state @returns {Question[]} */
function questionsFor(state) {
  const { room, me } = state;
  if (screenOf(state) !== 'room' || room?.settings.score !== 'dos' || me?.role !== 'player')
    return [];
  const isHosts = amHost(state) && room.settings.exceptions !== 'off';
  return isHosts ? ['reasons', 'confirm', 'level'] : ['reasons', 'confirm'];
}

/** Return the answers of a question. @param {Question} question @param {App} app @returns {Answer[]} */
function answersOf(question, app) {
  const { yesKey, yes, no, easy, hard } = strings.CLASSIC.first;
  if (question === 'level')
    return [
      { keys: ['1'], text: easy, act: () => playAtLevel(app, 'easy') },
      { keys: ['2'], text: hard, act: () => playAtLevel(app, 'hard') },
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

/**
 * Bind the three questions that the program asks at its first start. They are asked once in each browser.
 * No race waits for the answers: without them the settings stay.
 * @param {App} app
 */
export function bindFirstQuestions(app) {
  let answered = 0;
  /** The question and the language of the box. */
  let shown = '';
  /** @type {Answer[]} */
  let answers = [];
  const text = h('p', { id: 'first-question' });
  const buttons = h('div', { class: 'prompt-answers' });
  const box = h(
    'div',
    {
      class: 'prompt prompt-first',
      id: 'first-questions',
      role: 'group',
      'aria-labelledby': 'first-question',
    },
    text,
    buttons,
  );
  // Before the keys of 1987, to which 1 and 2 are games of the card.
  const unbind = listen(document, 'keydown', press, { capture: true });

  /** Answer by a key. @param {KeyboardEvent} event */
  function press(event) {
    if (!box.isConnected || document.querySelector('dialog[open]')) return;
    const { target } = event;
    const isChoice =
      target instanceof Element && target.matches('[type="radio"], [type="checkbox"]');
    if (isTyping(event) && !isChoice) return;
    if (event.key.length === 1 && !preference('letterKeys')) return;
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
    shown = question + spoken;
    const { [question]: title, skip } = strings.CLASSIC.first;
    answers = [...answersOf(question, app), { keys: ['Esc', 'Escape'], text: skip, act: finish }];
    const hadFocus = box.contains(document.activeElement);
    set(text, { text: title });
    buttons.replaceChildren(...answers.map((answer) => makeButton(answer, choose)));
    if (hadFocus) buttons.querySelector('button')?.focus();
    app.readOut(title);
  }

  /** Ask the next question in the room; the start of the race ends the questions. @param {State} state */
  function update(state) {
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
      // A guest is told the level, which the host has chosen.
      const level = state.room?.settings.exceptions ?? 'off';
      if (isAnswered && level !== 'off' && !amHost(state))
        app.announce(strings.CLASSIC.level.now(LEVEL[level]));
      return;
    }
    if (shown !== question + spoken) ask(question);
    const place = document.querySelector('.ready-bar');
    if (!place || box.parentNode === place) return;
    place.prepend(box);
    place.setAttribute('data-asks', '');
  }

  return { update };
}

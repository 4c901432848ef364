// A question of the program of 1987: a box at the lower edge of the page, with an answer for each key.
// All other keys are off until it is closed; a pointer can press the answers.

import { keyName } from '../play/key-bindings.js';
import { h, listen, write } from '../widgets/element.js';

/**
 * @typedef {object} Answer
 * @property {readonly string[]} keys the names of the keys, as in `key-bindings.js`; the first is shown
 * @property {string} text
 * @property {() => void} act
 * @property {boolean} [stays] whether the box stays, for more answers
 * @typedef {object} Prompt
 * @property {string} title
 * @property {() => string} [text] called again after every answer
 * @property {readonly Answer[]} answers
 * @property {string} back the words for Escape
 * @property {() => void} [cancelled] called if the box is closed without an answer
 */

/** The label of the key. */
const ESCAPE = 'Esc';

/** The return value of a dialog that the page has closed. */
const OUTDATED = 'outdated';

/** Make the button of an answer. @param {Answer} answer @param {(answer: Answer) => void} choose */
export function makeAnswerButton(answer, choose) {
  const key = answer.keys[0] ?? '';
  const button = h('button', { onclick: () => choose(answer) });
  button.append(h('kbd', { text: key }), answer.text);
  button.dataset.key = key;
  return button;
}

/** Return the name of a key, the same on the number pad and with Shift. @param {KeyboardEvent} event */
const plainName = (event) => keyName(event).replace(/^(Num |Shift\+)/, '');

/** Return the answer of a key, if it has one. @param {readonly Answer[]} answers @param {KeyboardEvent} event */
export const answerOf = (answers, event) =>
  event.ctrlKey || event.metaKey || event.altKey
    ? undefined
    : answers.find(({ keys }) => keys.includes(plainName(event)));

/** Close the box: its question is out of date. */
export function closePrompt() {
  const open = document.getElementById('prompt');
  if (open instanceof HTMLDialogElement) open.close(OUTDATED);
}

/** Open the box, unless a dialog is open. @param {Prompt} prompt */
export function openPrompt({ title, text, answers, back, cancelled }) {
  if (document.querySelector('dialog[open]')) return;
  // The close event of a dialog comes a frame later, and this key before it: remove that dialog now.
  document.getElementById('prompt')?.dispatchEvent(new Event('close'));
  const about = h('p', { id: 'prompt-text', 'aria-live': 'polite', hidden: !text });
  const backButton = h('button', { autofocus: true, onclick: () => dialog.close() });
  backButton.append(h('kbd', { text: ESCAPE }), back);
  const dialog = h(
    'dialog',
    { class: 'prompt', id: 'prompt', 'aria-labelledby': 'prompt-title' },
    h('h2', { id: 'prompt-title', text: title }),
    about,
    h(
      'div',
      { class: 'prompt-answers' },
      ...answers.map((answer) => makeAnswerButton(answer, choose)),
      backButton,
    ),
  );
  let answered = false;
  const updateText = () => text && write(about, text());

  /** Choose an answer. @param {Answer} answer */
  function choose(answer) {
    answered = true;
    if (!answer.stays) dialog.close();
    answer.act();
    updateText();
  }

  /** Choose the answer of a key; other keys do nothing. @param {KeyboardEvent} event */
  function press(event) {
    const { target } = event;
    // After a click beside the box the page itself has the focus.
    const isHere = target === document.body || (target instanceof Node && dialog.contains(target));
    if (!isHere || !dialog.open) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
    if (!answered && dialog.returnValue !== OUTDATED) cancelled?.();
  };
  dialog.addEventListener('close', onClose, { once: true });
  updateText();
  document.body.append(dialog);
  dialog.showModal();
}

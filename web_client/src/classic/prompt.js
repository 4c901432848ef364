// A question of the program of 1987: a box at the foot of the page that waits for one of its keys.
// All other keys are off until it is closed; a pointer can press the same keys in it.

import { keyName } from '../board/keys.js';
import { h, write } from '../shared/element.js';

/**
 * @typedef {object} Answer
 * @property {readonly string[]} keys the names of the keys, as in `keys.js`; the first is shown
 * @property {string} text
 * @property {() => void} act
 * @property {boolean} [stays] whether the box stays, for more answers
 * @typedef {object} Prompt
 * @property {string} title
 * @property {() => string} [text] read again after every key
 * @property {readonly Answer[]} answers
 * @property {string} back the words for Escape
 * @property {() => void} [cancelled] called if the box is closed without an answer
 */

/** The label of the key. */
const ESCAPE = 'Esc';

const OUTLIVED = 'outlived';

/** Close the box: its question is out of date. */
export function closePrompt() {
  const open = document.getElementById('prompt');
  if (open instanceof HTMLDialogElement) open.close(OUTLIVED);
}

/** Open the box, unless a dialog is open. @param {Prompt} prompt */
export function openPrompt({ title, text, answers, back, cancelled }) {
  if (document.querySelector('dialog[open]')) return;
  // A closed dialog gets its event with the next frame; a key can come before that.
  document.getElementById('prompt')?.dispatchEvent(new Event('close'));
  const about = h('p', { id: 'prompt-text', 'aria-live': 'polite', hidden: !text });
  const going = h('button', { type: 'button', autofocus: true, onclick: () => dialog.close() });
  going.append(h('kbd', { text: ESCAPE }), back);
  const dialog = h(
    'dialog',
    { id: 'prompt', 'aria-labelledby': 'prompt-title' },
    h('h2', { id: 'prompt-title', text: title }),
    about,
    h('div', { class: 'prompt-answers' }, ...answers.map(draw), going),
  );
  let answered = false;
  const read = () => text && write(about, text());

  /** @param {Answer} answer */
  function draw(answer) {
    const key = answer.keys[0] ?? '';
    const button = h('button', { type: 'button', onclick: () => take(answer) });
    button.append(h('kbd', { text: key }), answer.text);
    button.dataset.key = key;
    return button;
  }

  /** @param {Answer} answer */
  function take(answer) {
    answered = true;
    if (!answer.stays) dialog.close();
    answer.act();
    read();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = keyName(event).replace(/^(Num |Shift\+)/, '');
    const answer = answers.find(({ keys }) => keys.includes(name));
    // The browser's own F5 would reload the page.
    if (answer || /^F\d+$/.test(name)) event.preventDefault();
    event.stopPropagation();
    if (answer) take(answer);
  }

  dialog.addEventListener('keydown', press);
  const closed = () => {
    dialog.remove();
    if (!answered && dialog.returnValue !== OUTLIVED) cancelled?.();
  };
  dialog.addEventListener('close', closed, { once: true });
  read();
  document.body.append(dialog);
  dialog.showModal();
}

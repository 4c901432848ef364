// A question of the program of 1987: a box at the foot of the page that waits for one of its
// keys. All other keys are off until it is gone; a pointer can press the same keys in it.

import { keyName } from '../board/keys.js';
import { h, write } from '../shared/element.js';

/**
 * @typedef {object} Way
 * @property {readonly string[]} keys the names of the keys, as in `keys.js`; the first is shown
 * @property {string} text
 * @property {() => void} act
 * @property {boolean} [stays] the box stays, for more of it
 * @typedef {object} Prompt
 * @property {string} title
 * @property {() => string} [text] read anew after every key
 * @property {readonly Way[]} ways
 * @property {string} back what Escape does, in words
 * @property {() => void} [kept] called if the box goes and nothing was done
 */

/** As it stands on the key. */
const ESCAPE = 'Esc';

const OUTLIVED = 'outlived';

/** Takes the box away: what it asked about is over. */
export function closePrompt() {
  const open = document.getElementById('prompt');
  if (open instanceof HTMLDialogElement) open.close(OUTLIVED);
}

/** @param {Prompt} prompt */
export function openPrompt({ title, text, ways, back, kept }) {
  if (document.querySelector('dialog[open]')) return;
  const about = h('p', { id: 'prompt-text', 'aria-live': 'polite', hidden: !text });
  const going = h('button', { type: 'button', autofocus: true, onclick: () => dialog.close() });
  going.append(h('kbd', { text: ESCAPE }), back);
  const dialog = h(
    'dialog',
    { id: 'prompt', 'aria-labelledby': 'prompt-title' },
    h('h2', { id: 'prompt-title', text: title }),
    about,
    h('div', { class: 'ways' }, ...ways.map(draw), going),
  );
  let done = false;
  const read = () => text && write(about, text());

  /** @param {Way} way */
  function draw(way) {
    const key = way.keys[0] ?? '';
    const button = h('button', { type: 'button', onclick: () => take(way) });
    button.append(h('kbd', { text: key }), way.text);
    button.dataset.key = key;
    return button;
  }

  /** @param {Way} way */
  function take(way) {
    done = true;
    if (!way.stays) dialog.close();
    way.act();
    read();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = keyName(event).replace(/^(Num |Shift\+)/, '');
    const way = ways.find(({ keys }) => keys.includes(name));
    // The browser's own F5 would take the game away.
    if (way || /^F\d+$/.test(name)) event.preventDefault();
    event.stopPropagation();
    if (way) take(way);
  }

  dialog.addEventListener('keydown', press);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (!done && dialog.returnValue !== OUTLIVED) kept?.();
  });
  read();
  document.body.append(dialog);
  dialog.showModal();
}

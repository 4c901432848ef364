// The buttons of the race: on a desktop beside the clock, on a phone under the thumb.

import { h } from './element.js';

/**
 * @import {TableView} from './protocol.d.ts'
 * @typedef {object} Doing
 * @property {() => void} deal
 * @property {() => void} undo
 * @property {() => void} redo
 * @property {() => void} remove
 * @property {() => void} finish
 * @property {() => void} exception
 * @property {() => void} after what a pointer did: the keys go back to the board
 */

/** @param {Doing} doing */
export function bindActions(doing) {
  /** @param {string} id @param {string} words @param {string} key @param {() => void} act */
  function button(id, words, key, act) {
    const title = key ? `${words} (${key})` : words;
    const made = h('button', { id, type: 'button', title, text: words });
    made.addEventListener('click', (event) => {
      act();
      if (event.detail > 0) doing.after();
    });
    return made;
  }
  const deal = button('deal', 'Deal', 'D', doing.deal);
  const undo = button('undo', 'Undo', 'Z', doing.undo);
  const redo = button('redo', 'Redo', 'Shift+Z', doing.redo);
  const remove = button('remove', 'Remove suit', 'R', doing.remove);
  const finish = button('finish', 'Finish', '', doing.finish);
  const exception = button('exception', 'Exception', 'X', doing.exception);
  deal.classList.add('primary');
  finish.classList.add('primary');
  const names = { class: 'actions', 'aria-label': 'Moves' };

  return {
    element: h('nav', names, exception, remove, undo, redo, finish, deal),
    /**
     * @param {TableView | null} table null if none can be played
     * @param {boolean} undoing
     * @param {{asked: boolean} | null} exceptions null where none is asked for
     */
    update(table, undoing, exceptions) {
      const has = (/** @type {string} */ type) =>
        table?.legal.some((action) => action.type === type) ?? false;
      undo.hidden = redo.hidden = !undoing;
      // What is not legal looks so, but may be tried: the server says why not.
      exception.hidden = exceptions === null;
      exception.disabled = table === null;
      exception.setAttribute('aria-pressed', String(exceptions?.asked ?? false));
      for (const each of [undo, redo, deal]) {
        each.classList.toggle('faint', !has(each.id));
        each.disabled = table === null;
      }
      remove.hidden = !has('remove');
      remove.classList.toggle('glowing', has('remove'));
      // Who may finish has nothing to deal: one takes the place of the other.
      finish.hidden = !has('finish');
      deal.hidden = has('finish');
    },
  };
}

// The buttons of the race: on a desktop beside the clock, on a phone under the thumb.

import { h } from './element.js';
import { strings } from './language.js';

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
  const words = strings.RACE;
  /** @param {string} id @param {string} text @param {string} key @param {() => void} act */
  function button(id, text, key, act) {
    const title = key ? `${text} (${key})` : text;
    const made = h('button', { id, type: 'button', title, text });
    made.addEventListener('click', (event) => {
      act();
      if (event.detail > 0) doing.after();
    });
    return made;
  }
  const deal = button('deal', words.deal, 'D', doing.deal);
  const undo = button('undo', words.undo, 'Z', doing.undo);
  const redo = button('redo', words.redo, 'Shift+Z', doing.redo);
  const remove = button('remove', words.remove, 'R', doing.remove);
  const finish = button('finish', words.finish, '', doing.finish);
  const exception = button('exception', words.exception, 'X', doing.exception);
  deal.classList.add('primary');
  finish.classList.add('primary');
  const names = { class: 'actions', 'aria-label': words.acts };

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

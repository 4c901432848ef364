// The buttons of the race: on a desktop beside the clock, on a phone under the thumb.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';

/** @import {Player} from '../board/player.js' */

/**
 * @param {Player} player
 * @param {() => void} hint
 * @param {() => void} after what a pointer did: the keys go back to the board
 */
export function bindActions(player, hint, after) {
  const words = strings.RACE;
  /** @param {string} id @param {string} text @param {string} key @param {() => void} act */
  function button(id, text, key, act) {
    const title = key ? `${text} (${key})` : text;
    const made = h('button', { id, type: 'button', title, text });
    made.addEventListener('click', (event) => {
      act();
      if (event.detail > 0) after();
    });
    return made;
  }
  const deal = button('deal', words.deal, 'D', () => player.deal());
  const undo = button('undo', words.undo, 'Z', player.undo);
  const redo = button('redo', words.redo, 'Shift+Z', player.redo);
  const remove = button('remove', words.remove, 'R', () => player.remove());
  const finish = button('finish', words.finish, '', player.finish);
  const exception = button('exception', words.exception, 'X', player.exception);
  const hinting = button('hint', words.hint, 'H', hint);
  // Words of its own would take the room of others.
  write(hinting, '');
  hinting.classList.add('icon');
  hinting.ariaLabel = words.hint;
  // Words that give way to arrows where the room is short.
  for (const each of [undo, redo])
    each.replaceChildren(h('span', { class: 'word', text: each.textContent }));
  deal.classList.add('primary');
  finish.classList.add('primary');
  const names = { class: 'actions', 'aria-label': words.acts };

  const element = h('nav', names, exception, hinting, remove, undo, redo, finish, deal);

  /** @param {{undo: boolean, hints: boolean}} knows */
  function draw(knows) {
    const table = player.table();
    const has = (/** @type {string} */ type) =>
      table?.legal.some((action) => action.type === type) ?? false;
    undo.hidden = redo.hidden = !knows.undo;
    hinting.hidden = !knows.hints;
    hinting.disabled = table === null;
    // What is not legal looks so, but may be tried: the server says why not.
    exception.hidden = player.level() !== 'hard';
    exception.disabled = table === null;
    exception.setAttribute('aria-pressed', String(player.asked()));
    for (const each of [undo, redo, deal]) {
      each.classList.toggle('faint', !has(each.id));
      each.disabled = table === null;
    }
    write(deal, player.awaited() === 'deal' ? words.dealSure : words.deal);
    remove.hidden = !has('remove');
    remove.classList.toggle('glowing', has('remove'));
    // Who may finish has nothing to deal: one takes the place of the other.
    finish.hidden = !has('finish');
    deal.hidden = has('finish');
  }

  return {
    element,
    /** @param {{undo: boolean, hints: boolean}} knows what the room allows */
    update(knows) {
      const { activeElement } = document;
      draw(knows);
      // A button that goes must not take the focus with it.
      const mine = activeElement instanceof HTMLButtonElement && element.contains(activeElement);
      if (mine && (activeElement.hidden || activeElement.disabled)) after();
    },
  };
}

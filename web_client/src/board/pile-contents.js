// The contents of a pile as a list: of a column that is covered or folded, or of the suits at home.

import { runs, sign, suit } from '../core/cards.js';
import { strings } from '../core/language.js';
import { h } from '../shared/element.js';

/** @import {TableView, TablePile} from '../core/notation.js' */

/** The least distance to the edge of the board. */
const MARGIN_PX = 4;

/** A run in a line, in the colour of its suit. @param {readonly string[]} cards */
function line(cards) {
  const row = h('li', { text: cards.map(sign).join(' ') });
  row.dataset.suit = suit(cards[0] ?? '');
  return row;
}

/** @param {TablePile} pile */
function lines(pile) {
  const found = runs(pile.up).map(({ start, length }) =>
    line(pile.up.slice(start, start + length)),
  );
  const down = pile.down > 0 ? [h('li', { text: strings.faceDown(pile.down) })] : [];
  return [...down, ...found];
}

/** Bind the list. @param {HTMLElement} felt @param {HTMLElement} boardRoot */
export function bindPileContents(felt, boardRoot) {
  const list = h('ul', {});
  const title = h('strong', {});
  const element = h(
    'div',
    { class: 'pile-contents', id: 'pile-contents', hidden: true },
    title,
    list,
  );
  felt.append(element);

  /** Put the list over a pile. @param {HTMLElement} slot */
  function moveTo(slot) {
    const middle = slot.offsetLeft + slot.offsetWidth / 2 - element.offsetWidth / 2;
    const right = felt.clientWidth - element.offsetWidth - MARGIN_PX;
    const bottom = felt.clientHeight - element.offsetHeight - MARGIN_PX;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(right, middle))}px`;
    element.style.top = `${Math.max(MARGIN_PX, Math.min(slot.offsetTop + 8, bottom))}px`;
  }

  return {
    /** Show the contents. @param {TableView} table @param {string} id @returns {string} the same in a sentence */
    show(table, id) {
      const pile = table.piles.find((each) => each.id === id);
      if (!pile) return '';
      // Suits at home are shown together: there is no order among them.
      const home = pile.role === 'foundation' && pile.direction === null;
      const all = home ? table.piles.filter(({ role }) => role === 'foundation') : [pile];
      const found = all.flatMap(lines);
      title.textContent = home ? strings.PLAY.suitsHome : strings.pileTitle(id);
      list.replaceChildren(...(found.length > 0 ? found : [h('li', { text: strings.PLAY.none })]));
      element.hidden = false;
      const slot = boardRoot.querySelector(`[data-pile="${id}"]`);
      if (slot instanceof HTMLElement) moveTo(slot);
      return home ? strings.homeLabel(found.length) : strings.pileLabel(pile);
    },
    hide() {
      element.hidden = true;
    },
  };
}

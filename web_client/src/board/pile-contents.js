// A list of the contents of a pile: of a column, whose cards may be covered or folded, or of the
// removed suits.

import { runs, sign, suit } from '../game/cards.js';
import { strings } from '../strings/language.js';
import { h } from '../widgets/element.js';

/** @import {TableView, TablePile} from '../contract/notation.js' */

/** The least distance to the edge of the board. */
const MARGIN_PX = 4;
/** The distance of the list from the upper edge of its pile. */
const INSET_PX = 8;

/** Make the list item of a run, in the colour of its suit. @param {readonly string[]} cards */
function runItem(cards) {
  const item = h('li', { text: cards.map(sign).join(' ') });
  item.dataset.suit = suit(cards[0] ?? '');
  return item;
}

/** Make the list items of a pile: its face-down cards, and its runs. @param {TablePile} pile */
function pileItems(pile) {
  const up = runs(pile.up).map(({ start, length }) =>
    runItem(pile.up.slice(start, start + length)),
  );
  const down = pile.down > 0 ? [h('li', { text: strings.faceDown(pile.down) })] : [];
  return [...down, ...up];
}

/** Bind the list of the cards in a pile, which is shown over that pile. @param {HTMLElement} felt @param {HTMLElement} boardRoot */
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
  /** @type {HTMLElement | null} */
  let shown = null;
  // The piles have other places after a phone is turned.
  new ResizeObserver(() => requestAnimationFrame(() => shown && moveTo(shown))).observe(felt);

  /** Put the list over a pile. @param {HTMLElement} slot */
  function moveTo(slot) {
    const middle = slot.offsetLeft + slot.offsetWidth / 2 - element.offsetWidth / 2;
    const right = felt.clientWidth - element.offsetWidth - MARGIN_PX;
    const bottom = felt.clientHeight - element.offsetHeight - MARGIN_PX;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(right, middle))}px`;
    element.style.top = `${Math.max(MARGIN_PX, Math.min(slot.offsetTop + INSET_PX, bottom))}px`;
  }

  return {
    /** Show the contents of a pile. @param {TableView} table @param {string} id @returns {string} them in a sentence */
    show(table, id) {
      const pile = table.piles.find((each) => each.id === id);
      if (!pile) return '';
      // Suits at home are shown together: there is no order among them.
      const isHome = pile.role === 'foundation' && pile.direction === null;
      const all = isHome ? table.piles.filter(({ role }) => role === 'foundation') : [pile];
      const items = all.flatMap(pileItems);
      title.textContent = isHome ? strings.PLAY.suitsHome : strings.pileTitle(id);
      list.replaceChildren(...(items.length > 0 ? items : [h('li', { text: strings.PLAY.none })]));
      element.hidden = false;
      const slot = boardRoot.querySelector(`[data-pile="${id}"]`);
      shown = slot instanceof HTMLElement ? slot : null;
      if (shown) moveTo(shown);
      return isHome ? strings.homeLabel(items.length) : strings.pileLabel(pile);
    },
    hide() {
      shown = null;
      element.hidden = true;
    },
  };
}

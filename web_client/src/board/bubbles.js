// What lies over the piles for a moment: the reason of a refusal, and the contents of a pile.

import { runs, sign, suit } from '../game/cards.js';
import { strings } from '../strings/language.js';
import { h, listen, set } from '../widgets/element.js';
import { clamp } from './column.js';
import { lowerEdge } from './geometry.js';

/**
 * @import {TableView, TablePile} from '../contract/notation.js'
 * @import {Board} from './board.js'
 * @import {Layout} from './geometry.js'
 */

/** The least distance to the edge of the board. */
const MARGIN_PX = 4;
/** The room for the tip of a bubble. */
const TIP_PX = 10;
/** The distance of a list from the upper edge of its pile. */
const INSET_PX = 8;
const READING_TIME_MS = 6_000;

/**
 * Return the place of a bubble beside a pile: below the cards around it, or else at the upper edge.
 * @param {Layout} layout
 * @param {string} pile
 * @param {{width: number, height: number}} bubble
 * @returns {{x: number, y: number, tip: number, above: boolean}} `tip` is the middle of the pile from
 *   the left of the bubble; `above` if it could not lie below the cards
 */
export function placeBubble(layout, pile, { width, height }) {
  const { areas, cardWidth } = layout;
  const middle = (areas.get(pile)?.x ?? 0) + cardWidth / 2;
  const right = Math.max(MARGIN_PX, layout.width - width - MARGIN_PX);
  const x = Math.round(clamp(MARGIN_PX, middle - width / 2, right));
  const around = [...areas.values()].filter((area) => area.x < x + width && area.x + cardWidth > x);
  const y = Math.round(Math.max(...around.map((area) => lowerEdge(layout, area))) + TIP_PX);
  const tip = Math.round(clamp(TIP_PX, middle - x, width - TIP_PX));
  const above = y + height + MARGIN_PX > layout.height;
  return { x, y: above ? MARGIN_PX : y, tip, above };
}

/**
 * Bind the bubble with the reason of a refusal, beside the cards that it is about. The status line has
 * the same sentence for players who cannot see the bubble. The bubble catches no pointer, lies below or
 * above the columns, where players seldom press next, and disappears with the next press or key.
 * @param {HTMLElement} felt
 * @param {Board} board
 */
export function bindRefusalBubble(felt, board) {
  const id = 'refusal-bubble';
  const element = h('div', { class: 'board-refusal', id, 'aria-hidden': 'true', hidden: true });
  felt.append(element);
  let timer = 0;

  /** Hide the bubble. */
  function hide() {
    clearTimeout(timer);
    element.hidden = true;
  }

  const unbinders = ['pointerdown', 'keydown'].map((type) =>
    listen(document, type, hide, { capture: true }),
  );

  return {
    /** Show the reason beside a pile. @param {string} words @param {string | undefined} pile */
    show(words, pile) {
      hide();
      if (!pile || !words || !board.layout.areas.has(pile)) return;
      set(element, { text: words, hidden: false, 'data-of': pile });
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const { x, y, tip, above } = placeBubble(board.layout, pile, size);
      element.style.left = `${x}px`;
      element.style.top = `${y}px`;
      set(element, { '--tip': `${tip}px`, 'data-side': above ? 'above' : 'below' });
      timer = setTimeout(hide, READING_TIME_MS);
    },
    hide,
    unbind() {
      hide();
      for (const unbind of unbinders) unbind();
    },
  };
}

/** Make the list items of a pile: its face-down cards, and its runs in the colours of their suits. @param {TablePile} pile */
const itemsOf = ({ down, up }) => [
  ...(down > 0 ? [h('li', { text: strings.faceDown(down) })] : []),
  ...runs(up).map(({ start, length }) => {
    const cards = up.slice(start, start + length);
    return h('li', { text: cards.map(sign).join(' '), 'data-suit': suit(cards[0] ?? '') });
  }),
];

/**
 * Bind the list of the contents of a pile, which is shown over that pile: of a column, whose cards may
 * be covered or folded, or of the removed suits.
 * @param {HTMLElement} felt
 * @param {Board} board
 */
export function bindPileContents(felt, { buttons }) {
  const title = h('strong');
  const list = h('ul');
  const id = 'pile-contents';
  const element = h('div', { class: 'board-contents', id, hidden: true }, title, list);
  felt.append(element);
  /** @type {HTMLElement | undefined} */
  let slot;
  // The piles have other places after a phone is turned.
  new ResizeObserver(() => requestAnimationFrame(moveToSlot)).observe(felt);

  /** Put the list over its pile. */
  function moveToSlot() {
    if (!slot) return;
    const middle = slot.offsetLeft + (slot.offsetWidth - element.offsetWidth) / 2;
    const right = felt.clientWidth - element.offsetWidth - MARGIN_PX;
    const bottom = felt.clientHeight - element.offsetHeight - MARGIN_PX;
    element.style.left = `${Math.max(MARGIN_PX, Math.min(right, middle))}px`;
    element.style.top = `${Math.max(MARGIN_PX, Math.min(slot.offsetTop + INSET_PX, bottom))}px`;
  }

  return {
    /** Show the contents of a pile. @param {TableView} table @param {string} pileId @returns {string} them in a sentence */
    show({ piles }, pileId) {
      const pile = piles.find((each) => each.id === pileId);
      if (!pile) return '';
      // Suits at home are shown together: there is no order among them.
      const isHome = pile.role === 'foundation' && pile.direction === null;
      const all = isHome ? piles.filter(({ role }) => role === 'foundation') : [pile];
      const items = all.flatMap(itemsOf);
      title.textContent = isHome ? strings.PLAY.suitsHome : strings.pileTitle(pileId);
      list.replaceChildren(...(items.length > 0 ? items : [h('li', { text: strings.PLAY.none })]));
      element.hidden = false;
      slot = buttons.get(pileId);
      moveToSlot();
      return isHome ? strings.homeLabel(items.length) : strings.pileLabel(pile);
    },
    hide() {
      slot = undefined;
      element.hidden = true;
    },
  };
}

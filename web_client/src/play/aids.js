// Aids, which do not count as hints: they mark the cards that can move, find a card, and show the contents of a
// pile.

import { toggleFold, uncover } from '../board/board.js';
import { clamp, MARGIN_PX } from '../board/geometry.js';
import { mostMovable, runs, sign, suit } from '../game/cards.js';
import { strings } from '../strings/language.js';
import { h, set } from '../widgets/element.js';
import { tableOf } from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {TablePile, TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Player} from './player.js'
 * @typedef {ReturnType<typeof bindAids>} Aids
 */

const INSET_PX = 8; // the distance of a list from the upper edge of its pile

/**
 * Return where a card lies face up; a game of two packs has two copies of it.
 * @param {TableView} table @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above`: the number of cards on it, `home`: whether
 *   it is on a foundation
 */
export const placesOf = (table, card) =>
  table.piles.flatMap(({ id, role, up }) => {
    const copies = up.flatMap((each, i) => (each === card ? [i] : []));
    const home = role === 'foundation';
    return copies.map((i) => ({ pile: id, above: up.length - i - 1, home }));
  });

/** Return how many cards can move from each pile with a legal move. @param {TableView} table */
export function movableCards(table) {
  const moves = table.legal.filter((action) => action.type === 'move');
  return new Map(moves.map(({ from }) => [from, mostMovable(table, from)]));
}

/** Make the list items of a pile, bottom first: one for its face-down cards, and one for each run. @param {TablePile} pile */
function itemsOf({ down, up }) {
  const items = runs(up).map(({ start, length }) => {
    const cards = up.slice(start, start + length);
    return h('li', { text: cards.map(sign).join(' '), 'data-suit': suit(cards[0] ?? '') });
  });
  if (down > 0) items.unshift(h('li', { text: strings.faceDown(down) }));
  return items;
}

/**
 * Bind the list of all cards in a pile, since the board covers or folds some of them.
 * @param {App} app @param {Board} board @param {HTMLElement} felt the element of the board, where the list lies
 */
function bindContents(app, board, felt) {
  let listed = ''; // the pile whose contents are shown, or ''
  const list = h('div', { class: 'board-contents', id: 'pile-contents', hidden: true });
  felt.append(list);
  // After a phone is turned the piles have other places, which the board knows by the next frame.
  const observer = new ResizeObserver(() => requestAnimationFrame(place));
  observer.observe(felt);

  /** Put the list over the middle of its pile, near the upper edge, but not beyond the felt. */
  function place() {
    const area = board.layout.areas.get(listed);
    if (!area) return; // no contents are shown
    const { offsetWidth: width, offsetHeight: height } = list;
    const middle = area.x + (area.width - width) / 2;
    const right = felt.clientWidth - width - MARGIN_PX;
    const bottom = felt.clientHeight - height - MARGIN_PX;
    list.style.left = `${clamp(MARGIN_PX, middle, right)}px`;
    list.style.top = `${clamp(MARGIN_PX, area.y + INSET_PX, bottom)}px`;
  }

  return {
    /** Show the contents of a pile; return them in a sentence. @param {string} id @returns {string} */
    show(id) {
      const { piles = [] } = app.state().play?.shown ?? {};
      const pile = piles.find((each) => each.id === id);
      if (!pile) return '';
      // Foundations for complete suits have no direction and no order, so they are shown together.
      const isHome = pile.role === 'foundation' && pile.direction === null;
      const all = isHome ? piles.filter(({ role }) => role === 'foundation') : [pile];
      const items = all.flatMap(itemsOf);
      const none = items.length === 0 && h('li', { text: strings.PLAY.none });
      const title = isHome ? strings.PLAY.suitsHome : strings.pileTitle(id);
      list.replaceChildren(h('strong', { text: title }), h('ul', {}, none, ...items));
      listed = id;
      set(list, { hidden: false });
      place();
      return isHome ? strings.homeLabel(items.length) : strings.pileLabel(pile); // a suit is one item
    },

    hide() {
      listed = '';
      set(list, { hidden: true });
    },
    unbind: () => observer.disconnect(),
  };
}

/**
 * Bind the aids of a board.
 * @param {{app: App, board: Board, player: Player, felt: HTMLElement, changed: () => void}} parts
 *   `changed` is called when other cards have to be marked
 */
export function bindAids({ app, board, player, felt, changed }) {
  const { show, hide, unbind } = bindContents(app, board, felt);
  let isMarking = false;
  let found = ''; // the card that was searched for, or ''

  /** Return how many cards of each pile are marked as movable: none while the marks are off. @returns {Map<string, number>} */
  function movable() {
    const table = isMarking ? tableOf(player) : null;
    return table ? movableCards(table) : new Map();
  }

  return {
    show,
    hide,
    unbind,
    marks: () => ({ movable: movable(), found }),
    isMarking: () => isMarking,
    /** Unmark the found card and hide the contents, which are wrong for another table; the caller draws the marks. */
    clear() {
      found = '';
      hide();
    },
    /** Show the contents of a pile and announce them. @param {string} pile */
    announceContents: (pile) => app.announce(show(pile)),
    /** Mark the cards that can move, or remove the marks. */
    toggleMarks() {
      isMarking = !isMarking;
      changed();
      app.announce(strings.marked(isMarking, movable().size));
    },
    /** Mark a card wherever it lies, and announce where. @param {string} card */
    find(card) {
      const table = app.state().play?.shown;
      if (!table) return;
      found = card;
      const places = placesOf(table, card);
      const inColumns = places.filter(({ home }) => !home); // only columns fold
      for (const { pile, above } of inColumns) uncover(board, pile, above);
      changed();
      app.announce(strings.located(card, places));
    },
    /** Unfold a column, or fold it again. If only its top is folded, there is no room: show its contents. @param {string | null} pile */
    unfold(pile) {
      if (!pile) return; // no cursor is shown
      const result = toggleFold(board, pile);
      app.announce(result === 'top' ? show(pile) : strings.PLAY[result]);
    },
  };
}

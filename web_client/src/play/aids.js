// Aids, which do not count as hints: they mark the cards that can move, find a card, and list the contents of a pile.

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
 * Return where a card lies face up; with two packs it can be in two places.
 * @param {TableView} table @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above`: how many cards lie on it. `home`: whether it is on
 *   a foundation
 */
export const placesOf = (table, card) =>
  table.piles.flatMap(({ id, role, up }) => {
    const copies = up.flatMap((each, i) => (each === card ? [i] : []));
    const home = role === 'foundation';
    return copies.map((i) => ({ pile: id, above: up.length - i - 1, home }));
  });

/** Return how many cards can move from each pile that has a legal move. @param {TableView} table */
export function movableCards(table) {
  const moves = table.legal.filter((action) => action.type === 'move');
  return new Map(moves.map(({ from }) => [from, mostMovable(table, from)]));
}

/** Make list items for a pile, bottom first: one for the face-down cards, one for each run. @param {TablePile} pile */
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
 * @param {App} app @param {Board} board @param {HTMLElement} felt the element around the board, which gets the list
 */
function bindContents(app, board, felt) {
  let listed = ''; // the pile whose contents are listed, or ''
  const list = h('div', { class: 'board-contents', id: 'pile-contents', hidden: true });
  felt.append(list);
  // When a phone is turned, the board has its new layout by the next frame.
  const observer = new ResizeObserver(() => requestAnimationFrame(place));
  observer.observe(felt);

  /** Put the list over the middle of its pile, near the upper edge, but within the felt. */
  function place() {
    const area = board.layout.areas.get(listed);
    if (!area) return; // nothing is listed
    const { offsetWidth: width, offsetHeight: height } = list;
    const middle = area.x + (area.width - width) / 2;
    const right = felt.clientWidth - width - MARGIN_PX;
    const bottom = felt.clientHeight - height - MARGIN_PX;
    list.style.left = `${clamp(MARGIN_PX, middle, right)}px`;
    list.style.top = `${clamp(MARGIN_PX, area.y + INSET_PX, bottom)}px`;
  }

  return {
    /** List the contents of a pile. Returns them as a sentence. @param {string} id @returns {string} */
    show(id) {
      const { piles = [] } = app.state().play?.shown ?? {};
      const pile = piles.find((each) => each.id === id);
      if (!pile) return '';
      // Foundations that take complete suits are in no order, so they are listed together.
      const isForSuits = pile.role === 'foundation' && pile.direction === null;
      const listedPiles = isForSuits ? piles.filter(({ role }) => role === 'foundation') : [pile];
      const items = listedPiles.flatMap(itemsOf);
      const none = items.length === 0 && h('li', { text: strings.PLAY.none });
      const title = isForSuits ? strings.PLAY.suitsHome : strings.pileTitle(id);
      list.replaceChildren(h('strong', { text: title }), h('ul', {}, none, ...items));
      listed = id;
      set(list, { hidden: false });
      place();
      return isForSuits ? strings.homeLabel(items.length) : strings.pileLabel(pile); // a suit is one item
    },

    hide() {
      listed = '';
      set(list, { hidden: true });
    },
    unbind: () => observer.disconnect(),
  };
}

/** @param {{app: App, board: Board, player: Player, felt: HTMLElement, drawMarks: () => void}} parts */
export function bindAids({ app, board, player, felt, drawMarks }) {
  const contents = bindContents(app, board, felt);
  let isMarking = false; // whether the cards that can move are marked
  let found = ''; // the card that the player searched for, which is marked, or ''

  /** Return how many cards of each pile to mark as movable. @returns {Map<string, number>} */
  function movable() {
    const table = isMarking ? tableOf(player) : null;
    return table ? movableCards(table) : new Map();
  }

  return {
    ...contents,
    marks: () => ({ movable: movable(), found }),
    isMarking: () => isMarking,
    /** Unmark the found card and close the list, since both may be outdated. The caller must redraw the marks. */
    clear() {
      found = '';
      contents.hide();
    },
    /** List the contents of a pile, and announce them. @param {string} pile */
    announceContents: (pile) => app.announce(contents.show(pile)),
    /** Start or stop marking the cards that can move. */
    toggleMarks() {
      isMarking = !isMarking;
      drawMarks();
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
      drawMarks();
      app.announce(strings.located(card, places));
    },
    /** Unfold a column, or fold it again. If there is no room to unfold it, list it. @param {string | null} pile */
    unfold(pile) {
      if (!pile) return; // null: the cursor is hidden
      const result = toggleFold(board, pile);
      app.announce(result === 'top' ? contents.show(pile) : strings.PLAY[result]);
    },
  };
}

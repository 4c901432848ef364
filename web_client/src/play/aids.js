// Help on the board that is not counted as a hint: the cards that can move are marked, a card is
// found, the contents of a pile are shown.

import { toggleFold, uncover } from '../board/board.js';
import { clamp, MARGIN_PX } from '../board/geometry.js';
import { runs, sign, suit } from '../game/cards.js';
import { mostMovable } from '../game/hand.js';
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

/** The distance of a list from the upper edge of its pile. */
const INSET_PX = 8;

/**
 * Return where a card lies face up.
 * @param {TableView} table @param {string} card
 * @returns {{pile: string, above: number, home: boolean}[]} `above` is the number of cards on it, `home`
 *   whether it is on a foundation
 */
export function placesOf(table, card) {
  const places = [];
  for (const { id, role, up } of table.piles)
    for (const [i, each] of up.entries())
      if (each === card)
        places.push({ pile: id, above: up.length - i - 1, home: role === 'foundation' });
  return places;
}

/** Return how many cards of each pile can move. @param {TableView} table */
export function movableCards(table) {
  const moves = table.legal.filter((action) => action.type === 'move');
  return new Map(moves.map(({ from }) => [from, mostMovable(table, from)]));
}

/** Make the list items of a pile: its face-down cards, and its runs in the colours of their suits. @param {TablePile} pile */
function itemsOf({ down, up }) {
  const items = runs(up).map(({ start, length }) => {
    const cards = up.slice(start, start + length);
    return h('li', { text: cards.map(sign).join(' '), 'data-suit': suit(cards[0] ?? '') });
  });
  if (down > 0) items.unshift(h('li', { text: strings.faceDown(down) }));
  return items;
}

/** Bind the aids of a board. @param {{app: App, board: Board, player: Player, felt: HTMLElement, changed: () => void}} race */
export function bindAids({ app, board, player, felt, changed }) {
  let marking = false;
  let found = '';
  /** The pile whose contents are shown. */
  let listed = '';
  // The cards of a column may be covered or folded; the removed suits lie on each other.
  const list = h('div', { class: 'board-contents', id: 'pile-contents', hidden: true });
  felt.append(list);
  // The piles have other places after a phone is turned.
  new ResizeObserver(() => requestAnimationFrame(placeList)).observe(felt);

  /** Put the list over its pile. */
  function placeList() {
    const area = board.layout.areas.get(listed);
    if (!area) return;
    const { offsetWidth: width, offsetHeight: height } = list;
    const middle = area.x + (area.width - width) / 2;
    const right = felt.clientWidth - width - MARGIN_PX;
    const bottom = felt.clientHeight - height - MARGIN_PX;
    list.style.left = `${clamp(MARGIN_PX, middle, right)}px`;
    list.style.top = `${clamp(MARGIN_PX, area.y + INSET_PX, bottom)}px`;
  }

  /** Return how many cards of each pile are marked as movable. @returns {Map<string, number>} */
  function movable() {
    const table = marking && tableOf(player);
    return table ? movableCards(table) : new Map();
  }

  /** Show the contents of a pile; return them in a sentence. @param {string} id @returns {string} */
  function show(id) {
    const { piles = [] } = app.state().play?.shown ?? {};
    const pile = piles.find((each) => each.id === id);
    if (!pile) return '';
    // Suits at home are shown together: there is no order among them.
    const isHome = pile.role === 'foundation' && pile.direction === null;
    const all = isHome ? piles.filter(({ role }) => role === 'foundation') : [pile];
    const items = all.flatMap(itemsOf);
    const none = items.length === 0 && h('li', { text: strings.PLAY.none });
    const title = isHome ? strings.PLAY.suitsHome : strings.pileTitle(id);
    list.replaceChildren(h('strong', { text: title }), h('ul', {}, none, ...items));
    listed = id;
    set(list, { hidden: false });
    placeList();
    return isHome ? strings.homeLabel(items.length) : strings.pileLabel(pile);
  }

  /** Hide the contents of a pile. */
  function hide() {
    listed = '';
    set(list, { hidden: true });
  }

  return {
    show,
    hide,
    marks: () => ({ movable: movable(), found }),
    isMarking: () => marking,

    /** Unmark the found card and hide the contents: on another table they are no longer right. */
    clear() {
      found = '';
      hide();
    },

    /** Show the contents of a pile and announce them. @param {string} pile */
    announceContents: (pile) => app.announce(show(pile)),

    /** Mark the cards that can move, or remove the marks. */
    toggleMarks() {
      marking = !marking;
      changed();
      app.announce(strings.marked(marking, movable().size));
    },

    /** Mark a card wherever it lies, and announce where. @param {string} card */
    find(card) {
      const table = app.state().play?.shown;
      if (!table) return;
      found = card;
      const places = placesOf(table, card);
      for (const { pile, above } of places.filter(({ home }) => !home)) uncover(board, pile, above);
      changed();
      app.announce(strings.located(card, places));
    },

    /** Unfold a column; if only its top is folded, there is no room: show its contents. @param {string | null} pile */
    unfold(pile) {
      if (!pile) return;
      const result = toggleFold(board, pile);
      app.announce(result === 'top' ? show(pile) : strings.PLAY[result]);
    },
  };
}

// Help on the board that is not counted as a hint: the cards that can move are marked, a card is
// found, the contents of a pile are shown.

import { hasFoldedTop, toggleFold, uncover } from '../board/board.js';
import { bindPileContents } from '../board/bubbles.js';
import { placesOf } from '../board/marks.js';
import { mostMovable } from '../game/hand.js';
import { strings } from '../strings/language.js';
import { tableOf } from './player.js';

/**
 * @import {TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Board} from '../board/board.js'
 * @import {Player} from './player.js'
 * @typedef {ReturnType<typeof bindAids>} Aids
 */

/** Return how many cards of each pile can move. @param {TableView} table @returns {Map<string, number>} */
export function movableCards(table) {
  const from = new Set(table.legal.flatMap((each) => (each.type === 'move' ? [each.from] : [])));
  return new Map([...from].map((pile) => [pile, mostMovable(table, pile)]));
}

/** Bind the aids of a board. @param {{app: App, board: Board, player: Player, felt: HTMLElement, changed: () => void}} race */
export function bindAids({ app, board, player, felt, changed }) {
  const contents = bindPileContents(felt, board);
  let marking = false;
  let found = '';
  /** @type {{of: TableView, cards: Map<string, number>} | null} */
  let cached = null;

  /** Return how many cards of each pile are marked as movable. */
  function movable() {
    const view = marking ? tableOf(player) : null;
    if (!view) return new Map();
    if (cached?.of !== view) cached = { of: view, cards: movableCards(view) };
    return cached.cards;
  }

  /** Show the contents of a pile; return them in a sentence. @param {string} pile @returns {string} */
  function show(pile) {
    const view = app.state().play?.shown;
    return view ? contents.show(view, pile) : '';
  }

  /** Unmark the found card and hide the contents: on another table they are no longer right. */
  function clear() {
    found = '';
    contents.hide();
  }

  return {
    show,
    hide: contents.hide,
    marks: () => ({ movable: movable(), found }),
    isMarking: () => marking,
    clear,
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
      const view = app.state().play?.shown;
      if (!view) return;
      found = card;
      const places = placesOf(view, card);
      for (const { pile, above, home } of places) if (!home) uncover(board, pile, above);
      changed();
      app.announce(strings.located(card, places));
    },

    /** Unfold a column; if only its top is folded, there is no room: show its contents. @param {string | null} pile */
    unfold(pile) {
      if (!pile) return;
      const done = toggleFold(board, pile);
      const isListed = done === 'short' && hasFoldedTop(board, pile);
      app.announce(isListed ? show(pile) : strings.PLAY[done]);
    },
  };
}

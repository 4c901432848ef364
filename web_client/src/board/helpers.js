// Help that costs nothing: what can move is marked, a card is found, a column is read.

import { longest } from '../core/hand.js';
import { strings } from '../core/language.js';
import { placesOf } from './locator.js';
import { bindPeek } from './pile-contents.js';

/**
 * @import {App} from '../main.js'
 * @import {Board} from './board.js'
 * @import {Player} from './player.js'
 * @import {TableView} from '../core/messages.d.ts'
 * @typedef {ReturnType<typeof bindAids>} Aids
 */

/** How many cards of each pile can move. @param {TableView} table @returns {Map<string, number>} */
export function movable(table) {
  const from = new Set(table.legal.flatMap((each) => (each.type === 'move' ? [each.from] : [])));
  return new Map([...from].map((pile) => [pile, longest(table, pile)]));
}

/** @param {{app: App, board: Board, player: Player, felt: HTMLElement, changed: () => void}} race */
export function bindAids({ app, board, player, felt, changed }) {
  const peek = bindPeek(felt, board.root);
  let marking = false;
  let found = '';
  /** @type {{of: TableView, map: Map<string, number>} | null} */
  let known = null;

  function canMove() {
    const view = marking ? player.table() : null;
    if (!view) return new Map();
    if (known?.of !== view) known = { of: view, map: movable(view) };
    return known.map;
  }

  /** @param {string} pile @returns {string} */
  function show(pile) {
    const view = app.state().play?.shown;
    return view ? peek.show(view, pile) : '';
  }

  return {
    show,
    hide: peek.hide,
    marks: () => ({ movable: canMove(), found }),
    isMarking: () => marking,
    /** Shows a pile and says what it shows. @param {string} pile */
    tell: (pile) => app.announce(show(pile)),

    mark() {
      marking = !marking;
      changed();
      app.announce(strings.marked(marking, canMove().size));
    },

    /** @param {string} card */
    find(card) {
      const view = app.state().play?.shown;
      if (!view) return;
      found = card;
      const places = placesOf(view, card);
      for (const { pile, above, home } of places) if (!home) board.uncover(pile, above);
      changed();
      app.announce(strings.located(card, places));
    },

    /** Where only the top is folded there is no room to unfold it: it is read. @param {string | null} pile */
    unfold(pile) {
      if (!pile) return;
      const done = board.unfold(pile);
      app.announce(done === 'short' && board.isCut(pile) ? show(pile) : strings.UNFOLDED[done]);
    },

    /** The table is another one: what was read or found is old. */
    follow() {
      found = '';
      peek.hide();
    },
    clear() {
      found = '';
      peek.hide();
    },
  };
}

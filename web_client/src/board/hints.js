// A hint: it is asked for once nothing is on its way, and shows on the board until the next act.

import { strings } from '../core/language.js';
import { atRest, hintInForce } from '../core/reducer.js';

/**
 * @import {Hinted, TableView} from '../core/messages.d.ts'
 * @import {App} from '../main.js'
 * @import {Board} from './board.js'
 * @import {Player} from './player.js'
 * @import {Notice, State} from '../core/reducer.js'
 * @typedef {{from: string, count: number, to: string}} Pointed cards at the end of a pile, and where to
 */

/** Whoever holds the key down asks no more often. */
const PAUSE = 600;
const SUIT = 13;

/**
 * What a hint points at on the board.
 *
 * @param {Hinted['action']} action
 * @param {TableView} table
 * @returns {Pointed}
 */
export function pointed(action, table) {
  const nothing = { from: '', count: 0, to: '' };
  switch (action.type) {
    case 'move':
      return { from: action.from, count: action.count, to: action.to };
    case 'remove':
      return { ...nothing, from: action.from, count: SUIT };
    case 'deal':
      return { ...nothing, to: table.piles.find(({ role }) => role === 'stock')?.id ?? '' };
    default:
      return nothing;
  }
}

/** @param {{app: App, board: Board, player: Player, changed: () => void}} race */
export function makeHints({ app, board, player, changed }) {
  let wanted = false;
  /** What was so when the open question was sent. @type {State | null} */
  let sent = null;
  /** The table of which nothing better is known. @type {{at: number, notice: Notice} | null} */
  let none = null;
  let sentAt = -PAUSE;
  let pausing = 0;
  /** @type {Hinted | null} */
  let seen = app.state().hinted;
  /** @type {Hinted | null} */
  let hidden = seen;

  function send() {
    const state = app.state();
    if (!wanted || sent || !state.synced || !atRest(state.play)) return;
    const rest = sentAt + PAUSE - performance.now();
    if (rest > 0) {
      pausing ||= setTimeout(resume, rest);
      return;
    }
    wanted = false;
    sentAt = performance.now();
    sent = state;
    app.say({ type: 'hint' });
  }

  function resume() {
    pausing = 0;
    send();
  }

  /** @param {State} state @param {Hinted} hint */
  function show(state, hint) {
    hidden = null;
    const table = state.play?.shown;
    if (!table) return;
    const { from, count } = pointed(hint.action, table);
    if (count > 0) board.uncover(from, count - 1);
  }

  return {
    ask() {
      const state = app.state();
      const at = state.play?.base.at;
      const hint = hintInForce(state);
      if (!player.table()) return;
      if (!state.room?.settings.hints) app.announce(strings.HINT_OFF);
      else if (none && none.at === at) app.announce(strings.sentence(none.notice));
      else if (hint && state.play) {
        show(state, hint);
        changed();
        app.announce(strings.hinted(hint, state.play.base.piles));
      } else {
        wanted = true;
        send();
      }
    },

    /** What is pointed at now. */
    marks() {
      const state = app.state();
      const hint = hintInForce(state);
      const table = state.play?.shown;
      return { hint: hint && hint !== hidden && table ? pointed(hint.action, table) : null };
    },

    /** @param {State} state */
    update(state) {
      if (!player.table()) wanted = false;
      // On another connection nothing is answered that was asked on this one.
      if (sent && (state.notice !== sent.notice || state.me !== sent.me)) {
        const { notice, play } = state;
        const over = notice?.command === 'hint' && notice.code === 'no_hint';
        if (over && play) none = { at: play.base.at, notice };
        sent = null;
      }
      if (state.hinted !== seen) {
        seen = state.hinted;
        sent = null;
        const hint = hintInForce(state);
        if (hint) show(state, hint);
      }
      send();
    },

    /** The hint has been seen; asked for again, it is shown again. */
    clear() {
      hidden = app.state().hinted;
    },

    unbind: () => clearTimeout(pausing),
  };
}

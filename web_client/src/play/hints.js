// Hints: one is requested once no act is in flight, and marks the board until the next act.

import { ErrorCode, MAX_MOVE_COUNT } from '../contract/protocol.js';
import { hintInForce, isIdle } from '../state/state.js';
import { strings } from '../strings/language.js';
import { tableOf } from './player.js';

/**
 * @import {Hinted, TableView} from '../contract/notation.js'
 * @import {Notice, State} from '../state/state.js'
 * @import {HintMarks} from '../board/marks.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Player} from './player.js'
 */

/** The least time between two requests, for players who hold the key down. */
const PAUSE_MS = 600;

/** Return what a hint marks on the board. @param {Hinted['action']} action @param {TableView} table @returns {HintMarks} */
export function hintMarks(action, table) {
  const nothing = { from: '', count: 0, to: '' };
  switch (action.type) {
    case 'move':
      return { from: action.from, count: action.count, to: action.to };
    case 'remove':
      return { ...nothing, from: action.from, count: MAX_MOVE_COUNT };
    case 'deal':
      return { ...nothing, to: table.piles.find(({ role }) => role === 'stock')?.id ?? '' };
    default:
      return nothing;
  }
}

/**
 * Make the hints of a race.
 * @param {object} race
 * @param {App} race.app
 * @param {Player} race.player
 * @param {(pile: string, above: number) => void} race.uncover unfolds a column whose card is hidden
 * @param {() => void} race.changed
 * @param {() => void} race.noneFound there is no hint for the table
 */
export function makeHints({ app, player, uncover, changed, noneFound }) {
  let wanted = false;
  /** The state in which the open request was sent. @type {State | null} */
  let sentIn = null;
  /** The table for which there is no hint. @type {{at: number, notice: Notice} | null} */
  let noHint = null;
  let sentAt = -PAUSE_MS;
  let timer = 0;
  /** The latest hint that came. @type {Hinted | null} */
  let latest = app.state().hinted;
  /** A hint that the player has hidden. @type {Hinted | null} */
  let hidden = latest;

  /** Send a wanted request once no act is in flight. */
  function send() {
    const state = app.state();
    if (!wanted || sentIn || !state.synced || !isIdle(state.play)) return;
    const wait = sentAt + PAUSE_MS - performance.now();
    if (wait > 0) {
      timer ||= setTimeout(resume, wait);
      return;
    }
    wanted = false;
    sentAt = performance.now();
    sentIn = state;
    app.send({ type: 'hint' });
  }

  /** Send the request that had to wait. */
  function resume() {
    timer = 0;
    send();
  }

  /** Show a hint, and unfold the column of its cards. @param {State} state @param {Hinted} hint */
  function show(state, hint) {
    hidden = null;
    const table = state.play?.shown;
    if (!table) return;
    const { from, count } = hintMarks(hint.action, table);
    if (count > 0) uncover(from, count - 1);
  }

  return {
    /** Request a hint, or show the present one again. */
    request() {
      const state = app.state();
      const at = state.play?.base.at;
      const hint = hintInForce(state);
      if (!tableOf(player)) return;
      if (!state.room?.settings.hints) app.announce(strings.HINT_OFF);
      else if (noHint && noHint.at === at) app.announce(strings.sentence(noHint.notice));
      else if (hint && state.play) {
        show(state, hint);
        changed();
        app.announce(strings.hinted(hint, state.play.base.piles));
      } else {
        wanted = true;
        send();
      }
    },

    marks() {
      const state = app.state();
      const hint = hintInForce(state);
      const table = state.play?.shown;
      return { hint: hint && hint !== hidden && table ? hintMarks(hint.action, table) : null };
    },

    /** @param {State} state */
    update(state) {
      if (!tableOf(player)) wanted = false;
      // A request is answered on its own connection only.
      if (sentIn && (state.notice !== sentIn.notice || state.me !== sentIn.me)) {
        const { notice, play } = state;
        const isNone = notice?.command === 'hint' && notice.code === ErrorCode.NO_HINT;
        sentIn = null;
        if (isNone && play) {
          wanted = false; // a second press while it was open is answered too
          noHint = { at: play.base.at, notice };
          noneFound();
        }
      }
      if (state.hinted !== latest) {
        latest = state.hinted;
        sentIn = null;
        const hint = hintInForce(state);
        if (hint) {
          wanted = false;
          show(state, hint);
        }
      }
      send();
    },

    /** Hide the hint; another request shows it again. */
    clear() {
      hidden = app.state().hinted;
    },

    unbind: () => clearTimeout(timer),
  };
}

// What the server knows about this player's game: hints, which are requested once no act is in flight
// and mark the board until the next act; and what can still become of the game.

import { ErrorCode, MAX_MOVE_COUNT } from '../contract/protocol.js';
import { isLegal } from '../game/table.js';
import { hintInForce, isIdle, plays } from '../state/state.js';
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
const LEAST_MS = 600;
/** The pause of a player after which the page asks what can still become of the game. */
const PAUSE_MS = 1_500;

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

/** Return what is known about the rest of the game, if the table has not changed since. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return whether the page may ask the server what can still become of this player's game. @param {State} state */
export function isOpenQuestion(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return false;
  const { base } = play;
  // A server of an earlier release has no such setting, and does not know the question.
  if (room?.settings.autoplay === undefined || base.outcome || base.stuck) return false;
  return assessed?.at !== base.at && !isLegal(base, { type: 'deal' });
}

/**
 * Make the hints of a race.
 * @param {object} race
 * @param {App} race.app
 * @param {Player} race.player
 * @param {(pile: string, above: number) => void} race.uncover unfolds a column whose card is hidden
 * @param {() => void} race.changed
 */
export function makeHints({ app, player, uncover, changed }) {
  const outlook = makeOutlook(app);
  let wanted = false;
  /** The state in which the open request was sent. @type {State | null} */
  let sentIn = null;
  /** The table for which there is no hint. @type {{at: number, notice: Notice} | null} */
  let noHint = null;
  let sentAt = -LEAST_MS;
  let timer = 0;
  /** The latest hint that came, and one that is hidden. */
  let latest = app.state().hinted;
  let hidden = latest;

  /** Send a wanted request once no act is in flight. */
  function send() {
    clearTimeout(timer);
    const state = app.state();
    if (!wanted || sentIn || !state.synced || !isIdle(state.play)) return;
    const wait = sentAt + LEAST_MS - performance.now();
    if (wait > 0) {
      timer = setTimeout(send, wait);
      return;
    }
    wanted = false;
    sentAt = performance.now();
    sentIn = state;
    app.send({ type: 'hint' });
  }

  /** Show a hint, and unfold the column of its cards. @param {State} state @param {Hinted} hint */
  function show({ play }, hint) {
    hidden = null;
    if (!play) return;
    const { from, count } = hintMarks(hint.action, play.shown);
    if (count > 0) uncover(from, count - 1);
  }

  return {
    /** Request a hint, or show the present one again. */
    request() {
      const state = app.state();
      const hint = hintInForce(state);
      if (!tableOf(player)) return;
      if (!state.room?.settings.hints) app.announce(strings.HINT_OFF);
      else if (noHint && noHint.at === state.play?.base.at)
        app.announce(strings.sentence(noHint.notice));
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
      const { notice, play } = state;
      if (!tableOf(player)) wanted = false;
      // A request is answered on its own connection only.
      if (sentIn && (notice !== sentIn.notice || state.me !== sentIn.me)) {
        sentIn = null;
        if (play && notice?.command === 'hint' && notice.code === ErrorCode.NO_HINT) {
          wanted = false; // a second press while it was open is answered too
          noHint = { at: play.base.at, notice };
          outlook.ask();
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
      outlook.update(state);
    },

    /** Hide the hint; another request shows it again. */
    clear() {
      hidden = app.state().hinted;
    },

    unbind() {
      clearTimeout(timer);
      outlook.unbind();
    },
  };
}

/**
 * Make the question what can still become of the game. The page asks when the player pauses where
 * nothing can be dealt, once about a table; after a lost connection the table comes anew.
 * @param {App} app
 */
function makeOutlook(app) {
  let timer = 0;
  /** The table for which the timer runs, or has run. @type {TableView | null} */
  let waiting = null;
  /** The table that was asked about last. @type {TableView | null} */
  let asked = null;

  /** Return the table that may be asked about. @param {State} state */
  const open = (state) => (isOpenQuestion(state) && state.play ? state.play.base : null);

  /** Ask, unless it was asked about this table before. */
  function ask() {
    clearTimeout(timer);
    const table = open(app.state());
    if (!table || table === asked) return;
    asked = table;
    app.send({ type: 'assess' });
  }

  return {
    ask,
    /** @param {State} state */
    update(state) {
      const table = open(state);
      if (table === waiting) return;
      clearTimeout(timer);
      waiting = table;
      if (table) timer = setTimeout(ask, PAUSE_MS);
    },
    unbind: () => clearTimeout(timer),
  };
}

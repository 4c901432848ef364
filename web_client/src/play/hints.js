// What the server says about a table: a hint, and an assessment of whether the game can still be won. A hint is
// requested once no act is in flight, and marks the board until the next act. An assessment is requested once per
// table: when nothing can be dealt and the player pauses, or when there is no hint.

import { uncover } from '../board/board.js';
import { ErrorCode } from '../contract/protocol.js';
import { SUIT_LENGTH } from '../game/cards.js';
import { isLegal } from '../game/table.js';
import { hintInForce, isIdle, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { callAll, makeThrottle } from '../widgets/element.js';
import { tableOf } from './player.js';

/**
 * @import {Board} from '../board/board.js'
 * @import {HintMarks} from '../board/sprites.js'
 * @import {Hinted, TableView} from '../contract/notation.js'
 * @import {App} from '../page/app.d.ts'
 * @import {Notice, State} from '../state/state.js'
 * @import {Player} from './player.js'
 * @typedef {ReturnType<typeof bindHints>} Hints
 */

const REQUEST_MS = 600; // request a hint at most this often: a player may hold the key down

/**
 * Return what a hint marks on the board: `count` cards of the pile `from`, and the pile `to`. '' and 0 mark nothing.
 * @param {Hinted['action']} action @param {TableView} table @returns {HintMarks}
 */
export function hintMarks(action, table) {
  if (action.type === 'move') return { from: action.from, count: action.count, to: action.to };
  if (action.type === 'remove') return { from: action.from, count: SUIT_LENGTH, to: '' };
  const stock = table.piles.find(({ role }) => role === 'stock');
  return { from: '', count: 0, to: action.type === 'deal' && stock ? stock.id : '' };
}

/** @param {{app: App, player: Player, board: Board, drawMarks: () => void}} race */
export function bindHints(race) {
  const { hinted } = race.app.state();
  const sending = makeThrottle(REQUEST_MS, () => send(hints));
  const hints = {
    ...race,
    sending,
    isWanted: false, // whether the player is waiting for a hint that has yet to be requested
    sentIn: /** @type {State | null} */ (null), // the state when the request in flight was sent
    /** The answer that there is no hint, and how many acts came before. @type {{at: number, notice: Notice} | null} */
    noHint: null,
    latest: hinted, // the latest hint that has come
    hidden: hinted, // a hint that is not marked on the board
    pauseTimer: 0, // runs until the page asks for an assessment
    /** The table that the timer runs for, or ran for last. @type {TableView | null} */
    pausedOn: null,
    /** The table whose assessment was requested last; a reconnection makes a new object. @type {TableView | null} */
    asked: null,
    unbind: callAll(sending.stop, () => clearTimeout(hints.pauseTimer)),
  };
  return hints;
}

/** Return whether a hint is wanted and can be requested: no request or act is in flight. @param {Hints} hints */
function canRequest({ app, isWanted, sentIn }) {
  const { synced, play } = app.state();
  return isWanted && !sentIn && synced && isIdle(play);
}

/** Send the request, if a hint is still wanted. @param {Hints} hints */
function send(hints) {
  if (!canRequest(hints)) return; // an act was made while the throttle waited
  hints.isWanted = false;
  hints.sentIn = hints.app.state();
  hints.app.send({ type: 'hint' });
}

/** Request a hint. If the server has already answered for this table, repeat its answer. @param {Hints} hints */
export function requestHint(hints) {
  const { app, player, noHint } = hints;
  const { room, play } = app.state();
  const here = hintHere(app.state());
  if (!tableOf(player)) return;
  if (!room?.settings.hints) app.announce(strings.HINT_OFF);
  else if (noHint && noHint.at === play?.base.at) app.announce(strings.sentence(noHint.notice));
  else if (here) {
    show(hints, here.marks);
    hints.drawMarks();
    app.announce(strings.hinted(here.hint, here.play.base.piles));
  } else {
    hints.isWanted = true;
    if (canRequest(hints)) hints.sending.request();
  }
}

/** Return the hint for the current table with its marks, or null. @param {State} state */
function hintHere(state) {
  const { play } = state;
  const hint = hintInForce(state);
  return hint && play && { hint, play, marks: hintMarks(hint.action, play.shown) };
}

/** Show the hint, and unfold its cards. @param {Hints} hints @param {HintMarks} marks */
function show(hints, { from, count }) {
  hints.hidden = null;
  if (count > 0) uncover(hints.board, from, count - 1);
}

/** Return the marks of the hint for the current table, unless the player hid it. @param {Hints} hints */
export function shownHint({ app, hidden }) {
  const here = hintHere(app.state());
  return here && here.hint !== hidden ? here.marks : null;
}

/** Hide the hint until it is requested again. @param {Hints} hints */
export function hideHint(hints) {
  hints.hidden = hints.app.state().hinted;
}

/** Handle the server's answers, and send a request that had to wait. @param {Hints} hints @param {State} state */
export function updateHints(hints, state) {
  if (!tableOf(hints.player)) hints.isWanted = false; // nothing can be played
  if (hints.sentIn) closeRequest(hints, state, hints.sentIn);
  if (state.hinted !== hints.latest) readHint(hints, state);
  if (canRequest(hints)) hints.sending.request();
  assessAfterPause(hints, state);
}

/**
 * Stop waiting for a hint if none will come: the request was refused, or its connection is lost. Any new notice is
 * taken for the refusal, since the player can ask again. If the server has no hint, ask for an assessment.
 * @param {Hints} hints @param {State} state @param {State} before the state when the request was sent
 */
function closeRequest(hints, { notice, play, me }, before) {
  // A request is answered only on its own connection, and each connection brings a new `me`.
  if (notice === before.notice && me === before.me) return;
  hints.sentIn = null;
  if (!play || notice?.command !== 'hint' || notice.code !== ErrorCode.NO_HINT) return;
  hints.isWanted = false; // this also answers a request that was made meanwhile
  hints.noHint = { at: play.base.at, notice };
  assess(hints);
}

/**
 * Show a new hint, or drop it if it is about an earlier table; `updateHints` then requests another, if still wanted.
 * @param {Hints} hints @param {State} state
 */
function readHint(hints, state) {
  hints.latest = state.hinted;
  hints.sentIn = null;
  const here = hintHere(state);
  if (!here) return;
  hints.isWanted = false;
  show(hints, here.marks);
}

const PAUSE_MS = 1_500; // the page asks for an assessment when the player has paused for this long

/** Return the server's assessment of the current table: won, dead or open. Null until it comes. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return this player's table if the page may ask whether its game is won or dead, or null. @param {State} state */
export function askableTable(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return null;
  const { base } = play;
  if (room?.settings.autoplay === undefined) return null; // a server of an earlier release makes no assessments
  const isOpen = !base.outcome && !base.stuck && assessed?.at !== base.at;
  // While cards can be dealt, too much can still change for an assessment.
  return isOpen && !isLegal(base, { type: 'deal' }) ? base : null;
}

/** Ask at once whether the game is won or dead, unless the page has asked for this table. @param {Hints} hints */
function assess(hints) {
  clearTimeout(hints.pauseTimer);
  const table = askableTable(hints.app.state());
  if (!table || table === hints.asked) return;
  hints.asked = table;
  hints.app.send({ type: 'assess' });
}

/** Ask for an assessment after a pause; each new table restarts the wait. @param {Hints} hints @param {State} state */
function assessAfterPause(hints, state) {
  const table = askableTable(state);
  if (table === hints.pausedOn) return;
  hints.pausedOn = table;
  clearTimeout(hints.pauseTimer);
  if (table) hints.pauseTimer = setTimeout(assess, PAUSE_MS, hints);
}

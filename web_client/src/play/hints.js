// What the server says about a position: a hint, and whether the game can still be won. A hint is requested once no
// act is in flight, and marks the board until the next act. The assessment is requested when nothing can be dealt and
// the player pauses, or when there is no hint, and only once about a table.

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

const LEAST_MS = 600; // the least time between two requests, for players who hold the key down

/**
 * Return what the board marks for a hint: `count` cards of the pile `from`, and the pile `to`. '' and 0 mark nothing.
 * @param {Hinted['action']} action @param {TableView} table @returns {HintMarks}
 */
export function hintMarks(action, table) {
  if (action.type === 'move') return { from: action.from, count: action.count, to: action.to };
  if (action.type === 'remove') return { from: action.from, count: SUIT_LENGTH, to: '' };
  const stock = table.piles.find(({ role }) => role === 'stock');
  return { from: '', count: 0, to: action.type === 'deal' && stock ? stock.id : '' };
}

/** Bind the hints of a race. @param {{app: App, player: Player, board: Board, changed: () => void}} race */
export function bindHints(race) {
  const { hinted } = race.app.state();
  const sending = makeThrottle(LEAST_MS, () => send(hints));
  const hints = {
    ...race,
    sending,
    isWanted: false, // whether the player waits for a hint that is not requested yet
    sentIn: /** @type {State | null} */ (null), // the state when the open request was sent
    /** The table without a hint, and the server's answer about it. @type {{at: number, notice: Notice} | null} */
    noHint: null,
    latest: hinted, // the latest hint that has come
    hidden: hinted, // a hint that is not marked on the board
    pauseTimer: 0, // runs until the page asks whether the game can still be won
    /** The timer runs, or has run, for this table. @type {TableView | null} */
    pausedOn: null,
    /** The table that the page has asked about. After a lost connection it is a new object. @type {TableView | null} */
    asked: null,
    unbind: callAll(sending.stop, () => clearTimeout(hints.pauseTimer)),
  };
  return hints;
}

/** Return whether a hint is wanted and can be requested: no request is open, and no act is in flight. @param {Hints} hints */
function canRequest({ app, isWanted, sentIn }) {
  const { synced, play } = app.state();
  return isWanted && !sentIn && synced && isIdle(play);
}

/** Request a hint if one is still wanted. @param {Hints} hints */
function send(hints) {
  if (!canRequest(hints)) return; // an act was made while the throttle waited
  hints.isWanted = false;
  hints.sentIn = hints.app.state();
  hints.app.send({ type: 'hint' });
}

/** Request a hint. If the server has answered about this table already, show or say that again. @param {Hints} hints */
export function requestHint(hints) {
  const { app, player, noHint } = hints;
  const { room, play } = app.state();
  const here = hintHere(app.state());
  if (!tableOf(player)) return;
  if (!room?.settings.hints) app.announce(strings.HINT_OFF);
  else if (noHint && noHint.at === play?.base.at) app.announce(strings.sentence(noHint.notice));
  else if (here) {
    show(hints, here.marks);
    hints.changed();
    app.announce(strings.hinted(here.hint, here.play.base.piles));
  } else {
    hints.isWanted = true;
    if (canRequest(hints)) hints.sending.request();
  }
}

/** Return the hint for this table with its marks, or null. @param {State} state */
function hintHere(state) {
  const { play } = state;
  const hint = hintInForce(state);
  return hint && play && { hint, play, marks: hintMarks(hint.action, play.shown) };
}

/** Show the hint, which may be hidden, and unfold its cards. @param {Hints} hints @param {HintMarks} marks */
function show(hints, { from, count }) {
  hints.hidden = null;
  if (count > 0) uncover(hints.board, from, count - 1);
}

/** Return the marks of the hint for this table, unless it is hidden. @param {Hints} hints */
export function shownHint({ app, hidden }) {
  const here = hintHere(app.state());
  return here && here.hint !== hidden ? here.marks : null;
}

/** Hide the hint until it is requested again. @param {Hints} hints */
export function hideHint(hints) {
  hints.hidden = hints.app.state().hinted;
}

/** Read the answers in a state, and send a request that has waited. @param {Hints} hints @param {State} state */
export function updateHints(hints, state) {
  if (!tableOf(hints.player)) hints.isWanted = false; // nothing can be played
  if (hints.sentIn) closeRequest(hints, state, hints.sentIn);
  if (state.hinted !== hints.latest) readHint(hints, state);
  if (canRequest(hints)) hints.sending.request();
  assessAfterPause(hints, state);
}

/**
 * Close the request if it will get no hint: it was refused, or its connection is lost. Any other notice closes it too,
 * and another press asks again. If the server knows no hint, ask for an assessment.
 * @param {Hints} hints @param {State} state
 * @param {State} before the state when the request was sent
 */
function closeRequest(hints, { notice, play, me }, before) {
  // A request is answered on its own connection only, and each connection makes a new `me`.
  if (notice === before.notice && me === before.me) return;
  hints.sentIn = null;
  if (!play || notice?.command !== 'hint' || notice.code !== ErrorCode.NO_HINT) return;
  hints.isWanted = false; // a second press while it was open is answered too
  hints.noHint = { at: play.base.at, notice };
  assess(hints);
}

/**
 * Show a new hint, or drop it if it is about an earlier table: then `updateHints` sends the player's latest request.
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

const PAUSE_MS = 1_500; // the page asks when the player has paused for this long

/** Return the server's assessment of this table, if it has come. @param {State} state */
export const assessedInForce = ({ assessed, play }) =>
  isIdle(play) && assessed?.at === play?.base.at && !play?.base.outcome ? assessed : null;

/** Return this player's table if the page may ask whether the game can still be won, else null. @param {State} state */
export function askableTable(state) {
  const { play, room, synced, assessed } = state;
  if (!play || !synced || !plays(state) || !isIdle(play)) return null;
  const { base } = play;
  // A server of an earlier release has no such setting, and cannot answer.
  const isAskable = room?.settings.autoplay !== undefined && !base.outcome && !base.stuck;
  // Where cards can be dealt the game can always change, so nothing is searched.
  const isUnknown = assessed?.at !== base.at && !isLegal(base, { type: 'deal' });
  return isAskable && isUnknown ? base : null;
}

/** Ask at once whether the game can still be won, unless the page has asked about this table before. @param {Hints} hints */
function assess(hints) {
  clearTimeout(hints.pauseTimer);
  const table = askableTable(hints.app.state());
  if (!table || table === hints.asked) return;
  hints.asked = table;
  hints.app.send({ type: 'assess' });
}

/** Ask whether the game can still be won after a pause, which starts again with each new table. @param {Hints} hints @param {State} state */
function assessAfterPause(hints, state) {
  const table = askableTable(state);
  if (table === hints.pausedOn) return;
  hints.pausedOn = table;
  clearTimeout(hints.pauseTimer);
  if (table) hints.pauseTimer = setTimeout(assess, PAUSE_MS, hints);
}

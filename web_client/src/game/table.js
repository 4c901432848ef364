// One player's table, with the acts that the server has not answered yet.
//
// Law: the page shows the table that the server confirmed, plus moves in flight. A move may be in flight if the
// server listed it as legal and no earlier act in flight touches its piles. Several such moves may be sent together.
// So the page never shows a move that the rules might forbid: only the server applies them. Every other act waits until
// nothing is in flight: another move on the same piles, a deal, undo, or an attempt that may be illegal. It is sent
// alone, and shown once it is answered.

import { formatAction } from '../contract/notation.js';
import { ErrorCode, MAX_IN_FLIGHT } from '../contract/protocol.js';

/**
 * @import {Acted, Refused, TableView} from '../contract/notation.js'
 * @typedef {import('../contract/notation.js').Attempt} Attempt
 * @typedef {{id: number, at: number, action: Attempt, isShown: boolean, again: boolean}} InFlight
 *   `at` is the length of the log before the act, `isShown` whether the page already shows it, and `again` whether it
 *   is sent again because the server has lost it
 * @typedef {ReturnType<typeof start>} Play
 */

export const MAX_QUEUED = 16; // refuse further acts when this many wait: the server must be unavailable
/** Remember at most this many acknowledged acts: a failing server loses seconds of them, not minutes. */
const MAX_REMEMBERED = 256;

/** Start an empty record of this player's acts on a new table. @param {TableView} table @param {number} [nextId] above all ids of earlier acts */
export function start(table, nextId = 1) {
  return {
    base: table, // the table that the server confirmed
    shown: table, // the table that the page shows: with the moves in flight
    inFlight: /** @type {readonly InFlight[]} */ ([]), // sent or to be sent at once, and unanswered
    withdrawn: /** @type {readonly InFlight[]} */ ([]), // dropped by the page, but still to be answered
    /** Acts to be sent before all others: those that the server acknowledged and lost (`again`), and later ones. */
    resending: /** @type {readonly {action: Attempt, again: boolean}[]} */ ([]),
    queued: /** @type {readonly Attempt[]} */ ([]), // acts that wait for their turn, in order
    acknowledged: /** @type {readonly {at: number, action: Attempt}[]} */ ([]), // the latest ones
    logged: table.at, // the length of the log after the last acknowledged act
    nextId: Math.max(nextId, table.last_id + 1),
  };
}

/** Return whether the server lists an action as legal. @param {TableView} table @param {Attempt} action */
export const isLegal = (table, action) =>
  table.legal.some((each) => formatAction(each) === formatAction(action));

/** Return the piles that a move or a removal names; other actions name none. @param {Attempt} action */
function pilesOf(action) {
  if (action.type === 'move') return [action.from, action.to];
  return action.type === 'remove' ? [action.from] : [];
}

/** Return whether two actions have a pile in common. @param {Attempt} one @param {Attempt} other */
const sharePile = (one, other) => pilesOf(one).some((pile) => pilesOf(other).includes(pile));

/**
 * Predict a table after a legal move. A card that turns up still shows its back. No actions on the two piles are
 * listed, since the server made its list for the cards before the move.
 * @param {TableView} table @param {Attempt} action @returns {TableView}
 */
function afterMove(table, action) {
  if (action.type !== 'move') return table; // only moves are shown before their answer
  const { from, to, count } = action;
  const cards = table.piles.find(({ id }) => id === from)?.up.slice(-count) ?? [];
  return {
    ...table,
    legal: table.legal.filter((each) => !sharePile(each, action)),
    piles: table.piles.map((pile) => {
      if (pile.id === from) return { ...pile, up: pile.up.slice(0, -count), unlisted: true };
      return pile.id === to ? { ...pile, up: [...pile.up, ...cards], unlisted: true } : pile;
    }),
  };
}

/** Put all waiting acts in flight that can be sent now, and predict the table to show. @param {Play} play @returns {Play} */
function sendWaiting(play) {
  const { base, withdrawn, logged } = play;
  const inFlight = [...play.inFlight];
  const resending = [...play.resending];
  const queued = [...play.queued];
  let nextId = Math.max(play.nextId, base.last_id + 1);
  const isFull = () => inFlight.length + withdrawn.length >= MAX_IN_FLIGHT; // unanswered
  /** Put an act in flight. @param {{action: Attempt, isShown: boolean, again: boolean}} act */
  const send = (act) => {
    inFlight.push({ id: nextId, at: base.at + inFlight.length, ...act });
    nextId += 1;
  };
  for (const { action, again } of play.resending) {
    if (isFull()) break;
    send({ action, isShown: false, again }); // shown once answered: it may build on the one before
    resending.shift();
  }
  for (const action of play.queued) {
    // Acts that the server has lost go first. If it failed to store one of them, all acts wait for its next table.
    const lacksLostActs = resending.length > 0 || base.at + inFlight.length < logged;
    if (isFull() || lacksLostActs) break;
    const isShown = action.type === 'move' && isLegal(base, action);
    // Only shown moves on different piles may be in flight together; any other act goes alone.
    const isApart = inFlight.every((each) => each.isShown && !sharePile(each.action, action));
    if (inFlight.length > 0 && !(isShown && isApart)) break;
    send({ action, isShown, again: false });
    queued.shift();
  }
  const moves = inFlight.filter((each) => each.isShown);
  const shown = moves.reduce((table, { action }) => afterMove(table, action), base);
  return { ...play, inFlight, resending, queued, nextId, shown };
}

/** Queue an act, and send as many as may be in flight. @param {Play} play @param {Attempt} action @returns {Play} unchanged if the queue is full */
export function attempt(play, action) {
  if (play.queued.length >= MAX_QUEUED) return play;
  return sendWaiting({ ...play, queued: [...play.queued, action] });
}

/** Return a play that remembers an acknowledged act, in case the server loses it. @param {Play} play @param {Acted} message */
function withRemembered(play, message) {
  const { inFlight, withdrawn, acknowledged, logged } = play;
  const act = [...inFlight, ...withdrawn].find((each) => each.id === message.id);
  // `message.at` is the log's length with the act, `act.at` the length it was sent for. An act that the page doesn't
  // know, or that was logged elsewhere, can't be sent again: note only the length.
  if (act?.at !== message.at - 1) return { ...play, logged: Math.max(logged, message.at) };
  if (act.again) return play; // it was remembered the first time
  const before = acknowledged.filter((each) => each.at < act.at).slice(1 - MAX_REMEMBERED);
  const latest = { at: act.at, action: act.action };
  return { ...play, acknowledged: [...before, latest], logged: message.at };
}

/** Apply the acknowledgement of an act, and remember it. @param {Play} play @param {Acted} message @returns {Play} */
export function acted(play, message) {
  // Acts in flight are answered in order. Each withdrawn act gets its own answer.
  const inFlight = play.inFlight.filter((each) => each.id > message.id);
  const withdrawn = play.withdrawn.filter((each) => each.id !== message.id);
  const next = { ...withRemembered(play, message), inFlight, withdrawn };
  // An earlier full table may already contain this act.
  if (message.at <= play.base.at) return sendWaiting(next);
  const { at, score, legal, outcome = null, stuck = null, elapsed_ms } = message;
  const changed = new Map(message.piles.map((pile) => [pile.id, pile]));
  const piles = play.base.piles.map((pile) =>
    changed.has(pile.id) ? { ...pile, ...changed.get(pile.id) } : pile,
  );
  const counts = { ...play.base.counts, ...message.counts };
  const last_id = Math.max(play.base.last_id, message.id);
  const changes = { at, last_id, piles, score, counts, legal, outcome, stuck, elapsed_ms };
  return sendWaiting({ ...next, base: { ...play.base, ...changes } });
}

/**
 * Apply a refusal: withdraw the act and all acts after it. Queued acts are dropped if the page showed the refused act.
 * Otherwise they stay, since the player made them for the table that is still on the screen. If the message has a table
 * older than the base, the server has lost acts, which are sent again.
 * @param {Play} play @param {Refused} message
 */
export function refused(play, message) {
  const { id, table } = message;
  const index = play.inFlight.findIndex((each) => each.id === id);
  const act = play.inFlight[index]; // undefined if it was withdrawn before
  const isOurs = act !== undefined || play.withdrawn.some((each) => each.id === id);
  // An act that the server has lost is sent again even if refused, as long as the log has no other in its place.
  const isStillMissing = act?.again === true && table !== null && table.at <= act.at;
  const isBehind = table !== null && table.at < play.base.at;
  if (table && isOurs && (isBehind || isStillMissing)) return rolledBack(play, table, id);
  const base = table && table.at >= play.base.at ? table : play.base;
  const withdrawn = play.withdrawn.filter((each) => each.id !== id);
  if (!act) return sendWaiting({ ...play, base, withdrawn });
  return sendWaiting({
    ...play,
    base,
    // A server that could not store the act may have lost others. Keep `logged`, to compare it with the next table.
    logged: message.code === ErrorCode.TRY_AGAIN ? play.logged : base.at,
    inFlight: play.inFlight.slice(0, index),
    withdrawn: [...withdrawn, ...play.inFlight.slice(index + 1)],
    resending: [],
    queued: act.isShown ? [] : play.queued,
  });
}

/**
 * Continue from a table that lacks acknowledged acts, because the server's store failed over to a replica that lagged
 * behind. Send the missing acts again, then those that were in flight. If one of the missing acts is no longer
 * remembered, it and all acts after it are dropped. Resent acts get new ids, since the old ones may still be answered.
 * @param {Play} play @param {TableView} table
 * @param {number | null} answered the id of the act that this table answers
 */
function rolledBack(play, table, answered) {
  const missing = play.acknowledged
    .filter((each) => each.at >= table.at && each.at < play.logged)
    .filter((each, i) => each.at === table.at + i); // without a gap
  const logged = table.at + missing.length;
  const hasAll = logged === play.logged;
  // Leave out acts that were being sent again: each is in `missing` or in this table.
  const later = hasAll ? [...play.inFlight, ...play.resending].filter((each) => !each.again) : [];
  const resending = [
    ...missing.map(({ action }) => ({ action, again: true })),
    ...later.map(({ action }) => ({ action, again: false })),
  ];
  return sendWaiting({
    ...play,
    base: table,
    inFlight: [],
    withdrawn: [...play.withdrawn, ...play.inFlight].filter((each) => each.id !== answered),
    resending,
    queued: hasAll ? play.queued : [],
    logged,
  });
}

/**
 * Apply a full table, which comes at the start and after a failure. Acts that are part of it count as acknowledged. The
 * others stay in flight or are sent again if they were made for this table; otherwise they are dropped.
 * @param {Play} play @param {TableView} table
 * @param {boolean} reconnected whether the connection is new, so that earlier acts get no answer
 */
export function snapshot(play, table, reconnected) {
  if (table.at < play.logged) {
    // The server has lost acknowledged acts. Carry on if this connection is already sending them again.
    const isResending = [...play.inFlight, ...play.resending].some((each) => each.again);
    if (isResending && table.at === play.base.at && !reconnected)
      return sendWaiting({ ...play, base: table });
    const continued = rolledBack(play, table, null);
    return reconnected ? sendWaiting({ ...continued, withdrawn: [] }) : continued;
  }
  const unanswered = play.inFlight.filter((each) => each.id > table.last_id);
  // Whether unanswered acts were made for this table: the first must be the next one in its log.
  const isExpected =
    unanswered[0]?.at === table.at || (unanswered.length === 0 && play.base.at <= table.at);
  const inFlight = isExpected ? unanswered : [];
  const dropped = play.inFlight.filter((each) => !inFlight.includes(each));
  const withdrawn = reconnected ? [] : [...play.withdrawn, ...dropped]; // still to be answered
  const queued = isExpected ? play.queued : [];
  // Acts whose answer was lost, but which the server has stored.
  const stored = play.inFlight.filter((each) => each.id <= table.last_id && each.at < table.at);
  const before = play.acknowledged.filter((each) => each.at < (stored[0]?.at ?? table.at));
  const acknowledged = [...before, ...stored.map(({ at, action }) => ({ at, action }))];
  const next = { base: table, inFlight, withdrawn, resending: [], queued, acknowledged };
  return sendWaiting({ ...play, ...next, logged: table.at });
}

// One player's table with the acts that are on their way.
//
// Law: what is shown is the table the server confirmed, and on it only such moves in flight as
// it listed as legal and whose piles no earlier act in flight touches. So such moves may be
// sent together, and nothing is ever shown that the rules, which live in the server, might not
// allow. Everything else (a move on top of a move, a deal, undo, an attempt that may be
// illegal) waits until nothing is in flight, goes alone and is shown when it is answered.

/**
 * @import {Act, Acted, Refused, TablePile, TableView} from './messages.d.ts'
 * @typedef {TableView['legal'][number]} Action
 * @typedef {Act['action']} Attempt
 * @typedef {{id: number, at: number, action: Attempt, shown: boolean, again: boolean}} Flying
 * @typedef {object} Play
 * @property {TableView} base what the server confirmed
 * @property {TableView} shown what is drawn
 * @property {readonly Flying[]} flying sent, or to be sent at once, and unanswered
 * @property {readonly Flying[]} lost acts taken back that are to be answered all the same
 * @property {readonly {action: Attempt, again: boolean}[]} owed what goes before all others: acts
 *   that the server had acknowledged and has lost (`again`), and what was in flight behind them
 * @property {readonly Attempt[]} waiting for their turn, in order
 * @property {readonly {at: number, action: Attempt}[]} done the latest that were acknowledged
 * @property {number} reached how long the log was when the last of them was
 * @property {number} nextId
 */

export const MOST_FLYING = 8;
/** More than this means that the server is away: what comes on top is dropped. */
export const MOST_WAITING = 16;
/** A server that is lost takes seconds of acts with it, not minutes. */
const MOST_DONE = 256;

/**
 * @param {TableView} table
 * @param {number} [nextId] never below an id used before
 * @returns {Play}
 */
export function start(table, nextId = 1) {
  const id = Math.max(nextId, table.last_id + 1);
  const nothing = { flying: [], lost: [], owed: [], waiting: [], done: [] };
  return { ...nothing, base: table, shown: table, reached: table.at, nextId: id };
}

/** @param {Attempt} a @param {Attempt} b */
function same(a, b) {
  if (a.type === 'move' && b.type === 'move')
    return (
      a.from === b.from &&
      a.to === b.to &&
      a.count === b.count &&
      (a.exception ?? false) === (b.exception ?? false)
    );
  if (a.type === 'remove' && b.type === 'remove') return a.from === b.from;
  return a.type === b.type;
}

/**
 * Whether the last confirmed table lists the action.
 *
 * @param {TableView} table
 * @param {Attempt} action
 */
export const isLegal = (table, action) => table.legal.some((each) => same(each, action));

/** @param {Play} play @param {Attempt} action */
function isFree(play, action) {
  return (
    action.type === 'move' &&
    play.flying.every(
      (each) =>
        each.shown &&
        each.action.type === 'move' &&
        [each.action.from, each.action.to].every((id) => id !== action.from && id !== action.to),
    )
  );
}

/**
 * A table after a legal move, as far as it can be known: a turned card stays a back.
 *
 * @param {TableView} table
 * @param {Attempt} action
 * @returns {TableView}
 */
function moved(table, action) {
  if (action.type !== 'move') return table;
  const source = table.piles.find((pile) => pile.id === action.from);
  const cards = source?.up.slice(-action.count) ?? [];
  return {
    ...table,
    piles: table.piles.map((pile) => {
      if (pile.id === action.from) return { ...pile, up: pile.up.slice(0, -action.count) };
      return pile.id === action.to ? { ...pile, up: [...pile.up, ...cards] } : pile;
    }),
  };
}

/** Sends what may go now and draws anew. @param {Play} play @returns {Play} */
function settle(play) {
  let { flying, owed, waiting, nextId } = play;
  const full = () => flying.length + play.lost.length >= MOST_FLYING;
  for (const { action, again } of play.owed) {
    if (full()) break;
    const at = play.base.at + flying.length;
    flying = [...flying, { id: nextId, at, action, shown: false, again }];
    owed = owed.slice(1);
    nextId += 1;
  }
  // Nothing passes what is owed, be it that the server could not take it just now.
  const owing = () => owed.length > 0 || play.base.at + flying.length < play.reached;
  for (const action of play.waiting) {
    if (full() || owing()) break;
    const legal = isLegal(play.base, action);
    if (flying.length > 0 && !(legal && isFree({ ...play, flying }, action))) break;
    const at = play.base.at + flying.length;
    const shown = legal && action.type === 'move';
    flying = [...flying, { id: nextId, at, action, shown, again: false }];
    waiting = waiting.slice(1);
    nextId += 1;
  }
  const shown = flying.reduce(
    (table, each) => (each.shown ? moved(table, each.action) : table),
    play.base,
  );
  return { ...play, flying, owed, waiting, nextId, shown };
}

/**
 * The player does something.
 *
 * @param {Play} play
 * @param {Attempt} action
 * @returns {Play} the same one if too much is waiting
 */
export function attempt(play, action) {
  if (play.waiting.length >= MOST_WAITING) return play;
  return settle({ ...play, waiting: [...play.waiting, action] });
}

/** @param {readonly TablePile[]} piles @param {Acted['piles']} changed */
function replaced(piles, changed) {
  return piles.map((pile) => {
    const news = changed.find((each) => each.id === pile.id);
    return news ? { ...pile, down: news.down, up: news.up } : pile;
  });
}

/**
 * What is remembered of the acts that were acknowledged, once one more is.
 *
 * @param {Play} play
 * @param {Acted} message
 */
function kept({ flying, lost, done, reached }, message) {
  const made = [...flying, ...lost].find((each) => each.id === message.id);
  if (made?.at !== message.at - 1) return { done, reached: Math.max(reached, message.at) };
  if (made.again) return { done, reached };
  const before = done.filter((each) => each.at < made.at).slice(1 - MOST_DONE);
  return { done: [...before, { at: made.at, action: made.action }], reached: message.at };
}

/**
 * @param {Play} play
 * @param {Acted} message
 * @returns {Play}
 */
export function acted(play, message) {
  const flying = play.flying.filter((each) => each.id > message.id);
  const { done, reached } = kept(play, message);
  const lost = play.lost.filter((each) => each.id !== message.id);
  if (message.at <= play.base.at) return settle({ ...play, flying, lost, done, reached });
  const { at, score, counts, legal, outcome, stuck, elapsed_ms } = message;
  const piles = replaced(play.base.piles, message.piles);
  const last_id = Math.max(play.base.last_id, message.id);
  const base = {
    ...play.base,
    at,
    last_id,
    piles,
    score,
    counts,
    legal,
    outcome,
    stuck,
    elapsed_ms,
  };
  return settle({ ...play, base, flying, lost, done, reached });
}

/**
 * The act and all behind it are taken back. What waited behind an act that was not shown was
 * meant for the table as it is, so it stays; what waited behind one that was shown goes.
 *
 * @param {Play} play
 * @param {Refused} message
 * @returns {Play}
 */
export function refused(play, message) {
  const open = [...play.lost, ...play.flying].some((each) => each.id === message.id);
  if (message.table && message.table.at < play.base.at && open)
    return takenBack(play, message.table, message.id);
  const known = message.table && message.table.at >= play.base.at ? message.table : play.base;
  const index = play.flying.findIndex((each) => each.id === message.id);
  const meant = play.flying[index];
  const lost = play.lost.filter((each) => each.id !== message.id);
  if (!meant) return settle({ ...play, base: known, lost });
  return settle({
    ...play,
    base: known,
    // What could only not be stored just now is given back with the next table.
    reached: message.code === 'try_again' ? play.reached : known.at,
    flying: play.flying.slice(0, index),
    lost: [...lost, ...play.flying.slice(index + 1)],
    owed: [],
    waiting: meant.shown ? [] : play.waiting,
  });
}

/**
 * The server has lost acts that it had acknowledged: its store failed over to a copy that was a
 * moment behind. What is missing is given back as far as it is known here, then what was in
 * flight goes once more; all under new ids, for the old ones may still be answered.
 *
 * @param {Play} play
 * @param {TableView} table
 * @param {number | null} answered the id of an act whose answer this is
 * @returns {Play}
 */
function takenBack(play, table, answered) {
  const missing = play.done
    .filter((each) => each.at >= table.at && each.at < play.reached)
    .filter((each, i) => each.at === table.at + i);
  const reached = table.at + missing.length;
  const known = reached === play.reached;
  const behind = known ? [...play.flying, ...play.owed].filter((each) => !each.again) : [];
  const owed = [
    ...missing.map(({ action }) => ({ action, again: true })),
    ...behind.map(({ action }) => ({ action, again: false })),
  ];
  return settle({
    ...play,
    base: table,
    flying: [],
    lost: [...play.lost, ...play.flying].filter((each) => each.id !== answered),
    owed,
    waiting: known ? play.waiting : [],
    reached,
    nextId: Math.max(play.nextId, table.last_id + 1),
  });
}

/**
 * A full table: at the start, or after a trouble. Acts that the server has are done; the rest
 * stand, or go once more, if the table is the one they were made for, else they are dropped.
 *
 * @param {Play} play
 * @param {TableView} table
 * @param {boolean} again on a new connection, where nothing that was sent before is answered
 * @returns {Play}
 */
export function snapshot(play, table, again) {
  if (table.at < play.reached) {
    const offered = [...play.flying, ...play.owed].some((each) => each.again);
    if (offered && table.at === play.base.at && !again) return settle({ ...play, base: table });
    const back = takenBack(play, table, null);
    return again ? settle({ ...back, lost: [] }) : back;
  }
  const left = play.flying.filter((each) => each.id > table.last_id);
  const fits = left[0]?.at === table.at || (left.length === 0 && play.base.at <= table.at);
  const flying = fits ? left : [];
  const gone = play.flying.filter((each) => !flying.includes(each));
  const lost = again ? [] : [...play.lost, ...gone];
  const nextId = Math.max(play.nextId, table.last_id + 1);
  const waiting = fits ? play.waiting : [];
  const stored = play.flying.filter((each) => each.id <= table.last_id && each.at < table.at);
  const before = play.done.filter((each) => each.at < (stored[0]?.at ?? table.at));
  const done = [...before, ...stored.map(({ at, action }) => ({ at, action }))];
  const reached = table.at;
  return settle({ ...play, base: table, flying, lost, owed: [], waiting, done, reached, nextId });
}

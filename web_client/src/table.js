// One player's table with the acts that are on their way.
//
// Law: what is shown is the table the server confirmed, and on it only such moves in flight as
// it listed as legal and whose piles no earlier act in flight touches. So such moves may be
// sent together, and nothing is ever shown that the rules, which live in the server, might not
// allow. Everything else (a move on top of a move, a deal, undo, an attempt that may be
// illegal) waits until nothing is in flight, goes alone and is shown when it is answered.

/**
 * @import {Act, Acted, Refused, TablePile, TableView} from './protocol.d.ts'
 * @typedef {TableView['legal'][number]} Action
 * @typedef {Act['action']} Attempt
 * @typedef {{id: number, at: number, action: Attempt, shown: boolean}} Flying
 * @typedef {object} Play
 * @property {TableView} base what the server confirmed
 * @property {TableView} shown what is drawn
 * @property {readonly Flying[]} flying sent, or to be sent at once, and unanswered
 * @property {readonly number[]} lost ids of acts taken back that are to be answered all the same
 * @property {readonly Attempt[]} waiting for their turn, in order
 * @property {number} nextId
 */

export const MOST_FLYING = 8;
/** More than this means that the server is away: what comes on top is dropped. */
export const MOST_WAITING = 16;

/**
 * @param {TableView} table
 * @param {number} [nextId] never below an id used before
 * @returns {Play}
 */
export function start(table, nextId = 1) {
  const id = Math.max(nextId, table.last_id + 1);
  return { base: table, shown: table, flying: [], lost: [], waiting: [], nextId: id };
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
  let { flying, waiting, nextId } = play;
  for (const action of play.waiting) {
    if (flying.length + play.lost.length >= MOST_FLYING) break;
    const legal = isLegal(play.base, action);
    if (flying.length > 0 && !(legal && isFree({ ...play, flying }, action))) break;
    const at = play.base.at + flying.length;
    flying = [...flying, { id: nextId, at, action, shown: legal && action.type === 'move' }];
    waiting = waiting.slice(1);
    nextId += 1;
  }
  const shown = flying.reduce(
    (table, each) => (each.shown ? moved(table, each.action) : table),
    play.base,
  );
  return { ...play, flying, waiting, nextId, shown };
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
 * @param {Play} play
 * @param {Acted} message
 * @returns {Play}
 */
export function acted(play, message) {
  const flying = play.flying.filter((each) => each.id > message.id);
  const lost = play.lost.filter((id) => id !== message.id);
  if (message.at <= play.base.at) return settle({ ...play, flying, lost });
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
  return settle({ ...play, base, flying, lost });
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
  const known = message.table && message.table.at >= play.base.at ? message.table : play.base;
  const index = play.flying.findIndex((each) => each.id === message.id);
  const meant = play.flying[index];
  const lost = play.lost.filter((id) => id !== message.id);
  if (!meant) return settle({ ...play, base: known, lost });
  return settle({
    ...play,
    base: known,
    flying: play.flying.slice(0, index),
    lost: [...lost, ...play.flying.slice(index + 1).map((each) => each.id)],
    waiting: meant.shown ? [] : play.waiting,
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
  const left = play.flying.filter((each) => each.id > table.last_id);
  const fits = left[0]?.at === table.at || (left.length === 0 && play.base.at <= table.at);
  const flying = fits ? left : [];
  const gone = play.flying.filter((each) => !flying.includes(each)).map((each) => each.id);
  const lost = again ? [] : [...play.lost, ...gone];
  const nextId = Math.max(play.nextId, table.last_id + 1);
  const waiting = fits ? play.waiting : [];
  return settle({ base: table, shown: table, flying, lost, waiting, nextId });
}

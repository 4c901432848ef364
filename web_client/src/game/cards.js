// Cards in the notation of the contract: their runs, the effect of an act on them, and where cards may go according to
// the server's list of legal actions. Pure.
//
// Exceptions are moves of runs of mixed suits. Pass tables through `playable` first: it drops those not possible now.

import { formatAction } from '../contract/notation.js';
import { MAX_MOVE_COUNT, RANKS } from '../contract/protocol.js';

/**
 * @import {Attempt, Move, PileView, TablePile, TableView} from '../contract/notation.js'
 * @typedef {ReturnType<typeof effectOf>} Effect
 * @typedef {{pile: string, count: number}} Hand the cards that the player has picked up, or would: the last `count` of
 *   a pile; 0 if none of them can be taken
 */

export const SUIT_LENGTH = RANKS.length; // the cards of a complete suit, from the king to the ace

/** @type {Readonly<Record<string, string>>} */
const SIGNS = { S: '♠', H: '♥', D: '♦', C: '♣' };

/** Return a card's rank: 1 for an ace to 13 for a king. @param {string} card */
export const rank = (card) => RANKS.indexOf(card.charAt(0)) + 1;
/** Return a card's suit: S, H, D or C. @param {string} card */
export const suit = (card) => card.charAt(1);
/** Return a card's printed rank. @param {string} card */
export const shortRank = (card) => (card.charAt(0) === 'T' ? '10' : card.charAt(0));
/** Return a card as printed in every language: `10♥`. @param {string} card */
export const sign = (card) => shortRank(card) + (SIGNS[suit(card)] ?? '');

/**
 * Split face-up cards into runs: descending, of one suit, each as long as possible.
 * @param {readonly string[]} up bottom to top @returns {{start: number, length: number}[]}
 */
export function runs(up) {
  const found = /** @type {{start: number, length: number}[]} */ ([]);
  up.forEach((card, i) => {
    const last = found.at(-1);
    const before = up[i - 1];
    if (last && before && suit(before) === suit(card) && rank(before) === rank(card) + 1)
      last.length += 1;
    else found.push({ start: i, length: 1 });
  });
  return found;
}

/** Return the suits of the full foundations. @param {readonly TablePile[]} piles */
export const suitsHome = (piles) =>
  piles
    .filter(({ role, up }) => role === 'foundation' && up.length === SUIT_LENGTH)
    .map(({ up }) => suit(up[0] ?? ''));

/** Return a table's complete suits, in its columns and on its foundations. @param {readonly TablePile[]} piles */
function completeSuits(piles) {
  const spread = piles.filter(({ role, fan }) => role === 'tableau' && fan === 'down');
  const inColumns = spread.flatMap(({ up }) =>
    runs(up)
      .filter(({ length }) => length === SUIT_LENGTH)
      .map(({ start }) => suit(up[start] ?? '')),
  );
  return [...inColumns, ...suitsHome(piles)];
}

/** Return a copy of a list without one equal item for each item of `other`. @param {readonly string[]} list @param {readonly string[]} other */
function without(list, other) {
  const rest = [...list];
  for (const each of other) if (rest.includes(each)) rest.splice(rest.indexOf(each), 1);
  return rest;
}

/**
 * Return the cards that an act has moved or dealt.
 * @param {Attempt} action @param {readonly TablePile[]} before the act @param {readonly TablePile[]} after it
 */
function cardsOf(action, before, after) {
  const old = new Map(before.map(({ id, up }) => [id, up]));
  if (action.type === 'move') {
    // Look at the old pile: if the move completed a suit, the suit may already have left the new one.
    return old.get(action.from)?.slice(-action.count) ?? [];
  }
  if (action.type !== 'deal') return [];
  return after.flatMap(({ id, role, up }) => {
    const was = old.get(id);
    if (!was || role === 'foundation') return [];
    const last = was.at(-1);
    // If the column is shorter, the dealt card was an ace that completed a suit, which then left.
    return last && up.length < was.length ? [`A${suit(last)}`] : up.slice(was.length);
  });
}

/** Return the effect of an act, from the piles `before` and `after` it. @param {Attempt} action @param {readonly TablePile[]} before @param {readonly TablePile[]} after */
export function effectOf(action, before, after) {
  const turned = before.flatMap((pile) => {
    const now = after.find((each) => each.id === pile.id);
    return now && now.down < pile.down && pile.role === 'tableau' ? now.up.slice(0, 1) : []; // the turned card
  });
  const complete = completeSuits(after);
  const home = suitsHome(after);
  return {
    cards: cardsOf(action, before, after), // that were moved or dealt
    turned,
    completed: without(complete, completeSuits(before)), // the suits that the act has completed
    removed: without(home, suitsHome(before)), // the suits that left the table
    complete: complete.length, // the number of complete suits, on the table and removed
    home: home.length, // the number of removed suits
    of: after.filter(({ role }) => role === 'foundation').length, // the number of suits of the game
  };
}

/** Return whether an act completed a single suit and moved only its cards, so that ranks are enough to name them. @param {Effect} effect */
export const completesOwnSuit = ({ cards, completed }) =>
  completed.length === 1 && cards.every((card) => suit(card) === completed[0]);

/** Cache the results of `compute`: tables never change. @template T @param {(table: TableView) => T} compute */
function oncePerTable(compute) {
  /** @type {WeakMap<TableView, T>} */
  const results = new WeakMap();
  return (/** @type {TableView} */ table) => {
    const result = results.get(table) ?? compute(table);
    results.set(table, result);
    return result;
  };
}

const legalMoves = oncePerTable((table) => table.legal.filter((action) => action.type === 'move'));

/** Return the legal moves from a pile. @param {TableView} table @param {string} from */
const movesFrom = (table, from) => legalMoves(table).filter((move) => move.from === from);

/**
 * Return a table with only those exceptions that `keeps` accepts, or the same object if it accepts them all.
 * @param {TableView} table @param {(move: Move) => boolean} keeps @returns {TableView}
 */
function filterExceptions(table, keeps) {
  const legal = table.legal.filter(
    (action) => action.type !== 'move' || !action.exception || keeps(action),
  );
  return legal.length === table.legal.length ? table : { ...table, legal };
}
const withoutExceptions = oncePerTable((table) => filterExceptions(table, () => false));
const withoutDuplicates = oncePerTable((table) => {
  const listed = new Set(table.legal.map(formatAction));
  const isPlain = (/** @type {Move} */ move) =>
    listed.has(formatAction({ ...move, exception: false }));
  return filterExceptions(table, (move) => !isPlain(move));
});

/**
 * Return the table with the exceptions (moves of mixed suits, which are counted) that can be made now: none if the
 * player has to ask first, otherwise those not also listed as plain moves. Returns the same table if none is dropped.
 * @param {TableView} table @param {boolean} asked whether the player asked for an exception, or need not ask
 */
export const playable = (table, asked) =>
  asked ? withoutDuplicates(table) : withoutExceptions(table);

/** Return the table's pile with this id, if there is one. @param {TableView} table @param {string} id */
export const pileOf = (table, id) => table.piles.find((pile) => pile.id === id);

/** Return whether a pile has the same cards in two states. @param {PileView} [a] @param {PileView} [b] */
export const holdsSame = (a, b) =>
  a === b || (a?.down === b?.down && a?.up.join() === b?.up.join());

/** Return the length of the one-suit run at a pile's end. @param {TableView} table @param {string} pile */
export const runLength = (table, pile) => runs(pileOf(table, pile)?.up ?? []).at(-1)?.length ?? 0;

/** Return whether a hand has more cards than the one-suit run at its pile's end. @param {TableView} table @param {Hand} hand */
export const isMixed = (table, { pile, count }) => count > runLength(table, pile);

/**
 * Return the moves that the page may choose unasked: moves of one suit, and moves of mixed suits only if the player
 * has asked for an exception.
 * @param {TableView} table as from `playable` @param {readonly Move[]} moves
 */
const automaticMoves = (table, moves) =>
  moves.filter(({ from: pile, count, exception }) => exception || !isMixed(table, { pile, count }));

/** Return the piles that the cards of a hand may go on. @param {TableView} table @param {Hand} hand */
export function targets(table, { pile, count }) {
  const moves = movesFrom(table, pile).filter((move) => move.count === count);
  return new Set(moves.map((move) => move.to));
}

/** Return the piles whose cards may go on the pile `to`, for players who pick the target first. @param {TableView} table @param {string} to */
export function sources(table, to) {
  const moves = legalMoves(table).filter((move) => move.to === to);
  return new Set(moves.map((move) => move.from));
}

/**
 * Return how many cards of a pile to pick up: as many as can move, with a run of mixed suits only if the player asked
 * for it. If none can move, it is 1 (the server says why), or 0 if none lies face up. While the server has yet to list
 * the moves of new cards, it is at least their run.
 * @param {TableView} table @param {string} from
 */
export function mostMovable(table, from) {
  const counts = automaticMoves(table, movesFrom(table, from)).map((move) => move.count);
  const pile = pileOf(table, from);
  const least = pile?.unlisted ? runLength(table, from) : 1;
  return Math.min(Math.max(least, ...counts), pile?.up.length ?? 0);
}

/**
 * Return the legal move that takes a hand to a pile: the one with exactly its cards, otherwise the only one from its
 * pile. A run of mixed suits that the player did not ask for counts only if there is no other move. Returns undefined
 * if there is no move, or more than one to choose from.
 * @param {TableView} table @param {Hand} hand @param {string} to
 */
export function moveBetween(table, { pile, count }, to) {
  const all = movesFrom(table, pile).filter((move) => move.to === to);
  const automatic = automaticMoves(table, all);
  const candidates = automatic.length > 0 ? automatic : all;
  const exact = all.find((move) => move.count === count);
  return exact ?? (candidates.length === 1 ? candidates[0] : undefined);
}

/** Return whether a move puts cards on a card of their own suit. @param {TableView} table @param {Move} move */
function isInSuit(table, move) {
  const card = pileOf(table, move.from)?.up.at(-move.count);
  const onto = pileOf(table, move.to)?.up.at(-1);
  return card !== undefined && onto !== undefined && suit(card) === suit(onto);
}

/** Return whether a move puts cards on a foundation. @param {TableView} table @param {Move} move */
const isHome = (table, { to }) => pileOf(table, to)?.role === 'foundation';

/** Return the first move to a foundation, otherwise the first onto its own suit. @param {TableView} table @param {readonly Move[]} moves */
const homeOrInSuit = (table, moves) =>
  moves.find((move) => isHome(table, move)) ?? moves.find((move) => isInSuit(table, move));

/** Return whether a move goes into an empty column. @param {TableView} table @param {Move} move */
const isToSpace = (table, move) => !isHome(table, move) && !pileOf(table, move.to)?.up.length;

/** Return whether cards of the hand's pile may go into an empty column. @param {TableView} table @param {Hand} hand */
export const fitsSpace = (table, { pile }) =>
  movesFrom(table, pile).some((move) => isToSpace(table, move));

/** Return the move for a double click on cards: to a foundation or onto their suit first, never into an empty column. @param {TableView} table @param {Hand} hand */
export function autoMove(table, { pile, count }) {
  const all = movesFrom(table, pile).filter((move) => !isToSpace(table, move));
  const exact = all.filter((move) => move.count === count);
  // Without a move of exactly these cards, move more or fewer, but no mixed suits that nobody asked for.
  const candidates = exact.length > 0 ? exact : automaticMoves(table, all);
  return homeOrInSuit(table, candidates) ?? candidates[0];
}

/**
 * Return the move for a tap on cards, which never goes into an empty column. The cards go to a foundation or onto
 * their own suit. If neither is possible, the whole run moves, because a part would break it. The part moves alone
 * only if the run cannot.
 * @param {TableView} table @param {Hand} hand
 * @returns {Move | undefined} undefined if the tap should take the cards in hand instead
 */
export function tapMove(table, { pile, count }) {
  // Moves that make the longest run come first.
  const all = movesFrom(table, pile)
    .filter((move) => !isToSpace(table, move))
    .sort((a, b) => runLength(table, b.to) - runLength(table, a.to));
  const part = all.filter((move) => move.count === count);
  const most = Math.max(count, runLength(table, pile)); // tapped cards of mixed suits are more than the run
  const whole = all.filter((move) => move.count === most);
  return homeOrInSuit(table, part) ?? homeOrInSuit(table, whole) ?? whole[0] ?? part[0];
}

/** Return whether a hand is part of a complete suit at the end of its column, which can be removed. @param {TableView} table @param {Hand} hand */
export const isComplete = (table, { pile, count }) =>
  count > 0 &&
  count <= SUIT_LENGTH &&
  table.legal.some((action) => action.type === 'remove' && action.from === pile);

/**
 * Return the act that puts a hand on the pile `to`: a legal move, or an attempt that the server refuses and explains.
 * @param {TableView} table @param {Hand} hand @param {string} to
 * @param {boolean} wantsException whether the player asked to move mixed suits together, as an exception
 * @returns {Attempt}
 */
export function putDown(table, { pile: from, count }, to, wantsException) {
  const legal = movesFrom(table, from).find((move) => move.to === to && move.count === count);
  const exception = wantsException && isMixed(table, { pile: from, count }); // a single suit needs none
  const sent = Math.min(count, MAX_MOVE_COUNT); // the server could not read a larger number
  return legal ?? { type: 'move', from, count: sent, to, exception };
}

/**
 * Return the act for two picks: move the first cards onto the second pile, or the second cards onto the first pile. If
 * neither is legal, return an attempt that the server will refuse with a reason.
 * @param {TableView} table @param {Hand} hand the first pick @param {Hand} next the second; no cards in an empty pile
 * @param {boolean} wantsException whether the player asked for an exception
 * @returns {Attempt | null} null if the first pile is empty and the cards can't go there: the second pick replaces it
 */
export function secondPick(table, hand, next, wantsException) {
  const forward = hand.count > 0 ? moveBetween(table, hand, next.pile) : undefined;
  const backward = next.count > 0 ? moveBetween(table, next, hand.pile) : undefined;
  const attempt = hand.count > 0 ? putDown(table, hand, next.pile, wantsException) : null;
  return forward ?? backward ?? attempt;
}

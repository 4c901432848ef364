// The player's hand, and the acts that they make by pointer, keys or typed lines.

import { playsByOneTap, preference } from '../browser/storage.js';
import * as hands from '../game/cards.js';
import { mayTakeBackForfeit, plays } from '../state/state.js';
import { strings } from '../strings/language.js';
import { ask } from '../widgets/dialogs.js';

/**
 * @import {TablePile, TableView} from '../contract/notation.js'
 * @import {Hand} from '../game/cards.js'
 * @import {Attempt} from '../game/table.js'
 * @import {App} from '../page/app.d.ts'
 * @typedef {Omit<Attempt & {type: 'move'}, 'type'>} TypedMove `count`: 0 for as many as can move
 * @typedef {object} Effects
 * @property {() => void} showInput shows the cards in hand, and requests such as one for an exception
 * @property {(words: string, hand: Hand | null) => void} refuse says why an act is not sent, and shakes the cards
 * @typedef {ReturnType<typeof makePlayer>} Player
 */

/** Ignore a second deal within this time: it comes from a double click, and often could not be undone. */
const DOUBLE_DEAL_MS = 500;

/** @param {App} app @param {Effects} effects */
export const makePlayer = (app, effects) => ({
  app,
  effects,
  hand: /** @type {Hand | null} */ (null),
  /** The pile of the cards in hand, before they were taken. @type {TablePile | undefined} */
  origin: undefined,
  dragged: /** @type {Hand | null} */ (null), // the cards that a pointer drags
  /** Whether the player has asked for an exception: a single move of mixed suits, at the level `hard`. */
  exception: false,
  /** The act that has to be requested again to confirm it. @type {'deal' | null} */
  awaited: null,
  dealtAt: -Infinity, // when the last deal was requested, in local ms; -Infinity after any other act
  /** The latest result of `tableOf`. @type {{shown: TableView, isMixed: boolean, table: TableView} | null} */
  playable: null,
});

/** Return whether the room allows exceptions (moves of mixed suits), and how easily. @param {Player} player */
export const levelOf = ({ app }) => app.state().room?.settings.exceptions ?? 'off';

/** Return whether cards of mixed suits can be moved together now. @param {Player} player */
export const mayMoveMixed = (player) => player.exception || levelOf(player) === 'easy';

/** Return whether the room has the rules of the program Arachnid. @param {Player} player */
export function isArachnid({ app }) {
  const { game, undo, auto_remove: removesItself } = app.state().room?.settings ?? {};
  return game === 'spider-4' && undo === 'free' && !removesItself;
}

/**
 * Return the table with the acts that are legal now. Returns null if no act can be made: the game has not started, is
 * over or given up, or is about to start again with a new deal or the same one (`starting`).
 * @param {Player} player
 */
export function tableOf(player) {
  const { playable, app } = player;
  const state = app.state();
  const { base, shown } = state.play ?? {};
  if (!shown || !plays(state) || base?.outcome || mayTakeBackForfeit(state) || state.starting)
    return null;
  const isMixed = mayMoveMixed(player);
  if (playable?.shown === shown && playable.isMixed === isMixed) return playable.table;
  const table = hands.playable(shown, isMixed);
  player.playable = { shown, isMixed, table };
  return table;
}

/**
 * Return the piles where the cards in hand, or dragged, fit. If the hand fits nowhere, return the piles whose cards fit
 * on its pile, since players may pick the target first.
 * @param {Player} player @returns {Set<string>}
 */
export function fittingPiles(player) {
  const table = tableOf(player);
  const hand = player.dragged ?? player.hand;
  if (!table || !hand) return new Set();
  const to = hand.count > 0 ? hands.targets(table, hand) : new Set();
  return to.size > 0 || player.dragged ? to : hands.sources(table, hand.pile);
}

/** Send an act, if one can be made now, and empty the hand. @param {Player} player @param {Attempt} action */
export function attempt(player, action) {
  player.hand = null;
  player.awaited = null;
  player.dealtAt = action.type === 'deal' ? performance.now() : -Infinity;
  if (tableOf(player)) player.app.act(action);
  if (action.type === 'move') player.exception = false; // it allowed one move
  player.effects.showInput();
}

/** Set the hand, or empty it (null), and drop an unconfirmed deal. @param {Player} player @param {Hand | null} hand */
function hold(player, hand) {
  const table = tableOf(player);
  player.hand = hand;
  player.origin = hand && table ? hands.pileOf(table, hand.pile) : undefined; // for `dropChangedHand`
  player.awaited = null;
  player.effects.showInput();
}

/** Remove a complete suit. @param {Player} player @param {string} [pile] the column of the suit; any by default */
export function removeSuit(player, pile) {
  const table = tableOf(player);
  const removal = table?.legal.find((action) => action.type === 'remove');
  const from = pile ?? removal?.from; // if this column has no complete suit, the server says why
  if (table && from) attempt(player, { type: 'remove', from });
  else player.effects.refuse(strings.PLAY.noSuit, null);
}

/**
 * Deal a row, but only when it is requested twice, if the player prefers that. A deal right after another one is
 * ignored, whether it comes from the button, the stock, a key or a typed line.
 * @param {Player} player
 * @param {{isSure?: boolean}} [how] `isSure`: deal at the first request; the classic keys have their own question
 */
export function deal(player, { isSure = false } = {}) {
  if (!isSure && performance.now() - player.dealtAt < DOUBLE_DEAL_MS) {
    player.dealtAt = performance.now(); // so that a third one is ignored too
    return;
  }
  // An illegal deal need not be confirmed: the server says why it is illegal.
  const isLegal = tableOf(player)?.legal.some((action) => action.type === 'deal');
  if (isLegal && preference('confirmDeal') && player.awaited !== 'deal' && !isSure) {
    hold(player, null);
    player.awaited = 'deal'; // after `hold`, which drops it
    player.app.announce(strings.PLAY.dealAgain);
    player.effects.showInput();
  } else attempt(player, { type: 'deal' });
}

/** End a game that is won or stuck. If it is stuck, ask first. @param {Player} player */
export async function endGame(player) {
  const table = tableOf(player);
  if (table && (!table.stuck || (await ask(strings.ASK.finish))))
    attempt(player, { type: 'finish' });
}

/**
 * Ask for an exception, a single move of mixed suits, or take the request back. The level `easy` requires no request,
 * and `off` allows no exceptions.
 * @param {Player} player
 */
export function toggleException(player) {
  const { app } = player;
  const level = levelOf(player);
  if (level !== 'hard' || !tableOf(player))
    return app.announce(level === 'easy' ? strings.PLAY.exceptionFree : strings.EXCEPTION_OFF);
  player.exception = !player.exception;
  if (player.exception) app.sound.play('buzz');
  hold(player, null);
  app.announce(player.exception ? strings.PLAY.exceptionAsked : strings.PLAY.exceptionDropped);
}

/** Put the cards in hand back, and drop a requested exception or deal. @param {Player} player */
export function cancelAll(player) {
  if (player.exception) player.app.announce(strings.PLAY.exceptionDropped);
  else if (player.awaited) player.app.announce(strings.PLAY.notDone);
  player.exception = false;
  hold(player, null);
}

/**
 * Move cards to a pile; the server says why a move is illegal. Without a count (0), make the only legal move between
 * the piles, or try as many cards as can move.
 * @param {Player} player @param {TypedMove} move
 */
export function moveCards(player, { from, count, to, exception }) {
  if (exception && levelOf(player) === 'hard') player.exception = true; // makes the move legal in `tableOf`
  const table = tableOf(player);
  if (!table) return;
  const cards = { pile: from, count: count || hands.mostMovable(table, from) };
  const onlyMove = count ? undefined : hands.moveBetween(table, cards, to);
  attempt(player, onlyMove ?? hands.putDown(table, cards, to, player.exception));
}

/** Return whether cards belong to a complete suit that can be removed. @param {Player} player @param {Hand} from */
export function isOfCompleteSuit(player, from) {
  const table = tableOf(player);
  return table !== null && hands.isComplete(table, from);
}

/**
 * Make the best act for some cards: remove their complete suit, or make the move that `choose` returns.
 * @param {Player} player @param {Hand} from @param {typeof hands.tapMove} choose
 * @returns {boolean} false if there is no such act
 */
function makeBest(player, from, choose) {
  const table = tableOf(player);
  const move = table && choose(table, from);
  if (isOfCompleteSuit(player, from)) removeSuit(player, from.pile);
  else if (move) attempt(player, move);
  else return false;
  return true;
}

/** Move cards where they fit best, but not to an empty column; or refuse. @param {Player} player @param {Hand} from */
export function autoMove(player, from) {
  if (makeBest(player, from, hands.autoMove)) return;
  const table = tableOf(player);
  hold(player, null);
  const fitsOnlySpace = table && hands.fitsSpace(table, from); // they had no other move
  player.effects.refuse(fitsOnlySpace ? strings.PLAY.onlySpace : strings.PLAY.noPlace, from);
}

/**
 * Make the best act for tapped cards, if no cards are in hand and the player prefers to play by taps.
 * @param {Player} player @param {Hand} from
 * @param {boolean} isTouch whether a finger tapped: the preference may be for fingers only
 * @returns {boolean} whether an act was made
 */
export function tap(player, from, isTouch) {
  if (player.hand || !playsByOneTap(isTouch)) return false;
  return makeBest(player, from, hands.tapMove);
}

/** Start to drag cards, or stop (null). Both empty the hand. @param {Player} player @param {Hand | null} cards */
export function grab(player, cards) {
  player.dragged = cards;
  hold(player, null);
}

/**
 * Pick a pile. The first pick takes cards of a column in hand. After that, picking the same cards puts them back,
 * picking others in their pile takes those instead, and picking another pile attempts a move.
 * @param {Player} player @param {string} pile @param {number} count -1 for as many as can move
 * @returns {boolean} whether the picked cards are in hand now
 */
export function pick(player, pile, count) {
  const table = tableOf(player);
  if (!table) return false;
  const { hand } = player;
  const next = { pile, count: count < 0 ? hands.mostMovable(table, pile) : count };
  if (!hand) {
    const canBeTaken = hands.pileOf(table, pile)?.role === 'tableau';
    hold(player, canBeTaken ? next : null);
  } else if (hand.pile === pile) hold(player, hand.count === next.count ? null : next);
  else {
    const action = hands.secondPick(table, hand, next, player.exception);
    if (action) attempt(player, action);
    else hold(player, next);
  }
  return player.hand === next;
}

/** Drop the hand if `table` changes its pile; the caller redraws. @param {Player} player @param {TableView} table */
export function dropChangedHand(player, table) {
  const { hand, origin } = player;
  if (hand && !hands.holdsSame(hands.pileOf(table, hand.pile), origin)) player.hand = null;
}

// What the rows of the standings show: the points between players, their ways home, their steps to other
// places, and the seats on a phone. Pure.

import { shownPlace } from '../state/state.js';

/**
 * @import {Game} from '../contract/games.js'
 * @import {Standing} from '../contract/messages.d.ts'
 * @import {State} from '../state/state.js'
 */

/** The places of the standings that fit in a row on a phone. */
const STRIP_PLACES = 4;

/**
 * Return the points by which a player is behind the leader, or the leader is ahead: `−50`, `+50`, or
 * ''. Places can depend on more than points; then there is no gap.
 * @param {Standing} standing
 * @param {readonly Standing[]} standings best first
 */
export function gap(standing, standings) {
  const [first, second] = standings;
  if (!first || first.won || standing.state !== 'RACING') return '';
  if (standing !== first)
    return standing.score < first.score ? `−${first.score - standing.score}` : '';
  const ahead = second && second.place !== null ? first.score - second.score : 0;
  return ahead > 0 ? `+${ahead}` : '';
}

/**
 * Return the seats in the row of a phone: the leader, this player, and the players next above and
 * below.
 * @param {readonly {seat: number}[]} standings best first
 * @param {number} me this player's seat, or -1
 * @returns {Set<number>} at most four
 */
export function stripSeats(standings, me) {
  const myIndex = Math.max(
    0,
    standings.findIndex(({ seat }) => seat === me),
  );
  // At an end of the list the row is filled up with players of the other side.
  const from = Math.max(1, Math.min(myIndex - 1, standings.length - STRIP_PLACES + 1));
  const seats = [...standings.slice(0, 1), ...standings.slice(from, from + STRIP_PLACES - 1)];
  return new Set(seats.map(({ seat }) => seat));
}

/**
 * Return how far a player is: the part of the suits, or of the cards, that are home, and the part of the
 * cards that have been turned up, or null if all cards of the game begin face up.
 * @param {Pick<Standing, 'suits' | 'home' | 'face_down'>} standing
 * @param {Game | undefined} game undefined for one that this page does not know
 * @returns {{home: number, notches: number, turned: number | null}} `notches` are the parts of the bar
 */
export function waysHome({ suits, home, face_down: hidden }, game) {
  if (!game) return { home: 0, notches: 1, turned: null };
  const inSuits = game.goal === 'suits';
  return {
    home: inSuits ? suits / game.foundations : home / game.cards,
    notches: inSuits ? game.foundations : 1,
    turned: game.face_down > 0 ? Math.max(0, 1 - hidden / game.face_down) : null,
  };
}

/** Return whether a player has come farther in the own game. @param {Standing} before @param {Standing} after */
const hasGained = (before, after) =>
  after.score > before.score || after.home > before.home || after.face_down < before.face_down;

/**
 * Return who has passed somebody since the order was drawn last, and this player if it has gone down.
 * Players who only take the place of one who falls back have passed nobody.
 * @param {readonly Standing[]} before
 * @param {readonly Standing[]} after
 * @param {number} me this player's seat, or -1
 * @returns {{seat: number, place: number, isUp: boolean}[]}
 */
export function steps(before, after, me) {
  const earlier = new Map(before.map((standing) => [standing.seat, standing]));
  return after.flatMap((standing) => {
    const { seat, place } = standing;
    const old = earlier.get(seat);
    if (!old?.place || !place || old.place === place) return [];
    const isUp = place < old.place;
    const isShown = isUp ? hasGained(old, standing) : seat === me;
    return isShown ? [{ seat, place, isUp }] : [];
  });
}

/**
 * Return this player's place. The figure has its space from the start, before places are known.
 * @param {Pick<State, 'standings' | 'room' | 'me'>} state
 * @returns {{place: number | null | undefined, of: number, leads: boolean}} `place` is null before it
 *   is known, and undefined for a player who has none; `of` counts the players who race for places
 */
export function placeInRace({ standings, room, me }) {
  const isMine = (/** @type {{seat: number}} */ { seat }) => seat === me?.seat;
  const ranked = standings.filter(({ place }) => place !== null);
  const racing = room?.seats.filter(({ state }) => state === 'RACING') ?? [];
  const own = ranked.find(isMine);
  return {
    place: own ? shownPlace(own) : racing.some(isMine) ? null : undefined,
    of: Math.max(ranked.length, racing.length),
    leads: own !== undefined && shownPlace(own) === 1 && own.score > 0,
  };
}

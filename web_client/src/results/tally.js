// What each player has won: in a match of several rounds there, and below that in this room:
// `Anna 2 – Ben 1`.

import { strings } from '../core/language.js';
import { h, write } from '../shared/element.js';

/**
 * @import {MatchView, PlayerCard, SeatView, Settings} from '../core/messages.d.ts'
 * @import {State} from '../core/reducer.js'
 */

/** The most players in the line. */
const MAX_SHOWN = 6;

/**
 * Return the players of the line, most wins first; none before the first win. If there are too many
 * players for the line, players without a win are left out, since any choice of them would be random.
 *
 * @param {readonly SeatView[]} seats
 */
export function tallyOf(seats) {
  const all = seats.filter(({ role, wins }) => role === 'player' || wins > 0);
  if (all.length < 2 || all.every(({ wins }) => wins === 0)) return [];
  const players = all.length > MAX_SHOWN ? all.filter(({ wins }) => wins > 0) : all;
  return players.toSorted((a, b) => b.wins - a.wins || a.seat - b.seat).slice(0, MAX_SHOWN);
}

/**
 * Return the players of a match, best first, with what decides it: rounds won, or points.
 *
 * @param {MatchView} match
 * @param {Settings['match_ranking']} by
 */
export function matchTallyOf({ cards }, by) {
  const count = (/** @type {PlayerCard} */ card) => (by === 'wins' ? card.wins : card.score);
  const players = cards.filter(({ place }) => place !== null);
  if (players.length < 2 || players.every((card) => count(card) === 0)) return [];
  return players.slice(0, MAX_SHOWN).map((card) => ({ name: card.name, wins: count(card) }));
}

/** Make a line of players, each with a number. @param {string} id */
function makeLine(id) {
  const element = h('p', { class: 'tally', id, role: 'group', hidden: true });
  let shown = '';
  return {
    element,
    /** @param {string} label @param {readonly {name: string, wins: number}[]} line @param {boolean} [written] whether the label is written too */
    update(label, line, written = false) {
      const key = JSON.stringify([label, line.map(({ name, wins }) => [name, wins])]);
      element.hidden = line.length === 0;
      if (key === shown) return;
      shown = key;
      element.setAttribute('aria-label', label);
      const players = line.map(({ name, wins }) => {
        const score = h('b');
        write(score, String(wins));
        return h('span', {}, h('bdi', { text: name }), ' ', score);
      });
      element.replaceChildren(written ? h('i', { text: `${label}:` }) : '', ...players);
    },
  };
}

/** Bind the line of the match or, where a match is one round, of the room; and one of the room below it. */
export function bindTally() {
  const line = makeLine('tally');
  const below = makeLine('room-tally');
  return {
    element: line.element,
    ofRoom: below.element,
    /** @param {State} state */
    update({ room }) {
      const ofRoom = tallyOf(room?.seats ?? []);
      const match = room?.match && room.match.rounds > 1 ? room.match : null;
      if (!match || !room) {
        line.update(strings.MATCH.wins, ofRoom);
        below.update(strings.MATCH.wins, []);
        return;
      }
      const ofMatch = matchTallyOf(match, room.settings.match_ranking);
      line.update(strings.MATCH.label, ofMatch);
      // Before its first match is over, a room has no other wins than those on the score cards.
      const isSame = ofRoom.every(
        ({ seat, wins }) => (match.cards.find((card) => card.seat === seat)?.wins ?? 0) === wins,
      );
      below.update(strings.MATCH.wins, isSame ? [] : ofRoom, true);
    },
  };
}

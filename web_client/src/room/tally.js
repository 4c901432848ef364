// What each player has won: in a match of several rounds there, and below that in this room:
// `Anna 2 – Ben 1`.

import { coloursOf } from '../state/seat-colours.js';
import { programSeats } from '../state/state.js';
import { strings } from '../strings/language.js';
import { h, write } from '../widgets/element.js';
import { programMark, seatMark } from '../widgets/marks.js';

/**
 * @import {MatchView, PlayerCard, SeatView, Settings} from '../contract/messages.d.ts'
 * @import {Programs, State} from '../state/state.js'
 * @import {Colours} from '../state/seat-colours.js'
 */

/** The most players in the line. */
const MAX_SHOWN = 6;

/**
 * Return the players of the line, most wins first; none before the first win. If there are too many
 * players for the line, players without a win are left out, since any choice of them would be random.
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
 * @param {MatchView} match
 * @param {Settings['match_ranking']} by
 */
export function matchTallyOf({ cards }, by) {
  const count = (/** @type {PlayerCard} */ card) => (by === 'wins' ? card.wins : card.score);
  const players = cards.filter(({ place }) => place !== null);
  if (players.length < 2 || players.every((card) => count(card) === 0)) return [];
  return players
    .slice(0, MAX_SHOWN)
    .map((card) => ({ seat: card.seat, name: card.name, wins: count(card) }));
}

/** Make a line of players, each with a number. @param {string} id */
function makeLine(id) {
  const element = h('p', { class: 'tally', id, role: 'group', hidden: true });
  let shown = '';
  return {
    element,
    /**
     * @param {string} label
     * @param {readonly {seat: number, name: string, wins: number}[]} line
     * @param {Programs} programs
     * @param {Colours} colours
     */
    update(label, line, programs, colours) {
      const marked = line.map((each) => ({
        ...each,
        program: programs.get(each.seat),
        colour: colours(each.seat),
      }));
      const key = JSON.stringify([label, marked]);
      element.hidden = line.length === 0;
      if (key === shown) return;
      shown = key;
      element.setAttribute('aria-label', label);
      const players = marked.map(({ name, wins, program, colour }) => {
        const score = h('b');
        write(score, String(wins));
        return h(
          'span',
          {},
          seatMark(colour),
          program !== undefined && programMark(program),
          h('bdi', { class: 'text-cut', text: name }),
          ' ',
          score,
        );
      });
      element.replaceChildren(h('i', { text: `${label}:` }), ...players);
    },
  };
}

/** Bind two lines of wins: of the match, if it has several rounds, and below it of the room. Without such a match the first line is the room's. */
export function bindTally() {
  const line = makeLine('tally');
  const below = makeLine('room-tally');
  return {
    element: line.element,
    ofRoom: below.element,
    /** @param {State} state */
    update({ room, over }) {
      const ofRoom = tallyOf(room?.seats ?? []);
      const programs = programSeats(room);
      const colours = coloursOf(room, over);
      const match = room?.match && room.match.rounds > 1 ? room.match : null;
      if (!match || !room) {
        line.update(strings.MATCH.wins, ofRoom, programs, colours);
        below.update(strings.MATCH.wins, [], programs, colours);
        return;
      }
      const ofMatch = matchTallyOf(match, room.settings.match_ranking);
      line.update(strings.MATCH.label, ofMatch, programs, colours);
      // Before its first match is over, a room has no other wins than those on the score cards.
      const isSame = ofRoom.every(
        ({ seat, wins }) => (match.cards.find((card) => card.seat === seat)?.wins ?? 0) === wins,
      );
      below.update(strings.MATCH.wins, isSame ? [] : ofRoom, programs, colours);
    },
  };
}

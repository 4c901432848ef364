// The colours of seats, by which players know each other. Pure.

import { SEAT_COLOURS } from '../contract/protocol.js';

/**
 * @import {ColouredSeat, RoomView} from '../contract/messages.d.ts'
 * @typedef {(seat: number) => string} Colours returns the colour of a seat
 */

/**
 * Return the colours of the seats of a room, and of players of a finished round who may have left.
 * A server of release 1.0 sends none: the numbers of the seats give them then.
 * @param {RoomView | null} room
 * @param {{colours?: readonly ColouredSeat[]} | null} [round]
 * @returns {Colours}
 */
export function coloursOf(room, round) {
  const known = [...(round?.colours ?? []), ...(room?.seats ?? [])];
  const colours = new Map(known.map(({ seat, colour }) => [seat, colour]));
  return (seat) => colours.get(seat) ?? SEAT_COLOURS[seat % SEAT_COLOURS.length] ?? '';
}

/**
 * Return the colours that other players of a room have, of which none can be taken.
 * @param {RoomView} room
 * @param {number} me this player's seat
 * @returns {Set<string>}
 */
export function takenColours(room, me) {
  const colours = coloursOf(room);
  const others = room.seats.filter(({ seat, role }) => role === 'player' && seat !== me);
  return new Set(others.map(({ seat }) => colours(seat)));
}

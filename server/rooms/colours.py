"""The colours of seats, by which players know each other. Pure, like the room.

1. A newcomer gets the colour that the fewest players have; of several, the one that the fewest
   seats have; of these, the first. So the first eight players have eight colours.
2. A spectator who becomes a player gets another colour if a player has this one and one is free.
3. A seat of an older release has no colour in its record: its number gives it one.
"""

from collections.abc import Iterable

from protocol.from_client import TakeColour
from protocol.vocabulary import SEAT_COLOURS, ErrorCode, SeatColour
from server.rooms.events import Command
from server.rooms.record import Room, Round, Seat
from server.rooms.refusal import Refusal
from server.rooms.seats import seat_of, with_seats


def colour_of(seat: Seat) -> SeatColour:
    """Return the colour of a seat."""
    return seat.colour or _colour_of_number(seat.number)


def free_colour(seats: Iterable[Seat]) -> SeatColour:
    """Return the colour of a newcomer among these seats."""
    players = dict.fromkeys(SEAT_COLOURS, 0)
    owners = dict.fromkeys(SEAT_COLOURS, 0)
    for seat in seats:
        owners[colour_of(seat)] += 1
        players[colour_of(seat)] += seat.role == "player"
    return min(SEAT_COLOURS, key=lambda colour: (players[colour], owners[colour]))


def colour_as_player(room: Room, seat: Seat) -> SeatColour | None:
    """Return the colour, as it is stored, of a seat that becomes a player or is one."""
    if seat.role == "player" or not _is_taken(room, seat, colour_of(seat)):
        return seat.colour
    others = [other for other in room.seats if other.number != seat.number]
    free = free_colour(others)
    return seat.colour if _is_taken(room, seat, free) else free


def colours_of(seats: Iterable[Seat]) -> dict[int, SeatColour]:
    """Return the colours of some seats, by number."""
    return {seat.number: colour_of(seat) for seat in seats}


def colours_in(played: Round) -> dict[int, SeatColour]:
    """Return the colours of all players of a round, by seat."""
    return {seat: played.colours.get(seat) or _colour_of_number(seat) for seat in played.names}


def take_colour(room: Room, command: Command[TakeColour]) -> Room:
    """Give a seat another colour, which no other player has."""
    seat, colour = seat_of(room, command.seat), command.message.colour
    if colour_of(seat) == colour:
        return room
    if _is_taken(room, seat, colour):
        raise Refusal(ErrorCode.COLOUR_TAKEN)
    return with_seats(room, seat.model_copy(update={"colour": colour}))


def _is_taken(room: Room, seat: Seat, colour: SeatColour) -> bool:
    """Return whether another player has a colour."""
    return any(
        other.role == "player" and other.number != seat.number and colour_of(other) == colour
        for other in room.seats
    )


def _colour_of_number(number: int) -> SeatColour:
    colour: SeatColour = SEAT_COLOURS[number % len(SEAT_COLOURS)]
    return colour

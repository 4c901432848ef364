"""The numbers of seats: new ones while there are any, then those that have rested the longest.

1. Every number is given once, in order. After that free numbers are given again in turn: between
   two owners of a number about 10,000 people come to the room.
2. A number is free if no seat, no applicant and no round in the record has it: results, match
   cards and logs are by number. The claim of a former host goes with the seat.
3. Outside of the record a number is never the only key. The store deletes a seat in the change
   that removes it from the record (`change_room.lua`), and a new one has its own token.
   Connections are fenced by generations, which are times. Logs and progress are by round as well,
   and no owner of a number plays in a round in which an earlier owner has played.
"""

from itertools import chain

from protocol.vocabulary import HIGHEST_SEAT, ErrorCode
from server.rooms.hosts import without_claim
from server.rooms.record import Room
from server.rooms.refusal import Refusal

NUMBERS = HIGHEST_SEAT + 1


def free_number(room: Room) -> int:
    """Return the number of the next seat.

    Raises:
        Refusal: all numbers are in use.
    """
    if room.numbers_given < NUMBERS:
        return room.numbers_given
    used = _used_numbers(room)
    first = 0 if room.number_given_again is None else room.number_given_again + 1
    for number in chain(range(first, NUMBERS), range(first)):
        if number not in used:
            return number
    raise Refusal(ErrorCode.ROOM_FULL)


def arrival_of(room: Room, number: int) -> int | None:
    """Return the place in the order of joining of a new seat, None if its number says it."""
    if number == room.numbers_given:
        return None
    return max((NUMBERS - 1, *(seat.order for seat in (*room.seats, *room.waiting)))) + 1


def with_number_given(room: Room, number: int) -> Room:
    """Return the room in which this free number belongs to a new seat."""
    if number == room.numbers_given:
        return room.model_copy(update={"numbers_given": number + 1})
    return without_claim(room, number).model_copy(update={"number_given_again": number})


def latest_number(room: Room) -> int:
    """Return the number of the seat that was taken last."""
    return room.numbers_given - 1 if room.number_given_again is None else room.number_given_again


def _used_numbers(room: Room) -> set[int]:
    seats = {seat.number for seat in (*room.seats, *room.waiting)}
    rounds = room.rounds if room.round is None else (*room.rounds, room.round)
    return seats.union(*(played.names for played in rounds))

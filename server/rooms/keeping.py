"""What a room keeps of its past, so that none grows without end.

A record holds `MAX_SEATS` seats and `ROUNDS_KEPT` rounds. Beside it stand its seats and the logs
of its rounds: those of seats and rounds that the record has lost go with them, and logs of older
rounds when all together have become too long.
"""

from collections.abc import Iterator
from typing import NamedTuple

from server.rooms.record import Room, Round

KEPT_ACTS = 250_000
"""Acts of finished rounds whose logs a room keeps, at eight bytes each: two megabytes.

That is every game of a match of twelve rounds for seventy players of 300 acts each. The latest
round is kept however long it is. What older ones came to stays in the record.
"""

MOST_KEYS = 10_000
"""Keys that a room may have had, at most, for all of them to be named when it is deleted."""


class Gone(NamedTuple):
    """What stands beside a record and belongs to it no more: seats, and logs by round and seat."""

    seats: frozenset[int]
    logs: frozenset[tuple[int, int]]


def weighed(room: Room, acts: int) -> Room:
    """A room whose round has just ended, with its number of acts; the oldest logs may go."""
    assert room.round is not None, "a round has ended"
    rounds: list[Round] = []
    room = room.model_copy(update={"round": room.round.model_copy(update={"acts": acts})})
    total = 0
    for played in reversed((*room.rounds[:-1], room.round)):
        assert played is not None, "rounds are"
        total += played.acts
        keeps = played.kept and (total <= KEPT_ACTS or not rounds)
        rounds.append(played if keeps else played.model_copy(update={"kept": False}))
    return room.model_copy(update={"rounds": tuple(reversed(rounds))})


def gone(before: Room, after: Room) -> Gone:
    """What a change of the room has left behind.

    The first seat stays: from what the store knows of it comes the code of the rematch.
    """
    seats = _seats(before) - _seats(after) - {0}
    return Gone(seats, frozenset(_logs(before)) - frozenset(_logs(after)))


def extent(room: Room) -> tuple[int, int]:
    """The highest seat and round that may be left of a room; 0 and 0 if they would be too many.

    Then what it leaves behind is named one by one, and what was forgotten goes by itself.
    """
    few = (room.seated + 1) * (room.started + 2) <= MOST_KEYS
    return (room.seated, room.started) if few else (0, 0)


def left(room: Room) -> Gone:
    """What stands beside the record of a room that is to be deleted."""
    return Gone(_seats(room), frozenset(_logs(room)))


def _seats(room: Room) -> frozenset[int]:
    return frozenset(seat.number for seat in (*room.seats, *room.waiting))


def _logs(room: Room) -> Iterator[tuple[int, int]]:
    for played in room.rounds if room.round is None else (*room.rounds, room.round):
        if played.kept:
            yield from ((played.n, seat) for seat in played.names)

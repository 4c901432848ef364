"""How much a room keeps of its past.

A record has up to `MAX_SEATS` seats and `ROUNDS_KEPT` rounds. The store has seats, logs and
reviews outside of it. They are removed together with the seats and rounds of the record; the logs
of older rounds also go when all logs together get too long. A kept room has more rounds on its
shelf, with the same limit of acts. Fifty rounds in the record itself would add 10 ms to each
change.
"""

from itertools import accumulate
from typing import NamedTuple

from server.rooms.record import Room, Round, round_of

KEPT_ACTS = 250_000
"""A room keeps logs with this many acts of finished rounds, at 20 bytes each: five megabytes.

That is enough for a match of twelve rounds, seventy players and 300 acts in each game. The logs of
the latest round are always kept. The results of older rounds stay in the record.
"""


class Leftovers(NamedTuple):
    """Data outside of the record that can be removed from the store."""

    seats: frozenset[int]
    logs: frozenset[tuple[int, int]]  # by round and seat
    reviews: frozenset[int]  # by round


def with_acts(room: Room, acts: int, kept_acts: int = KEPT_ACTS) -> Room:
    """Note the acts of the round that has just ended, and drop logs beyond `kept_acts` acts.

    The oldest logs go first; the rounds on the shelf of a kept room are the oldest.
    """
    rounds: list[Round] = []
    ended = round_of(room).replace(acts=acts)
    total = 0
    for played in reversed((*room.rounds[:-1], ended)):
        total += played.acts
        keeps = played.has_logs and (total <= kept_acts or not rounds)
        rounds.append(played if keeps else played.replace(has_logs=False))
    room = room.replace(round=ended, rounds=tuple(reversed(rounds)))
    totals = accumulate(each.acts for each in reversed(room.shelf))
    stay = sum(total + more <= kept_acts for more in totals)
    if room.kept is None or stay == len(room.shelf):
        return room
    return room.replace(kept=room.kept.replace(shelf=room.shelf[len(room.shelf) - stay :]))


def all_of(room: Room) -> Leftovers:
    """Return all data that belongs to the record, for a room that is deleted."""
    logs = [(played.n, tuple(played.names)) for played in room.known_rounds if played.has_logs]
    logs += [(each.n, each.seats) for each in room.shelf]
    reviews = [played.n for played in room.rounds if played.has_logs]
    return Leftovers(
        frozenset(seat.number for seat in room.everybody),
        frozenset((n, seat) for n, seats in logs for seat in seats),
        frozenset(reviews + [each.n for each in room.shelf]),
    )


def leftovers(before: Room, after: Room) -> Leftovers:
    """Return the data of seats and rounds that a change has removed from the record."""
    gone, kept = all_of(before), all_of(after)
    return Leftovers(gone.seats - kept.seats, gone.logs - kept.logs, gone.reviews - kept.reviews)

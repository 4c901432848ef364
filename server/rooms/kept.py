"""What a room keeps of its past, and rooms that are kept as tables. Pure, like `room.py`.

1. A record has up to `MAX_SEATS` seats and `ROUNDS_KEPT` rounds. The store has seats, logs and
   reviews outside of it. They are removed together with the seats and rounds of the record; the
   logs of older rounds also go when all logs together get too long.
2. A kept room is a table, for months after its last race. The host who keeps it owns the table.
   While the owner is away somebody else is acting host: they do not own the table, and cannot
   remove anybody who is away.
3. A round that leaves the record of a table goes onto the shelf: the store keeps it and its logs,
   up to `ROUNDS_SHELVED` rounds and no more acts than any other room. Fifty rounds in the record
   itself would add 10 ms to each change.
4. To forget a person means to remove their name from the record, the history and the shelf, in one
   change (`live/repository.py`).
"""

from typing import NamedTuple

from protocol.from_client import Forget, Keep
from protocol.vocabulary import ROUNDS_SHELVED, ErrorCode
from server.rooms.events import Command, Refusal
from server.rooms.record import Kept, Room, Round, ShelvedRound, round_of
from server.rooms.seats import require_host, require_owner, seat_of, without_seat

KEPT_ACTS = 250_000
"""A room keeps logs with this many acts of finished rounds, at 20 bytes each: five megabytes.

That is enough for a match of twelve rounds, seventy players and 300 acts in each game. The logs of
the latest round are always kept. The results of older rounds stay in the record.
"""


def keep(room: Room, command: Command[Keep]) -> Room:
    """Keep the room as a table, rename the table, or stop keeping it."""
    require = require_host if room.kept is None else require_owner
    require(room, command.seat)
    message, now_ms = command.message, command.now_ms
    if not message.kept:
        return room if room.kept is None else room.replace(kept=None)
    if room.is_sealed:
        raise Refusal(ErrorCode.NOT_IN_STATE)  # nobody may join people who know a secret deal
    races = sum(played.names != {} for played in room.rounds)  # without windows that nobody played
    kept = room.kept or Kept(since=now_ms, raced=now_ms, races=races)
    kept = kept.replace(name=message.name or kept.name, days=command.timings.kept_days)
    # The host owns the table: no earlier host can return.
    return room if kept == room.kept else room.replace(kept=kept, past_hosts=())


def forget(room: Room, command: Command[Forget]) -> Room:
    """Remove a person's name from all rounds; if the table's owner asks, remove the seat too."""
    number, kept = command.message.seat, room.kept
    sender, seat = seat_of(room, command.seat), room.seat(number)
    if kept is None:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if sender.number != number:
        require_owner(room, sender.number)
        if seat is not None and not seat.is_gone:
            raise Refusal(ErrorCode.PLAYER_IS_BACK)
        room = room if seat is None else without_seat(room, number)
    return room.replace(
        # The count changes the record even if the name is only in the table's history.
        kept=kept.replace(forgotten=kept.forgotten + 1),
        round=room.round and room.round.without_name(number),
        rounds=tuple(played.without_name(number) for played in room.rounds),
    )


def kept_after(room: Room, ended: Round, rounds: tuple[Round, ...]) -> Kept | None:
    """Return `room.kept` after the round `ended`; rounds that are not in `rounds` are shelved."""
    if (kept := room.kept) is None:
        return None
    stay = {played.n for played in rounds}
    leaving = (played for played in room.rounds if played.n not in stay and played.has_logs)
    shelf = (*kept.shelf, *map(ShelvedRound.of, leaving))
    excess = max(0, len(rounds) + len(shelf) - ROUNDS_SHELVED)  # the limit counts both
    shelf = shelf[excess:]
    if not ended.names:
        return kept.replace(shelf=shelf)  # nobody played in this window
    return kept.replace(raced=ended.ended, races=kept.races + 1, shelf=shelf)


class RoomParts(NamedTuple):
    """What the store has for a room besides its record."""

    seats: frozenset[int]
    logs: frozenset[tuple[int, int]]  # by round and seat
    reviews: frozenset[int]  # by round


def with_acts(room: Room, acts: int, max_acts: int = KEPT_ACTS) -> Room:
    """Note the number of acts in the latest round; drop logs beyond `max_acts` acts in all.

    The oldest logs go first: in a kept room, those on its shelf. The latest round keeps its logs.
    """
    ended = round_of(room).replace(acts=acts)
    rounds, total = [ended], acts  # newest first
    for played in reversed(room.rounds[:-1]):
        total += played.acts
        keeps = played.has_logs and total <= max_acts
        rounds.append(played if keeps else played.replace(has_logs=False))
    room = room.replace(round=ended, rounds=tuple(reversed(rounds)))
    shelf = room.shelf
    while shelf and total + sum(shelved.acts for shelved in shelf) > max_acts:
        shelf = shelf[1:]
    if room.kept is None or shelf == room.shelf:
        return room
    return room.replace(kept=room.kept.replace(shelf=shelf))


def parts_of(room: Room) -> RoomParts:
    """Return everything that the store has for a room besides its record."""
    logs = [(played.n, tuple(played.names)) for played in room.known_rounds if played.has_logs]
    logs += [(shelved.n, shelved.seats) for shelved in room.shelf]
    reviews = [played.n for played in room.rounds if played.has_logs]
    return RoomParts(
        seats=frozenset(seat.number for seat in room.everybody),
        logs=frozenset((n, seat) for n, seats in logs for seat in seats),
        reviews=frozenset(reviews + [shelved.n for shelved in room.shelf]),
    )


def removed_parts(before: Room, after: Room) -> RoomParts:
    """Return what the store has for seats and rounds that a change has removed from the record."""
    old, new = parts_of(before), parts_of(after)
    return RoomParts(old.seats - new.seats, old.logs - new.logs, old.reviews - new.reviews)

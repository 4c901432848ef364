"""Rooms that are kept as tables, for months after their last race. Pure, like the room.

1. The host who keeps a room owns the table. While the owner is away somebody else is acting host:
   they do not own the table, and cannot remove anybody who is away.
2. A round that leaves the record goes onto the shelf: the store keeps it and its logs, up to
   `ROUNDS_SHELVED` rounds and no more acts than any other room.
3. To forget a person means to remove their name from the record, the history and the shelf, in one
   change (`live/repository.py`).
"""

from protocol.from_client import Forget, Keep
from protocol.vocabulary import ROUNDS_SHELVED, ErrorCode
from server.rooms.events import Command, Refusal
from server.rooms.record import Kept, Room, Round, ShelvedRound
from server.rooms.seats import require_host, require_owner, seat_of, without_seat


def keep(room: Room, command: Command[Keep]) -> Room:
    """Keep the room as a table, rename the table, or stop keeping it."""
    (require_host if room.kept is None else require_owner)(room, command.seat)
    message, now_ms = command.message, command.now_ms
    if not message.kept:
        return room if room.kept is None else room.replace(kept=None)
    if room.is_sealed:
        raise Refusal(ErrorCode.NOT_IN_STATE)  # rooms of today's race cannot be kept
    races = sum(played.names != {} for played in room.rounds)
    kept = room.kept or Kept(since=now_ms, raced=now_ms, races=races)
    kept = kept.replace(name=message.name or kept.name, days=command.timings.kept_days)
    if room.kept is None:
        return room.replace(kept=kept, past_hosts=())
    return room if kept == room.kept else room.replace(kept=kept)


def forget(room: Room, command: Command[Forget]) -> Room:
    """Remove a person's name from all rounds; if the host asks, their seat too."""
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
        kept=kept.replace(forgotten=kept.forgotten + 1),
        round=room.round and room.round.without_name(number),
        rounds=tuple(played.without_name(number) for played in room.rounds),
    )


def with_race(room: Room, ended: Round, rounds: tuple[Round, ...]) -> Kept | None:
    """Return `room.kept` after a race that leaves these rounds in the record."""
    if (kept := room.kept) is None:
        return None
    stay = {played.n for played in rounds}
    left = (played for played in room.rounds if played.n not in stay and played.has_logs)
    shelf = (*kept.shelf, *(ShelvedRound.of(played) for played in left))
    shelf = shelf[max(0, len(shelf) + len(rounds) - ROUNDS_SHELVED) :]
    if not ended.names:
        return kept.replace(shelf=shelf)  # nobody played in this window
    return kept.replace(raced=ended.ended, races=kept.races + 1, shelf=shelf)

"""A room of a backup, as it goes on at another time and without its connections.

The time between backup and restore does not count. A race goes on with the time that it had left,
and a room that nobody attends is kept as long as it would have been. Rounds that are over keep
their times, which are history.
"""

from protocol.vocabulary import RoomState
from server.rooms.events import Disconnected
from server.rooms.record import Room, Round, Seat
from server.rooms.room import apply

NO_CONNECTION = 0
"""The generation of restored seats: older than any that the clock of another store gives."""


def restored(room: Room, taken_at: int, now: int) -> Room:
    """Return a room that was copied at `taken_at`, as it goes on at `now`.

    Both are in milliseconds since the epoch, by the clocks of two stores. All seats are
    disconnected now: their players have the usual time to return.
    """
    if room.state is RoomState.CLOSED:
        return room
    by_ms = now - taken_at
    room = room.model_copy(
        update={
            "round": None if room.round is None else _round(room.round, by_ms),
            "seats": tuple(_seat(seat, by_ms) for seat in room.seats),
            "waiting": tuple(_seat(seat, by_ms) for seat in room.waiting),
            "idle_since": _later(room.idle_since, by_ms),
        }
    )
    for seat in (*room.seats, *room.waiting):
        room = apply(room, Disconnected(seat.number, NO_CONNECTION, now))
    return room


def _round(played: Round, by_ms: int) -> Round:
    if played.ended is not None:
        return played
    times = {"t0": played.t0 + by_ms, "t_end": _later(played.t_end, by_ms)}
    return played.model_copy(update=times)


def _seat(seat: Seat, by_ms: int) -> Seat:
    times = {"left_at": _later(seat.left_at, by_ms)}
    return seat.model_copy(update=times | {"generation": NO_CONNECTION})


def _later(time: int | None, by_ms: int) -> int | None:
    return None if time is None else time + by_ms

"""The times of rooms that a caller chooses. Plain values, since the rooms have no clock."""

from dataclasses import dataclass

COUNTDOWN_MS = 5_000
GRACE_MS = 15_000


@dataclass(frozen=True, slots=True)
class RoomTimings:
    """The times of all rooms of a server, in milliseconds.

    `grace_ms` is the time from the loss of a connection, or from joining without one, until a seat
    is gone.
    """

    countdown_ms: int = COUNTDOWN_MS
    grace_ms: int = GRACE_MS


ROOM_TIMINGS = RoomTimings()

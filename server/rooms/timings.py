"""The times of rooms that a caller chooses. Plain values, since the rooms have no clock."""

from dataclasses import dataclass

COUNTDOWN_MS = 5_000
GRACE_MS = 15_000
FORFEIT_HOLD_MS = 5_000


@dataclass(frozen=True, slots=True)
class RoomTimings:
    """The times of all rooms of a server, in milliseconds."""

    countdown_ms: int = COUNTDOWN_MS
    grace_ms: int = GRACE_MS  # from the loss of a connection until a seat is gone
    forfeit_hold_ms: int = FORFEIT_HOLD_MS  # until a held forfeit is final


ROOM_TIMINGS = RoomTimings()

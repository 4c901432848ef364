"""What the store keeps and gives back: frozen values, with every text opaque to the store.

Times are milliseconds since the epoch by the clock of Redis, except where they are said to be
since t0, the start of the round.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room as it stands: `v` is the number of its latest event, `doc` the caller's text."""

    v: int
    doc: str


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat that comes into being with a change of its room."""

    number: int
    token_hash: str


@dataclass(frozen=True, slots=True)
class RoomChange:
    """The whole of a room after a change, and the event that tells of it.

    `state` is compared with "RUNNING" only; `n` is the number of the round; an act counts from
    `t0` until before `t_end` (None: without end). At `deadline` the room wants to be looked at.
    The seats in `out` store nothing more in round `n`; the change is made only if the `mark` of
    each is the one given here (None: there is no such seat). A change that is not `listed` moves
    neither the deadline nor the place among the public rooms.
    """

    doc: str
    state: str
    n: int
    t0: int | None
    t_end: int | None
    event: str
    deadline: int | None
    public: bool
    seat: NewSeat | None
    out: Mapping[int, str | None]
    listed: bool = True


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A seat as it stands.

    `standing`, `gained` (ms since t0 of the last gain) and `over` (ms since t0, None while
    playing) belong to round `n`: 0 before the seat's first act. `first_id` is the id of its first
    act there, 0 if that is not known. `advised` times it was given advice in round `advised_n`.
    """

    generation: int
    token_hash: str
    last_id: int
    n: int
    standing: str | None
    gained: int
    over: int | None
    advised: int = 0
    advised_n: int = 0
    first_id: int = 0

    @property
    def mark(self) -> str:
        """Another one after everything that the seat stores."""
        return f"{self.last_id} {self.advised}" if self.advised else str(self.last_id)


# These two are made by the thousand: a tuple costs a third of a frozen dataclass.
class LogRecord(NamedTuple):
    """One entry of a seat's log: the caller's 16-bit action, and when, in ms since t0."""

    action: int
    ms: int


class Commit(NamedTuple):
    """An act that waits to become durable.

    Entry `at` of the log of `seat` in round `n`, by the holder of `generation`, under the
    seat's counter `id`. `standing` is the seat's standing after it, `gained` whether it gained
    anything, `over` whether it ends the seat's game.
    """

    code: str
    seat: int
    n: int
    generation: int
    id: int
    at: int
    action: int
    standing: str
    gained: bool
    over: bool


class HintCount(NamedTuple):
    """Advice that waits to be counted before it is given.

    It is about the position after `at` entries of the log of `seat` in round `n`, and is asked
    for by the holder of `generation`.
    """

    code: str
    seat: int
    n: int
    generation: int
    at: int


class CommitFailure(Enum):
    """Why an act or advice was not stored; nothing was changed, except perhaps for `AWAY`."""

    REPEATED = auto()  # this id was stored before
    STALE = auto()  # the log is longer or shorter than `at`
    REPLACED = auto()  # someone else has taken the seat
    EARLY = auto()  # before t0
    TOO_LATE = auto()  # at t_end or after
    NOT_RUNNING = auto()  # no such room, another state or round, or the seat is out of it
    TAKEN_BACK = auto()  # the store has lost that this holder took the seat
    AWAY = auto()  # Redis did not say: re-read before answering


# Milliseconds since t0 when the act is stored; of advice, how often it was given in this round.
CommitAnswer = int | CommitFailure


class Notification(Enum):
    """What may have changed in a room; only a hint, the store has the truth."""

    ROOM = auto()  # the record or the events
    STANDINGS = auto()  # some seat's standing, up to 100 ms from now
    LOST = auto()  # hints may have been missed: re-read everything

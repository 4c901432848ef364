"""The values that the store takes and returns; every text in them is opaque to the store.

Times are milliseconds since the epoch by the processes' shared clock, unless they are described as
milliseconds since t0, the start of the round.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from server.store.held_seat import HeldSeat


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A stored room: `v` is the number of its latest event, `doc` is the caller's text."""

    v: int
    doc: str


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat that a change of its room creates, held under `generation` from the beginning."""

    number: int
    token_hash: str
    generation: int = 1

    @property
    def record(self) -> "SeatRecord":
        """The seat as it is stored."""
        return SeatRecord(self.generation, self.token_hash, 0, 0, None, 0, None)


@dataclass(frozen=True, slots=True)
class RoomChange:
    """A whole room after a change, and the event that describes the change.

    `state` is compared with "RUNNING" only. `n` is the number of the round. Acts count from `t0`
    until just before `t_end` (None: no end). The room is due at `deadline`. The seats in `out` can
    store nothing more in round `n`; the change is written only if the `mark` of each of them is
    the one given here (None: there is no such seat). The seats in `gone` are deleted with the
    change, since their numbers may be given again. A change that is not `listed` changes neither
    the list of deadlines nor the list of public rooms. The room is added to those of `process`
    before the change is written, so that the process's connections are reported if it dies.
    `row` is the room's entry in the list of public rooms.
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
    process: str = ""
    row: str = ""
    gone: Collection[int] = ()


class SeatFigures(NamedTuple):
    """The fields of a seat on which its place in the standings depends; see `SeatRecord`.

    They change with every act and every hint, and `order` grows with each of them, so that of two
    the older is known.
    """

    seat: int
    n: int
    last_id: int
    standing: str | None
    gained: int
    over: int | None
    hint_count: int
    hint_round: int

    @property
    def order(self) -> tuple[int, int, int, int]:
        """A value that grows with everything that the seat stores.

        It begins with the round: the number of a seat may be given again, and ids then begin anew,
        but no owner of a number has played in a round of an earlier one.
        """
        return (max(self.n, self.hint_round), self.last_id, self.hint_round, self.hint_count)


FIGURES = b"seat "
"""The beginning of a notification with the figures of a seat."""


class FiguresText(bytes):
    """The notification of a seat's figures, not read yet.

    Those of several acts may come between two looks at a room, so only the latest are read.
    """

    __slots__ = ()

    @staticmethod
    def write(figures: SeatFigures) -> bytes:
        """Return the notification of figures, to be read by `FiguresText`."""
        seat, n, last_id, standing, gained, over, hint_count, hint_round = figures
        ended = b"" if over is None else b"%d" % over
        stats = b"" if standing is None else standing.encode()
        fields = (FIGURES, seat, n, last_id, gained, ended, hint_count, hint_round, stats)
        return b"%b%d %d %d %d %b %d %d %b" % fields

    @property
    def head(self) -> tuple[bytes, int] | None:
        """The seat's number as it stands in the text, and the id of its latest act.

        None if another release has written the text.
        """
        try:
            _, seat, _, last_id, _ = self.split(b" ", 4)
            return seat, int(last_id)
        except ValueError:
            return None

    def read(self) -> SeatFigures | None:
        """Return the figures; None if another release has written them."""
        try:
            _, seat, n, last_id, gained, over, hints, hint_round, standing = self.split(b" ", 8)
            return SeatFigures(
                int(seat),
                int(n),
                int(last_id),
                standing.decode() or None,
                int(gained),
                int(over) if over else None,
                int(hints or 0),
                int(hint_round or 0),
            )
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A stored seat.

    `standing`, `gained` (ms since t0 of the last gain) and `over` (ms since t0, None while
    playing) belong to round `n`, which is 0 before the seat's first act. `first_id` is the id of
    the seat's first act in that round, 0 if it is not known. `hint_count` is the number of hints
    that the seat used in round `hint_round`.
    """

    generation: int
    token_hash: str
    last_id: int
    n: int
    standing: str | None
    gained: int
    over: int | None
    hint_count: int = 0
    hint_round: int = 0
    first_id: int = 0

    @property
    def mark(self) -> str:
        """A text that changes with everything that the seat stores; change.lua compares it."""
        return f"{self.last_id} {self.hint_count}" if self.hint_count else str(self.last_id)

    def figures(self, seat: int) -> SeatFigures:
        """Return the fields on which the standings depend; `seat` is the number of this seat."""
        return SeatFigures(
            seat,
            self.n,
            self.last_id,
            self.standing,
            self.gained,
            self.over,
            self.hint_count,
            self.hint_round,
        )


# LogRecord and Commit are made by the thousand: a tuple costs a third of a frozen dataclass.
class LogRecord(NamedTuple):
    """One entry of a seat's log: the caller's 16-bit action, and its time in ms since t0."""

    action: int
    ms: int


class Commit(NamedTuple):
    """An act that waits to be stored.

    It becomes entry `at` of the log of the seat `held`. `id` counts the seat's acts. `standing` is
    the seat's standing after the act, `gained` whether the act gained anything, `over` whether it
    ends the seat's game.
    """

    held: HeldSeat
    id: int
    at: int
    action: int
    standing: str
    gained: bool
    over: bool


class HintCount(NamedTuple):
    """A hint that waits to be counted before the player gets it.

    It is for the position after `at` entries of the log of the seat `held`.
    """

    held: HeldSeat
    at: int


class CommitFailure(Enum):
    """The reason why an act or a hint was not stored; only with `AWAY` it may still be stored."""

    REPEATED = auto()  # this id was stored before
    STALE = auto()  # the log is longer or shorter than `at`
    REPLACED = auto()  # another connection has taken the seat
    EARLY = auto()  # before t0
    TOO_LATE = auto()  # at t_end or after
    NOT_RUNNING = auto()  # no such room, another state or round, or the seat is out of it
    TAKEN_BACK = auto()  # a failover has lost the generation of this holder
    AWAY = auto()  # Redis did not answer: re-read before answering


# For an act its time in ms since t0; for a hint the number of hints in this round.
CommitAnswer = int | CommitFailure


class Notification(Enum):
    """The part of a room that may have changed; the subscriber must read it from the store."""

    ROOM = auto()  # the record or the events
    STANDINGS = auto()  # some seat's standing, up to 100 ms from now (the release before this one)
    LOST = auto()  # notifications may have been missed: re-read everything

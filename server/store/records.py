"""The values that the store takes and returns; every text in them is opaque to the store.

Times are milliseconds since the epoch by the processes' shared clock, unless they are described as
milliseconds since t0, the start of the round.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from server.store.fenced_seat import FencedSeat


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A stored room."""

    v: int  # the number of its latest event
    doc: str  # the caller's text of its record


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat that a change of its room creates."""

    number: int  # the number of the seat in its room
    token_hash: str  # the hash of the token that opens the seat
    generation: int = 1  # the generation under which the seat is held from the beginning

    @property
    def record(self) -> "SeatRecord":
        """The seat as it is stored."""
        return SeatRecord(self.generation, self.token_hash, 0, 0, None, 0, None)


@dataclass(frozen=True, slots=True)
class RoomChange:
    """A whole room after a change, and the event that describes the change."""

    doc: str  # the caller's text of the record
    state: str  # the state of the room; the store compares it with "RUNNING" only
    n: int  # the number of the round
    t0: int | None  # the time from which acts count
    t_end: int | None  # the time from which acts no longer count; None: no end
    event: str  # the caller's text of the change, for the stream of events
    deadline: int | None  # when the room is due
    public: bool  # whether the room is in the list of public rooms
    seat: NewSeat | None  # the seat that the change creates
    out: Mapping[int, str | None]
    """The seats that can store nothing more in round `n`, with the `mark` that each must have.

    The change is written only if each has its mark (None: there is no such seat).
    """
    listed: bool = True  # whether the change may change the lists of deadlines and of public rooms
    process: str = ""
    """The process whose rooms this one is added to before the change is written.

    So the connections of the process are reported if it dies.
    """
    row: str = ""  # the room's entry in the list of public rooms
    gone: Collection[int] = ()
    """The seats that are deleted with the change: their numbers may be given again."""


class SeatProgress(NamedTuple):
    """The fields of a seat on which its row in the leaderboard depends.

    They change with every act and every hint, and `order` grows with each of them, so that of two
    the older is known.
    """

    seat: int  # the number of the seat
    n: int  # the round of the latest act, 0 before the seat's first act
    last_id: int  # the id of the latest act
    stats_json: str | None
    """The caller's text of the stats after the latest act; None before the first act."""
    gained_ms: int  # when an act last gained something in round `n`, in ms since its t0
    over_ms: int | None
    """When the game of round `n` ended, in ms since its t0; None while it goes on."""
    hint_count: int  # the number of hints used in round `hint_round`
    hint_round: int  # the round of the latest hint, 0 before the seat's first hint

    @property
    def order(self) -> tuple[int, int, int, int]:
        """A value that grows with everything that the seat stores.

        It begins with the round: the number of a seat may be given again, and ids then begin anew,
        but no owner of a number has played in a round of an earlier one.
        """
        return (max(self.n, self.hint_round), self.last_id, self.hint_round, self.hint_count)


PROGRESS = b"seat "  # the beginning of a notification of the progress of a seat


class ProgressNotification(bytes):
    """The notification of a seat's progress, not read yet.

    Those of several acts may come between two looks at a room, so only the latest are read.
    """

    __slots__ = ()

    @staticmethod
    def write(progress: SeatProgress) -> bytes:
        """Return the bytes of the notification of this progress."""
        seat, n, last_id, stats_json, gained_ms, over_ms, hint_count, hint_round = progress
        ended = b"" if over_ms is None else b"%d" % over_ms
        stats = b"" if stats_json is None else stats_json.encode()
        fields = (PROGRESS, seat, n, last_id, gained_ms, ended, hint_count, hint_round, stats)
        return b"%b%d %d %d %d %b %d %d %b" % fields

    @property
    def head(self) -> tuple[bytes, int] | None:
        """The seat's number as text, and its latest act's id; None of another release's text."""
        try:
            _, seat, _, last_id, _ = self.split(b" ", 4)
            return seat, int(last_id)
        except ValueError:
            return None

    def read(self) -> SeatProgress | None:
        """Return the progress; None if another release has written it."""
        try:
            fields = self.split(b" ", 8)
            _, seat, n, last_id, gained_ms, over_ms, hint_count, hint_round, stats = fields
            return SeatProgress(
                int(seat),
                int(n),
                int(last_id),
                stats.decode() or None,
                int(gained_ms),
                int(over_ms) if over_ms else None,
                int(hint_count or 0),
                int(hint_round or 0),
            )
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A stored seat: its holder and its progress; see `SeatProgress` for fields of that name."""

    generation: int  # the generation under which the seat is held: older holders can store no act
    token_hash: str  # the hash of the token that opens the seat
    last_id: int
    n: int
    stats_json: str | None
    gained_ms: int
    over_ms: int | None
    hint_count: int = 0
    hint_round: int = 0
    first_id: int = 0  # the id of the first act of round `n`; 0 if it is not known

    @property
    def mark(self) -> str:
        """A text that changes with all that the seat stores; change_room.lua compares it."""
        return f"{self.last_id} {self.hint_count}" if self.hint_count else str(self.last_id)

    def progress(self, seat: int) -> SeatProgress:
        """Return the progress of this seat; `seat` is its number."""
        return SeatProgress(
            seat,
            self.n,
            self.last_id,
            self.stats_json,
            self.gained_ms,
            self.over_ms,
            self.hint_count,
            self.hint_round,
        )


# LogRecord and Commit are made by the thousand: a tuple costs a third of a frozen dataclass.
class LogRecord(NamedTuple):
    """One entry of a seat's log."""

    action: int  # the caller's 16-bit action
    ms: int  # the time of the action, in ms since t0


class Commit(NamedTuple):
    """An act that waits to be stored."""

    held: FencedSeat  # the seat that acts, and its holder
    id: int  # the number of the act among those of the seat; numbers may be left out
    at: int  # the number of the entry that the act becomes in the log, from 0
    action: int  # the caller's 16-bit action
    stats_json: str  # the stats of the game after the act
    has_gained: bool  # whether the act gained anything
    is_over: bool  # whether the act ends the seat's game


class HintCount(NamedTuple):
    """A hint that waits to be counted before the player gets it."""

    held: FencedSeat  # the seat that gets the hint, and its holder
    at: int  # the number of entries in the seat's log: those of the position that the hint is for


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
AnswerHandler = Callable[[CommitAnswer], None]


class Queued(Enum):
    """Whether a job was queued; it is true only if it was added now."""

    FULL = 0
    ADDED = 1
    KNOWN = 2

    def __bool__(self) -> bool:
        """Return whether the job was added."""
        return self is Queued.ADDED


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its taker holds it."""

    kind: str  # the kind of work, which names its queue
    id: str  # its id in the queue
    key: str  # the key that no second job has
    body: str  # the caller's text
    deadline_ms: int  # the time until which it had to be taken
    taker: str  # the name of the process that holds it
    tries: int  # how often it was taken since it last did well, this time included


@dataclass(frozen=True, slots=True)
class TakenDeal:
    """What a pool has given."""

    deal: str | None  # the caller's text of the deal; None if the pool was empty
    is_filled: bool  # whether a thinking process fills the pools at present


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """What is known about a numbered deal."""

    label: str | None  # the caller's text; None if there is none
    is_sought: bool  # whether a thinking process takes jobs at present
    asked_since: int | None = None  # since when the room asks for it; None if it does not


@dataclass(frozen=True, slots=True)
class PoolLevel:
    """How full a pool is, and when it was last asked."""

    deals: int  # the number of deals in it
    wanted_ms: int  # the time at which a deal was last wanted; 0 if none ever was


@dataclass(frozen=True, slots=True)
class StoredReview:
    """The review of a round."""

    has_begun: bool = False  # whether a process has begun with it
    is_done: bool = False  # whether nothing is added any more
    texts: Mapping[int, str] = field(default_factory=dict)  # the caller's texts, by seat


@dataclass(frozen=True, slots=True)
class Quota:
    """A limit of open rooms."""

    network: str  # the network that is limited; empty: all networks together
    most: int  # the number of rooms that may be open


class Notification(Enum):
    """The part of a room that may have changed; the subscriber must read it from the store."""

    ROOM = auto()  # the record or the events
    LOST = auto()  # notifications may have been missed: re-read everything


OnNotification = Callable[[Notification | ProgressNotification], None]

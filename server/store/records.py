"""The values that the store takes and returns; every text in them is opaque to the store.

Times are milliseconds since the epoch by the processes' shared clock, unless they are described as
milliseconds since t0, the start of the round.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from server.store.keys import TTL_SECONDS
from server.store.seats import SeatRecord


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A stored room."""

    v: int  # the number of its latest event
    doc: str  # the caller's text of its record


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat that a change of its room creates, or one that it gives another token."""

    number: int  # the number of the seat in its room
    token_hash: str  # the hash of the token that opens the seat
    generation: int | None = 1
    """The generation that holds a new seat; None if the seat exists, and keeps its generation."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """What a change of a kept table adds beside its record; every text is the caller's."""

    entries: Sequence[str] = ()  # for the history, the earliest first
    length: int = 0  # of the history, at most: the earliest entries go
    shelved: Mapping[int, str] = field(default_factory=dict)  # rounds by number; "" removes one
    is_over: bool = False  # whether the history and the shelf are deleted instead
    is_anew: bool = False  # whether the entries replace all earlier ones, and the chat is deleted


@dataclass(frozen=True, slots=True)
class RoomChange:
    """A whole room after a change, and the event that describes the change."""

    doc: str  # the caller's text of the record
    n: int  # the number of the round
    event: str  # the caller's text of the change, for the stream of events
    deadline: int | None  # when the room is due
    public: bool  # whether the room is in the list of public rooms
    seat: NewSeat | None  # the seat that the change creates, or gives another token
    begins: Collection[int] = ()  # the seats whose race of round `n` begins: their logs are made
    ends: Mapping[int, SeatRecord] = field(default_factory=dict)
    """The seats whose race ends, as they were read: their logs are closed, or nothing is written
    if one has another mark by now."""
    listed: bool = True  # whether the change may change the lists of deadlines and of public rooms
    process: str = ""  # to whose rooms this one is added first: others report its death
    row: str = ""  # the room's entry in the list of public rooms
    gone: Collection[int] = ()  # the seats that are deleted: their numbers may be given again
    table: TableChange | None = None  # what changes beside the record of a kept table, if anything
    ttl_s: int = TTL_SECONDS  # seconds until the room's keys expire


class SeatProgress(NamedTuple):
    """How far the game of a seat is: what its row in the leaderboard depends on.

    It changes with every act and every hint, and `order` grows with each of them, so that of two
    the older is known. Who has read a seat's record knows by `fits` whether this is its progress.
    """

    seat: int  # the number of the seat
    n: int  # the round of the latest act, 0 before the seat's first act
    acts: int  # the number of acts in round `n`
    last_ms: int  # the time of the latest one, in ms since t0
    stats_json: str | None  # the caller's text after the latest act; None before the first one
    gained_ms: int  # when an act last gained something in round `n`, in ms since its t0
    over_ms: int | None  # when the game of round `n` ended, in ms since t0; None if it goes on
    hint_count: int  # the number of hints used in round `hint_round`
    hint_round: int  # the round of the latest hint, 0 before the seat's first hint

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """A value that grows with everything that the seat stores.

        It begins with the round: no owner of a number has played in a round of an earlier owner.
        An act after a failover is later than any act that was lost with it.
        """
        of_round = max(self.n, self.hint_round)
        return (of_round, self.last_ms, self.acts, self.hint_round, self.hint_count)

    def fits(self, record: SeatRecord) -> bool:
        """Return whether this is the progress of a seat whose race is on, its hints aside."""
        act = record.last_act
        return act is not None and self[1:4] == (record.n, record.acts, act.ms)


DELETED = b"deleted"  # the notification that the host has deleted a room
PROGRESS = b"seat "  # the beginning of a notification of the progress of a seat


class ProgressNotification(bytes):
    """The notification of a seat's progress, not read yet."""

    __slots__ = ()

    @staticmethod
    def write(progress: SeatProgress) -> bytes:
        """Return the bytes of the notification of this progress."""
        seat, n, acts, last_ms, stats_json, gained_ms, over_ms, hint_count, hint_round = progress
        ended = b"" if over_ms is None else b"%d" % over_ms
        stats = (stats_json or "").encode()
        of_log, hints = (seat, last_ms, n, acts, gained_ms, ended), (hint_count, hint_round)
        return b"%b%d %d %d %d %d %b %d %d %b" % (PROGRESS, *of_log, *hints, stats)

    def read(self) -> SeatProgress | None:
        """Return the progress; None if another release has written it."""
        try:
            fields = self.split(b" ", 9)
            _, seat, last_ms, n, acts, gained_ms, over_ms, hints, n_of_hint, stats = fields
            text, ended = stats.decode() or None, int(over_ms) if over_ms else None
            gained, used, of_round = int(gained_ms), int(hints or 0), int(n_of_hint or 0)
            return SeatProgress(
                int(seat), int(n), int(acts), int(last_ms), text, gained, ended, used, of_round
            )
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class StoredReview:
    """The review of a round."""

    has_begun: bool = False  # whether a process has begun with it
    is_done: bool = False  # whether nothing is added any more
    texts: Mapping[int, str] = field(default_factory=dict)  # the caller's texts, by seat


class Notification(Enum):
    """A notification about all rooms of a connection."""

    LOST = auto()  # notifications may have been missed: re-read everything
    DELETED = auto()  # the host has deleted the room; its next version is notified as well


OnNotification = Callable[[int | Notification | ProgressNotification], None]
"""Called with the number of a room's version that is in the store, or with other notifications."""

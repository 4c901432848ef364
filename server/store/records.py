"""The values that the store takes and returns. Every text in them is opaque to the store.

Times are ms since the epoch by the shared clock, unless they count from t0, the start of a round.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from server.store.keys import TTL_SECONDS
from server.store.seats import SeatRecord


@dataclass(frozen=True, slots=True)
class StoredRoom:
    """A room's record, as the store returns it."""

    v: int  # its version: the number of its latest event
    doc: str  # the caller's text


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A seat that a change creates, or gives another token."""

    number: int
    token_hash: str
    generation: int | None = 1
    """The generation of a new seat; None for an existing one, which keeps its generation."""


@dataclass(frozen=True, slots=True)
class TableChange:
    """Changes to the other stored parts of a kept table, besides its record."""

    entries: Sequence[str] = ()  # new ones for the history, oldest first
    length: int = 0  # keep at most this many entries, the latest
    shelved: Mapping[int, str] = field(default_factory=dict)  # rounds by number; "" removes one
    is_over: bool = False  # delete the history and the shelf instead
    replaces_all: bool = False  # replace all earlier entries, and delete the chat


@dataclass(frozen=True, slots=True)
class RoomChange:
    """A whole room after a change, and the event that describes the change."""

    doc: str  # the caller's text of the record
    n: int  # the number of the round
    event: str  # the caller's text of the change
    deadline: int | None  # when the room is due
    public: bool  # the room is in the list of public rooms
    seat: NewSeat | None  # a seat to create, or to give another token
    begins: Collection[int] = ()  # seats whose race of round `n` starts: they get a log
    ends: Mapping[int, SeatRecord] = field(default_factory=dict)
    """Seats whose race ends, in the version last read: their logs are closed. If one of the seats
    has changed since, the whole change is refused."""
    listed: bool = True  # the change may affect the lists of deadlines and of public rooms
    process: str = ""  # add the room to the rooms of this process first
    row: str = ""  # the room's entry in the list of public rooms
    gone: Collection[int] = ()  # seats to delete: their numbers may be given again
    table: TableChange | None = None
    ttl_s: int = TTL_SECONDS  # the life of the room's keys


class SeatProgress(NamedTuple):
    """The progress of a seat's game, for its row in the leaderboard.

    Every act and every hint changes it. `order` grows each time, so the greater one is newer.
    """

    seat: int
    n: int  # the round of the latest act; 0 before the seat's first act
    acts: int = 0  # the number of acts in round `n`
    last_ms: int = 0  # the time of the latest one since t0
    stats_json: str | None = None  # the caller's text after the latest act, if there is one
    gained_ms: int = 0  # when an act of round `n` last gained something, since t0
    over_ms: int | None = None  # when the game of round `n` ended, since t0; None if it goes on
    hint_count: int = 0  # hints used in round `hint_round`
    hint_round: int = 0  # the round of the latest hint; 0 before the seat's first hint

    @property
    def order(self) -> tuple[int, int, int, int, int]:
        """A value that grows with every act and hint in the seat.

        The round comes first: a seat's number may go to another player, but only in a later round.
        Time comes before the acts: an act after a failover is later than the acts that were lost.
        """
        latest_round = max(self.n, self.hint_round)
        return (latest_round, self.last_ms, self.acts, self.hint_round, self.hint_count)

    def fits(self, record: SeatRecord) -> bool:
        """Return whether a seat in a race has this progress, apart from hints."""
        act = record.last_act
        known = self.n, self.acts, self.last_ms
        return act is not None and known == (record.n, record.acts, act.ms)


DELETED = b"deleted"  # announces that the host has deleted the room
PROGRESS = b"seat "  # starts a notification of a seat's progress


class ProgressNotification(bytes):
    """The notification of a seat's progress, not parsed yet."""

    __slots__ = ()

    @staticmethod
    def write(progress: SeatProgress) -> bytes:
        """Return the bytes that `read` parses."""
        seat, n, acts, last_ms, stats_json, gained_ms, over_ms, hint_count, hint_round = progress
        over = b"" if over_ms is None else b"%d" % over_ms
        stats = (stats_json or "").encode()
        fields = (seat, last_ms, n, acts, gained_ms, over, hint_count, hint_round, stats)
        return b"%b%d %d %d %d %d %b %d %d %b" % (PROGRESS, *fields)

    def read(self) -> SeatProgress | None:
        """Parse the progress; return None if another release has written it."""
        try:
            fields = self.split(b" ", 9)  # the first marks it as progress
            _, seat, last_ms, n, acts, gained_ms, over_ms, hint_count, hint_round, stats = fields
            game = int(seat), int(n), int(acts), int(last_ms), stats.decode() or None
            times = int(gained_ms), int(over_ms) if over_ms else None
            hints = int(hint_count or 0), int(hint_round or 0)
            return SeatProgress(*game, *times, *hints)
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class StoredReview:
    """How far the review of a round has got."""

    has_begun: bool = False  # a process has started it
    is_done: bool = False  # it is complete
    texts: Mapping[int, str] = field(default_factory=dict)  # the caller's texts, by seat


class Notification(Enum):
    """A notification without a version."""

    LOST = auto()  # notifications may have been missed: read the room again
    DELETED = auto()  # the host has deleted the room; the next version's number follows


OnNotification = Callable[[int | Notification | ProgressNotification], None]
"""Called with the number of a version of the room, or with another notification."""

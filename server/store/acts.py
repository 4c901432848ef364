"""Acts: the log of a seat's game, its one writer, and the hints that are counted beside it.

Law: the name of a log contains its writer's generation, which grows each time the seat is taken.
An act is one `RPUSHX`, which adds only to a list that exists. Only the scripts that change a room
or take a seat make or rename logs:

1. When a seat's race starts, its log is made with a header. Nobody can write to it yet.
2. Taking the seat renames the log, so the commands of an earlier writer find no list.
3. When the race ends, the log gets a name that no writer uses.

Every entry carries its number. If a failover has lost earlier entries, or the store had no space
for them, the numbers have a gap. Readers stop there, and the next writer cuts off the rest. A
writer must take the seat again after any failure, and after a command with an unknown outcome.
"""

import struct
from collections.abc import Callable, Sequence
from enum import Enum, auto
from functools import partial
from typing import Final, NamedTuple, Protocol

import structlog

from server.store.cluster import ClusterClient, slot_of
from server.store.connection import Reply, pack
from server.store.errors import StoreAway, Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.pipeline import ignore
from server.store.scripts import COUNT_HINT

HEADER: Final = b""  # the first element of each log, which identifies the form of its entries
ENTRY: Final = struct.Struct("<HIIIB")
"""An entry: action, ms, id, number (from 0), and whether the store had lost the act."""
OLD_ENTRY: Final = struct.Struct("<HI")
"""An entry of form 0, whose logs have no header: action and ms."""
RENEWED_AFTER: Final = 64  # extend the life of a seat's keys once per this many acts

log = structlog.get_logger(__name__)


# There are thousands of these, and a tuple is three times as cheap as a frozen dataclass.
class LogRecord(NamedTuple):
    """One entry of a seat's log."""

    action: int  # the caller's 16-bit action
    ms: int  # since t0
    id: int = 0  # grows with each act of the seat, perhaps with gaps
    is_restored: bool = False  # whether the store had lost the act and got it again


class LogWriter:
    """The right to write a seat's log, under the generation that has taken the seat."""

    __slots__ = ("_head", "code", "generation", "n", "seat", "slot")

    def __init__(self, code: str, seat: int, generation: int, n: int = 0) -> None:
        self.code, self.seat, self.generation = code, seat, generation
        self.n = n  # the round of the log
        self.slot = slot_of(f"{{{code}}}")  # where all keys of the room are
        self._head = b""  # the start of each append command, once it was packed

    def move_to(self, n: int, generation: int) -> None:
        """Write to the log of round `n` from now on, under this generation."""
        self.n, self.generation, self._head = n, generation, b""

    def append_command(self, keys: Keys, entry: bytes) -> bytes:
        """Return the packed Redis command that adds `entry`, an `ENTRY`, to the log."""
        if not self._head:
            # Only the entry differs from act to act, and packing all of it each time would double
            # the cost of an act. So cut off a packed command before the entry and its line end.
            self._head = pack("RPUSHX", self.log(keys), bytes(ENTRY.size))[: -ENTRY.size - 2]
        return b"%b%b\r\n" % (self._head, entry)

    def log(self, keys: Keys) -> str:
        """Return the key of the log."""
        return keys.log(self.code, self.n, self.seat, self.generation)


class Commit(NamedTuple):
    """An act to be stored, which becomes a `LogRecord`."""

    writer: LogWriter
    id: int
    at: int  # the number of its entry in the log, from 0
    action: int
    ms: int  # since t0; never less than in the entry before
    is_restored: bool = False


class HintCount(NamedTuple):
    """A hint, which must be counted before the player gets it."""

    writer: LogWriter
    at: int  # how many entries the log has at the position that the hint is for


class CommitFailure(Enum):
    """Why an act or a hint was not stored. After `AWAY` it may still be stored."""

    STALE = auto()  # the log does not have `at` entries
    GONE = auto()  # the caller no longer writes the log: see `Seats.retake`
    REPLACED = auto()  # another connection has taken the seat
    TAKEN_BACK = auto()  # a failover has lost the caller's `take` of the seat
    AWAY = auto()  # Redis did not answer


CommitResult = int | CommitFailure
"""The time of a stored act (ms since t0), or the number of hints in this round."""
OnResult = Callable[[CommitResult], None]


class Commits(Protocol):
    """Stores acts and hints. A protocol, so that tests can pass a class of their own."""

    def commit(self, commit: Commit, on_result: OnResult) -> None:
        """Queue an act, which is sent together with others.

        `on_result` is called once, later, and within a room in the order of queueing. It must not
        block; an exception from it is logged.
        """

    def count_hint(self, hint: HintCount, on_result: OnResult) -> None:
        """Queue a hint to be counted; `on_result` gets the number of hints."""


class RedisCommits:
    """Send acts and hints to Redis, which stores them in the order of queueing.

    `client` must be for acts and hints alone, so that no act waits behind the long reply to
    another command.
    """

    def __init__(self, client: ClusterClient, keys: Keys) -> None:
        self._keys = keys
        self._pipelines = client.pipelines

    def commit(self, commit: Commit, on_result: OnResult) -> None:
        """Send an act with all other commands of this turn of the event loop; see `Commits`."""
        writer, act_id, at, action, ms, is_restored = commit
        entry = ENTRY.pack(action, ms, act_id, at, is_restored)
        pipeline = self._pipelines[writer.slot]
        on_reply = partial(_report_act, on_result, commit)
        pipeline.send(writer.append_command(self._keys, entry), on_reply, writer.slot)
        if at % RENEWED_AFTER == 0:
            for key in (writer.log(self._keys), self._keys.seat(writer.code, writer.seat)):
                pipeline.send(pack("EXPIRE", key, TTL_SECONDS, "GT"), ignore, writer.slot)

    def count_hint(self, hint: HintCount, on_result: OnResult) -> None:
        """Ask the store to count a hint; `on_result` gets the number of hints or a failure."""
        writer = hint.writer
        keys = self._keys.seat(writer.code, writer.seat), writer.log(self._keys)
        command = COUNT_HINT.command(keys, writer.n, TTL_SECONDS, hint.at)
        on_reply = partial(_report_hint, on_result)
        self._pipelines[writer.slot].send(command.packed, on_reply, writer.slot)


def _report_act(on_result: OnResult, commit: Commit, reply: Reply) -> None:
    """Report the result of an act to `on_result`, from the reply to its command."""
    # `RPUSHX` replies with the new length of the list: a header, `at` entries and this one.
    is_stored = isinstance(reply, int) and reply == commit.at + 2
    on_result(commit.ms if is_stored else _failure(reply))


def _report_hint(on_result: OnResult, reply: Reply) -> None:
    on_result(reply if isinstance(reply, int) and reply > 0 else _failure(reply))


def _failure(reply: Reply) -> CommitFailure:
    """Return why an act or a hint was not stored, from the reply to its command."""
    if isinstance(reply, int):  # 0: there is no such list; otherwise it has another length
        return CommitFailure.STALE if reply else CommitFailure.GONE
    if not isinstance(reply, StoreAway):
        # This is a bug of ours, but the caller still gets its result.
        log.error("an act could not be stored", reply=str(reply))
    return CommitFailure.AWAY


def parse_entries(elements: Sequence[bytes], first: int) -> list[LogRecord]:
    """Parse a log's packed entries from number `first` on, up to a gap that a failover left."""
    entries: list[LogRecord] = []
    try:
        for action, ms, act_id, number, is_restored in ENTRY.iter_unpack(b"".join(elements)):
            if number != first + len(entries):
                break
            entries.append(LogRecord(action, ms, act_id, bool(is_restored)))
    except struct.error:
        raise Unreadable("a log of other entries") from None
    return entries


def parse_old_entries(elements: Sequence[bytes]) -> list[LogRecord]:
    """Parse the packed entries of a log in form 0; raise Unreadable for any other form."""
    try:
        return [LogRecord(*OLD_ENTRY.unpack(element)) for element in elements]
    except struct.error:
        raise Unreadable("a log of another form") from None

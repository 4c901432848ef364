"""Acts: the log of a seat's game, its one writer, and the hints that are counted beside it.

Law: the generation of the writer is part of the log's name. An act is one `RPUSHX`, which adds to
a list that exists. Only the scripts that change a room or take a seat make or rename these lists:

1. When the race of a seat begins, its log is made with a header, in which nobody can write yet.
2. Who takes the seat renames the log. The commands of a former writer then find no list.
3. When the race ends, the log gets the name of a closed one, in which nobody can write any more.

An entry has its own number. If the store has lost the entries before it (a failover), or had no
space for them, it stands at another place. Readers stop there, and the next writer cuts it off.
The writer must take the seat again after any failure, and after a command whose fate it does not
know.
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
from server.store.pipeline import NO_SLOT, ignore
from server.store.scripts import COUNT_HINT

HEADER: Final = b""
"""The first element of each log. It names the form of the entries: another form has another."""
ENTRY: Final = struct.Struct("<HIIIB")
"""An entry: action, ms, id, its number from 0, and whether the store had lost the act."""
OLD_ENTRY: Final = struct.Struct("<HI")
"""An entry of form 0, whose logs have no header: action and ms."""
RENEWED_AFTER: Final = 64  # acts after which the keys of a seat expire later

log = structlog.get_logger(__name__)


# Made by the thousand: a tuple costs a third of a frozen dataclass.
class LogRecord(NamedTuple):
    """One entry of a seat's log."""

    action: int  # the caller's 16-bit action
    ms: int  # the time of the action, in ms since t0
    id: int = 0  # the number of the act among those of the seat; numbers may be left out
    is_restored: bool = False  # whether the store had lost the act, and has it again


class LogWriter:
    """The writer of a seat's log, with the generation under which it has taken the seat."""

    __slots__ = ("_head", "code", "generation", "n", "seat", "slot")

    def __init__(self, code: str, seat: int, generation: int, n: int = 0) -> None:
        self.code = code
        self.seat = seat
        self.generation = generation
        self.n = n  # the round of the log
        self.slot = NO_SLOT  # that of its keys, once it was used
        self._head = b""

    def move_to(self, n: int, generation: int) -> None:
        """Write from now on to the log of round `n`, under this generation."""
        self.n, self.generation, self._head = n, generation, b""

    def append(self, keys: Keys, entry: bytes) -> bytes:
        """Return the packed command that adds an entry; `slot` is set then."""
        if not self._head:
            # Packing these bytes for each act would double its cost.
            name = self.log(keys)
            self._head = pack("RPUSHX", name, bytes(ENTRY.size))[: -ENTRY.size - 2]
            self.slot = slot_of(name)
        return b"%b%b\r\n" % (self._head, entry)

    def log(self, keys: Keys) -> str:
        """Return the key of the log."""
        return keys.log(self.code, self.n, self.seat, self.generation)


class Commit(NamedTuple):
    """An act that waits to be stored."""

    writer: LogWriter  # the writer of the seat's log
    id: int  # the number of the act among those of the seat; numbers may be left out
    at: int  # the number of the entry that the act becomes in the log, from 0
    action: int  # the caller's 16-bit action
    ms: int  # the time of the act, in ms since t0; the times of a log do not run backwards
    is_restored: bool = False  # whether the store had lost the act


class HintCount(NamedTuple):
    """A hint that waits to be counted before the player gets it."""

    writer: LogWriter  # the writer of the seat's log
    at: int  # the number of entries in the seat's log: those of the position that the hint is for


class CommitFailure(Enum):
    """The reason why an act or a hint was not stored; only with `AWAY` it may still be stored."""

    STALE = auto()  # the log has another number of acts than `at`
    GONE = auto()  # the caller does not write the log any more: see `Seats.retake`
    REPLACED = auto()  # another connection has taken the seat
    TAKEN_BACK = auto()  # a failover has lost that the caller has taken the seat
    AWAY = auto()  # Redis did not answer


CommitAnswer = int | CommitFailure
"""For an act its time in ms since t0; for a hint the number of hints in this round."""
AnswerHandler = Callable[[CommitAnswer], None]


class Commits(Protocol):
    """The acts and hints that wait to be stored. Compiled modules take a test's class as well."""

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        """Queue an act for the next group commit.

        `answer` is called once, later, and within a room in the order of queueing. It must not
        block. An exception that it raises is logged.
        """

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        """Queue a hint to be counted; `answer` gets the number of hints instead of a time."""


class RedisCommits:
    """Send acts and hints to Redis, which stores them in the order in which they are queued.

    `client` must be for acts and hints alone, so that no act waits behind the long reply to
    another command.
    """

    def __init__(self, client: ClusterClient, keys: Keys) -> None:
        self._keys = keys
        self._pipelines = client.pipelines

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        """Send an act with the other commands of this turn of the loop."""
        writer, act_id, at, action, ms, is_restored = commit
        entry = ENTRY.pack(action, ms, act_id, at, is_restored)
        command = writer.append(self._keys, entry)
        pipeline = self._pipelines[writer.slot]
        pipeline.send(command, partial(_stored, answer, commit), writer.slot)
        if at % RENEWED_AFTER == 0:
            for key in (writer.log(self._keys), self._keys.seat(writer.code, writer.seat)):
                pipeline.send(pack("EXPIRE", key, TTL_SECONDS, "GT"), ignore, writer.slot)

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        """Send the count of a hint."""
        writer, at = hint
        touched = self._keys.seat(writer.code, writer.seat), writer.log(self._keys)
        slot = slot_of(touched[0])
        command = COUNT_HINT.command(touched, writer.n, TTL_SECONDS, at)
        self._pipelines[slot].send(command, partial(_counted, answer), slot)


def _stored(answer: AnswerHandler, commit: Commit, reply: Reply) -> None:
    """Answer an act; `reply` is the number of elements of its list, the header included."""
    answer(commit.ms if isinstance(reply, int) and reply == commit.at + 2 else _failure(reply))


def _counted(answer: AnswerHandler, reply: Reply) -> None:
    answer(reply if isinstance(reply, int) and reply > 0 else _failure(reply))


def _failure(reply: Reply) -> CommitFailure:
    if isinstance(reply, int):
        return CommitFailure.STALE if reply else CommitFailure.GONE
    if not isinstance(reply, StoreAway):
        # The error is a bug of this server; the act is answered all the same.
        log.error("an act could not be stored", reply=str(reply))
    return CommitFailure.AWAY


def parse_entries(elements: Sequence[bytes], first: int) -> list[LogRecord]:
    """Return the entries from number `first` on that stand at their places; raise Unreadable."""
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
    """Return entries of form 0, or raise Unreadable if they are of another form."""
    try:
        return [LogRecord(*OLD_ENTRY.unpack(element)) for element in elements]
    except struct.error:
        raise Unreadable("a log of another form") from None

"""Seats: who holds each, the latest act of its race, and its logs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from server.store.acts import (
    ENTRY,
    HEADER,
    CommitFailure,
    LogRecord,
    parse_entries,
    parse_old_entries,
)
from server.store.clock import Clock
from server.store.cluster import StorePart
from server.store.connection import keyed
from server.store.errors import Unreadable
from server.store.keys import TTL_SECONDS
from server.store.scripts import TAKE_SEAT

ENTRIES_PER_READ = 1_000  # by one command, since other commands wait for it
FIELDS = ("gen", "token", "n", "writer", "id", "hints", "hints_n")


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """A stored seat: who holds it, and the progress of its race."""

    generation: int  # of the connection that holds the seat; taking the seat raises it
    token_hash: str  # of the token that lets a player take the seat
    n: int = 0  # the round of its latest log; 0 before the first one
    writer: int | None = None
    """The generation that may write to this log: 0 before the first, None once it is closed."""
    closed_id: int = 0  # the id of the latest act in closed logs
    hint_count: int = 0  # hints in round `hint_round`
    hint_round: int = 0  # the round of the latest hint; 0 before the first one
    last_element: bytes = HEADER  # of the open log: its latest entry, or its header

    def races_in(self, n: int) -> bool:
        """Return whether the seat's game in round `n` is running, so that its log takes acts."""
        return self.n == n and self.writer is not None

    @property
    def last_act(self) -> LogRecord | None:
        """The latest act of the open log, if any; raises Unreadable for a log of another form."""
        return None if self.acts == 0 else parse_entries([self.last_element], self.acts - 1)[0]

    @property
    def acts(self) -> int:
        """The number of acts in the open log; raises Unreadable for a log of another form."""
        if self.last_element == HEADER:
            return 0
        if len(self.last_element) != ENTRY.size:
            raise Unreadable("a log of other entries")
        number: int = ENTRY.unpack(self.last_element)[3]
        return number + 1

    @property
    def last_id(self) -> int:
        """The id of the seat's latest act. Ids grow from round to round."""
        act = self.last_act
        return self.closed_id if act is None else act.id

    @property
    def fingerprint(self) -> bytes:
        """Bytes that change with every writer, act and hint; change_room.lua compares them."""
        writer = "" if self.writer is None else self.writer
        return b"%b %d %b" % (str(writer).encode(), self.hint_count, self.last_element)


@dataclass(eq=False)
class Seats(StorePart):
    """The records of seats.

    Every method raises StoreAway if Redis does not answer, and Unreadable for an invalid seat.
    Cancelling a method drops the reply but does not stop the write.
    """

    _clock: Clock

    async def take(self, code: str, seat: int) -> SeatRecord | None:
        """Make the caller the only holder of the seat.

        Return the seat with its new generation, or None if there is no such seat. From now on,
        acts under an older generation fail with GONE.
        """
        while (record := (await self._read_hashes(code, (seat,)))[0]) is not None:
            if (taken := await self._try_to_take(code, seat, record)) is not None:
                return taken
        return None

    async def retake(
        self, code: str, seat: int, generation: int, n: int
    ) -> SeatRecord | CommitFailure:
        """Take a seat again for its holder, so that none of its earlier acts can be stored.

        Return the seat with a new generation, or unchanged if it is not racing in round `n`.
        Return REPLACED if a later generation holds the seat. Return TAKEN_BACK if an earlier one
        does, because a failover has lost the caller's `generation`.
        """
        taken = None
        while taken is None:
            (record,) = await self._read_hashes(code, (seat,))
            if record is None or record.generation < generation:
                return CommitFailure.TAKEN_BACK
            if record.generation > generation:
                return CommitFailure.REPLACED
            if not record.races_in(n):
                return record
            taken = await self._try_to_take(code, seat, record)
        return taken

    async def read(self, code: str, seat: int) -> SeatRecord | None:
        """Return the seat, if it exists."""
        return (await self.read_all(code, (seat,)))[0]

    async def read_all(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        """Return these seats in this order, with None for each that does not exist."""
        before: list[SeatRecord | None] = []
        while True:
            records = await self._read_hashes(code, seats)
            logs = {
                seat: self._keys.log(code, record.n, seat, record.writer)
                for seat, record in zip(seats, records, strict=True)
                if record is not None and record.writer is not None
            }
            queries = (keyed("LINDEX", key, -1) for key in logs.values())
            last = dict(zip(logs, await self._client.ask_all(*queries), strict=True))
            # If a log is missing, it was renamed between the two reads, or the store has lost it.
            # If a second read finds the same seats, it is lost, and counts as empty.
            if None not in last.values() or records == before:
                return [
                    record and replace(record, last_element=last.get(seat) or HEADER)
                    for seat, record in zip(seats, records, strict=True)
                ]
            before = records

    async def _read_hashes(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        """Return seats from their hashes alone, without the last elements of their logs."""
        keys = [self._keys.seat(code, seat) for seat in seats]
        replies = await self._client.ask_all(*(keyed("HMGET", key, *FIELDS) for key in keys))
        return [_parse(reply) for reply in replies]

    async def _try_to_take(self, code: str, seat: int, record: SeatRecord) -> SeatRecord | None:
        """Take the seat if nobody has changed it since it was read; return None otherwise."""
        # A generation is at least the present time, so one that a failover lost is never reused.
        generation = max(record.generation + 1, self._clock.now_ms())
        writer, keys = record.writer, [self._keys.seat(code, seat)]
        expected = record.generation, "" if writer is None else writer
        if writer is not None:  # the script renames the open log from the first key to the second
            keys += [self._keys.log(code, record.n, seat, each) for each in (writer, generation)]
        reply = await self._client.ask(TAKE_SEAT.command(keys, TTL_SECONDS, *expected, generation))
        if reply == 0:
            return None
        taken = replace(record, generation=generation)
        if writer is None:  # no log is open
            return taken
        length, last_element = reply
        taken = replace(taken, writer=generation, last_element=last_element)
        # A log is a header and numbered acts: if the last number does not fit, some were lost.
        return taken if taken.acts == length - 1 else await self._cut(code, seat, taken)

    async def _cut(self, code: str, seat: int, taken: SeatRecord) -> SeatRecord:
        """Cut off a log's entries after the first one that was lost; return the updated seat."""
        key = self._keys.log(code, taken.n, seat, taken.generation)
        elements = await self._client.call("LRANGE", key, 0, -1)
        acts = len(parse_entries(elements[1:], 0))  # it stops at the gap
        await self._client.call("LTRIM", key, 0, acts)  # the header is element 0
        return replace(taken, last_element=elements[acts])


class Logs(StorePart):
    """The logs of seats by round. `read` may raise StoreAway or Unreadable."""

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        """Return a seat's log in round `n` from entry `start` on."""
        log: list[LogRecord] = []
        writer = await self._writer(code, n, seat)
        while True:
            key, first = self._keys.log(code, n, seat, writer), start + len(log)
            # A reply with thousands of entries would delay other commands. The entry `first` is
            # element `first + 1`, or `first` in form 0, whose logs have no header.
            header, elements = await self._client.ask_all(
                keyed("LINDEX", key, 0), keyed("LRANGE", key, first, first + ENTRIES_PER_READ)
            )
            if header is None:  # there is no log, or a new writer has just renamed it
                if writer == (latest := await self._writer(code, n, seat)):
                    return log
                writer = latest
                continue
            if header == HEADER:
                entries = parse_entries(elements[1:], first)
            else:
                entries = parse_old_entries(elements[:ENTRIES_PER_READ])
            log += entries
            if len(entries) < ENTRIES_PER_READ:
                return log

    async def _writer(self, code: str, n: int, seat: int) -> int:
        """Return the generation in the name of a seat's log; 0 if the log is closed or new."""
        key = self._keys.seat(code, seat)
        latest_round, writer = await self._client.call("HMGET", key, "n", "writer")
        return int(writer) if latest_round == b"%d" % n and writer else 0


def _parse(reply: Any) -> SeatRecord | None:
    """Return the seat in a reply with `FIELDS`, if there is one, or raise Unreadable."""
    generation, token, n, writer, closed_id, hint_count, hint_round = reply
    if generation is None:
        return None
    try:
        return SeatRecord(
            generation=int(generation),
            token_hash=token.decode(),
            n=int(n or 0),
            writer=None if writer is None else int(writer),
            closed_id=int(closed_id or 0),
            hint_count=int(hint_count or 0),
            hint_round=int(hint_round or 0),
        )
    except (ValueError, AttributeError):  # a field is missing or has another type
        raise Unreadable("a seat of other fields") from None

"""Seats and their logs: each seat's holder and standing, and every act that was stored."""

import struct
from collections.abc import Collection, Sequence
from typing import Any

from server.store.clock import Clock
from server.store.cluster_client import ClusterClient
from server.store.errors import Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import LogRecord, SeatRecord, StoredRoom
from server.store.rooms import parse_room, read_room
from server.store.scripts import TAKE_SEAT
from server.store.words import pack

FIELDS = ("gen", "token", "id", "n", "standing", "gained", "over", "advised", "advised_n", "first")
ENTRY = struct.Struct("<HI")  # as commit.lua packs it
PART = 1_000
"""Entries that one command reads, or keys that it removes, at most: other commands wait for it."""


class SeatStore:
    """The store's methods for seats; `commit` and `count_hint` have pipelines of their own.

    Every method raises StoreAway when Redis does not answer, and Unreadable when the stored value
    is no valid seat or log. Cancelling a method drops the reply but does not stop the write.
    """

    _client: ClusterClient
    _keys: Keys
    clock: Clock
    part = PART

    async def take_seat(self, code: str, seat: int) -> SeatRecord | None:
        """Make the caller the only holder of the seat.

        Return the seat with its new generation, or None if there is no such seat. From now on,
        commits with an older generation are answered with REPLACED.
        """
        key = self._keys.seat(code, seat)
        command = TAKE_SEAT.command((key,), TTL_SECONDS, self.clock.now(), *FIELDS)
        return _seat(await self._client.ask(key, command))

    async def read_seat(self, code: str, seat: int) -> SeatRecord | None:
        """Return the seat, or None if there is no such seat."""
        return (await self.read_seats(code, (seat,)))[0]

    async def read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        """Return the room's record and the seat, each None if there is no such room or seat."""
        key = self._keys.seat(code, seat)
        room, record = await self._client.ask_all(
            read_room(self._keys.room(code)), (key, pack("HMGET", key, *FIELDS))
        )
        return parse_room(room), _seat(record)

    async def read_seats(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        """Return these seats in this order, with None for each that does not exist."""
        wanted = [self._keys.seat(code, seat) for seat in seats]
        replies = await self._client.ask_all(
            *((key, pack("HMGET", key, *FIELDS)) for key in wanted)
        )
        return [_seat(reply) for reply in replies]

    async def read_log(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        """Return the seat's log of round `n`, in order, from entry `start` on."""
        key = self._keys.log(code, n, seat)
        log: list[LogRecord] = []
        while True:
            # A reply of many thousand entries would delay the replies to other commands.
            first = start + len(log)
            part = pack("LRANGE", key, first, first + self.part - 1)
            entries = _entries(await self._client.ask(key, part))
            log += entries
            if len(entries) < self.part:
                return log

    async def read_logs(self, code: str, n: int, seats: Sequence[int]) -> list[list[LogRecord]]:
        """Return the logs of round `n` of these seats, in this order."""
        wanted = [self._keys.log(code, n, seat) for seat in seats]
        replies = await self._client.ask_all(
            *((key, pack("LRANGE", key, 0, -1)) for key in wanted)
        )
        return [_entries(reply) for reply in replies]

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        """Return the total number of entries in the logs of these seats in round `n`."""
        wanted = [self._keys.log(code, n, seat) for seat in seats]
        return sum(await self._client.ask_all(*((key, pack("LLEN", key)) for key in wanted)))

    async def drop(
        self, code: str, seats: Collection[int], logs: Collection[tuple[int, int]]
    ) -> None:
        """Delete seats, and logs by round and seat, that the room's record no longer needs."""
        unused = [self._keys.seat(code, number) for number in seats]
        unused += [self._keys.log(code, n, number) for n, number in logs]
        size = self.part
        parts = (unused[first : first + size] for first in range(0, len(unused), size))
        await self._client.ask_in_order(*((part[0], pack("UNLINK", *part)) for part in parts))


def _entries(reply: Sequence[bytes]) -> list[LogRecord]:
    try:
        return [LogRecord._make(entry) for entry in ENTRY.iter_unpack(b"".join(reply))]
    except struct.error:
        raise Unreadable("a log of other entries") from None


def _seat(reply: Any) -> SeatRecord | None:
    if reply is None or reply[0] is None:
        return None
    generation, token, last_id, n, standing, gained, over, hint_count, hint_round, first = reply
    try:
        return SeatRecord(
            generation=int(generation),
            token_hash=token.decode(),
            last_id=int(last_id),
            n=int(n),
            standing=None if standing is None else standing.decode(),
            gained=int(gained),
            over=None if over is None else int(over),
            hint_count=int(hint_count or 0),
            hint_round=int(hint_round or 0),
            first_id=int(first or 0),
        )
    except (TypeError, ValueError, AttributeError):  # a field is missing or has another type
        raise Unreadable("a seat of other fields") from None

"""The two lists of all rooms: those with a deadline, and the public ones.

A deadline is stored in the room's record, together with the other fields, and in a sorted set in
another slot, which all processes read. The set is corrected after each change; until then it may
list a room too early, but never too late.

Each list is one key, so one node of a cluster owns it. While that node is away, `due` or `public`
fails, and so does every change of any room that sets a deadline. If the node dies before its
replica has the latest deadlines, they are missing until their rooms change again.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import Reply, pack
from server.store.errors import StoreDamaged, Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.scripts import always


class RoomLists:
    """The lists of deadlines and of public rooms; every method may raise StoreAway."""

    def __init__(self, client: ClusterClient, keys: Keys, clock: Clock) -> None:
        self._client = client
        self._keys = keys
        self._clock = clock

    async def due(self, now: int, limit: int = 100) -> list[str]:
        """Return at most `limit` rooms whose deadline is at `now` or before, most overdue first.

        Rooms stay due until a change or `correct` moves their deadline. Each call extends
        the life of both lists by a week and removes rooms from the public list that have not
        changed for a week.
        """
        deadlines, public = self._keys.deadlines, self._keys.public
        expired = now - TTL_SECONDS * 1000
        codes, *_ = await self._client.ask_all(
            (deadlines, pack("ZRANGE", deadlines, "-inf", now, "BYSCORE", "LIMIT", 0, limit)),
            (deadlines, pack("EXPIRE", deadlines, TTL_SECONDS)),
        )
        with suppress(StoreDamaged):  # races end all the same
            await self._client.ask_all(
                (public, pack("ZREMRANGEBYSCORE", public, "-inf", expired)),
                (public, pack("EXPIRE", public, TTL_SECONDS)),
            )
        return _codes(codes)

    async def correct(self, code: str) -> None:
        """Correct the lists for a room that is gone, or has no deadline or a later one."""
        v, deadline, public = _parse_listed(
            await self._client.ask(*_read_listed(self._keys.room(code)))
        )
        await self.write(code, self._clock.now(), v, deadline, public=public)

    async def public(self, limit: int = 50) -> list[str]:
        """Return at most `limit` public rooms, the latest changed first; some may be gone."""
        oldest = self._clock.now() - TTL_SECONDS * 1000
        public = self._keys.public
        command = pack("ZRANGE", public, "+inf", oldest, "BYSCORE", "REV", "LIMIT", 0, limit)
        return _codes(await self._client.ask(public, command))

    async def rows(self, codes: Sequence[str]) -> list[str | None]:
        """Return the `row` of each of these rooms; None of those that are gone or not public."""
        rooms = [self._keys.room(code) for code in codes]
        replies = await asyncio.gather(
            *(self._client.call(room, "HGET", room, "row") for room in rooms),
            return_exceptions=True,
        )
        return [_parse_row(reply) for reply in replies]

    async def write(
        self, code: str, now: int, v: int, deadline: int | None, *, public: bool
    ) -> None:
        """Write the room's entries in both lists, until they agree with its record."""
        deadlines, rooms = self._keys.deadlines, self._keys.public
        while True:
            *_, record = await self._client.ask_in_order(
                (
                    deadlines,
                    pack("ZREM", deadlines, code)
                    if deadline is None
                    else always("ZADD", deadlines, deadline, code),
                ),
                (rooms, always("ZADD", rooms, now, code) if public else pack("ZREM", rooms, code)),
                _read_listed(self._keys.room(code)),
            )
            written = v
            v, deadline, public = _parse_listed(record)
            if v == written:
                return
            # Another process changed the room meanwhile and may already have written its entries,
            # which this call has then overwritten. So the newer entries are written once more.


def _parse_row(reply: Reply) -> str | None:
    if isinstance(reply, Unreadable):
        return None
    if isinstance(reply, BaseException):
        raise reply
    return reply.decode(errors="replace") if reply else None


def _read_listed(room: str) -> tuple[str, bytes]:
    """Return the command that reads the fields of a room on which the lists depend."""
    return room, pack("HMGET", room, "v", "deadline", "public")


def _parse_listed(record: Sequence[bytes | None]) -> tuple[int, int | None, bool]:
    v, deadline, public = record
    return int(v or 0), int(deadline) if deadline else None, public == b"1"


def _codes(members: Sequence[bytes]) -> list[str]:
    return [member.decode(errors="replace") for member in members]

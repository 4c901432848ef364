"""Rooms that a process has found unreadable, until a process of another release can read them.

A sorted set has the time at which each room was first found unreadable. Its deadline is postponed
by the time for which it has been unreadable, so that all processes together read it less and less
often, and no other room waits behind it.
"""

import random
from dataclasses import dataclass

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import pack
from server.store.errors import Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.room_lists import RoomLists

FIRST_MS = 5_000
LONGEST_MS = 5 * 60 * 1_000


@dataclass(eq=False)
class UnreadableRooms:
    """The rooms that a process has found unreadable."""

    _client: ClusterClient
    _keys: Keys
    _clock: Clock
    _lists: RoomLists

    async def set_aside(self, code: str) -> None:
        """Record that a room is unreadable; give it a deadline if it has none."""
        now = self._clock.now()
        unreadable, deadlines = self._keys.unreadable, self._keys.deadlines
        await self._client.ask_in_order(
            (unreadable, pack("ZADD", unreadable, "NX", now, code)),
            (unreadable, pack("EXPIRE", unreadable, TTL_SECONDS)),
            (deadlines, pack("ZADD", deadlines, "NX", now + FIRST_MS, code)),
        )

    async def postpone(self, code: str) -> None:
        """Postpone the deadline of an unreadable room, for longer each time."""
        before = await self._version(code)
        now = self._clock.now()
        expired = now - TTL_SECONDS * 1_000
        unreadable, deadlines = self._keys.unreadable, self._keys.deadlines
        _, _, _, since = await self._client.ask_in_order(
            (unreadable, pack("ZREMRANGEBYSCORE", unreadable, "-inf", expired)),
            (unreadable, pack("ZADD", unreadable, "NX", now, code)),
            (unreadable, pack("EXPIRE", unreadable, TTL_SECONDS)),
            (unreadable, pack("ZSCORE", unreadable, code)),
        )
        wait = min(max(now - round(float(since)), FIRST_MS), LONGEST_MS)
        # The random part makes it likely that another process is the first one next time.
        until = now + round(wait * random.uniform(1, 1.5))  # noqa: S311  # not a secret
        await self._client.call(deadlines, "ZADD", deadlines, until, code)
        if await self._version(code) != before:
            # A process that can read the room has changed it meanwhile: its deadline counts.
            await self._lists.correct(code)

    async def readmit(self, code: str) -> None:
        """Record that a room is readable again, or gone."""
        unreadable = self._keys.unreadable
        await self._client.call(unreadable, "ZREM", unreadable, code)

    async def count(self) -> int:
        """Return the number of rooms that are set aside."""
        unreadable = self._keys.unreadable
        return int(await self._client.call(unreadable, "ZCARD", unreadable))

    async def _version(self, code: str) -> bytes | None:
        """Return the stored version of a room; None without one or if the key is no hash."""
        room = self._keys.room(code)
        try:
            version: bytes | None = await self._client.call(room, "HGET", room, "v")
        except Unreadable:
            return None
        return version

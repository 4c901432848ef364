"""Rooms that a process has found unreadable, until a process of another release can read them.

A sorted set has the time at which each room was first found unreadable. Its deadline is postponed
by the time for which it has been unreadable, so that all processes together read it less and less
often, and no other room waits behind it.
"""

import random

from server.store import keys
from server.store.errors import Unreadable
from server.store.rooms import Rooms
from server.store.words import pack

FIRST_MS = 5_000
LONGEST_MS = 5 * 60 * 1_000


class Quarantine(Rooms):
    """The store's methods for unreadable rooms; every method may raise StoreAway."""

    async def set_aside(self, code: str) -> None:
        """Record that a room is unreadable; give it a deadline if it has none."""
        now = await self.now()
        await self._client.ask_in_order(
            (keys.UNREADABLE, pack("ZADD", keys.UNREADABLE, "NX", now, code)),
            (keys.UNREADABLE, pack("EXPIRE", keys.UNREADABLE, keys.TTL_SECONDS)),
            (keys.DEADLINES, pack("ZADD", keys.DEADLINES, "NX", now + FIRST_MS, code)),
        )

    async def postpone(self, code: str) -> None:
        """Postpone the deadline of an unreadable room, for longer each time."""
        before = await self._version(code)
        now = await self.now()
        expired = now - keys.TTL_SECONDS * 1_000
        _, _, _, since = await self._client.ask_in_order(
            (keys.UNREADABLE, pack("ZREMRANGEBYSCORE", keys.UNREADABLE, "-inf", expired)),
            (keys.UNREADABLE, pack("ZADD", keys.UNREADABLE, "NX", now, code)),
            (keys.UNREADABLE, pack("EXPIRE", keys.UNREADABLE, keys.TTL_SECONDS)),
            (keys.UNREADABLE, pack("ZSCORE", keys.UNREADABLE, code)),
        )
        wait = min(max(now - round(float(since)), FIRST_MS), LONGEST_MS)
        # The random part makes it likely that another process is the first one next time.
        until = now + round(wait * random.uniform(1, 1.5))  # noqa: S311  # not a secret
        await self._client.call(keys.DEADLINES, "ZADD", keys.DEADLINES, until, code)
        if await self._version(code) != before:
            # A process that can read the room has changed it meanwhile: its deadline counts.
            await self.forget_deadline(code)

    async def readmit(self, code: str) -> None:
        """Record that a room is readable again, or gone."""
        await self._client.call(keys.UNREADABLE, "ZREM", keys.UNREADABLE, code)

    async def unreadable(self) -> int:
        """Return the number of rooms that are set aside."""
        return int(await self._client.call(keys.UNREADABLE, "ZCARD", keys.UNREADABLE))

    async def _version(self, code: str) -> bytes | None:
        """Return the stored version of a room; None without one or if the key is no hash."""
        room = keys.room(code)
        try:
            version: bytes | None = await self._client.call(room, "HGET", room, "v")
        except Unreadable:
            return None
        return version

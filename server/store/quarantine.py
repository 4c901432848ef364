"""Rooms that a process has found to be unreadable, until one of another release can read them.

Each stands in a sorted set since when it was first found so. Its place in the list of deadlines
is moved on by as much as it has been unreadable, so that all processes together look at it less
and less often, and nothing waits behind it.
"""

import random

from server.store import keys
from server.store.errors import Unreadable
from server.store.redis_connection import pack
from server.store.rooms import Rooms

FIRST_MS = 5_000
LONGEST_MS = 5 * 60 * 1_000


class Quarantine(Rooms):
    """What the store knows of unreadable rooms; every method may raise StoreAway."""

    async def set_aside(self, code: str) -> None:
        """Note that a room is unreadable; should it have no deadline, it is looked at again."""
        now = await self.now()
        await self._client.ask_in_order(
            (keys.UNREADABLE, pack("ZADD", keys.UNREADABLE, "NX", now, code)),
            (keys.UNREADABLE, pack("EXPIRE", keys.UNREADABLE, keys.TTL_SECONDS)),
            (keys.DEADLINES, pack("ZADD", keys.DEADLINES, "NX", now + FIRST_MS, code)),
        )

    async def postpone(self, code: str) -> None:
        """Move the deadline of an unreadable room on, for longer each time."""
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
        # By chance, so that it is not always the same process that comes first next time.
        until = now + round(wait * random.uniform(1, 1.5))  # noqa: S311  # nobody gains by it
        await self._client.call(keys.DEADLINES, "ZADD", keys.DEADLINES, until, code)
        if await self._version(code) != before:
            # A process that can read it was at it meanwhile, and its deadline is the true one.
            await self.forget_deadline(code)

    async def readmit(self, code: str) -> None:
        """Note that a room is readable, or gone."""
        await self._client.call(keys.UNREADABLE, "ZREM", keys.UNREADABLE, code)

    async def unreadable(self) -> int:
        """Return how many rooms are set aside."""
        return int(await self._client.call(keys.UNREADABLE, "ZCARD", keys.UNREADABLE))

    async def _version(self, code: str) -> bytes | None:
        """Return what stands for the version, if the key is a room's at all."""
        room = keys.room(code)
        try:
            found: bytes | None = await self._client.call(room, "HGET", room, "v")
        except Unreadable:
            return None
        return found

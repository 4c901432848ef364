"""How many rooms are open, in all and of each network that somebody has opened some from.

1. A list is a sorted set of codes, each with the time until which it is counted. Nothing is added
   or taken away by number, so nothing that is done twice, late or never makes a count wrong for
   good: what is not renewed goes by itself.
2. A list that is full is held against the rooms that are there before anybody is refused.
3. Each list is one key in a slot of its own. One that a failover has lost is filled again by the
   next changes of state of its rooms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from server.store import keys
from server.store.redis_connection import pack
from server.store.rooms import Rooms
from server.store.scripts import CLAIM

CHECKED = 200
"""Rooms of a full list that are looked for at once, drawn at random."""
YOUNG_MS = 60_000
"""A room that was counted so lately may be about to be made."""


@dataclass(frozen=True, slots=True)
class Quota:
    """At most so many rooms of a network; of all networks together if it has no name."""

    network: str
    most: int


class Openings(Rooms):
    """What the store knows of the number of open rooms; every method may raise StoreAway."""

    async def claim(self, code: str, quotas: Sequence[Quota]) -> Quota | None:
        """Count a room that is to be opened; return the quota that is used up, if one is.

        Then the room is counted nowhere. One that is counted already is never refused.
        """
        for place, quota in enumerate(quotas):
            if await self._claim(code, quota):
                continue
            if await self._check(quota) and await self._claim(code, quota):
                continue
            await self.release(code, [one.network for one in quotas[:place]])
            return quota
        return None

    async def renew(self, code: str, networks: Iterable[str]) -> None:
        """Count a room that is open, whether there is a place for it or not."""
        until = await self.now() + keys.TTL_SECONDS * 1_000
        lists = [keys.opened(network) for network in networks]
        commands = [(each, pack("ZADD", each, until, code)) for each in lists]
        commands += [(each, pack("EXPIRE", each, keys.TTL_SECONDS)) for each in lists]
        await self._client.ask_all(*commands)

    async def release(self, code: str, networks: Iterable[str]) -> None:
        """Count a room no more."""
        lists = [keys.opened(network) for network in networks]
        await self._client.ask_all(*((each, pack("ZREM", each, code)) for each in lists))

    async def opened(self, network: str = "") -> int:
        """Return how many rooms are counted for a network, or in all."""
        key, now = keys.opened(network), await self.now()
        return int(await self._client.call(key, "ZCOUNT", key, f"({now}", "+inf"))

    async def _claim(self, code: str, quota: Quota) -> bool:
        key, now = keys.opened(quota.network), await self.now()
        until = now + keys.TTL_SECONDS * 1_000
        command = CLAIM.command((key,), code, quota.most, now, until, keys.TTL_SECONDS)
        return bool(await self._client.ask(key, command))

    async def _check(self, quota: Quota) -> bool:
        """Take rooms that are gone off a full list; return whether there was any."""
        key = keys.opened(quota.network)
        found = await self._client.call(key, "ZRANDMEMBER", key, CHECKED, "WITHSCORES")
        old = await self.now() + keys.TTL_SECONDS * 1_000 - YOUNG_MS
        codes = [
            code.decode()
            for code, until in zip(found[::2], found[1::2], strict=True)
            if float(until) <= old
        ]
        rooms = [keys.room(code) for code in codes]
        there = await self._client.ask_all(*((room, pack("EXISTS", room)) for room in rooms))
        gone = [code for code, exists in zip(codes, there, strict=True) if not exists]
        if gone:
            await self._client.call(key, "ZREM", key, *gone)
        return bool(gone)

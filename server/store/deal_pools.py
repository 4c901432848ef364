"""Pools of deals that nobody has seen: thinking processes fill them, rooms take from them.

1. A deal is taken by one script, so no two rooms get the same one.
2. A server that was restarted, or a replica that became a master, may have lost the latest takes.
   So the first take from it drops the deals that were next (`take_deal.lua`).
3. What a deal is, only the callers know. Each pool has a name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.store.clock import RedisClock
from server.store.cluster import ClusterClient
from server.store.connection import pack
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import PoolLevel, TakenDeal
from server.store.scripts import PUT_DEAL, TAKE_DEAL

DROPPED: Final = 64
"""The deals that are dropped when takes may be lost: more than all rooms take in seconds."""

ALIVE_MS: Final = 10_000
"""Time after its latest sign for which a thinking process counts as alive."""


WAITS_MS: Final = 1_000
"""Time after its latest look into an empty pool for which a room counts as waiting."""


@dataclass(eq=False)
class RedisDealPools:
    """The pools; see `interfaces.DealPools`. Every method may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys
    _clock: RedisClock

    async def take(self, name: str) -> TakenDeal:
        """Take a deal of a pool, which may be empty."""
        pool, pools = self._keys.pool(name)
        now = self._clock.now()
        command = TAKE_DEAL.command((pool, pools), name, now, DROPPED, TTL_SECONDS)
        deal, alive = await self._client.ask(pool, command)
        is_filled = alive is not None and now - int(alive) < ALIVE_MS
        return TakenDeal(None if deal is None else deal.decode(), is_filled)

    async def put(self, name: str, deal: str, *, most: int) -> bool:
        """Add a deal to a pool; return False if it has `most` already."""
        pool, _ = self._keys.pool(name)
        return bool(
            await self._client.ask(pool, PUT_DEAL.command((pool,), deal, most, TTL_SECONDS))
        )

    async def show_filler(self) -> None:
        """Show rooms for some seconds that a thinking process fills the pools."""
        _, pools = self._keys.pool("")
        await self._client.ask_all(
            (pools, pack("HSET", pools, "alive", self._clock.now())),
            (pools, pack("EXPIRE", pools, TTL_SECONDS)),
        )

    async def waited_for(self, names: Sequence[str]) -> list[str]:
        """Return those of the pools that are empty and for whose deals rooms wait at present."""
        _, pools = self._keys.pool("")
        fields = [f"waiting:{name}" for name in names]
        times = await self._client.ask(pools, pack("HMGET", pools, *fields))
        since = self._clock.now() - WAITS_MS
        return [
            name
            for name, ms in zip(names, times, strict=True)
            if ms is not None and int(ms) > since
        ]

    async def levels(self, names: Sequence[str]) -> Mapping[str, PoolLevel]:
        """Return the levels of pools by their names."""
        _, pools = self._keys.pool("")
        lists = [self._keys.pool(name)[0] for name in names]
        times, *counts = await self._client.ask_all(
            (pools, pack("HGETALL", pools)),
            *((each, pack("LLEN", each)) for each in lists),
        )
        known = dict(zip(times[::2], times[1::2], strict=True))
        return {
            name: PoolLevel(int(count), int(known.get(f"wanted:{name}".encode(), 0)))
            for name, count in zip(names, counts, strict=True)
        }

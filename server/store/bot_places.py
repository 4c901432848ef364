"""The places of computer players: lists of those that rooms have, all and those of each level.

A list is a sorted set of computer players, each with the time until which it is counted. The
processes that serve rooms renew the places that these rooms have. So a step that is done twice,
late or never makes a count wrong for seconds only. Each list is one key in a slot of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import pack
from server.store.keys import Keys
from server.store.scripts import CLAIM

COUNTED_S = 30
"""Seconds for which a place is counted that no room renews."""


@dataclass(eq=False)
class BotPlaces:
    """The lists of computer players; a new one claims its place in each."""

    _client: ClusterClient
    _keys: Keys
    _clock: Clock

    async def claim(self, bot: str, limits: Mapping[str, int]) -> bool:
        """Count a computer player in each list of these, if none is full; the first is counted.

        One that is counted already is never refused.
        """
        counted: list[str] = []
        for name, most in limits.items():
            key, now = self._keys.bots(name), self._clock.now()
            until = now + COUNTED_S * 1_000
            command = CLAIM.command((key,), bot, most, now, until, COUNTED_S)
            if not await self._client.ask(key, command):
                await self.release([bot], counted)
                return False
            counted.append(name)
        return True

    async def renew(self, bots: Iterable[str], names: Iterable[str]) -> None:
        """Count computer players that rooms have, even if a list is full."""
        until = self._clock.now() + COUNTED_S * 1_000
        scored = [word for bot in bots for word in (until, bot)]
        if scored:
            keys = [self._keys.bots(name) for name in names]
            commands = [(key, pack("ZADD", key, *scored)) for key in keys]
            commands += [(key, pack("EXPIRE", key, COUNTED_S)) for key in keys]
            await self._client.ask_all(*commands)

    async def release(self, bots: Iterable[str], names: Iterable[str]) -> None:
        """Stop counting computer players."""
        gone = list(bots)
        if gone:
            keys = [self._keys.bots(name) for name in names]
            await self._client.ask_all(*((key, pack("ZREM", key, *gone)) for key in keys))

    async def count(self, name: str = "") -> int:
        """Return the number of computer players that are counted in a list."""
        key, now = self._keys.bots(name), self._clock.now()
        return int(await self._client.call(key, "ZCOUNT", key, f"({now}", "+inf"))

"""The lists of open rooms: one of all rooms, and one for each network that has opened rooms.

1. A list is a sorted set of codes, each with the time until which it is counted. No counter is
   increased or decreased, so a step that is done twice, late or never makes no count wrong for
   good: an entry that is not renewed expires.
2. Rooms that no longer exist are removed from a full list before a new room is refused.
3. Each list is one key in a slot of its own. A list that a failover has lost is filled again by
   the next changes of state of its rooms.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol.vocabulary import ATTEMPT_S
from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import pack
from server.store.keys import TTL_SECONDS, Keys
from server.store.masters import Health
from server.store.records import Quota
from server.store.scripts import CLAIM

SAMPLE_SIZE = 200  # rooms of a full list whose existence is checked at once, drawn at random
YOUNG_MS = 60_000  # time after counting a room during which it may not have been created yet


@dataclass(eq=False)
class OpenRooms:
    """The lists of open rooms; every method but `has_space` may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys
    _clock: Clock
    _health: Health

    def has_space(self, code: str) -> bool:
        """Return whether the store has space for a new room with this code; see `Health`."""
        return self._health.has_space(self._keys.room(code))

    async def code_of(self, attempt: str, drawn: str) -> str:
        """Return the code under which the attempt with this hash opens its room.

        The first code that was `drawn` is kept for `ATTEMPT_S`: a repeated attempt gets it too.
        """
        key = self._keys.attempt(attempt)
        words = (drawn, "NX", "GET", "EX", ATTEMPT_S)
        earlier: bytes | None = await self._client.call(key, "SET", key, *words)
        return drawn if earlier is None else earlier.decode()

    async def claim(self, code: str, quotas: Sequence[Quota]) -> Quota | None:
        """Count a room that is to be opened under each quota; return the first full quota, if any.

        If a quota is full, the room is counted under none. A room that is already counted is never
        refused.
        """
        for i, quota in enumerate(quotas):
            if await self._claim(code, quota):
                continue
            if await self._remove_gone(quota) and await self._claim(code, quota):
                continue
            await self.release(code, [counted.network for counted in quotas[:i]])
            return quota
        return None

    async def renew(self, code: str, networks: Iterable[str]) -> None:
        """Count a room that is open, even if the list is full."""
        until = self._clock.now() + TTL_SECONDS * 1_000
        lists = [self._keys.opened(network) for network in networks]
        commands = [(each, pack("ZADD", each, until, code)) for each in lists]
        commands += [(each, pack("EXPIRE", each, TTL_SECONDS)) for each in lists]
        await self._client.ask_all(*commands)

    async def release(self, code: str, networks: Iterable[str]) -> None:
        """Stop counting a room."""
        lists = [self._keys.opened(network) for network in networks]
        await self._client.ask_all(*((each, pack("ZREM", each, code)) for each in lists))

    async def count(self, network: str = "") -> int:
        """Return the number of rooms that are counted for a network, or in total."""
        key, now = self._keys.opened(network), self._clock.now()
        return int(await self._client.call(key, "ZCOUNT", key, f"({now}", "+inf"))

    async def codes(self) -> list[str]:
        """Return the rooms that are counted; some may be gone."""
        key = self._keys.opened()
        members = await self._client.call(key, "ZRANGE", key, 0, -1)
        return [member.decode(errors="replace") for member in members]

    async def _claim(self, code: str, quota: Quota) -> bool:
        key, now = self._keys.opened(quota.network), self._clock.now()
        until = now + TTL_SECONDS * 1_000
        command = CLAIM.command((key,), code, quota.most, now, until, TTL_SECONDS)
        return bool(await self._client.ask(key, command))

    async def _remove_gone(self, quota: Quota) -> bool:
        """Remove rooms that no longer exist from a full list; return whether there was any.

        Only a sample of the list is checked. Rooms that were counted within the last `YOUNG_MS`
        stay, since they may not have been created yet.
        """
        key = self._keys.opened(quota.network)
        sample = await self._client.call(key, "ZRANDMEMBER", key, SAMPLE_SIZE, "WITHSCORES")
        young_from = self._clock.now() - YOUNG_MS
        codes = [
            code.decode()
            for code, until in zip(sample[::2], sample[1::2], strict=True)
            if float(until) - TTL_SECONDS * 1_000 <= young_from
        ]
        rooms = [self._keys.room(code) for code in codes]
        existing = await self._client.ask_all(*((room, pack("EXISTS", room)) for room in rooms))
        gone = [code for code, exists in zip(codes, existing, strict=True) if not exists]
        if gone:
            await self._client.call(key, "ZREM", key, *gone)
        return bool(gone)

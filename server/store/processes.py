"""The heartbeats of all processes, and the rooms where each process has sessions.

A killed process sends no message. The other processes notice that its heartbeats have stopped, and
report its lost connections to its rooms. A process that shuts down cleanly records that it left.
"""

from collections.abc import Sequence

from server.store.cluster import StorePart
from server.store.keys import TTL_SECONDS
from server.store.scripts import even_if_full

LEFT = 0  # stored as the latest heartbeat of a process that has shut down cleanly
CODES_AT_ONCE = 1_000  # since Lua unpacks at most 8,000 words


class Processes(StorePart):
    """The processes that use the store; every method may raise StoreAway."""

    async def beat(self, process: str, now_ms: int, codes: Sequence[str]) -> None:
        """Store a process's heartbeat at `now_ms` (since the epoch); add `codes` to its rooms."""
        rooms, processes = self._keys.process(process), self._keys.processes
        # A full store must not stop heartbeats. The heartbeat is written first: the process is
        # alive even if its rooms cannot be stored.
        await self._client.ask(even_if_full("ZADD", processes, now_ms, process))
        await self._client.call("EXPIRE", processes, TTL_SECONDS)
        for first in range(0, len(codes), CODES_AT_ONCE):
            batch = codes[first : first + CODES_AT_ONCE]
            await self._client.ask(even_if_full("SADD", rooms, *batch))
        if codes:
            await self._client.call("EXPIRE", rooms, TTL_SECONDS)

    async def leave(self, process: str) -> None:
        """Record that a process has shut down cleanly; the others then look after its rooms."""
        await self._client.ask(even_if_full("ZADD", self._keys.processes, LEFT, process))

    async def left(self) -> list[str]:
        """Return the processes that have shut down cleanly and are not forgotten yet."""
        return await self.silent(since_ms=LEFT + 1)  # no heartbeat is earlier

    async def silent(self, since_ms: int) -> list[str]:
        """Return the processes without a heartbeat since `since_ms`, even if they have left."""
        key, until = self._keys.processes, f"({since_ms}"
        names = await self._client.call("ZRANGE", key, "-inf", until, "BYSCORE")
        return [name.decode() for name in names]

    async def beating(self, since_ms: int) -> int:
        """Return how many processes have had a heartbeat since `since_ms` (since the epoch)."""
        return int(await self._client.call("ZCOUNT", self._keys.processes, since_ms, "+inf"))

    async def rooms_of(self, process: str) -> list[str]:
        """Return the rooms where a process has sessions."""
        rooms = self._keys.process(process)
        return [code.decode() for code in await self._client.call("SMEMBERS", rooms)]

    async def drop_room(self, process: str, code: str) -> None:
        """Remove a room where the process no longer has sessions."""
        await self._client.call("SREM", self._keys.process(process), code)

    async def forget(self, process: str) -> None:
        """Remove a process and its rooms."""
        await self._client.call("DEL", self._keys.process(process))
        await self._client.call("ZREM", self._keys.processes, process)

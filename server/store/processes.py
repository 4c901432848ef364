"""Which processes are alive, and in which rooms somebody sits at them.

A process that is killed tells nobody. The others see that it has not been heard of, and what
it would have told of its rooms, they tell.
"""

from collections.abc import Sequence

from server.store import keys
from server.store.cluster_client import ClusterClient
from server.store.scripts import COMMAND

# So many codes go into one command: Lua unpacks no more than 8,000 words.
CODES = 1_000


class Processes:
    """What the store knows of the processes that use it.

    Every method raises StoreAway when Redis does not answer.
    """

    _client: ClusterClient

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None:
        """Say that a process is alive at `now` (ms since the epoch), with these rooms."""
        rooms = keys.process(process)
        # By a script that is executed even if the memory is full: a full store is no silence.
        for first in range(0, len(codes), CODES):
            members = codes[first : first + CODES]
            await self._client.ask(rooms, COMMAND.command((rooms,), "SADD", *members))
        if codes:
            await self._client.call(rooms, "EXPIRE", rooms, keys.TTL_SECONDS)
        beat = COMMAND.command((keys.PROCESSES,), "ZADD", now, process)
        await self._client.ask(keys.PROCESSES, beat)
        await self._client.call(keys.PROCESSES, "EXPIRE", keys.PROCESSES, keys.TTL_SECONDS)

    async def silent(self, since: int) -> list[str]:
        """Return the processes not heard of since then."""
        found = await self._client.call(
            keys.PROCESSES, "ZRANGE", keys.PROCESSES, "-inf", f"({since}", "BYSCORE"
        )
        return [process.decode() for process in found]

    async def rooms_of(self, process: str) -> list[str]:
        """Return the rooms in which somebody sits at a process."""
        rooms = keys.process(process)
        return [code.decode() for code in await self._client.call(rooms, "SMEMBERS", rooms)]

    async def drop_room(self, process: str, code: str) -> None:
        """Note that nobody in the room sits at this process any more."""
        rooms = keys.process(process)
        await self._client.call(rooms, "SREM", rooms, code)

    async def forget_process(self, process: str) -> None:
        """Forget a process."""
        rooms = keys.process(process)
        await self._client.call(rooms, "DEL", rooms)
        await self._client.call(keys.PROCESSES, "ZREM", keys.PROCESSES, process)

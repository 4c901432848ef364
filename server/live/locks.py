"""Whose turn it is to change a room, of those who want to at this process.

The store takes a change only if nobody else's came between, and says so to all but one of those
who come together: a hundred who join at once would make five thousand attempts, and the last of
them wait for ten seconds. So of each process one tries at a time, in the order of asking.
Nothing but time depends on it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

PATIENCE_S = 2.0
"""Whoever has waited for so long tries without a turn: a store that is away holds up each once."""


@dataclass(slots=True)
class _Lock:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class Locks:
    """A lock for each room that is being changed now.

    With `patient` everybody waits for the lock, however long: where work that is done twice at the
    same time is worse than waiting.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self._locks: dict[str, _Lock] = {}
        self._patient = patient

    @asynccontextmanager
    async def of(self, code: str) -> AsyncIterator[None]:
        """Hold the lock of a room; after a while go on without it. Cancelling gives it up."""
        lock = self._locks.setdefault(code, _Lock())
        lock.wanted += 1
        mine = False
        try:
            if lock.wanted == 1:  # nobody to wait for
                mine = await lock.lock.acquire()
            else:
                mine = await _acquired(lock.lock, None if self._patient else PATIENCE_S)
            yield
        finally:
            if mine:
                lock.lock.release()
            lock.wanted -= 1
            if not lock.wanted:
                del self._locks[code]

    def __len__(self) -> int:
        """The number of rooms."""
        return len(self._locks)


async def _acquired(lock: asyncio.Lock, patience_s: float | None) -> bool:
    try:
        async with asyncio.timeout(patience_s):
            return await lock.acquire()
    except TimeoutError:
        return False

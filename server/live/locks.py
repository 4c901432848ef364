"""Locks of rooms within one process: changes of a room are tried one at a time, in order.

The store takes a change only if no other change came between, and refuses all but one of those
that are written at the same time: a hundred joins at once would make five thousand attempts, and
the last one would wait for ten seconds. The locks save time only; correctness never depends on
them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

PATIENCE_S = 2.0
"""Longest wait for a lock; the change is then tried without it, as when the store is away."""


@dataclass(slots=True)
class _Lock:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    wanted: int = 0


class Locks:
    """A lock for each room that is being changed now.

    A caller waits for the lock for `patience_s`, or with `patient` without a limit: for work that
    is worse done twice at the same time than late.
    """

    def __init__(self, *, patience_s: float = PATIENCE_S, patient: bool = False) -> None:
        self._locks: dict[str, _Lock] = {}
        self._patience_s = None if patient else patience_s

    @asynccontextmanager
    async def of(self, code: str) -> AsyncIterator[None]:
        """Hold the lock of a room; go on without it after a long wait. Cancelling releases it."""
        lock = self._locks.setdefault(code, _Lock())
        lock.wanted += 1
        held = False
        try:
            if lock.wanted == 1:  # the lock is free
                held = await lock.lock.acquire()
            else:
                held = await _acquired(lock.lock, self._patience_s)
            yield
        finally:
            if held:
                lock.lock.release()
            lock.wanted -= 1
            if not lock.wanted:
                del self._locks[code]

    def __len__(self) -> int:
        """Return the number of rooms with a lock."""
        return len(self._locks)


async def _acquired(lock: asyncio.Lock, patience_s: float | None) -> bool:
    try:
        async with asyncio.timeout(patience_s):
            return await lock.acquire()
    except TimeoutError:
        return False

"""Locks by key within one process: changes of a room are tried one at a time, in order.

The store takes a change only if no other change came between, and refuses all but one of those
that are written at the same time: a hundred joins at once would make five thousand attempts, and
the last one would wait for ten seconds. The locks save time only; correctness never depends on
them.
"""

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator

LOCK_PATIENCE_S = 2.0
"""Longest wait for a lock; the change is then tried without it, as when the store is away."""


class KeyedLocks:
    """A lock for each room that is being changed now.

    A caller waits for the lock for `patience_s`, or without a limit if that is None: for work that
    is worse done twice at the same time than late.
    """

    def __init__(self, patience_s: float | None = LOCK_PATIENCE_S) -> None:
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._callers: Counter[str] = Counter()  # that hold a lock, or wait for it
        self._patience_s = patience_s

    @contextlib.asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of a room in a block; go on without it after a long wait."""
        lock, is_held = self._locks[key], False
        self._callers[key] += 1
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._patience_s):
                    is_held = await lock.acquire()
            yield
        finally:
            if is_held:
                lock.release()
            self._callers[key] -= 1
            if not self._callers[key]:
                del self._callers[key], self._locks[key]

    def __len__(self) -> int:
        """Return the number of rooms with a lock."""
        return len(self._locks)

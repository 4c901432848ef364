"""Long work in slices, and locks by key.

1. A slice of long work takes `slice_s`. Between two slices the event loop runs once. Jobs take
   turns, slice by slice, so a short job never waits for a long one.
2. Work that no player waits for runs `in_background`: all background jobs together take at most
   half of the event loop's time.
3. Changes of a room are tried one at a time, in order. The store rejects a change if another
   one came first, so a hundred joins at once would make five thousand attempts. The locks
   only save time; correctness never depends on them.
"""

import asyncio
import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator

SLICE_S = 0.002


class LongWork:
    """Runs the long work of one process, so that it never blocks the event loop for long."""

    def __init__(
        self,
        monotonic_s: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        slice_s: float = SLICE_S,
    ) -> None:
        self._monotonic_s, self._sleep, self._slice_s = monotonic_s, sleep, slice_s
        self._turn = asyncio.Lock()  # held by the job whose slice is running
        self._background = asyncio.Lock()  # held by a background job for a slice and its pause

    async def run(self, steps: Iterable[object]) -> float:
        """Run all steps, each at most a millisecond long; return the seconds that they took."""
        left, spent, more = iter(steps), 0.0, True
        while more:
            took, more = await self._slice(left)
            spent += took
        return spent

    async def in_background(self, steps: Iterable[object]) -> float:
        """Run all steps like `run`, but pause after each slice for as long as it took."""
        left, spent, more = iter(steps), 0.0, True
        while more:
            async with self._background:
                took, more = await self._slice(left)
                spent += took
                await self._sleep(took)
        return spent

    async def _slice(self, steps: Iterator[object]) -> tuple[float, bool]:
        """Run steps for one slice; return the seconds that it took, and whether steps are left."""
        async with self._turn:
            began_s = now_s = self._monotonic_s()
            for _ in steps:
                now_s = self._monotonic_s()
                if now_s - began_s >= self._slice_s:
                    # Keep the lock, or the next job's slice would run before the event loop.
                    await asyncio.sleep(0)
                    return now_s - began_s, True
            return self._monotonic_s() - began_s, False


LOCK_PATIENCE_S = 2.0  # a caller that has waited this long for a lock goes on without it


class KeyedLocks:
    """A lock for each key, such as the code of a room.

    A caller waits for a lock for `patience_s` and then goes on without it. If that is None, it
    waits without a limit, because its work may be late but must not be done twice at once.
    """

    def __init__(self, patience_s: float | None = LOCK_PATIENCE_S) -> None:
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._callers: Counter[str] = Counter()  # callers that hold a lock or wait for it
        self._patience_s = patience_s

    @contextlib.asynccontextmanager
    async def of(self, key: str) -> AsyncIterator[None]:
        """Hold a key's lock while the block runs; after a long wait, run the block without it."""
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

    def callers(self, key: str) -> int:
        """Return how many callers hold the lock of a key or wait for it."""
        return self._callers[key]

"""Long work in slices, so that no request blocks the event loop.

1. A slice takes `slice_s`. Between any two slices, of one job or of two, the loop runs once:
   events that came in meanwhile are handled first.
2. Jobs take turns, slice by slice. A short job never waits for the end of a long one.
3. Work that no player waits for runs `in_background`: all background jobs together take at most
   half of the loop's time.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator

SLICE_S = 0.002


class LongWork:
    """The long work of one process. `clock` counts seconds."""

    def __init__(
        self,
        clock: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        slice_s: float = SLICE_S,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._slice_s = slice_s
        self._turn = asyncio.Lock()
        self._background = asyncio.Lock()

    async def run(self, steps: Iterable[object]) -> float:
        """Take all steps, each of a millisecond at most; return the seconds that they took.

        Cancelling leaves the remaining steps undone. Errors of a step are raised.
        """
        left = iter(steps)
        spent, more = 0.0, True
        while more:
            took, more = await self._slice(left)
            spent += took
        return spent

    async def in_background(self, steps: Iterable[object]) -> float:
        """Take all steps like `run`, and sleep after each slice for as long as it took."""
        left = iter(steps)
        spent, more = 0.0, True
        while more:
            async with self._background:
                took, more = await self._slice(left)
                spent += took
                await self._sleep(took)
        return spent

    async def _slice(self, steps: Iterator[object]) -> tuple[float, bool]:
        """Take steps for one slice; return its seconds, and whether steps are left."""
        async with self._turn:
            began = now = self._clock()
            for _ in steps:
                now = self._clock()
                if now - began >= self._slice_s:
                    # The lock is held meanwhile, or the next job's slice would run first.
                    await asyncio.sleep(0)
                    return now - began, True
            return self._clock() - began, False

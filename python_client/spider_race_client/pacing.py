"""The limits of the server, kept by waiting, and the waits between attempts."""

import asyncio
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
SILENCE_S = 9.0
"""The longest wait for a connection to open, and for an answer to a ping."""
MOVED_WAIT_S = 0.25
"""The longest wait before the seat is taken at the successor of a server that is replaced."""


def wait_before_attempt(
    failures: int, longest_s: float = LONGEST_WAIT_S, *, is_moved: bool = False
) -> float:
    """Return the seconds before the next attempt, with full jitter up to an exponential bound.

    `is_moved` means that the server is being replaced: its successor serves already.
    """
    bound = min(longest_s, FIRST_WAIT_S * 2 ** min(failures + 1, 10))
    first = min(bound, FIRST_WAIT_S)
    if is_moved and not failures:
        first, bound = 0.0, MOVED_WAIT_S
    return random.uniform(first, bound)  # noqa: S311  # it spreads clients and hides nothing


USED = 0.8
"""The part of a limit that is used: messages that a network delays arrive closer together."""


class TokenBucket:
    """A part of the server's limit: at most `burst` at once, then `per_s` a second."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst, self._per_s = USED * burst, USED * per_s
        self._tokens, self._at = self._burst, time.monotonic()

    async def take(self) -> None:
        """Wait for a token and take it. Cancelling takes none."""
        while True:
            now = time.monotonic()
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
            self._at = now
            if self._tokens >= 1:
                self._tokens -= 1
                return
            await asyncio.sleep((1 - self._tokens) / self._per_s)

    def give_back(self) -> None:
        """Give a token back that was taken for nothing."""
        self._tokens += 1


class Window:
    """At most `count` in any `seconds` by the server's clock, which counts before it answers."""

    def __init__(self, count: int, seconds: float) -> None:
        self._places = asyncio.Semaphore(count)
        self._seconds = seconds

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for a place, and keep it until `seconds` after the block. Cancelling takes none."""
        await self._places.acquire()
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(self._seconds, self._places.release)

"""A throttle: what waits is served in one pass, at most once in an interval.

The first one that waits after a pause is served in the next turn of the event loop. One timer
serves all rooms: a task or a timer for each of them would cost more than what it does.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import structlog

log = structlog.get_logger()


class Named(Protocol):
    """A room, as its code names it in the log."""

    code: str


R = TypeVar("R", bound=Named)


class Throttle(Generic[R]):
    """The passes over those rooms that wait for one; `serve` does what waits in one of them.

    If it raises an error, `failed` is logged, and the other rooms are served. A pass takes about
    `slice_s` in one turn of the event loop.
    """

    __slots__ = (
        *("_began_at", "_failed", "_interval_s", "_scheduled", "_serve", "_slice_s"),
        "_waiting",
    )

    def __init__(
        self, failed: str, interval_s: float, slice_s: float, serve: Callable[[R], None]
    ) -> None:
        self._failed = failed
        self._interval_s = interval_s
        self._slice_s = slice_s
        self._serve = serve
        self._waiting: dict[R, None] = {}  # a set in the order of waiting
        self._scheduled = False
        self._began_at = float("-inf")

    def add(self, waiting: R) -> None:
        """Serve a room with the next pass."""
        self._waiting[waiting] = None
        if not self._scheduled:
            self._schedule()

    def awaits(self, waiting: R) -> bool:
        """Return whether the next pass will serve it."""
        return waiting in self._waiting

    def _schedule(self) -> None:
        self._scheduled = True
        loop = asyncio.get_running_loop()
        wait = self._began_at + self._interval_s - loop.time()
        if wait > 0:
            loop.call_later(wait, self._begin)
        else:
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        """Begin a pass over the rooms that wait."""
        self._began_at = asyncio.get_running_loop().time()
        waiting, self._waiting = list(self._waiting), {}
        waiting.reverse()
        self._continue(waiting)

    def _continue(self, left: list[R]) -> None:
        """Serve from the end of the list, some of them in each turn of the loop."""
        until = time.monotonic() + self._slice_s
        while left:
            each = left.pop()
            try:
                self._serve(each)
            except Exception:
                log.exception(self._failed, room=each.code)
            if time.monotonic() >= until and left:
                asyncio.get_running_loop().call_soon(self._continue, left)
                return
        self._scheduled = False
        if self._waiting:
            self._schedule()

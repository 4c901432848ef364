"""A pass over all rooms that wait for one, at most once in an interval.

The first room that waits after a pause is served in the next turn of the event loop. One timer
serves all rooms: a task or a timer for each of them would cost more than what it does.
"""

import asyncio
import time
from collections.abc import Callable

import structlog

from server.live.local_room import LocalRoom

log = structlog.get_logger()


class RoomPass:
    """The passes over rooms of this process.

    `serve` is called with each room that waits, once a pass; if it raises an error, `failed` is
    logged, and the other rooms are served. A pass takes about `slice_s` in one turn of the event
    loop.
    """

    def __init__(
        self, serve: Callable[[LocalRoom], None], failed: str, interval_s: float, slice_s: float
    ) -> None:
        self._serve = serve
        self._failed = failed
        self._interval_s = interval_s
        self._slice_s = slice_s
        self._waiting: dict[str, LocalRoom] = {}
        self._scheduled = False
        self._began_at = float("-inf")

    def add(self, local: LocalRoom) -> None:
        """Serve a room with the next pass."""
        self._waiting[local.code] = local
        if not self._scheduled:
            self._schedule()

    def awaits(self, local: LocalRoom) -> bool:
        """Return whether the next pass will serve this room."""
        return self._waiting.get(local.code) is local

    def _schedule(self) -> None:
        self._scheduled = True
        loop = asyncio.get_running_loop()
        wait = self._began_at + self._interval_s - loop.time()
        if wait > 0:
            loop.call_later(wait, self._begin)
        else:
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._began_at = asyncio.get_running_loop().time()
        waiting, self._waiting = list(self._waiting.values()), {}
        waiting.reverse()
        self._continue(waiting)

    def _continue(self, left: list[LocalRoom]) -> None:
        """Serve the rooms from the end of the list, some of them in each turn of the loop."""
        until = time.monotonic() + self._slice_s
        while left:
            local = left.pop()
            try:
                self._serve(local)
            except Exception:
                log.exception(self._failed, room=local.code)
            if time.monotonic() >= until and left:
                asyncio.get_running_loop().call_soon(self._continue, left)
                return
        self._scheduled = False
        if self._waiting:
            self._schedule()

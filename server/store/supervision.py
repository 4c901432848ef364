"""The supervision of the embedded server by its owner.

A server that ends by itself is started again: at once after the first end, and after a growing
pause after the next ones. If it ends again and again, the owner gives up, because further starts
would not help and the operator must act. A server that ended on a full disk is started again when
there is space.
"""

import asyncio
from collections import deque
from typing import NoReturn, Protocol

import structlog

from server.store.data_dir import DataDir
from server.store.errors import StoreUnusable
from server.store.timings import STORE_TIMINGS, StoreTimings

DISK_ERROR = "AOF write error"
"""The server's last words when the disk is full and fsync is `always`."""

log = structlog.get_logger(__name__)


class Server(Protocol):
    """A server that can be started again."""

    def runs(self) -> bool:
        """Return whether the server is running."""

    def why_it_ended(self) -> str:
        """Return a clause about how the server has ended."""

    def start_again(self) -> None:
        """Start a server in its place, or raise StoreUnusable."""


class Supervision:
    """The ends of one server within the last minute."""

    def __init__(self, data: DataDir, timings: StoreTimings = STORE_TIMINGS) -> None:
        self._data = data
        self._timings = timings
        self._ends: deque[float] = deque()

    async def keep(self, server: Server) -> NoReturn:
        """Start the server again whenever it ends; cancelling leaves it as it is.

        Raises:
            StoreUnusable: the server has ended too often within a minute, or its data are gone.
        """
        while True:
            while server.runs():  # noqa: ASYNC110  # only a child's end can be awaited
                await asyncio.sleep(self._timings.watch_s)
            why = server.why_it_ended()
            while True:
                await self._pause(why)
                self._data.check_data()
                try:
                    server.start_again()
                    break
                except StoreUnusable as error:
                    why = str(error).rstrip(".")

    async def _pause(self, why: str) -> None:
        """Wait until the server may be started again.

        Raises:
            StoreUnusable: the server has ended too often within a minute.
        """
        if DISK_ERROR in why:
            await self._until_space(why)
        now = asyncio.get_running_loop().time()
        while self._ends and now - self._ends[0] > self._timings.forgiven_s:
            self._ends.popleft()
        self._ends.append(now)
        if len(self._ends) > len(self._timings.pauses_s):
            raise StoreUnusable(
                f"The embedded store in {self._data.path} was given up after it had ended "
                f"{len(self._ends)} times within a minute, the last time because {why}."
            )
        pause = self._timings.pauses_s[len(self._ends) - 1]
        log.warning("the embedded store ended and is started again", why=why, pause_s=pause)
        await asyncio.sleep(pause)

    async def _until_space(self, why: str) -> None:
        """Wait while the disk is full, because the server would end again at once."""
        if await asyncio.to_thread(self._data.has_space):
            return
        log.error("the disk of the embedded store is full: it waits for space", why=why)
        while not await asyncio.to_thread(self._data.has_space):  # noqa: ASYNC110  # a disk has no events
            await asyncio.sleep(self._timings.space_s)

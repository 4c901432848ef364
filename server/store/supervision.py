"""What the owner of the embedded store does when the server ends by itself.

It is started again, at once after a first end and with a growing pause after the next ones. One
that ends again and again is given up: no number of starts would help, and the operator has to be
told. A full disk is no fault of the server, so it is waited for.
"""

import asyncio
from collections import deque
from typing import NoReturn, Protocol

import structlog

from server.store.data_dir import DataDir
from server.store.errors import StoreUnusable

# How often the owner looks whether the server is there.
WATCH_SECONDS = 0.1
# Before each new start: even the last of them leaves it back within two seconds.
PAUSES = (0.0, 0.2, 0.5, 1.0)
# Ends that are longer ago than this do not count.
FORGIVEN_SECONDS = 60.0
# How often a full disk is looked at. With `always` the server ends with these words if it is full.
SPACE_SECONDS = 1.0
DISK_ERROR = "AOF write error"

log = structlog.get_logger(__name__)


class Server(Protocol):
    """A server that can be started again."""

    def runs(self) -> bool:
        """Return whether it is there."""

    def why_it_ended(self) -> str:
        """Say how it has ended, as part of a sentence."""

    def start_again(self) -> None:
        """Start another in its place, or raise StoreUnusable."""


class Supervision:
    """The ends of one server within the last minute."""

    def __init__(self, data: DataDir) -> None:
        self._data = data
        self._ends: deque[float] = deque()

    async def keep(self, server: Server) -> NoReturn:
        """Start the server again whenever it ends; cancelling leaves it as it is.

        Raises:
            StoreUnusable: it has ended too often within a minute, or its data are gone.
        """
        while True:
            while server.runs():  # noqa: ASYNC110  # a process that is not our child tells nobody
                await asyncio.sleep(WATCH_SECONDS)
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
        """Return when it is time to start the server again.

        Raises:
            StoreUnusable: it never is.
        """
        if DISK_ERROR in why:
            await self._until_space(why)
        now = asyncio.get_running_loop().time()
        while self._ends and now - self._ends[0] > FORGIVEN_SECONDS:
            self._ends.popleft()
        self._ends.append(now)
        if len(self._ends) > len(PAUSES):
            raise StoreUnusable(
                f"The embedded store in {self._data.path} was given up after it had ended "
                f"{len(self._ends)} times within a minute, the last time because {why}."
            )
        pause = PAUSES[len(self._ends) - 1]
        log.warning("the embedded store ended and is started again", why=why, pause_s=pause)
        await asyncio.sleep(pause)

    async def _until_space(self, why: str) -> None:
        """Wait while the disk is full: another start would not help."""
        if await asyncio.to_thread(self._data.has_space):
            return
        log.error("the disk of the embedded store is full: it waits for space", why=why)
        while not await asyncio.to_thread(self._data.has_space):  # noqa: ASYNC110  # a disk tells nobody
            await asyncio.sleep(SPACE_SECONDS)

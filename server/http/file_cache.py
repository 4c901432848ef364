"""A cache of files that are expensive to make.

1. Of several requests for one file at the same time one makes it, and all of them get it.
2. An address makes one file at a time, so that its slow files delay no other address.
3. The work of making a file is charged to its address and its room. Neither makes more files
   while it is in debt; files that are kept or being made already are free.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import NamedTuple

from server import metrics
from server.http.files import File
from server.http.limits import HTTP_LIMITS
from server.live.keyed_locks import KeyedLocks
from server.sessions.rate_limit import RateLimits

KEPT_BYTES = 16 * 1024 * 1024
TOGETHER = 16  # files made at the same time, at most

Make = Callable[[], Awaitable[tuple[File, float]]]


class FileKey(NamedTuple):
    """The file of a finished round."""

    what: str  # the type of the file
    room_code: str
    n: int  # the number of the round
    seat: int = -1  # the number of the seat of a replay; other files have none
    language: str = ""  # the language of a picture; other files have none
    version: str = ""
    """What tells the record of the round from others of its number.

    A restored backup or a failover may put another round in its place, or end it otherwise.
    """


class TooMuchWork(Exception):  # noqa: N818  # named for what it is
    """An address or a room has exceeded its limit of work, and must wait for `wait_s`."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class FileCache:
    """The files of one process; the most recently used are kept, up to `kept_bytes`.

    At most `together` files are made at the same time. `of_address` and `of_room` limit the work
    in milliseconds.
    """

    def __init__(
        self,
        *,
        kept_bytes: int = KEPT_BYTES,
        together: int = TOGETHER,
        of_address: RateLimits | None = None,
        of_room: RateLimits | None = None,
    ) -> None:
        self._files: OrderedDict[FileKey, File] = OrderedDict()
        self._making: dict[FileKey, asyncio.Future[File]] = {}
        self.kept_bytes = kept_bytes
        self._together = asyncio.Semaphore(together)
        self._locks = KeyedLocks(patient=True)
        self._of_address = of_address or RateLimits(*HTTP_LIMITS.work_of_address)
        self._of_room = of_room or RateLimits(*HTTP_LIMITS.work_of_room)
        self.bytes = 0

    async def get(self, key: FileKey, address: str | None, make: Make) -> File:
        """Return the file of this key; `make` returns the file and the seconds that it took.

        `address` is charged for the work; None is not limited. After a cancellation another
        request that waits for the file makes it.

        Raises:
            TooMuchWork: the address or the room has exceeded its limit.
        """
        while True:
            if (file := await self._found(key)) is not None:
                return file
            turn = nullcontext() if address is None else self._locks.of(address)
            async with turn, self._together:
                if key not in self._files and key not in self._making:
                    self._check(key, address)
                    return await self._make(key, address, make)

    async def _found(self, key: FileKey) -> File | None:
        """Return the file if it is kept, or once it is made; None if it is not being made."""
        file = self._files.get(key)
        if file is not None:
            self._files.move_to_end(key)
            return file
        making = self._making.get(key)
        if making is None:
            return None
        await asyncio.wait({making})
        return None if making.cancelled() else making.result()

    def _check(self, key: FileKey, address: str | None) -> None:
        """Raise TooMuchWork while the room or the address owes time for files made before."""
        wait_s = self._of_room.wait_s(key.room_code)
        if address is not None:
            wait_s = max(wait_s, self._of_address.wait_s(address))
        if wait_s:
            metrics.turned_away.labels("work").inc()
            raise TooMuchWork(wait_s)

    async def _make(self, key: FileKey, address: str | None, make: Make) -> File:
        """Make a file, keep it, and charge the room and the address for the time."""
        making = self._making[key] = asyncio.get_running_loop().create_future()
        try:
            file, seconds = await make()
            making.set_result(file)
        finally:
            making.cancel()  # no effect on a finished future
            del self._making[key]
        metrics.replay_seconds.labels(key.what).inc(seconds)
        self._of_room.owe(key.room_code, 1_000 * seconds)
        if address is not None:
            self._of_address.owe(address, 1_000 * seconds)
        self._keep(key, file)
        return file

    def _keep(self, key: FileKey, file: File) -> None:
        """Keep a file and drop the least recently used ones; one too large is not kept."""
        size = _size(file)
        if size > self.kept_bytes:
            return
        self._files[key] = file
        self.bytes += size
        while self.bytes > self.kept_bytes:
            _, old = self._files.popitem(last=False)
            self.bytes -= _size(old)


def _size(file: File) -> int:
    return len(file.body) + len(file.packed or b"")

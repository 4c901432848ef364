"""Files that are dear to make: made once for all who ask, and kept while there is room.

1. Of those who ask for one file at the same time one makes it, and the others get it too.
2. An address makes one file at a time, so that its slow ones hold up nobody else's.
3. The time that a making took is charged to its address and to its room. Either in debt makes
   nothing more until it is paid; what is kept, or is being made for somebody else, is free.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import NamedTuple

from server import metrics
from server.http.files import File
from server.live.locks import Locks
from server.sessions.rate_limit import RateLimits

KEPT_BYTES = 16 * 1024 * 1024
TOGETHER = 16
"""Files that are made at the same time, at most."""

ADDRESS_MS, ADDRESS_MS_PER_S = 15_000, 100
"""The work that an address may ask for: a classroom's replays of a race take five seconds."""

ROOM_MS, ROOM_MS_PER_S = 20_000, 200
"""The work that all may ask for of a room: everything of a round of a hundred long games."""

Make = Callable[[], Awaitable[tuple[File, float]]]


class Key(NamedTuple):
    """What was made, and of which round; `seat` is of replays alone."""

    what: str
    code: str
    n: int
    seat: int = -1


class TooMuchWork(Exception):  # noqa: N818  # named for what it is
    """An address or a room has had its share; `wait_s` is the time until it gets more."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


class FileCache:
    """The files of one process; `KEPT_BYTES` of them, those asked for last."""

    def __init__(self) -> None:
        self._files: OrderedDict[Key, File] = OrderedDict()
        self._making: dict[Key, asyncio.Future[File]] = {}
        self._together = asyncio.Semaphore(TOGETHER)
        self._locks = Locks(patient=True)
        self._of_address = RateLimits(ADDRESS_MS, ADDRESS_MS_PER_S)
        self._of_room = RateLimits(ROOM_MS, ROOM_MS_PER_S)
        self.bytes = 0

    async def get(self, key: Key, asker: str | None, make: Make) -> File:
        """Return the file of this key; `make` returns it, and the seconds that it took.

        `asker` is the address that is charged; None is not limited. Cancelling makes one of
        those who wait for the same file begin anew.

        Raises:
            TooMuchWork: the address or the room has had its share.
        """
        while True:
            if (file := await self._found(key)) is not None:
                return file
            turn = nullcontext() if asker is None else self._locks.of(asker)
            async with turn, self._together:
                if key not in self._files and key not in self._making:
                    self._check(key, asker)
                    return await self._make(key, asker, make)

    async def _found(self, key: Key) -> File | None:
        """Return the file if it is kept, or once it is made; None if nobody makes it."""
        file = self._files.get(key)
        if file is not None:
            self._files.move_to_end(key)
            return file
        making = self._making.get(key)
        if making is None:
            return None
        await asyncio.wait({making})
        return None if making.cancelled() else making.result()

    def _check(self, key: Key, asker: str | None) -> None:
        wait_s = self._of_room.wait_s(key.code)
        if asker is not None:
            wait_s = max(wait_s, self._of_address.wait_s(asker))
        if wait_s:
            metrics.turned_away.labels("work").inc()
            raise TooMuchWork(wait_s)

    async def _make(self, key: Key, asker: str | None, make: Make) -> File:
        making = self._making[key] = asyncio.get_running_loop().create_future()
        try:
            file, seconds = await make()
            making.set_result(file)
        finally:
            making.cancel()  # of no effect on one that is done
            del self._making[key]
        metrics.replay_seconds.labels(key.what).inc(seconds)
        self._of_room.owe(key.code, 1_000 * seconds)
        if asker is not None:
            self._of_address.owe(asker, 1_000 * seconds)
        self._keep(key, file)
        return file

    def _keep(self, key: Key, file: File) -> None:
        """Keep a file, and let go of those asked for longest ago; one too large is not kept."""
        size = _size(file)
        if size > KEPT_BYTES:
            return
        self._files[key] = file
        self.bytes += size
        while self.bytes > KEPT_BYTES:
            _, old = self._files.popitem(last=False)
            self.bytes -= _size(old)


def _size(file: File) -> int:
    return len(file.body) + len(file.packed or b"")

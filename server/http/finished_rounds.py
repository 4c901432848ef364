"""Files of finished rounds, for every client that has their address.

1. A round that is not over gets the same response as a round that does not exist.
2. A file is written in slices in the background: other work runs between any two.
3. A file is kept for later requests: a finished round does not change any more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from server.http.file_cache import FileCache, FileKey
from server.http.files import File, make_file
from server.http.limits import HTTP_LIMITS, HttpLimits
from server.live.quarantine import replaying
from server.live.repository import Repository
from server.live.slices import Slices
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.sessions.rate_limit import RateLimits
from server.store import LogRecord
from server.views.documents import (
    Document,
    course_document,
    replay_document,
    round_document,
    text_document,
)
from server.views.finished_rounds import finished_round

BATCH = 256
"""Texts that are encoded together: single ones would take three times the memory."""
EFFORT = 6
"""Level of compression: the highest takes three times as long for 5 % less."""

Read = Callable[[int], Awaitable[Sequence[LogRecord]]]


class FinishedRounds:
    """Finished rounds, as files to be served.

    `address` is charged for the work of making a file; None is not limited. Every method may
    raise StoreAway, Unreadable, and TooMuchWork for an address or a room above its limit.
    """

    def __init__(
        self, repository: Repository, slices: Slices, limits: HttpLimits = HTTP_LIMITS
    ) -> None:
        self._repository = repository
        self._slices = slices
        self.batch = BATCH
        self.kept = FileCache(
            of_address=RateLimits(*limits.work_of_address),
            of_room=RateLimits(*limits.work_of_room),
        )

    async def whole(self, code: str, n: int, address: str | None = None) -> File | None:
        """Return the deal and all logs; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> tuple[File, float]:
            document = round_document(finished_round(room, played, {}), played)
            return await self._write(document, self._reader(code, n))

        return await self.kept.get(FileKey("whole", code, n), address, make)

    async def text(self, code: str, n: int, address: str | None = None) -> File | None:
        """Return the round as a text; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            return await self._write(text_document(played), self._reader(code, n))

        return await self.kept.get(FileKey("text", code, n), address, make)

    async def course(self, code: str, n: int, address: str | None = None) -> File | None:
        """Return the result and each player's progress; None if no such round is over."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> tuple[File, float]:
            return await self._write(course_document(room, played), self._reader(code, n))

        return await self.kept.get(FileKey("course", code, n), address, make)

    async def replay(
        self, code: str, n: int, seat: int, address: str | None = None
    ) -> File | None:
        """Return one player's game, act by act; None if no such round with this seat is over."""
        found = await self._find(code, n)
        if found is None or seat not in found[1].names:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            log = await self._repository.store.read_log(code, n, seat)

            async def read(_seat: int) -> Sequence[LogRecord]:
                return log

            return await self._write(replay_document(played, seat, len(log)), read)

        return await self.kept.get(FileKey("replay", code, n, seat), address, make)

    async def _find(self, code: str, n: int) -> tuple[Room, Round] | None:
        try:
            room = (await self._repository.read(code)).room
        except Refusal:
            return None
        return next(
            ((room, played) for played in room.rounds if played.n == n and played.kept), None
        )

    def _reader(self, code: str, n: int) -> Read:
        async def read(seat: int) -> Sequence[LogRecord]:
            return await self._repository.store.read_log(code, n, seat)

        return read

    async def _write(self, document: Document, read: Read) -> tuple[File, float]:
        """Return the file and the seconds of work; one log is held in memory at a time."""
        texts = [document.head.encode()]
        seconds = 0.0
        for seat in document.seats:
            part = document.part(seat, await read(seat))
            if seat != document.seats[0]:
                texts.append(document.between.encode())
            with replaying():
                seconds += await self._slices.in_background(_gathered(part, texts, self.batch))
        texts.append(document.tail.encode())
        file, more = await asyncio.to_thread(_finished, texts, document.content_type)
        return file, seconds + more


def _gathered(part: Iterator[str], texts: list[bytes], size: int) -> Iterator[None]:
    """Add the texts of a part in batches of this size."""
    batch: list[str] = []
    for text in part:
        batch.append(text)
        if len(batch) == size:
            texts.append("".join(batch).encode())
            batch.clear()
        yield
    texts.append("".join(batch).encode())


def _finished(texts: Sequence[bytes], content_type: str) -> tuple[File, float]:
    """Join and compress a file; it runs in a thread. Return the file and the CPU seconds."""
    began = time.thread_time()
    file = make_file(b"".join(texts), content_type, EFFORT)
    return file, time.thread_time() - began

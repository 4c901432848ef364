"""Files about rounds that are over, for anybody who has their address.

1. A round that is on gets the same answer as one that never existed.
2. A file is written in slices, in the background: other work is served between any two.
3. A file is kept for later requests: a round that is over does not change any more.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence

from server.http.file_cache import FileCache, Key
from server.http.files import File, make_file
from server.live.quarantine import replaying
from server.live.repository import Repository
from server.live.slices import Slices
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.store import LogRecord
from server.views.finished_rounds import finished_round
from server.views.writing import (
    Writing,
    course_writing,
    replay_writing,
    text_writing,
    whole_writing,
)

BATCH = 256
EFFORT = 6
"""Of compressing: the highest takes thrice as long for a twentieth less."""

Read = Callable[[int], Awaitable[Sequence[LogRecord]]]


class FinishedRounds:
    """The rounds that are over, as files to be served.

    `asker` is the address that is charged for what must be made; None is not limited. Every
    method may raise StoreAway, Unreadable, and TooMuchWork for an address or a room that has had
    its share.
    """

    def __init__(self, repository: Repository, slices: Slices) -> None:
        self._repository = repository
        self._slices = slices
        self.kept = FileCache()

    async def whole(self, code: str, n: int, asker: str | None = None) -> File | None:
        """The deal and all logs; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> tuple[File, float]:
            writing = whole_writing(finished_round(room, played, {}), played)
            return await self._write(writing, self._reader(code, n))

        return await self.kept.get(Key("whole", code, n), asker, make)

    async def text(self, code: str, n: int, asker: str | None = None) -> File | None:
        """The round as a text to keep; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            return await self._write(text_writing(played), self._reader(code, n))

        return await self.kept.get(Key("text", code, n), asker, make)

    async def course(self, code: str, n: int, asker: str | None = None) -> File | None:
        """How it ended and how all came there; None if there is no such round to tell of."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> tuple[File, float]:
            return await self._write(course_writing(room, played), self._reader(code, n))

        return await self.kept.get(Key("course", code, n), asker, make)

    async def replay(self, code: str, n: int, seat: int, asker: str | None = None) -> File | None:
        """One player's game, act by act; None if there is no such thing to tell of."""
        found = await self._find(code, n)
        if found is None or seat not in found[1].names:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            log = await self._repository.store.read_log(code, n, seat)

            async def read(_seat: int) -> Sequence[LogRecord]:
                return log

            return await self._write(replay_writing(played, seat, len(log)), read)

        return await self.kept.get(Key("replay", code, n, seat), asker, make)

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

    async def _write(self, writing: Writing, read: Read) -> tuple[File, float]:
        """Return the file, and the seconds of work that it was; one log is held at a time."""
        texts = [writing.head.encode()]
        seconds = 0.0
        for seat in writing.seats:
            part = writing.part(seat, await read(seat))
            if seat != writing.seats[0]:
                texts.append(writing.between.encode())
            with replaying():
                seconds += await self._slices.in_background(_gathered(part, texts))
        texts.append(writing.tail.encode())
        file, more = await asyncio.to_thread(_finished, texts, writing.content_type)
        return file, seconds + more


def _gathered(part: Iterator[str], texts: list[bytes]) -> Iterator[None]:
    """Add the texts of a part, some at a time: one of each would take thrice the memory."""
    batch: list[str] = []
    for text in part:
        batch.append(text)
        if len(batch) == BATCH:
            texts.append("".join(batch).encode())
            batch.clear()
        yield
    texts.append("".join(batch).encode())


def _finished(texts: Sequence[bytes], content_type: str) -> tuple[File, float]:
    """Put a file together and compress it, which the loop does not wait for."""
    began = time.thread_time()
    file = make_file(b"".join(texts), content_type, EFFORT)
    return file, time.thread_time() - began

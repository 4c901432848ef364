"""What is told of rounds that are over, to whoever has their address.

1. A round that is on gets the same answer as one that there never was.
2. What the engine must play again is made one at a time, in slices between which others are
   served; whoever asks for the same meanwhile gets what the first one made.
3. The latest are kept, up to `KEPT_BYTES`: a round that is over changes no more.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from server.net.files import File, make_file
from server.rooms.book import Book
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.rooms.replays import course, points_of, replay, round_course, steps_of
from server.rooms.views import finished_round, round_text
from server.store import LogRecord

SLICE = 50
KEPT_BYTES = 8 * 1024 * 1024

T = TypeVar("T")


class Key(NamedTuple):
    """What was made, and of which round; `seat` is of replays alone."""

    what: str
    code: str
    n: int
    seat: int = -1


class Rounds:
    """The rounds that are over, as files to be served. Every method may raise StoreAway."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._making = asyncio.Lock()
        self._kept: OrderedDict[Key, File] = OrderedDict()
        self._bytes = 0

    async def whole(self, code: str, n: int) -> File | None:
        """The deal and all logs; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> BaseModel:
            return finished_round(room, played, await self._logs(code, played))

        return await self._keep(Key("whole", code, n), make)

    async def text(self, code: str, n: int) -> str | None:
        """The round as a text to keep; None if there is no such round, or it is not over."""
        found = await self._find(code, n)
        if found is None:
            return None
        return round_text(found[1], await self._logs(code, found[1]))

    async def course(self, code: str, n: int) -> File | None:
        """How it ended and how all came there; None if there is no such round to tell of."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found

        async def make() -> BaseModel:
            logs = await self._logs(code, played)
            lines = [
                course(played, seat, await _in_slices(points_of(played, seat, log)))
                for seat, log in logs.items()
            ]
            return round_course(room, played, lines)

        return await self._keep(Key("course", code, n), make)

    async def replay(self, code: str, n: int, seat: int) -> File | None:
        """One player's game, act by act; None if there is no such thing to tell of."""
        found = await self._find(code, n)
        if found is None or seat not in found[1].names:
            return None
        played = found[1]

        async def make() -> BaseModel:
            log = await self._book.store.read_log(code, n, seat)
            return replay(played, seat, await _in_slices(steps_of(played, log)), len(log))

        return await self._keep(Key("replay", code, n, seat), make)

    async def _find(self, code: str, n: int) -> tuple[Room, Round] | None:
        try:
            room = (await self._book.read(code)).room
        except Refusal:
            return None
        return next(((room, played) for played in room.rounds if played.n == n), None)

    async def _logs(self, code: str, played: Round) -> dict[int, list[LogRecord]]:
        seats = list(played.names)
        logs = await self._book.store.read_logs(code, played.n, seats)
        return dict(zip(seats, logs, strict=True))

    async def _keep(self, key: Key, make: Callable[[], Awaitable[BaseModel]]) -> File:
        async with self._making:
            file = self._kept.get(key)
            if file is None:
                file = await asyncio.to_thread(_as_file, await make())
                self._kept[key] = file
                self._bytes += _size(file)
            self._kept.move_to_end(key)
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                _, old = self._kept.popitem(last=False)
                self._bytes -= _size(old)
            return file


def _as_file(model: BaseModel) -> File:
    return make_file(model.model_dump_json().encode(), "application/json")


def _size(file: File) -> int:
    return len(file.body) + len(file.packed or b"")


async def _in_slices(items: Iterator[T | None]) -> list[T]:
    """All items that are some, made while others are served too."""
    found: list[T] = []
    for number, item in enumerate(items, 1):
        if item is not None:
            found.append(item)
        if number % SLICE == 0:
            await asyncio.sleep(0)
    return found

"""Rooms and logs that this release cannot read: log each once, and retry the room less often."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import structlog

from server.games.errors import GameError
from server.rooms.record import InvalidRecord, Room, parse_record
from server.store import RoomLists, Store, StoreAway, Unreadable

ROOMS_PER_TURN = 100  # check this many before other tasks get a turn
REPORTED_S = 60  # of the processes that start within this time, only one reports old races
MOST_REMEMBERED = 10_000  # the most unreadable rooms to remember; a forgotten room is logged again

log = structlog.get_logger()


def parse_room(code: str, doc: str) -> Room:
    """Return the room in a document, or raise Unreadable if this release cannot serve it."""
    try:
        return parse_record(code, doc)
    except InvalidRecord as error:
        raise Unreadable(str(error)) from None


async def report_old_races(store: Store) -> None:
    """Log how many races of an old release cannot go on; only one process logs this."""
    with contextlib.suppress(StoreAway):  # such a room is also logged when it is read
        codes, old_races = await store.open_rooms.names(), 0
        for first in range(0, len(codes), ROOMS_PER_TURN):
            old_races += await store.rooms.count_old_races(codes[first : first + ROOMS_PER_TURN])
            await asyncio.sleep(0)
        # Nobody renews or releases the guard, so its holder needs no name of its own.
        if old_races and await store.guards.claim("old races", "a new process", REPORTED_S):
            log.warning(
                "Races that a server of before 27 November 2026 has stored do not go on: end them "
                "with that server, or leave them, and they expire 15 days after their last act.",
                rooms=old_races,
            )


@contextlib.contextmanager
def raising_unreadable() -> Iterator[None]:
    """Turn the error of a block that replays or parses stored data into Unreadable."""
    try:
        yield
    except (GameError, ValueError, LookupError):
        raise Unreadable("a log that these rules do not allow") from None


class Quarantine:
    """The unreadable rooms that this process has found: the latest `MOST_REMEMBERED` ones."""

    def __init__(self, lists: RoomLists) -> None:
        self._lists = lists
        self._rooms: dict[str, bool] = {}  # by code: whether the record itself is unreadable

    def __contains__(self, code: str) -> bool:
        """Return whether this process has found the room unreadable."""
        return code in self._rooms

    @contextlib.asynccontextmanager
    async def reading(self, code: str, *, is_record: bool = False) -> AsyncIterator[None]:
        """Put the room into quarantine if the block raises Unreadable.

        `is_record`: whether the block reads the room's record; when that works again, the room
        leaves the quarantine.
        """
        try:
            yield
        except Unreadable as error:
            await self.add(code, error, is_record=is_record)
            raise
        if is_record and self._rooms.get(code):
            self.forget(code)

    async def add(self, code: str, error: Unreadable, *, is_record: bool = False) -> None:
        """Log why a room is unreadable and set it aside, unless it is in quarantine already.

        `is_record`: whether the record itself is unreadable, not only a log.
        """
        if code in self._rooms:
            return
        self._rooms[code] = is_record
        if len(self._rooms) > MOST_REMEMBERED:
            self.forget(next(iter(self._rooms)))
        log.error("room cannot be read", room=code, why=str(error))
        with contextlib.suppress(StoreAway):  # the sweep finds it again at its deadline
            await self._lists.set_aside(code)

    def forget(self, code: str) -> None:
        """Remove a room that is readable again, or gone: a new room may get its code."""
        self._rooms.pop(code, None)

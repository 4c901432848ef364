"""Rooms and logs that this release cannot read: each is logged once and set aside in the store."""

import contextlib
from collections.abc import AsyncIterator, Iterator

import structlog

from server.games.errors import GameError
from server.rooms.record import InvalidRecord, Room, parse_record
from server.store import RoomLists, StoreAway, Unreadable

KEPT = 10_000  # unreadable rooms remembered, at most; a forgotten room is logged again

log = structlog.get_logger()


def parse_room(code: str, doc: str) -> Room:
    """Return the room of a document, or raise Unreadable if this release cannot serve it."""
    try:
        return parse_record(code, doc)
    except InvalidRecord as error:
        raise Unreadable(str(error)) from None


@contextlib.contextmanager
def replaying() -> Iterator[None]:
    """Raise Unreadable if these rules do not allow an entry of the log that the block replays."""
    try:
        yield
    except (GameError, ValueError, LookupError):
        raise Unreadable("a log that these rules do not allow") from None


class Quarantine:
    """The unreadable rooms that this process has found; it remembers the latest `KEPT` ones."""

    def __init__(self, lists: RoomLists) -> None:
        self._lists = lists
        self._rooms: dict[str, bool] = {}  # whether it is the record

    def __contains__(self, code: str) -> bool:
        """Return whether this process has found the room unreadable."""
        return code in self._rooms

    @contextlib.asynccontextmanager
    async def reading(self, code: str, *, record: bool = False) -> AsyncIterator[None]:
        """Put the room into quarantine if the block cannot read something of it.

        A room whose record was unreadable is released when its `record` is read.
        """
        try:
            yield
        except Unreadable as error:
            await self.add(code, error, record=record)
            raise
        if record and self._rooms.get(code):
            self.forget(code)

    async def add(self, code: str, error: Unreadable, *, record: bool = False) -> None:
        """Log an unreadable room and set it aside, unless it is in quarantine already."""
        if code in self._rooms:
            return
        self._rooms[code] = record
        if len(self._rooms) > KEPT:
            self.forget(next(iter(self._rooms)))
        log.error("room cannot be read", room=code, why=str(error))
        with contextlib.suppress(StoreAway):  # the sweep finds it again at its deadline
            await self._lists.set_aside(code)

    def forget(self, code: str) -> None:
        """Release a room that can be read again, or that is gone: its code may be drawn again."""
        self._rooms.pop(code, None)

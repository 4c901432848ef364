"""The errors of rooms and games for what is stored, as those of an unreadable store."""

import contextlib
from collections.abc import Iterator

from server.games.errors import GameError
from server.rooms.record import InvalidRecord, Room, parse_record
from server.store import Unreadable


def parse_room(code: str, doc: str) -> Room:
    """Return the room of a stored document.

    Raises:
        Unreadable: the document is no room, or one that this release cannot serve.
    """
    try:
        return parse_record(code, doc)
    except InvalidRecord as error:
        raise Unreadable(str(error)) from None


@contextlib.contextmanager
def replaying() -> Iterator[None]:
    """Raise `Unreadable` for errors of the block, which replays a stored log.

    Raises:
        Unreadable: the rules of this release do not allow an entry of the log.
    """
    try:
        yield
    except (GameError, ValueError, LookupError):
        raise Unreadable("a log that these rules do not allow") from None

"""The list of public rooms: the row of each room, which is stored with its record, and the choice.

Rows are stored so that the list needs no whole records. Another release may have written a row:
one that does not fit is none, and the record is read instead.
"""

from collections import Counter
from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, ValidationError

from protocol.http import PublicRoom, PublicRooms
from server.rooms.record import Room
from server.rooms.seats import attended
from server.views.rooms import public_room

MOST = 50  # rooms in the list, at most
SHARE = 10  # rooms of one network in the list, at most, while others have rooms


class PublicRow(BaseModel):
    """What the list needs of a room: its line, and what decides whether it is shown.

    `network` is the hash of the largest network that the room is counted for, empty for the
    loopback, which has no limits.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    room: PublicRoom
    attended: bool
    network: str = ""


def row_of(room: Room) -> PublicRow:
    """Return the row of a room."""
    network = next(reversed(room.networks), "")
    return PublicRow(room=public_room(room), attended=attended(room), network=network)


def row_text(room: Room) -> str:
    """Return the row of a room as it is stored."""
    return row_of(room).model_dump_json()


def read_row(text: str) -> PublicRow | None:
    """Return a stored row; None if another release has written one that this one cannot read."""
    try:
        return PublicRow.model_validate_json(text)
    except ValidationError:
        return None


def chosen(rows: Iterable[PublicRow]) -> list[PublicRow]:
    """Return the rows of the list: those within the share of their network, then all others.

    `rows` come newest first, and stay in this order; deserted rooms are left out.
    """
    within, beyond = _by_share(rows)
    return (within + beyond)[:MOST]


def within_shares(rows: Iterable[PublicRow]) -> int:
    """Return how many rows are within the share of their network."""
    return len(_by_share(rows)[0])


def _by_share(rows: Iterable[PublicRow]) -> tuple[list[PublicRow], list[PublicRow]]:
    """Return the rows within the share of their network, and those beyond it."""
    shown: Counter[str] = Counter()
    within: list[PublicRow] = []
    beyond: list[PublicRow] = []
    for row in rows:
        if row.attended:
            shown[row.network] += 1
            of_share = not row.network or shown[row.network] <= SHARE
            (within if of_share else beyond).append(row)
    return within, beyond


def public_rooms(rows: Iterable[PublicRow]) -> PublicRooms:
    """Return the front page's list of these rows."""
    return PublicRooms(rooms=tuple(row.room for row in rows))

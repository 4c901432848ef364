"""Changes of rooms as the store takes them."""

from collections.abc import Mapping

from protocol.vocabulary import RoomState
from server.rooms.events import RoomTimings
from server.rooms.record import Room
from server.rooms.retention import leftovers
from server.rooms.room import deadline
from server.rooms.seats import attended
from server.store import NewSeat, RoomChange, SeatRecord
from server.views.front_page import row_text

CHANGED = "room"  # the text of an event in the stream after which readers read the record again
NO_RACES: Mapping[int, SeatRecord] = {}


def change_to(
    room: Room,
    before: Room | None,
    timings: RoomTimings,
    *,
    seat: NewSeat | None = None,
    ends: Mapping[int, SeatRecord] = NO_RACES,
    process: str = "",
) -> RoomChange:
    """Return the change that writes a room, which is new if `before` is None.

    `ends` are the seats whose race ends, as they were read.
    """
    due = deadline(room, timings.grace_ms)
    was_public, was_due = False, None
    if before is not None:
        was_public, was_due = before.settings.public, deadline(before, timings.grace_ms)
    public = _is_public(room)
    return RoomChange(
        doc=room.model_dump_json(),
        n=room.rounds_started,
        event=CHANGED,
        deadline=due,
        public=public,
        seat=seat,
        begins=sorted(number for _, number in _races(room) - _races(before)),
        ends=ends,
        listed=was_public or room.settings.public or was_due != due,
        process=process,
        row=row_text(room) if public else "",
        gone=() if before is None else sorted(leftovers(before, room).seats),
    )


def _races(room: Room | None) -> frozenset[tuple[int, int]]:
    """Return the round and the number of each seat whose race is on."""
    if room is None or room.state is not RoomState.RUNNING:
        return frozenset()
    return frozenset((room.rounds_started, seat.number) for seat in room.players())


def _is_public(room: Room) -> bool:
    """Return whether the room is on the front page; a locked or deserted one is not."""
    is_open = room.state is not RoomState.CLOSED and not room.settings.locked
    return room.settings.public and is_open and attended(room)

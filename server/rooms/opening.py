"""New rooms. Pure, like the room."""

from protocol.settings import Settings
from protocol.vocabulary import SeatState
from server.rooms.identity import Identity
from server.rooms.record import Room, Seat
from server.rooms.settings import checked


def open_room(
    code: str,
    name: str,
    settings: Settings,
    salt: str = "",
    identity: Identity | None = None,
    now: int | None = None,
) -> Room:
    """Return a new room, whose only seat is that of its host, who connects a moment after `now`.

    `salt` is the salt of all identities in the room.

    Raises:
        Refusal: the settings exclude each other.
    """
    networks, browser = identity or Identity()
    host = Seat(
        number=0,
        name=name,
        role="player",
        state=SeatState.SEATED,
        left_at=now,
        networks=networks,
        browser=browser,
    )
    return Room(
        code=code,
        settings=checked(settings),
        host=0,
        seats=(host,),
        seated=1,
        salt=salt,
    )

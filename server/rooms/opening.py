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
    generation: int = 1,
    process: str = "",
) -> Room:
    """Return a new room, whose only seat is that of its host.

    `salt` is the salt of all identities in the room. The host has the connection of `generation`
    at a process or, with `now`, is not connected yet and must be soon.

    Raises:
        Refusal: the settings exclude each other.
    """
    networks, browser = identity or Identity()
    host = Seat(
        number=0,
        name=name,
        role="player",
        state=SeatState.SEATED,
        generation=generation,
        process=process,
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

"""New rooms. Pure, like the room."""

from protocol.settings import Settings
from protocol.vocabulary import SEAT_COLOURS, SeatKind, SeatState
from server.rooms.identity import Identity
from server.rooms.record import Room, Seat
from server.rooms.settings_changes import checked


def open_room(
    code: str,
    name: str,
    settings: Settings,
    salt: str = "",
    identity: Identity | None = None,
    generation: int = 1,
    process: str = "",
    attempt: str = "",
    now: int = 0,
    kind: SeatKind = "person",
) -> Room:
    """Return a new room, whose only seat is that of its host.

    `salt` is the salt of all identities in the room. The host is of this `kind`, and has the
    connection of `generation` at a process. It opens the room at `now` by the attempt with this
    hash, if by any.

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
        networks=networks,
        browser=browser,
        attempt=attempt,
        joined_at=now if attempt else 0,
        kind=kind,
        colour=SEAT_COLOURS[0],
    )
    return Room(
        code=code, settings=checked(settings), host=0, seats=(host,), numbers_given=1, salt=salt
    )

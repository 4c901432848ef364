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


def open_rematch(before: Room, now: int) -> Room:
    """Return the empty room in which a finished one goes on; the first person to join is its host.

    The lock of the finished room is not taken over; its bans are.
    """
    assert before.rematch is not None, "a seat asked for it"
    return Room(
        code=before.rematch,
        settings=before.settings.model_copy(update={"locked": False}),
        host=None,
        seats=(),
        seated=0,
        idle_since=now,
        salt=before.salt,
        bans=before.bans,
        networks=before.networks,
    )

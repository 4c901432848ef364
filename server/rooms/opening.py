"""How rooms begin. Pure, like the room."""

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
    """A new room, whose only seat and host is `name`, who is to come to it in a moment from `now`.

    `salt` is that of all identities in it.

    Raises:
        Refusal: the settings do not go together.
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

    It is open to everybody but people who were kept out of the room before.
    """
    assert before.rematch is not None, "somebody asked for it"
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

"""Bans: people that the host keeps out for the life of the room."""

from server.rooms.identity import Identity
from server.rooms.record import Room, Seat

MAX_BANS = 200  # hashes in a record, up to two for each ban; the oldest are dropped


def is_banned(room: Room, identity: Identity) -> bool:
    """Return whether the browser or the network is banned from the room."""
    return any(each in room.bans for each in (identity.browser, *identity.networks[:1]))


def with_ban(room: Room, seat: Seat) -> Room:
    """Return the room with a ban of the owner of a seat.

    The network of the host is never banned: a family or a classroom shares it.
    """
    host = None if room.host is None else room.seat(room.host)
    shared = () if host is None else host.identity.networks[:1]
    networks = tuple(each for each in seat.identity.networks[:1] if each not in shared)
    hashes = tuple(each for each in (seat.identity.browser, *networks) if each)
    kept = tuple(each for each in room.bans if each not in hashes)
    bans = (*kept, *hashes)[-MAX_BANS:]
    return room.model_copy(update={"bans": bans})

"""The chair of the host: its heirs, and the way back to it. Pure, like the room.

A host who was gone for 15 seconds is followed by the player who joined first. The chair is kept
for the host until the round is over, or in the lobby until the next countdown begins: a host
who returns before that has it again. Spectators inherit only where no player is left; a player
whose connection was lost a moment ago still counts as there.
"""

from protocol.vocabulary import Connection
from server.rooms.record import Room


def rehosted(room: Room) -> Room:
    """Return the room with a host who is there: the first player to have joined, if any is."""
    host = None if room.host is None else room.seat(room.host)
    if host is not None and host.connection is not Connection.GONE:
        return room
    players = [
        seat
        for seat in room.seats
        if seat.role == "player" and seat.connection is not Connection.GONE
    ]
    candidates = players or room.seats
    heir = min(
        (seat.number for seat in candidates if seat.connection is Connection.ON), default=None
    )
    if host is None:
        return room.model_copy(update={"host": heir})
    if heir is None:
        return room  # the first player to return inherits
    return room.model_copy(update={"host": heir, "past_hosts": (*room.past_hosts, host.number)})


def reinstated(room: Room, number: int) -> Room:
    """Return the room in which a host who returns has the chair again; others change nothing."""
    if number not in room.past_hosts:
        return room
    before = room.past_hosts[: room.past_hosts.index(number)]
    return room.model_copy(update={"host": number, "past_hosts": before})


def settled(room: Room) -> Room:
    """Return the room in which the heir keeps the chair."""
    return room.model_copy(update={"past_hosts": ()}) if room.past_hosts else room


def resigned(room: Room, number: int) -> Room:
    """Return the room in which a seat that was given up has no right to the chair."""
    if number not in room.past_hosts:
        return room
    kept = tuple(each for each in room.past_hosts if each != number)
    return room.model_copy(update={"past_hosts": kept})

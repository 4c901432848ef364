"""The host of a room, and the successor of one who is gone. Pure, like the room.

The successor of a host who is gone for 15 seconds is the connected player who joined first. A
host who returns before the round is over, or in the lobby before the next countdown begins, is
host again. Spectators become host only if no player is left; players in grace count as there.
Computer players are never host.
"""

from protocol.vocabulary import Presence
from server.rooms.record import Room


def with_host(room: Room) -> Room:
    """Return the room with a connected host: the player who joined first, if any."""
    host = None if room.host is None else room.seat(room.host)
    if host is not None and host.connection is not Presence.GONE:
        return room
    players = [
        seat
        for seat in room.seats
        if seat.role == "player"
        and seat.connection is not Presence.GONE
        and not seat.is_held_by_bot
    ]
    candidates = players or [seat for seat in room.seats if not seat.is_held_by_bot]
    connected = [seat for seat in candidates if seat.connection is Presence.ON]
    first = min(connected, key=lambda seat: seat.order, default=None)
    successor = None if first is None else first.number
    if host is None:
        return room.model_copy(update={"host": successor})
    if successor is None:
        return room  # the first player to reconnect becomes host
    return room.model_copy(
        update={"host": successor, "past_hosts": (*room.past_hosts, host.number)}
    )


def with_returned_host(room: Room, number: int) -> Room:
    """Return the room with a former host as host again; unchanged for any other seat."""
    if number not in room.past_hosts:
        return room
    before = room.past_hosts[: room.past_hosts.index(number)]
    return room.model_copy(update={"host": number, "past_hosts": before})


def without_past_hosts(room: Room) -> Room:
    """Return the room whose former hosts do not become host again when they return."""
    return room.model_copy(update={"past_hosts": ()}) if room.past_hosts else room


def without_claim(room: Room, number: int) -> Room:
    """Return the room in which a seat that was given up is no former host."""
    if number not in room.past_hosts:
        return room
    kept = tuple(each for each in room.past_hosts if each != number)
    return room.model_copy(update={"past_hosts": kept})

"""The seats of a room: who is there, who is host, who is gone. Pure, like the room itself."""

from collections.abc import Iterable

from protocol.vocabulary import Connection, ErrorCode, RoomState, SeatState
from server.rooms.hosts import rehosted, resigned
from server.rooms.record import Room, Seat
from server.rooms.refusal import Refusal

GRACE_MS = 15_000


def in_grace(seat: Seat) -> bool:
    """Whether the seat's connection was lost a moment ago, or is to come in a moment."""
    return seat.connection is not Connection.GONE and seat.left_at is not None


def grace_ends(seat: Seat) -> int:
    """When a seat in grace counts as gone (milliseconds since the epoch)."""
    assert seat.left_at is not None, "a seat in grace was left"
    return seat.left_at + GRACE_MS


def seat_of(room: Room, number: int) -> Seat:
    """The seat of this number, or a refusal."""
    seat = room.seat(number)
    if seat is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return seat


def holder_of(room: Room, number: int) -> Seat:
    """The seat of this number, or the one that waits to be let in, or a refusal."""
    return room.applicant(number) or seat_of(room, number)


def host_only(room: Room, number: int) -> Seat:
    """The seat of this number if it is the host's, or a refusal."""
    seat = seat_of(room, number)
    if room.host != number:
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def with_seats(room: Room, *changed: Seat) -> Room:
    """The room with these seats in the place of their older selves."""
    by_number = {seat.number: seat for seat in changed}
    seats = tuple(by_number.get(seat.number, seat) for seat in room.seats)
    waiting = tuple(by_number.get(seat.number, seat) for seat in room.waiting)
    return room.model_copy(update={"seats": seats, "waiting": waiting})


def in_state(seats: Iterable[Seat], state: SeatState) -> list[Seat]:
    """The seats, in another state."""
    return [seat.model_copy(update={"state": state}) for seat in seats]


def without(room: Room, number: int) -> Room:
    """The room without a seat; with the last of them nobody is left who could let others in."""
    seats = tuple(seat for seat in room.seats if seat.number != number)
    waiting = room.waiting if seats else ()
    left = resigned(room.model_copy(update={"seats": seats, "waiting": waiting}), number)
    return rehosted(left)


def without_the_gone(room: Room) -> Room:
    """The room without those who are gone and have no part in its round; a host stays."""
    seats = tuple(seat for seat in room.seats if not is_idle(room, seat))
    return room.model_copy(update={"seats": seats})


def is_idle(room: Room, seat: Seat) -> bool:
    """Whether a seat may give way: gone, no part of the round, and not the host's."""
    played = () if room.round is None else room.round.names
    return (
        seat.connection is Connection.GONE
        and seat.state in {SeatState.SEATED, SeatState.WATCHING}
        and seat.number not in played
        and seat.number != room.host
    )


def attended(room: Room) -> bool:
    """Whether anybody is there, or was a moment ago; what they do does not matter."""
    return any(seat.connection is not Connection.GONE for seat in room.seats)


def deserted_since(room: Room) -> int | None:
    """Since when nobody is there (milliseconds since the epoch); None while anybody is."""
    if attended(room):
        return None
    if room.idle_since is not None:
        return room.idle_since
    # As the release before stored a race that everybody has left.
    return max((seat.left_at for seat in room.seats if seat.left_at is not None), default=0)


def noted(before: Room, room: Room, now: int | None) -> Room:
    """The room after a change, with the time noted since when nobody is there.

    `now` is None if the change does not tell the time: then the last one left before it.
    """
    if room.state in {RoomState.LOBBY, RoomState.RUNNING}:
        kept = room.idle_since if room.state is before.state else None
        since = None if attended(room) else kept
        if since is None and not attended(room):
            since = deserted_since(before) if now is None else now
    elif room.state is RoomState.FINISHED:
        left = room.state is before.state and attended(before) and not attended(room)
        since = now if left else room.idle_since
    else:
        return room
    return room if since == room.idle_since else room.model_copy(update={"idle_since": since})


def graced(room: Room, now: int) -> Room:
    """The room, with those gone who were lost fifteen seconds ago, or did not come for so long."""
    lost = [
        seat.model_copy(update={"connection": Connection.GONE})
        for seat in room.seats
        if in_grace(seat) and now >= grace_ends(seat)
    ]
    waiting = tuple(seat for seat in room.waiting if not in_grace(seat) or now < grace_ends(seat))
    if waiting != room.waiting:
        room = room.model_copy(update={"waiting": waiting})
    return rehosted(with_seats(room, *lost)) if lost else room

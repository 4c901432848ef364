"""The seats of a room and their connections. Pure, like the room itself."""

from collections.abc import Iterable

from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.hosts import with_host, without_claim
from server.rooms.record import Room, Seat
from server.rooms.refusal import Refusal


def in_grace(seat: Seat) -> bool:
    """Return whether the seat's connection was lost a moment ago, or is still to come."""
    return seat.connection is not Presence.GONE and seat.left_at is not None


def grace_ends(seat: Seat, grace_ms: int) -> int:
    """Return when a seat in grace counts as gone (milliseconds since the epoch)."""
    assert seat.left_at is not None, "a seat in grace was left"
    return seat.left_at + grace_ms


def seat_of(room: Room, number: int) -> Seat:
    """Return the seat of this number.

    Raises:
        Refusal: the room has no such seat.
    """
    seat = room.seat(number)
    if seat is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return seat


def holder_of(room: Room, number: int) -> Seat:
    """Return the seat of this number, in the room or in the queue.

    Raises:
        Refusal: neither has such a seat.
    """
    return room.applicant(number) or seat_of(room, number)


def host_only(room: Room, number: int) -> Seat:
    """Return the seat of this number if it is the host's.

    Raises:
        Refusal: it is not, or the room has no such seat.
    """
    seat = seat_of(room, number)
    if room.host != number:
        raise Refusal(ErrorCode.NOT_HOST)
    return seat


def with_seats(room: Room, *changed: Seat) -> Room:
    """Return the room with these seats in place of those of the same numbers."""
    by_number = {seat.number: seat for seat in changed}
    seats = tuple(by_number.get(seat.number, seat) for seat in room.seats)
    waiting = tuple(by_number.get(seat.number, seat) for seat in room.waiting)
    return room.model_copy(update={"seats": seats, "waiting": waiting})


def in_state(seats: Iterable[Seat], state: SeatState) -> list[Seat]:
    """Return the seats in this state."""
    return [seat.model_copy(update={"state": state}) for seat in seats]


def unready_state(room: Room, seat: Seat) -> SeatState:
    """Return the state of a player who is not ready: after a race, the one in which it ended."""
    if room.state is not RoomState.FINISHED or room.round is None:
        return SeatState.SEATED
    return room.round.states.get(seat.number, SeatState.WATCHING)


def without(room: Room, number: int) -> Room:
    """Return the room without a seat; an empty room has no queue, since no host could admit."""
    seats = tuple(seat for seat in room.seats if seat.number != number)
    waiting = room.waiting if seats else ()
    left = without_claim(room.model_copy(update={"seats": seats, "waiting": waiting}), number)
    return with_host(left)


def without_idle_seats(room: Room) -> Room:
    """Return the room without its idle seats."""
    seats = tuple(seat for seat in room.seats if not is_idle(room, seat))
    return room.model_copy(update={"seats": seats})


def is_idle(room: Room, seat: Seat) -> bool:
    """Return whether a seat may give way: gone, no part of the round, and not the host's."""
    played = () if room.round is None else room.round.names
    return (
        seat.connection is Presence.GONE
        and seat.state in {SeatState.SEATED, SeatState.WATCHING}
        and seat.number not in played
        and seat.number != room.host
    )


def attended(room: Room) -> bool:
    """Return whether any seat is connected or in grace; activity does not matter."""
    return any(seat.connection is not Presence.GONE for seat in room.seats)


def deserted_since(room: Room) -> int | None:
    """Return since when the room is not attended (milliseconds since the epoch), or None."""
    if attended(room):
        return None
    if room.idle_since is not None:
        return room.idle_since
    # The release before does not store the time with a deserted race.
    return max((seat.left_at for seat in room.seats if seat.left_at is not None), default=0)


def with_idle_since(before: Room, room: Room, now: int | None) -> Room:
    """Return the room after a change, with the time since when it is not attended.

    `now` is None if no person leaves the room by the change.
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


def after_grace(room: Room, now: int, grace_ms: int) -> Room:
    """Return the room with all seats gone whose grace has ended."""
    lost = [
        seat.model_copy(update={"connection": Presence.GONE})
        for seat in room.seats
        if in_grace(seat) and now >= grace_ends(seat, grace_ms)
    ]
    waiting = tuple(
        seat for seat in room.waiting if not in_grace(seat) or now < grace_ends(seat, grace_ms)
    )
    if waiting != room.waiting:
        room = room.model_copy(update={"waiting": waiting})
    return with_host(with_seats(room, *lost)) if lost else room

"""The seats of a room and their connections. Pure, like the room itself."""

from collections.abc import Iterable

from protocol.lines import skeleton
from protocol.vocabulary import ErrorCode, Presence, RoomState, SeatState
from server.rooms.hosts import with_host, without_claim
from server.rooms.record import Room, Seat
from server.rooms.refusal import Refusal

BOT_GRACE_MS = 60_000
"""Time after which a computer player without a connection is gone.

It is long enough for another process to take it over.
"""


def in_grace(seat: Seat) -> bool:
    """Return whether the seat's connection was lost a moment ago."""
    return seat.connection is Presence.GRACE


def grace_ends(seat: Seat, grace_ms: int) -> int:
    """Return when a seat in grace counts as gone (milliseconds since the epoch)."""
    assert seat.left_at is not None, "a seat in grace was left"
    return seat.left_at + (max(grace_ms, BOT_GRACE_MS) if seat.is_held_by_bot else grace_ms)


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


def free_name(room: Room, *wanted: str) -> str:
    """Return the first wanted name that no seat has; with a number behind it if all are taken.

    Names that differ by joiners alone count as the same.
    """
    taken = {skeleton(seat.name) for seat in (*room.seats, *room.waiting)}
    for name in wanted:
        if skeleton(name) not in taken:
            return name
    again = 2
    # A seat with the name of another could pass for it.
    while skeleton(f"{wanted[0]} {again}") in taken:
        again += 1
    return f"{wanted[0]} {again}"


def with_seats(room: Room, *changed: Seat) -> Room:
    """Return the room with these seats in place of those of the same numbers."""
    by_number = {seat.number: seat for seat in changed}
    seats = tuple(by_number.get(seat.number, seat) for seat in room.seats)
    waiting = tuple(by_number.get(seat.number, seat) for seat in room.waiting)
    return room.model_copy(update={"seats": seats, "waiting": waiting})


def in_state(seats: Iterable[Seat], state: SeatState) -> list[Seat]:
    """Return the seats in this state, by which a held forfeit is over."""
    update = {"state": state, "forfeits_at": None}
    return [seat.model_copy(update=update) for seat in seats]


def programs_among(seats: Iterable[Seat]) -> tuple[int, ...]:
    """Return the numbers of the seats that are programs'."""
    return tuple(seat.number for seat in seats if seat.kind == "program")


def unready_state(room: Room, seat: Seat) -> SeatState:
    """Return the state of a player who is not ready: after a race, the one in which it ended."""
    if room.state is not RoomState.FINISHED or room.round is None:
        return SeatState.SEATED
    return room.round.states.get(seat.number, SeatState.WATCHING)


def without(room: Room, number: int) -> Room:
    """Return the room without a seat; a room without people has no queue: no host could admit."""
    seats = tuple(seat for seat in room.seats if seat.number != number)
    waiting = () if all(seat.is_bot for seat in seats) else room.waiting
    left = without_claim(room.model_copy(update={"seats": seats, "waiting": waiting}), number)
    return with_host(left)


def without_lost_bots(room: Room) -> Room:
    """Return the room without computer players that are gone."""
    kept = tuple(
        seat for seat in room.seats if not (seat.is_bot and seat.connection is Presence.GONE)
    )
    return room if len(kept) == len(room.seats) else room.model_copy(update={"seats": kept})


def without_stand_in(seat: Seat, now: int | None) -> Seat:
    """Return a seat without its stand-in: its owner is gone. `now` is None if that is no news."""
    if seat.stand_in is None:
        return seat
    left_at = seat.left_at if now is None else now
    update = {"stand_in": None, "connection": Presence.GONE, "left_at": left_at}
    return seat.model_copy(update=update)


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
    """Return whether any person is connected or in grace; activity does not matter."""
    people = (seat for seat in room.seats if not seat.is_held_by_bot)
    return any(seat.connection is not Presence.GONE for seat in people)


def deserted_since(room: Room) -> int | None:
    """Return since when the room is not attended (milliseconds since the epoch), or None."""
    return None if attended(room) else room.idle_since


def with_idle_since(before: Room, room: Room, now: int | None) -> Room:
    """Return the room with the time since which it is deserted; `now` is None if nobody leaves."""
    if room.state is RoomState.FINISHED:  # the end of its round counts, or a later leaving
        left = room.state is before.state and attended(before) and not attended(room)
        since = now if left else room.idle_since
    elif attended(room):
        since = None
    elif room.state is before.state and room.idle_since is not None:
        since = room.idle_since
    else:
        since = deserted_since(before) if now is None else now
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

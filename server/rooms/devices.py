"""A seat moves to another device of its owner, by a code that works once. Pure, like the room.

1. The owner asks for a code on the old device. The room keeps its hash; a new code replaces it.
2. The change that uses the code up gives the seat another token (`change_room.lua`). So of several
   devices one wins, and the old device has the seat until then and never afterwards.
3. The reply may be lost. So the attempt that has used the code, and no other one, may repeat that
   until the code expires.
4. The seat keeps its browsers of before: a browser that knows its cards gets no second game.
"""

from protocol.from_client import Carry
from protocol.vocabulary import CARRY_S, ErrorCode
from server.rooms import admission, seats
from server.rooms.events import Command, Refusal, TakenOver
from server.rooms.record import CarryRecord, Room, Seat

MAX_PAST_BROWSERS = 8  # of a seat; the oldest are dropped


def carry(room: Room, command: Command[Carry]) -> Room:
    """Keep the code that moves the sender's seat."""
    seat = seats.seat_of(room, command.seat)
    until = command.now + CARRY_S * 1_000
    return room.with_seats(
        seat.replace(carry=CarryRecord(code_hash=command.token_hash, until=until))
    )


def take_over(room: Room, event: TakenOver) -> Room:
    """Move a seat to the device that has its code.

    Raises:
        Refusal: the code is not that of the seat, or was used; or the device may have no seat.
    """
    seat = room.seat(event.seat)
    code = None if seat is None or seat.has_left or seat.was_kicked else seat.carry
    if (
        seat is None
        or code is None
        or code.code_hash != event.code_hash
        or event.now >= code.until
    ):
        raise Refusal(ErrorCode.BAD_TOKEN)
    if code.used_by:
        if code.used_by == event.attempt:
            return room
        raise Refusal(ErrorCode.BAD_TOKEN)
    admission.check_not_banned(room, event.identity)
    others = (other for other in admission.present(room) if other.number != seat.number)
    admission.check_one_seat(room, event.identity, others)
    moved = seat.replace(
        carry=code.replace(used_by=event.attempt) if event.attempt else None,
        moved=seat.generation,
        browser=event.identity.browser,
        by_address=event.by_address,
        past_browsers=_past_browsers(seat, event),
        attempt="",  # that of the old device opens the seat no more
    )
    return room.with_seats(moved)


def _past_browsers(seat: Seat, event: TakenOver) -> tuple[str, ...]:
    known = seat.known_browsers - {event.identity.browser}
    in_order = (each for each in (*seat.past_browsers, seat.browser) if each in known)
    return tuple(dict.fromkeys(in_order))[-MAX_PAST_BROWSERS:]

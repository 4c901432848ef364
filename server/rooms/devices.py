"""Moving a seat to another device of its owner, with a code that works once. Pure, like the room.

1. The owner asks for a code on the old device. The room keeps its hash; a new code replaces it.
2. The change that uses up the code also gives the seat another token (`change_room.lua`). So only
   one device gets the seat, and the old device keeps it exactly until then.
3. The reply may be lost. So the attempt that used the code may be repeated until the code expires.
4. The seat remembers its past browsers: a browser that knows its cards gets no second game.
"""

from protocol.from_client import Carry
from protocol.vocabulary import CARRY_S, ErrorCode
from server.rooms import admission, seats
from server.rooms.events import Command, Refusal, TakenOver
from server.rooms.record import CarryRecord, Room

MAX_PAST_BROWSERS = 4  # remembered for each seat; the oldest are dropped


def carry(room: Room, command: Command[Carry]) -> Room:
    """Store the code for moving the sender's seat."""
    seat = seats.seat_of(room, command.seat)
    until = command.now_ms + CARRY_S * 1_000
    code = CarryRecord(code_hash=command.token_hash, until=until)
    return room.with_seats(seat.replace(carry=code))


def take_over(room: Room, event: TakenOver) -> Room:
    """Move a seat to the device that has its code; refuse wrong, expired and used codes."""
    seat, attempt = room.seat(event.seat), admission.hash_attempt(event.message.attempt)
    code = None if seat is None or seat.has_left or seat.was_kicked else seat.carry
    is_valid = code is not None and code.code_hash == event.code_hash and event.now_ms < code.until
    if seat is None or code is None or not is_valid or code.used_by not in {"", attempt}:
        raise Refusal(ErrorCode.BAD_TOKEN)
    if code.used_by:
        return room
    admission.check_not_banned(room, event.identity)
    others = (other for other in admission.present_seats(room) if other.number != seat.number)
    admission.check_one_seat(room, event.identity, others)
    known = seat.known_browsers - {event.identity.browser}
    past = (each for each in (*seat.past_browsers, seat.browser) if each in known)
    moved = seat.replace(
        carry=code.replace(used_by=attempt) if attempt else None,
        moved=seat.generation,
        browser=event.identity.browser,
        by_address=not event.message.browser,
        past_browsers=tuple(dict.fromkeys(past))[-MAX_PAST_BROWSERS:],
        attempt="",  # the old device joined with it and must not return with it
    )
    return room.with_seats(moved)

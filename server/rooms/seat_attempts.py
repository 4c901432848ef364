"""Attempts to take a new seat, which are repeated if the reply is lost. Pure, like the room.

A message that is sent again carries the same attempt as before. So within `ATTEMPT_S` it takes the
seat again that it has taken before; later it counts as a new message. An attempt is as secret as a
token, and records have only its hash.
"""

from protocol.vocabulary import ATTEMPT_S
from server.rooms.record import Room


class AlreadySeated(Exception):  # noqa: N818  # a normal event, no error
    """A repeated attempt has its seat already."""

    def __init__(self, room_code: str, number: int) -> None:
        super().__init__("The attempt has taken its seat before.")
        self.room_code = room_code
        self.number = number


def check_attempt(room: Room, attempt: str, now: int) -> None:
    """Check that the attempt with this hash has no seat in the room; an empty one never has.

    Raises:
        AlreadySeated: it has taken one within `ATTEMPT_S` before `now`, which was not given up.
    """
    for seat in (*room.seats, *room.waiting) if attempt else ():
        is_young = now - seat.joined_at < ATTEMPT_S * 1_000
        if seat.attempt == attempt and is_young and not (seat.has_left or seat.was_kicked):
            raise AlreadySeated(room.code, seat.number)

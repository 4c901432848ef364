"""Stand-ins: computer players that finish the games of people who are gone. Pure, like the room.

1. The host asks for one while a player is gone whose game is on. The seat stays its owner's, with
   its token: an owner who returns goes on with the game, and the stand-in ends.
2. The process of the host takes the seat for the stand-in, until the game is over. That is a
   connection of the seat like any other, fenced by its generation.
3. A seat that a stand-in holds counts as a computer player's: it is no host, keeps no room open.
4. A game in which a stand-in has taken part is not ranked in this round (`Round.stand_ins`).
"""

from protocol.from_client import AddStandIn
from protocol.vocabulary import MAX_BOTS, ErrorCode, Presence
from server.rooms.events import Command
from server.rooms.race import round_of
from server.rooms.record import Room, Seat, StandIn
from server.rooms.refusal import Refusal
from server.rooms.seats import host_only, seat_of, with_seats


def add_stand_in(room: Room, command: Command[AddStandIn]) -> Room:
    """Let a computer player take the seat of a player who is gone; its connection comes soon."""
    host_only(room, command.seat)
    message = command.message
    seat = seat_of(room, message.seat)
    if seat.stand_in is not None and seat.connection is not Presence.GONE:
        return room
    if seat.is_bot or not seat.plays:
        raise Refusal(ErrorCode.NOT_RACING)
    if seat.connection is not Presence.GONE:
        raise Refusal(ErrorCode.PLAYER_IS_BACK)
    others = [other for other in room.seats if other.number != seat.number]
    if sum(other.is_held_by_bot for other in others) >= MAX_BOTS:
        raise Refusal(ErrorCode.TOO_MANY_BOTS)
    stand_in = StandIn(level=message.level, token=command.token_hash)
    update = {"stand_in": stand_in, "connection": Presence.GRACE, "left_at": command.now}
    return with_seats(room, seat.model_copy(update=update))


def with_mark(room: Room, seat: Seat) -> Room:
    """Return the room whose round shows that a stand-in plays at a seat."""
    assert seat.stand_in is not None, "it has just taken the seat"
    played = round_of(room)
    if played.stand_ins.get(seat.number) == seat.stand_in.level:
        return room
    stand_ins = {**played.stand_ins, seat.number: seat.stand_in.level}
    return room.model_copy(update={"round": played.model_copy(update={"stand_ins": stand_ins})})

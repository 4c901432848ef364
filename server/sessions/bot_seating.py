"""Computer players that hosts add: a place and a seat, which the process of the host takes.

1. A place is counted before the seat is made, and released if there is no seat then
   (`live/bot_counts.py`).
2. The seat has no connection at first. The process that serves the host takes it as soon as it
   sees that version of the room (`bots/seated_bots.py`). Nobody has its token.
3. A command that is repeated, since its answer was lost, adds none.
4. A seat that no process takes is removed by the room; in a race its game ends.
5. A stand-in has a name by which it is counted, of the seat of a person who is gone and the
   connection that was lost; otherwise it is the same.
"""

from collections.abc import Callable
from dataclasses import replace

from protocol.from_client import AddBot, AddStandIn, ClientMessage
from protocol.vocabulary import ErrorCode
from server.rooms.events import Command
from server.rooms.record import Room
from server.rooms.refusal import Refusal
from server.rooms.stand_ins import name_of, names_of_stand_ins
from server.sessions.seat_holder import SeatHolder
from server.sessions.taken_seat import hash_token, token_of_bot


async def add_bot(
    holder: SeatHolder,
    message: AddBot,
    command: Callable[[SeatHolder, ClientMessage], Command[ClientMessage]],
) -> None:
    """Add a computer player, and answer with the room; `command` makes commands.

    Raises:
        Refusal: the room does not allow it, or the server has no place for it.
        StoreAway: the store does not answer.
    """
    services, code = holder.services, holder.seat.room_code
    if services.adopt_bots is None:
        raise Refusal(ErrorCode.NO_BOTS)
    message = message.model_copy(update={"attempt": message.attempt or services.draw_token()})
    before, made, room = holder.feed.v, command(holder, message), await _room(holder)
    token_hash = hash_token(token_of_bot(room.salt, message.attempt))
    new = Command(made.seat, made.now, made.entropy, message, timings=made.timings)
    async with services.repository.bots.place(room, message.attempt, message.level):
        latest = await services.repository.apply(code, holder.seat.fenced(new), token_hash)
    holder.answer(latest, before)


async def add_stand_in(holder: SeatHolder, command: Command[AddStandIn]) -> None:
    """Let a computer player finish the game of a person who is gone; answer with the room.

    Raises:
        Refusal: the room does not allow it, or the server has no place for it.
        StoreAway: the store does not answer.
    """
    services, code, message = holder.services, holder.seat.room_code, command.message
    if services.adopt_bots is None:
        raise Refusal(ErrorCode.NO_BOTS)
    before, room = holder.feed.v, await _room(holder)
    gone = room.seat(message.seat)
    generation = 0 if gone is None else gone.generation  # that of the connection that was lost
    token = token_of_bot(room.salt, f"{message.seat} {generation} {room.rounds_started}")
    token_hash = hash_token(token)
    name, bots = name_of(token_hash), services.repository.bots
    new = replace(command, token_hash=token_hash)
    async with bots.place(room, name, message.level):
        latest = await services.repository.apply(code, holder.seat.fenced(new))
    seat = latest.room.seat(message.seat)
    if seat is None or name not in names_of_stand_ins(latest.room):
        await bots.release(room, name)  # another one has the seat
    holder.answer(latest, before)


async def _room(holder: SeatHolder) -> Room:
    """Return the room of a seat, as this process knows it."""
    services, code = holder.services, holder.seat.room_code
    latest = services.hub.rooms.latest(code) or await services.repository.read(code)
    return latest.room

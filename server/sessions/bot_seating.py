"""Computer players that hosts add: a place, a token of its own, a seat, and a job.

1. A place is counted before the seat is made, and released if there is no seat then
   (`live/bot_counts.py`).
2. The token is made with the room's salt, stored as a hash in the seat, and lies as text only in
   the job. The process that takes the job takes the seat with it like any client (`server/bots`).
3. A command that is repeated, since its answer was lost, makes the same token. So it queues the
   job if that was not done, and nothing if it was.
4. A seat that nobody takes is removed by the room; in a race its game ends.
5. A stand-in gets a token for the seat of a person who is gone; otherwise it is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from protocol.from_client import AddBot, AddStandIn, ClientMessage, Leave
from protocol.vocabulary import ErrorCode, Presence
from server.bot_job import JOB, BotJob
from server.rooms.computer_players import bot_of
from server.rooms.events import Command, StandInWithdrawn
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.stand_ins import name_of, names_of_stand_ins
from server.sessions.seat_holder import SeatHolder
from server.sessions.tokens import hash_token, token_of_bot
from server.store import JobQueues, StoreAway

TAKEN_WITHIN_MS = 60_000
"""The time in which a process must take the job; later the seat is gone."""


@dataclass(slots=True)
class _Addition:
    """The command that adds a computer player, and whether the room had that one before."""

    command: Command[Any]
    is_there: Callable[[Room], bool]
    was_there: bool = False

    def make(self, room: Room) -> Command[Any]:
        """Return the command, for the room to which it is applied."""
        self.was_there = self.is_there(room)
        return self.command


async def add_bot(
    holder: SeatHolder,
    message: AddBot,
    command: Callable[[SeatHolder, ClientMessage], Command[ClientMessage]],
) -> None:
    """Add a computer player and its job, and answer with the room; `command` makes commands.

    Raises:
        Refusal: the room does not allow it, or the server has no place for it.
        StoreAway: the store does not answer.
    """
    services, code = holder.services, holder.seat.room_code
    if services.bot_jobs is None:
        raise Refusal(ErrorCode.NO_BOTS)
    message = message.model_copy(update={"attempt": message.attempt or services.draw_token()})
    before, made, room = holder.feed.v, command(holder, message), await _room(holder)
    token = token_of_bot(room.salt, message.attempt)
    new = _Addition(
        Command(made.seat, made.now, made.entropy, message, timings=made.timings),
        lambda room: bot_of(room, message.attempt) is not None,
    )
    async with services.repository.bots.place(room, message.attempt, message.level):
        latest = await services.repository.apply(
            code, holder.seat.fenced(new.make), hash_token(token)
        )
    seat = bot_of(latest.room, message.attempt)
    assert seat is not None, "it is there now"
    if seat.connection is Presence.GRACE:
        job = BotJob(
            room=code, seat=seat.number, token=token, level=message.level, pace=message.pace
        )
        queued = await _queue(services.bot_jobs, f"{code}:{message.attempt}", job, made.now)
        # The job of a repeated command is usually known.
        if not queued and not new.was_there:
            await _remove(holder, latest, message, command)
            raise Refusal(ErrorCode.BOTS_BUSY)
    holder.answer(latest, before)


async def add_stand_in(holder: SeatHolder, command: Command[AddStandIn]) -> None:
    """Let a computer player finish the game of a person who is gone; answer with the room.

    Raises:
        Refusal: the room does not allow it, or the server has no place for it.
        StoreAway: the store does not answer.
    """
    services, code, message = holder.services, holder.seat.room_code, command.message
    if services.bot_jobs is None:
        raise Refusal(ErrorCode.NO_BOTS)
    before, room = holder.feed.v, await _room(holder)
    gone = room.seat(message.seat)
    generation = 0 if gone is None else gone.generation  # that of the connection that was lost
    token = token_of_bot(room.salt, f"{message.seat} {generation} {room.rounds_started}")
    token_hash = hash_token(token)
    name, bots = name_of(token_hash), services.repository.bots
    new = _Addition(
        replace(command, token_hash=token_hash), lambda room: name in names_of_stand_ins(room)
    )
    async with bots.place(room, name, message.level):
        latest = await services.repository.apply(code, holder.seat.fenced(new.make))
    seat = latest.room.seat(message.seat)
    if seat is None or name not in names_of_stand_ins(latest.room):
        await bots.release(room, name)  # another one has the seat
    else:
        # Each addition has a time and a job of its own.
        key = f"{code}:{name}:{seat.left_at}"
        job = BotJob(room=code, seat=message.seat, token=token, level=message.level, stand_in=True)
        queued = await _queue(services.bot_jobs, key, job, command.now)
        if not queued and not new.was_there:
            withdrawn = StandInWithdrawn(message.seat, token_hash, command.now)
            services.hub.rooms.update(await services.repository.apply(code, withdrawn))
            raise Refusal(ErrorCode.BOTS_BUSY)
    holder.answer(latest, before)


async def _room(holder: SeatHolder) -> Room:
    """Return the room of a seat, as this process knows it."""
    services, code = holder.services, holder.seat.room_code
    latest = services.hub.rooms.latest(code) or await services.repository.read(code)
    return latest.room


async def _queue(jobs: JobQueues, key: str, job: BotJob, now: int) -> bool:
    """Queue the job of a computer player; return False if it is not taken."""
    try:
        body = job.model_dump_json()
        return bool(await jobs.add(JOB, key, body, deadline_ms=now + TAKEN_WITHIN_MS))
    except StoreAway:
        return False


async def _remove(
    holder: SeatHolder,
    latest: VersionedRoom,
    message: AddBot,
    command: Callable[[SeatHolder, ClientMessage], Command[ClientMessage]],
) -> None:
    """Remove a computer player that has no job."""
    seat = bot_of(latest.room, message.attempt)
    assert seat is not None, "it was just added"
    left = command(holder, Leave())
    leave = Command(seat.number, left.now, left.entropy, Leave(), timings=left.timings)
    services = holder.services
    services.hub.rooms.update(await services.repository.apply(latest.room.code, leave))

"""Computer players that hosts add: a place, a token of its own, a seat, and a job.

1. A place is counted before the seat is made, and released with it (`live/bot_counts.py`).
2. The token is drawn here, stored as a hash in the seat, and lies as text only in the job. The
   process that takes the job takes the seat with it like any client (`server/bots`).
3. A process that dies between seat and job leaves a seat that nobody takes; the room removes it.
4. A stand-in gets a token for the seat of a person who is gone; otherwise it is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from protocol.from_client import AddBot, AddStandIn, ClientMessage, Leave
from protocol.vocabulary import ErrorCode
from server.bot_job import JOB, BotJob
from server.rooms.computer_players import bot_of
from server.rooms.events import Command, StandInWithdrawn
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.stand_ins import name_of, names_of_stand_ins
from server.sessions.seat_holder import SeatHolder
from server.sessions.tokens import hash_token
from server.store import JobQueues, StoreAway

TAKEN_WITHIN_MS = 60_000
"""The time in which a process must take the job; later the seat is gone."""


@dataclass(slots=True)
class _NewSeat:
    """The command that adds a computer player, and whether it was there before."""

    command: Command[AddBot]
    was_there: bool = False

    def make(self, room: Room) -> Command[AddBot]:
        """Return the command, for the room to which it is applied."""
        self.was_there = bot_of(room, self.command.message.attempt) is not None
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
    token, before = services.draw_token(), holder.feed.v
    made = command(holder, message)
    new = _NewSeat(Command(made.seat, made.now, made.entropy, message, timings=made.timings))
    bots, room = services.repository.bots, await _room(holder)
    await bots.claim(room, message.attempt, message.level)
    try:
        latest = await services.repository.apply(
            code, holder.seat.fenced(new.make), hash_token(token)
        )
    except Refusal:
        await bots.release(room, message.attempt)
        raise
    if not new.was_there:
        seat = bot_of(latest.room, message.attempt)
        assert seat is not None, "it was just added"
        job = BotJob(room=code, seat=seat.number, token=token, level=message.level)
        if not await _queue(services.bot_jobs, f"{code}:{message.attempt}", job, made.now):
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
    token, before = services.draw_token(), holder.feed.v
    token_hash = hash_token(token)
    name, bots = name_of(token_hash), services.repository.bots
    room = await _room(holder)
    await bots.claim(room, name, message.level)
    try:
        latest = await services.repository.apply(
            code, holder.seat.fenced(replace(command, token_hash=token_hash))
        )
    except Refusal:
        await bots.release(room, name)
        raise
    if name not in names_of_stand_ins(latest.room):
        await bots.release(room, name)  # the command was done before
    else:
        job = BotJob(room=code, seat=message.seat, token=token, level=message.level, stand_in=True)
        if not await _queue(services.bot_jobs, f"{code}:{name}", job, command.now):
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
        return await jobs.add(JOB, key, body, deadline_ms=now + TAKEN_WITHIN_MS)
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

"""The objects that all sessions of a process share, and the reports of a seat to its room."""

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from protocol.vocabulary import CloseCode, ErrorCode, RoomState
from server.live.days import DayRaces
from server.live.hub import Hub
from server.live.replays import ReplayedGame
from server.live.repository import Repository
from server.live.work import LongWork
from server.networks import named_network
from server.rooms.events import Disconnected, Event, GameEnded, Refusal
from server.rooms.record import Room, Round
from server.sessions.assessments import Assessments
from server.sessions.boards import Boards
from server.sessions.guesses import Guesses
from server.sessions.limits import Monotonic, RateLimits, SessionLimits, remote_networks
from server.sessions.taken_seat import TakenSeat, draw_token
from server.store import CommitFailure, LogWriter, SeatRecord, SharedGuesses, StoreAway, Unreadable
from server.thinking.day_games import DayGames
from server.thinking.deals import WinnableDeals
from server.thinking.labels import Labeller
from server.thinking.reviews import Reviewer

NO_ACTS = {RoomState.COUNTDOWN: ErrorCode.EARLY, RoomState.FINISHED: ErrorCode.TOO_LATE}
"""Why an act is refused while no game is running, by the room's state; otherwise `not_racing`."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """The searches, labels, reviews and games computed for this process (`server/thinking/`)."""

    deals: WinnableDeals
    labeller: Labeller
    reviewer: Reviewer
    day_games: DayGames


class Services:
    """The objects that all sessions of a process share."""

    def __init__(
        self,
        repository: Repository,
        hub: Hub,
        limits: SessionLimits,
        long_work: LongWork,
        *,
        guesses: SharedGuesses | None = None,
        thinking: Thinking | None = None,
        days: DayRaces | None = None,
        monotonic_s: Monotonic = time.monotonic,
    ) -> None:
        """Share these among sessions; `guesses` counts the guesses of all processes together.

        Without `thinking`, a round may get a deal that cannot be won, no round is reviewed, and
        numbered deals get no labels.
        """
        per_seat = partial(RateLimits, monotonic_s=monotonic_s, networks_of=named_network)
        per_address = partial(RateLimits, monotonic_s=monotonic_s, networks_of=remote_networks)
        self.repository, self.store = repository, repository.store
        self.hub, self.clock, self.limits = hub, hub.clock, limits
        self.days = DayRaces(repository, None) if days is None else days
        self.guesses = Guesses(limits.guesses, guesses, monotonic_s)
        # Makes this process play a room's computer players. Without it nobody can add any.
        self.adopt_bots: Callable[[Room], None] | None = None
        self.room_limits = per_address(limits.rooms)
        self.join_limits = per_address(limits.joins)
        self.return_limits = per_seat(limits.returns)
        self.carry_limits = per_address(limits.carries)
        self.command_limits = per_seat(limits.commands)
        self.address_command_limits = per_address(limits.commands_of_address)
        self.chat_limits = per_seat(limits.chat)
        self.address_chat_limits = per_address(limits.chat_of_address)
        self.deal_search_limits = per_address(limits.deal_searches)
        self.long_work, self.thinking, self.draw_token = long_work, thinking, draw_token
        self.assessments = Assessments(long_work, limits, monotonic_s)
        self.boards = Boards(repository, hub, long_work, limits, monotonic_s)
        self.unconfirmed_slots = asyncio.Semaphore(limits.unconfirmed)  # of `report_unconfirmed`
        self._generation = 0  # the latest that `draw_generation` has returned

    def charge_command(self, address: str, seat: TakenSeat | None) -> bool:
        """Charge a command to an address and to a seat, if any; return False beyond a limit."""
        is_charged = seat is None or self.command_limits.take(seat.name)
        return is_charged and self.address_command_limits.take(address)

    def refusal_of_acts(self, seat: TakenSeat) -> ErrorCode:
        """Return why an act is refused when its seat has no game; that depends on the room."""
        latest = self.hub.latest(seat.room_code)
        state = RoomState.LOBBY if latest is None else latest.room.state
        return NO_ACTS.get(state, ErrorCode.NOT_RACING)

    def draw_generation(self) -> int:
        """Return a generation for a new seat. No two seats of this process get the same one."""
        self._generation = max(self._generation + 1, self.clock.now_ms())
        return self._generation


# Reports about a seat to its room. While this process lives, no other process sends them. So each
# is repeated until it succeeds.


async def report_disconnected(services: Services, seat: TakenSeat) -> None:
    """Report that the connection of a seat was lost."""
    lost, clock = (seat.number, seat.generation), services.clock
    await _report_lost(services, seat.room_code, lambda _: Disconnected(*lost, clock.now_ms()))


async def report_unconfirmed(services: Services, room_code: str, generation: int) -> None:
    """Report the connection of a new seat as lost, in case the store has the seat after all.

    Once too many reports are waiting, further ones are dropped. These are not needed: the store
    can only have received seats before it became unavailable, and those are reported first.
    """

    def disconnected(room: Room) -> Event:
        """Return the event for the seat with this generation, or raise Refusal without one."""
        for seat in (*room.seats, *room.waiting):
            if (seat.process, seat.generation) == (services.hub.process, generation):
                return Disconnected(seat.number, generation, services.clock.now_ms())
        raise Refusal(ErrorCode.NO_SUCH_SEAT)

    if not services.unconfirmed_slots.locked():
        async with services.unconfirmed_slots:
            await _report_lost(services, room_code, disconnected)


async def report_game_ended(services: Services, seat: TakenSeat, n: int) -> None:
    """Report that a seat's game of round `n` has ended, or raise Refusal."""
    clock = services.clock
    await _report(services, seat.room_code, lambda _: GameEnded(seat.number, n, clock.now_ms()))


async def _report_lost(services: Services, room_code: str, event: Callable[[Room], Event]) -> None:
    """Report a lost connection to a room, and remove the room from this process's list."""
    with contextlib.suppress(Refusal):  # the store has no such room or seat
        await _report(services, room_code, event)
    await services.hub.forget(room_code)


async def _report(services: Services, room_code: str, event: Callable[[Room], Event]) -> None:
    """Apply an event to a room; retry while the store is unavailable or the room unreadable."""
    while True:
        try:
            await services.hub.apply(room_code, event)
        except StoreAway:
            await asyncio.sleep(services.limits.retry_s)
        except Unreadable:
            await asyncio.sleep(services.limits.unreadable_s)
        else:
            return


class _Table(Protocol):
    """What `load_game` needs of a `LiveTable`, whose compiled module cannot have coroutines."""

    seat: TakenSeat
    writer: LogWriter
    played: Round

    def handle_loaded(self, record: SeatRecord, replayed: ReplayedGame) -> None: ...
    def handle_store_away(self) -> None: ...
    def drop(self, code: CloseCode) -> None: ...


async def load_game(services: Services, table: _Table, record: SeatRecord | None) -> None:
    """Take a table's seat again and load its game; repeat this until the store answers.

    Afterwards the store takes no act from the previous writer. `record` is the seat's record if
    the seat has just been taken: then it is not taken again.
    """
    writer, seat, n = table.writer, table.seat, table.played.n
    while True:
        try:
            if record is None or not record.races_in(n):
                retake = services.store.seats.retake
                taken = await retake(writer.code, writer.seat, writer.generation, n)
                if isinstance(taken, CommitFailure):
                    table.drop(await _close_code(services, seat, taken))
                    return
                record = taken
            writer.move_to(n, record.generation)
            replays = services.repository.replays
            replayed = await replays.read(writer.code, table.played, writer.seat)
        except Unreadable as error:
            table.drop(CloseCode.DRAINING)  # another process may be able to replay the log
            await services.repository.quarantine.add(writer.code, error)
            return
        except StoreAway:
            table.handle_store_away()
            record = None  # it may be out of date by now
            await asyncio.sleep(services.limits.retry_s)
        else:
            table.handle_loaded(record, replayed)
            return


async def _close_code(services: Services, taken: TakenSeat, failure: CommitFailure) -> CloseCode:
    """Return the close code for a socket that the store did not let take its seat again."""
    if failure is CommitFailure.TAKEN_BACK:  # a failover has lost this connection's `take`
        return CloseCode.RESYNC
    # A newer connection has the seat; the room's record names its tab.
    with contextlib.suppress(Refusal, StoreAway, Unreadable):
        seat = (await services.repository.read(taken.room_code)).room.seat(taken.number)
        if seat is not None:
            return taken.close_code(seat)
    return CloseCode.REPLACED

"""A seat in a room as its program uses it: state, events and commands."""

import asyncio
from collections.abc import Callable
from typing import Self, TypeVar

from protocol import from_client
from protocol.to_client import Assessed, Hinted, RoundOver
from protocol.views import RoomView, SeatView, Standing
from protocol.vocabulary import (
    CHAT_INTERVAL_S,
    CHAT_MESSAGES,
    COMMANDS_AT_ONCE,
    COMMANDS_PER_S,
    Emote,
)
from spider_race_client.connection_options import ConnectionOptions
from spider_race_client.errors import ActTimedOut, NoTable, ProgramError, RaceClosed
from spider_race_client.events import Event
from spider_race_client.held_seat import HeldSeat
from spider_race_client.pacing import TokenBucket, Window
from spider_race_client.requests import FirstMessage, request, with_attempt
from spider_race_client.table import Table

Found = TypeVar("Found")
ACT_TIMEOUT_S = 60.0
"""The longest wait for the reply to an act: a lost connection is usually back in less."""
_NO_COMMANDS = {"create", "join", "resume", "act", "hint", "assess", "ping"}
"""The messages that are answered in other ways than commands."""


class Race:
    """One seat of a room, from `Client.create`, `join` or `resume` until it is closed.

    Its properties show what the server has sent last. A lost connection changes none of them: the
    seat is taken again, and what was unanswered is sent again. Iterating yields events; it ends
    when the program leaves or closes the race, and raises `SeatLost` when the server ends it.

    Cancelling any method leaves the race usable. What was sent before may still be done.
    """

    def __init__(
        self, options: ConnectionOptions, first: FirstMessage, tasks: asyncio.TaskGroup
    ) -> None:
        """Take a seat by a first message, and hold it in a task of this group."""
        self._held = HeldSeat(options, first)
        self._state = self._held.state
        self._command_limit = TokenBucket(COMMANDS_AT_ONCE, COMMANDS_PER_S)
        self._chat_limit = Window(CHAT_MESSAGES, CHAT_INTERVAL_S)
        self._task = tasks.create_task(self._held.run(), name=f"seat of {first.type!r}")

    # What the server has sent

    @property
    def room(self) -> RoomView:
        """The room: its state, settings, seats and round."""
        assert self._state.room is not None, "a race is handed out when it has joined"
        return self._state.room

    @property
    def code(self) -> str:
        """The code of the room."""
        return self.room.code

    @property
    def link(self) -> str:
        """The link by which others join the room, in a browser or with this client."""
        assert self._held.server is not None, "a race is handed out when it has joined"
        return self._held.server.room(self.code)

    @property
    def seat(self) -> int:
        """The number of the own seat."""
        return self._state.seat

    @property
    def token(self) -> str:
        """The secret with which `Client.resume` takes the seat again in another process."""
        return self._state.token

    @property
    def own_seat(self) -> SeatView | None:
        """The own seat as the room shows it; None while it waits for the host to admit it."""
        return self._state.own_seat

    @property
    def table(self) -> Table | None:
        """The own table as the server has confirmed it; None before the deal."""
        return self._held.acts.table

    @property
    def boards(self) -> dict[int, Table]:
        """The watched tables of others, by seat."""
        return dict(self._state.boards)

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The leaderboard, best first."""
        return self._state.leaderboard.rows

    @property
    def result(self) -> RoundOver | None:
        """The ranking and the revealed deal of the latest round, once it is over."""
        return self._state.result

    @property
    def is_joined(self) -> bool:
        """Whether the seat was taken; the client hands out no race before."""
        return self._held.is_joined

    @property
    def is_playing(self) -> bool:
        """Whether the seat has a game of the running round to play, dealt and not ended."""
        table = self.table
        return self._state.is_playing and table is not None and table.outcome is None

    @property
    def is_over(self) -> bool:
        """Whether the race is closed, by the program or by the server."""
        return self._held.error is not None

    @property
    def dropped_events(self) -> int:
        """The number of events that were dropped because the program did not read them."""
        return self._held.events.dropped

    def now_ms(self) -> float:
        """Return the server's time in ms since the epoch, as the clock of rounds counts it."""
        return self._held.server_now_ms()

    # Events

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        event = await self._held.events.get()
        if event is not None:
            return event
        if isinstance(self._held.error, RaceClosed):
            raise StopAsyncIteration
        assert self._held.error is not None, "events end with the race"
        raise self._held.error

    async def wait_until(self, condition: Callable[["Race"], Found]) -> Found:
        """Wait until a condition of the race is true; return its first true value.

        Raises:
            RaceError: the race is over before that.
        """
        while not (found := condition(self)):
            await self._held.wait_for_change()
        return found

    async def wait_for_table(self) -> Table:
        """Wait until the seat has a game to play; return its table.

        A game that has ended does not count: `table` shows it until the next deal.

        Raises:
            RaceError: the race is over before that.
        """
        await self.wait_until(lambda race: race.is_playing)
        assert self.table is not None, "it is waited for"
        return self.table

    async def wait_for_result(self) -> RoundOver:
        """Wait until the round is over; return the latest result until the next round begins.

        Raises:
            RaceError: the race is over before that.
        """
        result = await self.wait_until(lambda race: race.result)
        assert result is not None, "it is waited for"
        return result

    # The game

    async def act(self, action: str, *, timeout_s: float | None = ACT_TIMEOUT_S) -> Table:
        """Apply an action of `table.legal`; return the table after it, once it is stored.

        Several acts may be under way: they are judged in the order of the calls. An act that is
        not answered within `timeout_s` is given up, as by cancelling; None waits for ever.

        Raises:
            NoTable: no game is dealt.
            Refused: the rules do not allow it, or the round is over.
            ActLost: the store has lost the position for which it was made.
            ActTimedOut: no reply has come in time; it may still be applied.
            RaceError: the race is over.
        """
        if self._held.acts.table is None:
            raise NoTable("There is no table: wait_for_table() waits for the deal.")
        try:
            async with asyncio.timeout(timeout_s):
                return await self._held.act(action)
        except TimeoutError:
            raise ActTimedOut(f"No reply to {action!r} has come within {timeout_s} s.") from None

    async def finish(self, *, timeout_s: float | None = ACT_TIMEOUT_S) -> Table:
        """Finish a game that is won or stuck, with "finish" among `table.legal`; see `act`."""
        return await self.act("finish", timeout_s=timeout_s)

    async def hint(self) -> Hinted:
        """Return a hint for the present table; everybody sees that it was taken.

        Raises:
            Refused: the room allows none, or there is none.
            RaceError: the race is over.
        """
        await self._command_limit.take()
        return await self._held.hint()

    async def assess(self) -> Assessed:
        """Return what is known about the rest of the game: whether it is won, or dead.

        It is worth a question where nothing can be dealt. Each position is searched once.

        Raises:
            Refused: no game is on.
            RaceError: the race is over.
        """
        await self._command_limit.take()
        return await self._held.assess()

    async def chase(self) -> None:
        """Begin the running round late, unranked; see `command`."""
        await self.command(from_client.Chase())

    async def forfeit(self, *, dead: bool = False) -> None:
        """Give the running round up, or end a `dead` game with its place; see `command`."""
        await self.command(from_client.Forfeit(dead=dead))

    async def watch(self, *seats: int) -> None:
        """Watch the tables of these seats in this round, and of no others; see `command`."""
        await self.command(request(from_client.Watch, boards=seats))
        self._state.watch(seats)

    # The room

    async def ready(self, ready: bool = True) -> None:  # noqa: FBT001, FBT002  # it reads well
        """Be ready for the next round, or no longer; it begins when all are. See `command`."""
        await self.command(request(from_client.Ready, ready=ready))

    async def start(self) -> None:
        """Begin the next round with those who are ready, as host; see `command`."""
        await self.command(from_client.Start())

    async def rematch(self, wanted: bool = True) -> None:  # noqa: FBT001, FBT002
        """Ask for the next round of a finished room, or no longer; see `command`."""
        await self.command(request(from_client.Rematch, wanted=wanted))

    async def configure(self, **settings: object) -> None:
        """Change some settings of the room, as host; see `command`.

        Raises:
            BadRequest: there is no such setting or value.
        """
        changed = {**self.room.settings.model_dump(), **settings}
        await self.command(request(from_client.Configure, settings=changed))

    async def say(self, text: str) -> None:
        """Say a line to the room; see `command`."""
        await self._say(request(from_client.Say, text=text))

    async def emote(self, emote: Emote) -> None:
        """Say one of the lines that every page knows in its language; see `command`."""
        await self._say(request(from_client.Say, emote=emote))

    async def command(self, message: from_client.ClientMessage) -> None:
        """Send any other command, such as `protocol.from_client.Kick`, and wait until it is done.

        `room` shows its effect then. If its answer is lost it is sent again, and is done once.

        Raises:
            Refused: the room does not allow it.
            BadRequest: the server cannot read a value.
            ProgramError: a method of its own sends this message.
            RaceError: the race is over.
        """
        if not isinstance(message, from_client.ClientMessage):
            raise ProgramError(f"{message!r} is no message of protocol/from_client.py.")
        if message.type in _NO_COMMANDS:
            raise ProgramError(f"{message.type!r} is no command: a method of its own sends it.")
        await self._command_limit.take()
        await self._held.command(with_attempt(message))

    async def leave(self) -> None:
        """Give the seat up, which ends the race; see `command`."""
        await self.command(from_client.Leave())

    def close(self) -> None:
        """Close the connection; the seat stays, and `Client.resume` takes it again."""
        self._task.cancel()

    async def _say(self, line: from_client.Say) -> None:
        async with self._chat_limit.place():
            await self.command(line)

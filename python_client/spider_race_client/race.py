"""A seat in a room, as a program uses it: state, events and commands.

Every call of the program ends exactly once: with the server's reply, an error or cancellation.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

from pydantic import ValidationError

from protocol import from_client, to_client, vocabulary
from protocol.base import Model
from protocol.vocabulary import ErrorCode, RoomState
from spider_race_client import errors, race_state
from spider_race_client.calls import Calls
from spider_race_client.connection import NORMAL_CLOSURE, Connection, Options, TokenBucket
from spider_race_client.table import Table

Found = TypeVar("Found")
Message = TypeVar("Message", bound=Model)
ACT_TIMEOUT_S = 60.0  # how long an act waits for its reply: lost connections are back sooner
MAX_UNREAD = 1_000  # events that wait for the program; beyond that the oldest are dropped
_TAKE_A_SEAT = {"create", "join", "resume", "take_over"}
_NO_COMMANDS = {*_TAKE_A_SEAT, "act", "carry", "hint", "assess", "ping"}


def request(kind: type[Message], /, **fields: object) -> Message:
    """Return a message with these fields; raise a BadRequest that names the first wrong one."""
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where, name = ".".join(map(str, first["loc"])), first["loc"][-1]
        why = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            why = f"there is no {name!r}"
        elif first["type"] == "string_pattern_mismatch":
            why = f"{first['input']!r} is no valid {name}"
        raise errors.BadRequest(kind.model_fields["type"].default, where, why) from error


class Race(race_state.RaceState):
    """One seat of a room. `Client.create`, `join`, `resume` and `take_over` return it.

    Its properties show the latest state from the server. A lost connection changes none of them:
    the client takes the seat again, and sends unanswered messages again. Iterating yields events.
    That stops when the program leaves or closes the race, or raises `SeatLost` if the server does.

    Its methods raise the `RaceError` that has ended the race. If you cancel a method, the race
    remains usable, but the server may still carry out a command that was sent.
    """

    def __init__(
        self, options: Options, first: from_client.FirstMessage, tasks: asyncio.TaskGroup
    ) -> None:
        """Take a seat with the message `first`, and keep it in a task of the group `tasks`."""
        super().__init__(getattr(first, "seat", -1), getattr(first, "token", ""))
        self._calls = Calls(self, first)
        self.seated = self._calls.seated  # done once the server has given the seat
        self._connection = Connection(options, self._calls, self._receive)
        self._error: errors.RaceError | None = None  # why the race is over
        self._is_away = False  # whether the program has got a ConnectionLost
        self._behind = 0  # pongs in a row that name a newer event than the latest known one
        self._unread: deque[race_state.Event] = deque(maxlen=MAX_UNREAD)
        self._changed = asyncio.Event()
        self._command_limit = TokenBucket(vocabulary.COMMANDS_AT_ONCE, vocabulary.COMMANDS_PER_S)
        lines_per_s = vocabulary.CHAT_MESSAGES / vocabulary.CHAT_INTERVAL_S
        self._line_limit = TokenBucket(vocabulary.CHAT_MESSAGES, lines_per_s)
        self._task = tasks.create_task(self._run(), name=f"seat of {first.type!r}")

    @property
    def code(self) -> str:
        """The code of the room."""
        return self.room.code

    @property
    def link(self) -> str:
        """The link for others to join the room, in a browser or with this client."""
        return f"{self._connection.server}/r/{self.code}"

    @property
    def is_over(self) -> bool:
        """Whether the program or the server has closed the race."""
        return self._error is not None

    def __repr__(self) -> str:
        return f"Race({self.link!r}, seat={self.seat})"

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> race_state.Event:
        while not self._unread:
            if isinstance(self._error, errors.RaceClosed):
                raise StopAsyncIteration
            await self._wait_for_change()
        return self._unread.popleft()

    async def wait_until(self, condition: Callable[["Race"], Found | None]) -> Found:
        """Wait until a condition of the race is true, and return its first true value."""
        while not (found := condition(self)):
            await self._wait_for_change()
        return found

    async def wait_for_table(self) -> Table:
        """Wait until the seat has a game to play, and return its table."""
        return await self.wait_until(lambda race: race.table if race.is_playing else None)

    async def wait_for_result(self) -> to_client.RoundOver:
        """Wait until the round is over, and return its result."""
        return await self.wait_until(lambda race: race.result)

    async def _wait_for_change(self) -> None:
        """Wait until anything changes, or raise the reason why the race is over."""
        if self._error is not None:
            raise self._error
        self._changed.clear()
        await self._changed.wait()

    async def act(self, action: str, *, timeout_s: float | None = ACT_TIMEOUT_S) -> Table:
        """Apply an action of `table.legal`; return the table after it, once it is stored.

        Acts are applied in the order of the calls. If one is refused, all that wait behind it are
        refused as stale. An act without a reply in `timeout_s` is cancelled; None waits forever.

        Raises:
            ProgramError: no game is dealt.
            BadRequest: the text is not an action.
            Refused: the rules do not allow it, or the round is over.
            ActLost: no reply has come in time, the round has ended, or the store has lost the
                position for which it was made. The act may still be applied.
        """
        if self.table is None:
            raise errors.ProgramError("There is no table: wait_for_table() waits for the deal.")
        act = request(from_client.Act, id=1, at=0, action=action)  # `Calls` sets `id` and `at`
        try:
            async with asyncio.timeout(timeout_s):
                return cast("Table", await self._call(act))
        except TimeoutError:
            raise errors.ActLost(f"No reply to {action!r} within {timeout_s} s.") from None

    async def finish(self, *, timeout_s: float | None = ACT_TIMEOUT_S) -> Table:
        """Finish a game that is won or stuck, with "finish" among `table.legal`; see `act`."""
        return await self.act("finish", timeout_s=timeout_s)

    async def hint(self) -> to_client.Hinted:
        """Return a hint for the table, or raise Refused; everybody sees that you took it."""
        return cast("to_client.Hinted", await self._call(from_client.Hint()))

    async def assess(self) -> to_client.Assessed:
        """Return whether your game is known to be won or dead; raise Refused without a game."""
        return cast("to_client.Assessed", await self._call(from_client.Assess()))

    async def chase(self) -> None:
        """Start playing in the running round, unranked unless in a window; see `command`."""
        await self.command(from_client.Chase())

    async def forfeit(self, *, dead: bool = False) -> None:
        """Give up in the running round, or end a `dead` game and keep its place; see `command`."""
        await self.command(from_client.Forfeit(dead=dead))

    async def watch(self, *seats: int) -> None:
        """Watch the tables of these seats in this round, and no others; see `command`."""
        await self.command(request(from_client.Watch, boards=seats))
        self.keep_boards(seats)

    async def ready(self, ready: bool = True) -> None:  # noqa: FBT001, FBT002  # it reads well
        """Become ready or not ready; the next round starts when all are ready. See `command`."""
        await self.command(request(from_client.Ready, ready=ready))

    async def start(self) -> None:
        """Start the next round with the players who are ready, as host; see `command`."""
        await self.command(from_client.Start())

    async def rematch(self, wanted: bool = True) -> None:  # noqa: FBT001, FBT002
        """Ask for the next round after a finished one, or withdraw the request; see `command`."""
        await self.command(request(from_client.Rematch, wanted=wanted))

    async def configure(self, **settings: object) -> None:
        """Change some settings of the room, as host; see `command`."""
        changed = {**self.room.settings.model_dump(), **settings}
        await self.command(request(from_client.Configure, settings=changed))

    async def say(self, text: str) -> None:
        """Send a chat message to the room; see `command`."""
        await self.command(request(from_client.Say, text=text))

    async def emote(self, emote: vocabulary.Emote) -> None:
        """Send one of the standard lines, which each page shows in its language; see `command`."""
        await self.command(request(from_client.Say, emote=emote))

    async def carry(self) -> to_client.CarryCode:
        """Return a code that lets `Client.take_over` move the seat elsewhere, once."""
        return cast("to_client.CarryCode", await self._call(from_client.Carry()))

    async def leave(self) -> None:
        """Give the seat up, which ends the race; see `command`."""
        await self.command(from_client.Leave())

    async def command(self, message: from_client.ClientMessage) -> None:
        """Send any other command, such as `protocol.from_client.Kick`, and wait until it is done.

        `room` then shows its effect. If the reply is lost, it is sent again, but carried out once.

        Raises:
            Refused: the room does not allow it.
            BadRequest: the protocol or the server does not know a value.
            ProgramError: another method sends this message.
        """
        is_message = isinstance(message, from_client.ClientMessage)
        if not is_message or message.type in _NO_COMMANDS:
            raise errors.ProgramError(f"{message!r} is no command of protocol/from_client.py.")
        await self._call(message)

    def close(self) -> None:
        """Close the connection; the seat stays, and `Client.resume` takes it again."""
        self._task.cancel()

    async def _call(self, message: from_client.ClientMessage) -> Any:
        """Send a message within the limits, and return the answer to it."""
        if isinstance(message, from_client.Say):
            await self._line_limit.take()
        if not isinstance(message, from_client.Act):
            await self._command_limit.take()
        if self._error is not None:
            raise self._error
        return await self._calls.add(message)

    async def _run(self) -> None:
        """Keep the connection until the race is over, and record why it ended."""
        try:
            code = await self._connection.run()
            has_left = code == NORMAL_CLOSURE or self._calls.is_leaving
            error = errors.RaceClosed("The race was left.") if has_left else errors.SeatLost(code)
            self._end(error, has_left=has_left)
        except errors.RaceError as error:
            self._end(error)
        except Exception as error:
            self._end(errors.RaceError(f"The client itself has failed: {error!r}"))
            raise
        finally:
            self._end(errors.RaceClosed("The race was closed."))

    def _end(self, error: errors.RaceError, *, has_left: bool = False) -> None:
        """End the race and its calls with an error; only the first error counts."""
        if self._error is None:
            self._error = error
            self._calls.fail(error, has_left=has_left)
            self._changed.set()

    def _receive(self, message: to_client.ServerMessage | race_state.ConnectionLost) -> None:
        """Handle a message from the server, or the loss of the connection."""
        self._changed.set()
        if isinstance(message, race_state.ConnectionLost):
            self._behind = 0
            if self.seated.done() and not self._is_away:
                self._is_away = True
                self._unread.append(message)
            return
        beginning, table, had_gap = self.beginning, self.table, self.leaderboard.is_incomplete
        self._unread.extend(self.apply_message(message))
        was_aborted = table is not None and self.room.state is RoomState.LOBBY
        if self.beginning != beginning or was_aborted:
            self._calls.begin_round()
        is_of_room = to_client.Joined | to_client.RoomMessage | to_client.Changes
        if isinstance(message, is_of_room) and not self.is_at_table:
            # No table will come. Acts that are sent again get their lost replies, or are refused.
            self._calls.may_act = True
        self._answer_calls(message)
        if self.table is not None and self.table is not table:
            self._unread.append(race_state.TableChanged(self.table))
        if self.leaderboard.is_incomplete and not had_gap:
            self._calls.add(from_client.Watch())  # its reply is the whole leaderboard

    def _answer_calls(self, message: to_client.ServerMessage) -> None:
        """End the calls that a message answers; after `joined`, ask for its missing parts.

        Raise ConnectionError to connect again: the seat cannot be taken yet, or events were lost.
        """
        if isinstance(message, to_client.Refused) and message.command in _TAKE_A_SEAT:
            # At a limit, retry a seat that the program had. For a new seat, let it decide.
            is_back = self.seated.done() or message.command == "resume"
            is_full = is_back and message.code is ErrorCode.TOO_MANY_JOINS
            if is_full or message.code is ErrorCode.TRY_AGAIN:
                raise ConnectionError("The seat cannot be taken yet.")
            if not self.seated.done():
                raise errors.Refused(message.command, message.code, message.details)
            return
        if isinstance(message, to_client.Joined):
            if self._is_away:
                self._is_away = False
                self._unread.append(race_state.ConnectionRestored())
            if self.watched:
                self._calls.add(from_client.Watch(boards=self.watched))
            if self.room.played and self.room.match is None:  # left out, as the room is large
                self._calls.add(from_client.Cards())
        elif isinstance(message, to_client.Pong):
            self._behind = self._behind + 1 if message.v > self.room.v else 0
            if self._behind > 1:  # at the first pong, they may still be on their way
                raise ConnectionError("Events of the room were lost.")
        self._calls.handle(message)

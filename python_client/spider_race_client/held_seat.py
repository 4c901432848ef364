"""A seat as the client holds it: over connections, acts, hints, commands and events.

Law: every call of the program is answered once, by the reply of the server, by the error that
ends the race, or by its cancellation.
"""

import asyncio
import re

from protocol import from_client, to_client
from protocol.vocabulary import ACTION_PATTERN, SUBPROTOCOL, CloseCode, ErrorCode, RoomState
from spider_race_client.acts import Acts
from spider_race_client.addresses import ServerAddress
from spider_race_client.commands import Commands
from spider_race_client.connection import NORMAL_CLOSURE, Connection
from spider_race_client.connection_options import ConnectionOptions
from spider_race_client.errors import (
    BadRequest,
    RaceClosed,
    RaceError,
    Refused,
    SeatLost,
    VersionUnknown,
)
from spider_race_client.events import ConnectionLost, ConnectionRestored, Events, TableChanged
from spider_race_client.questions import Questions
from spider_race_client.race_state import RaceState
from spider_race_client.requests import FirstMessage
from spider_race_client.table import Table

RETRY_S = 1.0
"""The wait before a command is sent again that the store could not answer."""
PASSING = {ErrorCode.TRY_AGAIN, ErrorCode.TOO_MANY_JOINS}
"""Refusals after which a seat that is held can be taken again a little later."""
NO_SEAT = {CloseCode.BAD_TOKEN, CloseCode.NO_SUCH_ROOM}
"""The codes with which a seat that was left cannot be taken again."""
_ROOM_MESSAGES = (to_client.Joined, to_client.RoomMessage, to_client.Changes)


class HeldSeat:
    """The seat of a program, from its first message until the race is over."""

    def __init__(self, options: ConnectionOptions, first: FirstMessage) -> None:
        """Prepare a seat that `first` takes; `run` holds it."""
        resumed = first if isinstance(first, from_client.Resume) else None
        self.state = RaceState(*((resumed.seat, resumed.token) if resumed else (-1, "")))
        self.acts, self.events = Acts(), Events()
        self.is_joined = False
        """Whether the seat was taken."""
        self.error: RaceError | None = None
        """The reason why the race is over."""
        self._first = first
        self._connection = Connection(options, self)
        self._hints: Questions[to_client.Hinted] = Questions("hint")
        self._assessments: Questions[to_client.Assessed] = Questions("assess")
        self._commands = Commands()
        self._is_away = False  # whether the program was told of a lost connection
        self._requests: dict[str, asyncio.Future[None]] = {}  # those of the client itself
        self._changed = asyncio.Event()

    async def act(self, action: str) -> Table:
        """Apply an action; see `Race.act`."""
        self._check()
        if not _is_action(action):
            raise BadRequest("act", "action", f"{action!r} is no action of the notation")
        answer: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self.acts.add(action, answer)
        self._send_due()
        return await answer

    async def hint(self) -> to_client.Hinted:
        """Ask for a hint; see `Race.hint`."""
        self._check()
        answer: asyncio.Future[to_client.Hinted] = asyncio.get_running_loop().create_future()
        self._hints.add(answer)
        self._send_due()
        return await answer

    async def assess(self) -> to_client.Assessed:
        """Ask what is known about the rest of the game; see `Race.assess`."""
        self._check()
        answer: asyncio.Future[to_client.Assessed] = asyncio.get_running_loop().create_future()
        self._assessments.add(answer)
        self._send_due()
        return await answer

    async def command(self, message: from_client.ClientMessage) -> None:
        """Send a command and wait until it is done; see `Race.command`."""
        self._check()
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._commands.add(message, done)
        self._send_due()
        await done

    async def wait_for_change(self) -> None:
        """Wait for the next message of the server.

        Raises:
            RaceError: the race is over.
        """
        self._check()
        self._changed.clear()
        await self._changed.wait()

    @property
    def server(self) -> ServerAddress | None:
        """The server of the latest connection."""
        return self._connection.server

    def server_now_ms(self) -> float:
        """Return the server's time in ms since the epoch."""
        return self._connection.server_now_ms()

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    async def run(self) -> None:
        """Hold the seat until the race is over."""
        try:
            self._end_by_close(await self._connection.run())
        except RaceError as error:
            self._end(error)
        except Exception as error:
            self._end(RaceError(f"The client itself has failed: {error!r}"))
            raise
        finally:
            self._end(RaceClosed("The race was closed."))

    def _end_by_close(self, code: int) -> None:
        """End the race by the code with which the server has closed it for good."""
        if code == NORMAL_CLOSURE or (code in NO_SEAT and self._commands.is_leaving):
            self._commands.end_leaving()
            self._end(RaceClosed("The race was left."))
        elif code == CloseCode.VERSION:
            self._end(VersionUnknown(f"The server does not speak {SUBPROTOCOL} any more."))
        else:
            self._end(SeatLost(code))

    def first_message(self) -> from_client.ClientMessage:
        """Return the message that takes the seat, for the first time or again."""
        state = self.state
        if state.room is None or not state.token:
            return self._first
        return from_client.Resume(
            room=state.room.code, seat=state.seat, token=state.token, have=state.said_v
        )

    def is_racing(self) -> bool:
        """Return whether the clock has to be exact now."""
        room = self.state.room
        return room is not None and room.state in {RoomState.COUNTDOWN, RoomState.RUNNING}

    def version(self) -> int:
        """Return the newest event of the room that is known."""
        return 0 if self.state.room is None else self.state.room.v

    def handle_lost(self, code: int) -> None:
        """Take the loss of the connection, which is opened again."""
        self.acts.lose_connection()
        self._hints.lose_connection()
        self._assessments.lose_connection()
        self._commands.lose_connection()
        self._requests = {kind: done for kind, done in self._requests.items() if not done.done()}
        if self.is_joined and not self._is_away:
            self._is_away = True
            self.events.put(ConnectionLost(code))

    def handle_pong(self, ping_t: float) -> None:
        """End the command that was sent just before this ping, or send it again later."""
        if self._commands.take_pong(ping_t):
            asyncio.get_running_loop().call_later(RETRY_S, self._send_command_again)
        self._send_due()

    def receive(self, message: to_client.ServerMessage) -> None:
        """Take a message of the server."""
        round_number = self.state.round_number
        for event in self.state.take(message):
            self.events.put(event)
        if self.state.round_number != round_number or self._is_in_lobby():
            self.acts.begin_round()
        if isinstance(message, _ROOM_MESSAGES) and not self.state.is_at_table:
            self.acts.expect_no_table()
        self._take(message)
        self._send_due()
        self._changed.set()

    def _take(self, message: to_client.ServerMessage) -> None:
        """Take what concerns the seat alone: its table, and the replies to it."""
        match message:
            case to_client.Joined():
                self._handle_joined()
            case to_client.TableMessage():
                self._take_table(Table.of(message.table))
            case to_client.Acted():
                if self.acts.take_acted(message) and self.acts.table is not None:
                    self.events.put(TableChanged(self.acts.table))
            case to_client.Hinted():
                self._hints.take_answer(message)
            case to_client.Assessed():
                self._assessments.take_answer(message)
            case to_client.Refused():
                self._take_refused(message)
            case to_client.Error():
                self._take_error(message)
            case to_client.Said():
                self._commands.take_said(message, self.state.seat)
            case _:
                pass

    def _take_error(self, message: to_client.Error) -> None:
        if not self._connection.is_seated:  # the server waits for another first message
            raise BadRequest(self.first_message().type, message.where)
        self._commands.take_refusal(message)

    def _is_in_lobby(self) -> bool:
        room = self.state.room
        return room is not None and room.state is RoomState.LOBBY and self.acts.table is not None

    def _handle_joined(self) -> None:
        self.is_joined = True
        if self._is_away:
            self._is_away = False
            self.events.put(ConnectionRestored())
        if self.state.watched:
            self._request(from_client.Watch(boards=self.state.watched))

    def _take_table(self, table: Table) -> None:
        if table.seat == self.state.seat and self.state.is_at_table:
            self.acts.take_table(table)
            self.events.put(TableChanged(table))
        else:
            self.events.put(self.state.take_board(table))

    def _take_refused(self, message: to_client.Refused) -> None:
        """Hand a refusal to the part of the client that has sent the command."""
        if message.command == "act":
            before = self.acts.table
            self.acts.take_refused(message)
            if self.acts.table is not None and self.acts.table is not before:
                self.events.put(TableChanged(self.acts.table))
        elif message.command in {"hint", "assess"}:
            is_hint = message.command == "hint"
            if (self._hints if is_hint else self._assessments).take_refused(message):
                asyncio.get_running_loop().call_later(RETRY_S, self._send_due)
        elif message.command in {"create", "join", "resume"}:
            self._handle_not_seated(message)
        else:
            self._commands.take_refusal(message)

    def _handle_not_seated(self, message: to_client.Refused) -> None:
        """End the race without a seat, or try again if the refusal passes.

        A limit of new seats is for the program to handle, and any other one for the client.
        """
        is_new = not self.is_joined and message.command != "resume"
        if message.code is ErrorCode.TRY_AGAIN or (not is_new and message.code in PASSING):
            self._connection.open_again()
        elif not self.is_joined:
            raise Refused(message.command, message.code, message.details)

    def _send_command_again(self) -> None:
        self._commands.send_again()
        self._send_due()

    def _send_due(self) -> None:
        """Send what can be sent now."""
        connection = self._connection
        if not connection.is_seated:
            return
        connection.send(*[self.acts.take_next] * self.acts.due())
        connection.send(*[self._next_hint] * self._hints.due())
        connection.send(*[self._next_assess] * self._assessments.due())
        if self.state.leaderboard.is_incomplete:
            self._request(from_client.Watch())
        if self.state.is_without_cards:
            self._request(from_client.Cards())
        room = self.state.room
        assert room is not None, "the connection has its seat"
        self._commands.end_past(room)
        if self._commands.is_due:
            connection.send(*self._commands.take_due(connection.next_ping_t(), room))

    def _next_hint(self) -> from_client.Hint | None:
        return from_client.Hint() if self._hints.take_next() else None

    def _next_assess(self) -> from_client.Assess | None:
        return from_client.Assess() if self._assessments.take_next() else None

    def _request(self, message: from_client.Watch | from_client.Cards) -> None:
        """Ask for standings after a gap, or for score cards that a large room omits, once."""
        if message.type in self._requests:
            return
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._requests[message.type] = done
        done.add_done_callback(lambda done: self._requested(message.type, done))
        self._commands.add(message, done)

    def _requested(self, kind: str, done: asyncio.Future[None]) -> None:
        if done.cancelled() or done.exception() is None:
            del self._requests[kind]  # a refused one is not repeated on this connection

    def _end(self, error: RaceError) -> None:
        """End the race once, for the first reason."""
        if self.error is not None:
            return
        self.error = error
        self.acts.fail(error)
        self._hints.fail(error)
        self._assessments.fail(error)
        self._commands.fail(error)
        self.events.end()
        self._changed.set()


def _is_action(value: object) -> bool:
    """Return whether a value is the text of an action."""
    return isinstance(value, str) and re.fullmatch(ACTION_PATTERN, value) is not None

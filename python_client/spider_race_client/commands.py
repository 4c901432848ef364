"""The commands of a seat that change or read its room, one after the other; no I/O.

1. The server handles the messages of a connection in their order. So a ping behind a command is
   answered once the command is done, and the pong ends it, whatever else has come meanwhile.
2. A command whose connection is lost, or that the store could not answer, is sent again: the
   server accepts the repetition of what is done already.
3. A command is about a round. If that one is over when it could be sent again, it counts as done:
   otherwise it would be refused, or end the next round.
4. A line of chat would be said twice. Before it is sent again a ping alone brings the chat that
   was missed, and shows whether the line is among it.
"""

import asyncio
from collections import deque
from dataclasses import dataclass

from protocol import to_client
from protocol.from_client import (
    Abort,
    AddStandIn,
    Chase,
    Choose,
    ClientMessage,
    End,
    Forfeit,
    Leave,
    NextRound,
    Ping,
    Ready,
    Rematch,
    Say,
    Start,
)
from protocol.views import RoomView
from protocol.vocabulary import ErrorCode, RoomState
from spider_race_client.errors import BadRequest, RaceError, Refused
from spider_race_client.race_state import round_number

ABOUT_THE_NEXT_ROUND = (Choose, NextRound, Ready, Rematch, Start)
ABOUT_THIS_ROUND = (Abort, AddStandIn, Chase, End, Forfeit)


@dataclass(eq=False, slots=True)
class PendingCommand:
    """A command that is not done yet."""

    message: ClientMessage
    done: asyncio.Future[None]
    ping_t: float = -1.0
    """The `t` of the ping behind it; negative while it is not sent on this connection."""
    was_sent: bool = False
    """Whether it was ever sent."""
    round: int = 0
    """The number of the room's round when it was sent first, 0 in the lobby."""
    is_checked: bool = False
    """Whether the ping stands alone, to find out what has become of it."""
    is_said: bool = False
    """Whether the line of chat has come back."""
    refusal: to_client.Refused | to_client.Error | None = None
    """The answer, if it is a bad one."""


class Commands:
    """The commands that are not done yet; only the first one is with the server."""

    def __init__(self) -> None:
        self._pending: deque[PendingCommand] = deque()

    def add(self, message: ClientMessage, done: asyncio.Future[None]) -> None:
        """Add a command; `done` gets the result, and cancelling it withdraws an unsent one."""
        self._pending.append(PendingCommand(message, done))

    @property
    def is_due(self) -> bool:
        """Whether a command is to be sent now."""
        while self._pending and self._pending[0].done.done() and not self._pending[0].was_sent:
            self._pending.popleft()  # cancelled
        return bool(self._pending) and self._pending[0].ping_t < 0

    @property
    def is_leaving(self) -> bool:
        """Whether the seat may be given up: that was sent, and not answered."""
        first = self._pending[0] if self._pending else None
        return first is not None and first.was_sent and isinstance(first.message, Leave)

    def end_past(self, room: RoomView) -> None:
        """End the commands well that would be sent again, and whose round is over."""
        while self.is_due and self._pending[0].was_sent and _is_past(self._pending[0], room):
            _end(self._pending.popleft(), None)

    def take_due(self, ping_t: float, room: RoomView) -> tuple[ClientMessage, ...]:
        """Return the command that is due with a ping of this `t`, and take it as sent."""
        first = self._pending[0]
        if not first.was_sent:
            first.round = round_number(room)
        first.ping_t = ping_t
        first.is_checked = first.was_sent and isinstance(first.message, Say)
        first.was_sent = True
        ping = Ping(t=ping_t)
        return (ping,) if first.is_checked else (first.message, ping)

    def lose_connection(self) -> None:
        """Send the first command again on the next connection; forget those given up."""
        if self._pending:
            first = self._pending[0]
            first.ping_t, first.refusal = -1.0, None
            if first.done.done():
                self._pending.popleft()

    def take_said(self, said: to_client.Said, seat: int) -> None:
        """Note that a line of chat was said, if it is the one under way."""
        first = self._pending[0] if self._pending else None
        if first is not None and said.seat == seat and isinstance(first.message, Say):
            line = first.message
            first.is_said |= (line.text, line.emote) == (said.text, said.emote)

    def take_refusal(self, message: to_client.Refused | to_client.Error) -> bool:
        """Take the bad answer to the command under way; return False if there is none."""
        if not self._pending or not self._pending[0].was_sent:
            return False
        self._pending[0].refusal = message
        return True

    def take_pong(self, ping_t: float) -> bool:
        """End the command before this ping; return whether it has to be sent again later."""
        first = self._pending[0] if self._pending else None
        if first is None or first.ping_t != ping_t:
            return False
        refusal, first.refusal = first.refusal, None
        is_away = isinstance(refusal, to_client.Refused) and refusal.code is ErrorCode.TRY_AGAIN
        if is_away and not first.done.done():
            return True
        if first.is_checked and not first.is_said:
            first.was_sent = first.is_checked = False
            first.ping_t = -1.0
            return False
        self._pending.popleft()
        _end(first, refusal)
        return False

    def send_again(self) -> None:
        """Send the first command again, which the store could not answer."""
        if self._pending:
            self._pending[0].ping_t = -1.0

    def end_leaving(self) -> None:
        """End the command under way well: the seat was left."""
        if self._pending:
            _end(self._pending.popleft(), None)

    def fail(self, error: RaceError) -> None:
        """Fail all commands that are not done."""
        while self._pending:
            done = self._pending.popleft().done
            if not done.done():
                done.set_exception(error)


def _is_past(command: PendingCommand, room: RoomView) -> bool:
    """Return whether the round is over that a command was about when it was sent."""
    if round_number(room) == command.round:
        return False
    is_for_next = isinstance(command.message, ABOUT_THE_NEXT_ROUND)
    return isinstance(command.message, ABOUT_THIS_ROUND) or (
        is_for_next and room.state is RoomState.FINISHED
    )


def _end(command: PendingCommand, refusal: to_client.Refused | to_client.Error | None) -> None:
    """End the wait for a command, with its refusal if there is one."""
    if command.done.done():
        return
    name = command.message.type
    match refusal:
        case None:
            command.done.set_result(None)
        case to_client.Refused():
            command.done.set_exception(Refused(name, refusal.code, refusal.details))
        case to_client.Error():
            command.done.set_exception(BadRequest(name, refusal.where))

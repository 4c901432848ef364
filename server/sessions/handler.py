"""The handling of one socket's messages: each command is answered exactly once."""

from collections.abc import Coroutine
from functools import partial
from typing import Any

from protocol import codec
from protocol.from_client import Act, Assess, Hint, Ping
from protocol.vocabulary import CloseCode
from server.sessions.commands import Commands
from server.sessions.limits import RateLimit
from server.sessions.seat_holder import SeatHolder
from server.sessions.seat_table import SeatTable
from server.sessions.services import Services
from server.sessions.session import Session
from server.sessions.socket import Socket
from server.views.replies import error_text, pong_text

STRIKES = 3


class Handler:
    """The message handler of one socket, from its first frame to its end."""

    def __init__(self, services: Services, socket: Socket, address: str) -> None:
        self.session = Session(services, socket, address)
        self._commands = Commands(self.session)
        self._command_limit = RateLimit(*services.limits.commands)
        self._strikes = 0

    @property
    def is_seated(self) -> bool:
        """Return whether this socket holds a seat."""
        return self.session.is_seated

    @property
    def log_context(self) -> dict[str, str | int | None]:
        """Return the room and the seat, for log events."""
        return self.session.log_context

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """Handle one message; the caller awaits the returned coroutine before the next message."""
        message = codec.parse(text)
        if isinstance(message, codec.BadMessage):
            self._strike(message.where)
            return None
        holder = self.session.holder
        if holder is not None:
            if isinstance(message, Act):
                table = holder.table.live
                if table is None:
                    self._act_without_table(message, holder.table)
                else:
                    table.act(message)
                return None
            if isinstance(message, Ping):
                holder.table.answer_in_order(partial(self._pong, message, holder))
                return None
        if not self._may_command():
            self.session.socket.close(CloseCode.TOO_FAST)
            return None
        if isinstance(message, Hint | Assess) and holder is not None:
            if isinstance(message, Hint):
                self._hint(message, holder.table)
            else:
                holder.table.assess(message)
            return None
        return self._commands.run(message)

    def receive_binary(self) -> None:
        """Count a binary message as a bad message."""
        self._strike("binary")

    def resume_sending(self) -> None:
        """Send the latest state that was skipped while the peer was slow to read."""
        if self.session.holder is not None:
            self.session.holder.feed.resume_sending()

    def handle_disconnect(self) -> Coroutine[Any, Any, None]:
        """Return the coroutine that leaves the seat; the room keeps it for its owner."""
        return self._commands.handle_disconnect()

    def _may_command(self) -> bool:
        """Count a command of the socket, its seat and its address; return False above a limit."""
        return self._command_limit.take() and self.session.may_command()

    def _strike(self, where: str) -> None:
        self._strikes += 1
        self.session.socket.send(error_text(where))
        if self._strikes >= STRIKES:
            self.session.socket.close(CloseCode.BAD_MESSAGES)

    def _pong(self, ping: Ping, holder: SeatHolder) -> None:
        services = self.session.services
        latest = services.hub.rooms.latest(holder.seat.room_code)
        v = latest.v if latest else holder.feed.v
        holder.socket.send(pong_text(ping.t, services.clock.now(), v))

    def _act_without_table(self, act: Act, table: SeatTable) -> None:
        """Refuse an act, unless it may belong to the seat's latest round.

        Then the log of that round is replayed for it. A replay may take long, so it happens once
        per socket and counts as a command.
        """
        played = table.closed_round(act)
        if played is None:
            self.session.refuse(act, table.refusal_when_closed())
        elif self._may_command():
            table.reopen(played).act(act)
        else:
            self.session.socket.close(CloseCode.TOO_FAST)

    def _hint(self, hint: Hint, table: SeatTable) -> None:
        """Pass a request for a hint to the table, or refuse it if no game is on."""
        if table.live is None or table.live.closed:
            self.session.refuse(hint, table.refusal_when_closed())
        else:
            table.live.hint(hint)

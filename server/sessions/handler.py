"""The handling of one socket's messages: each command is answered exactly once."""

from collections.abc import Coroutine
from typing import Any

from protocol import codec
from protocol.from_client import Act, Hint, Ping
from protocol.vocabulary import CloseCode
from server.sessions.commands import Commands
from server.sessions.rate_limit import RateLimit
from server.sessions.services import Services
from server.sessions.session import Session
from server.sessions.socket import Socket
from server.views.replies import error_text, pong_text

STRIKES = 3


class Handler:
    """The message handler of one socket, from its first frame to its end."""

    def __init__(self, services: Services, socket: Socket, address: str) -> None:
        self.session = Session(services, socket, address)
        self._table = self.session.table
        self._commands = Commands(self.session)
        self._command_limit = RateLimit(*services.limits.commands)
        self._strikes = 0

    @property
    def seated(self) -> bool:
        """Return whether this socket holds a seat."""
        return self.session.code is not None

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
        if self.seated:
            if isinstance(message, Act):
                self._act(message)
                return None
            if isinstance(message, Ping):
                self._pong(message)
                return None
        if not self._may_command():
            self.session.close(CloseCode.TOO_FAST)
            return None
        if isinstance(message, Hint) and self.seated:
            self._table.hint(message)
            return None
        return self._commands.run(message)

    def receive_binary(self) -> None:
        """Count a binary message as a bad message."""
        self._strike("binary")

    def resume_sending(self) -> None:
        """Send the latest state that was skipped while the peer was slow to read."""
        self.session.resume_sending()

    def handle_disconnect(self) -> Coroutine[Any, Any, None]:
        """Return the coroutine that leaves the seat; the room keeps it for its owner."""
        return self._commands.handle_disconnect()

    def _may_command(self) -> bool:
        """Count a command of the socket, its seat and its address; return False above a limit."""
        return self._command_limit.take() and self.session.may_command()

    def _strike(self, where: str) -> None:
        self._strikes += 1
        self.session.send(error_text(where))
        if self._strikes >= STRIKES:
            self.session.close(CloseCode.BAD_MESSAGES)

    def _pong(self, ping: Ping) -> None:
        session = self.session
        latest = session.latest()
        v = latest.v if latest else session.v
        session.send(pong_text(ping.t, session.services.clock.now(), v))

    def _act(self, act: Act) -> None:
        if self._table.live is None:
            self._reopen(act)
        self._table.act(act)

    def _reopen(self, act: Act) -> None:
        """Replay the log of the seat's latest round, if the act may belong to it.

        A replay may take long, so it happens once per socket and counts as a command.
        """
        played = self._table.closed_round(act, self.session.latest())
        if played is None:
            return
        if self._may_command():
            self._table.reopen(played)
        else:
            self.session.close(CloseCode.TOO_FAST)

"""The handling of one socket's messages: each command is answered exactly once."""

from collections.abc import Coroutine
from typing import Any

from protocol import codec
from protocol.from_client import Act, ClientMessage, Hint, Join, Ping, Resume
from protocol.vocabulary import CloseCode, ErrorCode
from server.rooms.refusal import Refusal
from server.sessions.dispatch import dispatch
from server.sessions.holding import Replaced
from server.sessions.rate_limit import RateLimit
from server.sessions.services import Services
from server.sessions.session import Session
from server.sessions.socket import Socket
from server.store import StoreAway, Unreadable
from server.views.replies import error_text, pong_text

STRIKES = 3


class Handler:
    """The message handler of one socket, from its first frame to its end."""

    def __init__(self, services: Services, socket: Socket, address: str) -> None:
        self.session = Session(services, socket, address)
        self._commands = RateLimit(*services.limits.commands)
        self._strikes = 0
        self._busy = False
        self._disconnected = False

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
        if not self._commands.take():
            self.session.close(CloseCode.TOO_FAST)
            return None
        if isinstance(message, Hint) and self.seated:
            self.session.table.hint(message)
            return None
        return self._command(message)

    def receive_binary(self) -> None:
        """Count a binary message as a bad message."""
        self._strike("binary")

    def resume_sending(self) -> None:
        """Send the latest state that was skipped while the peer was slow to read."""
        self.session.resume_sending()

    async def handle_disconnect(self) -> None:
        """Leave the seat of a closed socket; the room keeps it for its owner.

        A running command is finished first: it may be taking the seat.
        """
        self._disconnected = True
        self.session.end()
        if not self._busy:
            await self.session.leave_seat()

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
        table = self.session.table
        if table.live is None:
            self._reopen(act)
        table.act(act)

    def _reopen(self, act: Act) -> None:
        """Replay the log of the seat's latest round, if the act may belong to it.

        A replay may take long, so it happens once per socket and counts as a command.
        """
        played = self.session.table.closed_round(act, self.session.latest())
        if played is None:
            return
        if self._commands.take():
            self.session.table.reopen(played)
        else:
            self.session.close(CloseCode.TOO_FAST)

    async def _command(self, message: ClientMessage) -> None:
        session = self.session
        self._busy = True
        try:
            await dispatch(session, message)
        except Refusal as refusal:
            session.refuse(message, refusal.code, refusal.clash)
        except Replaced:
            session.handle_replaced()
        except StoreAway:
            session.refuse(message, ErrorCode.TRY_AGAIN)
        except Unreadable as error:
            code = message.room if isinstance(message, Join | Resume) else session.code
            assert code is not None, "a command is about a room"
            await session.services.repository.quarantine.add(code, error)
            session.refuse(message, ErrorCode.TRY_AGAIN)
            session.handle_unreadable()
        finally:
            self._busy = False
            if self._disconnected:
                await session.leave_seat()

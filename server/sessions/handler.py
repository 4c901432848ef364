"""The messages of one socket: each command is handled by itself, and answered exactly once."""

from collections.abc import Coroutine
from typing import Any

from protocol import codec
from protocol.from_client import Act, ClientMessage, Hint, Join, Ping, Resume
from protocol.vocabulary import CloseCode, ErrorCode
from server.rooms.refusal import Refusal
from server.sessions.dispatch import dispatch
from server.sessions.rate_limit import RateLimit
from server.sessions.services import Services
from server.sessions.session import Replaced, Session
from server.sessions.socket import Socket
from server.store import StoreAway, Unreadable
from server.views.replies import error_text, pong_text

STRIKES = 3
COMMANDS = 50
COMMANDS_PER_S = 3
"""All but acts and pings: what changes a room is told to everybody in it."""


class Handler:
    """One socket, from its first frame to its end."""

    def __init__(self, services: Services, wire: Socket, address: str) -> None:
        self.session = Session(services, wire, address)
        self._commands = RateLimit(COMMANDS, COMMANDS_PER_S)
        self._strikes = 0
        self._busy = False
        self._gone = False

    @property
    def seated(self) -> bool:
        """Whether this socket holds a seat."""
        return self.session.code is not None

    @property
    def who(self) -> dict[str, str | int | None]:
        """The room and the seat, for the log."""
        return self.session.who

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """Handle one message. What is returned is awaited before the next one is given."""
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
        """Count a binary message as one that is none."""
        self._strike("binary")

    def caught_up(self) -> None:
        """Let the session send what a slow peer was spared."""
        self.session.caught_up()

    async def gone(self) -> None:
        """Keep the seat of a socket that is closed, and tell the others.

        A command that is under way is finished first: it may be taking the seat just now.
        """
        self._gone = True
        self.session.end()
        if not self._busy:
            await self.session.drop()

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
        """Read the log of the seat's latest round again, if the act may be of it.

        Playing a log again may take long, so it is done once a socket, and is no free act.
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
            session.replaced()
        except StoreAway:
            session.refuse(message, ErrorCode.TRY_AGAIN)
        except Unreadable as error:
            code = message.room if isinstance(message, Join | Resume) else session.code
            assert code is not None, "a command is about a room"
            await session.services.repository.quarantine.meet(code, error)
            session.refuse(message, ErrorCode.TRY_AGAIN)
            session.handle_unreadable()
        finally:
            self._busy = False
            if self._gone:
                await session.drop()

"""Connections of programs in memory, which break and lose messages where a test says so."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Literal, get_args

from spider_race_client.connection import ABNORMAL_CLOSURE, NORMAL_CLOSURE
from websockets.exceptions import ConnectionClosedError

from protocol.vocabulary import SUBPROTOCOL
from server.live.shared_text import SharedText
from server.sessions.handler import Handler
from server.sessions.services import Services

Cut = Literal["before it arrives", "when it arrives", "before the answer"]
CUTS: tuple[Cut, ...] = get_args(Cut)
LAST_ANSWERS = {"joined", "acted", "hinted", "refused", "pong"}
"""The messages after which the server has done what it was asked for."""


def kind_of(text: str) -> str:
    """Return the type of a message, or nothing for a text that is none."""
    found = re.search(r'"type": ?"(\w+)"', text)
    return found[1] if found else ""


class Line:
    """The program's end of a connection, as `websockets` would give it."""

    def __init__(self, network: "Network") -> None:
        self.subprotocol = network.subprotocol
        self.close_code: int | None = None
        self.transport = self
        self.is_unanswered = False
        """Whether the connection breaks in place of the next answer."""
        self.server = ServerEnd(self)
        self._network = network
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    async def recv(self) -> str:
        text = await self._texts.get()
        if text is None:
            self._texts.put_nowait(None)
            raise ConnectionClosedError(None, None)
        return text

    async def send(self, text: str) -> None:
        if self.close_code is not None:
            raise ConnectionClosedError(None, None)
        self._network.send_up(self, text)

    def take(self, text: str) -> None:
        if self.close_code is None:
            self._texts.put_nowait(text)

    def end(self, code: int) -> None:
        if self.close_code is None:
            self.close_code = code
            self._texts.put_nowait(None)
            self.server.take(None)

    def abort(self) -> None:
        self.end(ABNORMAL_CLOSURE)


class ServerEnd:
    """The server's end of a connection: the socket of a session, or that of a script."""

    def __init__(self, line: Line) -> None:
        self.is_open = True
        self._line = line
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()

    def take(self, text: str | None) -> None:
        self._texts.put_nowait(text)

    async def receive(self) -> str | None:
        """Return the next message, None at the end."""
        text = await self._texts.get() if self.is_open else None
        self.is_open = self.is_open and text is not None
        return text if self.is_open else None

    async def wait_closed(self) -> None:
        while await self.receive() is not None:
            pass

    def send(self, text: str) -> None:
        if self.is_open:
            self._line._network.send_down(self._line, text)

    def send_passing(self, message: SharedText) -> bool:
        self.send(message.text)
        return True

    def close(self, code: int) -> None:
        self._line.end(int(code))
        self.is_open = False

    def is_behind(self) -> bool:
        return False


Serve = Callable[[ServerEnd], Awaitable[None]]
"""What a server does with a connection."""


class Network:
    """What lies between programs and a server, and may lose messages of either."""

    def __init__(self, serve: Serve, subprotocol: str | None = SUBPROTOCOL) -> None:
        self.subprotocol = subprotocol
        self.lost: dict[str, int] = {}
        """The types of messages of which the next one is lost.

        The connection is closed with the code in place of the message; it stays with 0.
        """
        self.cut: dict[str, Cut] = {}
        """The types of messages of programs with which the connection breaks once, and how."""
        self.rewritten = ("\0", "")
        """A text of the server's messages, and the one that replaces it."""
        self.is_passable = True
        """Whether connections are let through."""
        self.is_silent = False
        """Whether nothing goes through, and no connection ends."""
        self.opened: list[Line] = []
        self.serve = serve

    @asynccontextmanager
    async def open(self, open_timeout: float) -> AsyncIterator[Line]:
        """Open a connection, as `connect` of `websockets` does."""
        if self.is_silent:
            await asyncio.sleep(open_timeout)
            raise TimeoutError
        if not self.is_passable:
            raise ConnectionRefusedError
        line = Line(self)
        self.opened.append(line)
        serving = asyncio.ensure_future(self.serve(line.server))
        try:
            yield line
        finally:
            line.end(NORMAL_CLOSURE)
            await serving

    def break_line(self) -> None:
        """Break the connection that was opened last."""
        self.opened[-1].abort()

    def send_up(self, line: Line, text: str) -> None:
        kind = kind_of(text)
        cut = self.cut.pop(kind, None)
        if cut is None:
            self._pass_on(line, kind, text, line.server.take)
            return
        if cut != "before it arrives":
            line.server.take(text)
        if cut == "before the answer":
            line.is_unanswered = True
        else:
            line.abort()

    def send_down(self, line: Line, text: str) -> None:
        kind = kind_of(text)
        if not line.is_unanswered:
            self._pass_on(line, kind, text.replace(*self.rewritten), line.take)
        elif kind in LAST_ANSWERS:
            line.abort()

    def _pass_on(self, line: Line, kind: str, text: str, take: Callable[[str], None]) -> None:
        code = self.lost.pop(kind, None)
        if code:
            line.end(code)
        elif code is None and not self.is_silent:
            take(text)


def sessions_of(services: Services, address: str = "127.0.0.1") -> Serve:
    """Return how a server with these services handles connections from an address."""

    async def serve(socket: ServerEnd) -> None:
        handler = Handler(services, socket, address)
        while (text := await socket.receive()) is not None:
            waiting = handler.receive(text)
            if waiting is not None:
                await waiting
        await handler.handle_disconnect()

    return serve

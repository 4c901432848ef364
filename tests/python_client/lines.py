"""Connections of programs in memory, which break and lose messages where a test says so."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Literal, get_args

from spider_race_client.connection import ABNORMAL_CLOSURE, NORMAL_CLOSURE
from websockets.exceptions import ConnectionClosedError

from protocol.vocabulary import SUBPROTOCOL
from server.sessions.services import Services
from tests.world.stage import LOOPBACK, Socket

Cut = Literal["before it arrives", "when it arrives", "before the answer"]
CUTS: tuple[Cut, ...] = get_args(Cut)
LAST_ANSWERS = {"joined", "acted", "hinted", "refused", "pong"}
"""The messages that end a command."""


def kind_of(text: str | bytes) -> str:
    """Return the type of a message, or '' for any other text."""
    found = re.search(r'"type": ?"(\w+)"', str(text))
    return found[1] if found else ""


class Line(Socket):
    """The program's end of a connection, as `websockets` would give it."""

    def __init__(self, network: "Network") -> None:
        super().__init__(network.services, LOOPBACK)
        self.subprotocol = network.subprotocol
        self.transport = self
        self._network = network
        self._is_unanswered = False
        """Whether the connection breaks in place of the next answer."""

    async def send(self, text: str | bytes) -> None:
        if self.close_code is not None:
            raise ConnectionClosedError(None, None)
        cut = self._network.cut.pop(kind_of(text), None)
        if cut is None:
            self._pass_on(str(text), self._arrive)
            return
        if cut != "before it arrives":
            self._arrive(str(text))
        if cut == "before the answer":
            self._is_unanswered = True
        else:
            asyncio.get_running_loop().call_soon(self.abort)  # the server has read the message

    def deliver(self, text: str) -> None:
        if not self._is_unanswered:
            self._pass_on(text.replace(*self._network.rewritten), super().deliver)
        elif kind_of(text) in LAST_ANSWERS:
            self.abort()

    def abort(self) -> None:
        self.end(ABNORMAL_CLOSURE)

    def _arrive(self, text: str) -> None:
        if self._network.script is None:
            self._to_server.put_nowait(text)
        else:
            self._network.script(self, text)

    def _pass_on(self, text: str, take: Callable[[str], None]) -> None:
        if self.close_code is not None:
            return
        code = self._network.lost.pop(kind_of(text), None)
        if code:
            self.end(code)
        elif code is None and not self._network.is_silent:
            take(text)


Script = Callable[[Line, str], object]
"""What happens to a message of a program instead of what a server does."""


class Network:
    """A network between programs and a server, which may lose messages of either."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.script: Script | None = None
        self.subprotocol: str | None = SUBPROTOCOL
        self.lost: dict[str, int] = {}
        """The types of messages whose next one is lost.

        The connection is closed with the code in place of the message; it stays with 0.
        """
        self.cut: dict[str, Cut] = {}
        """How the connection breaks, once, with a program's message of some type."""
        self.rewritten = ("\0", "")
        """A text of the server's messages, and the one that replaces it."""
        self.is_passable = True
        """Whether connections are let through."""
        self.is_silent = False
        """Whether nothing goes through, and no connection ends."""
        self.opened: list[Line] = []

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
        serving = asyncio.ensure_future(line.serve())
        try:
            yield line
        finally:
            line.end(NORMAL_CLOSURE)
            await serving

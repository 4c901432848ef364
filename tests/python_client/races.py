"""Races of programs, and the troubles of their connections."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeVar, get_args

from spider_race_client import Client, Observer, Race, connect
from spider_race_client.connection import ABNORMAL_CLOSURE
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.to_client import Refused, RoundOver, ServerMessage
from protocol.vocabulary import SUBPROTOCOL, CloseCode

EASY = {"game": "spider-1", "deal": "numbered", "number": 7, "undo": "any"}
QUICK: dict[str, Any] = {"longest_wait_s": 0.05}
"""Options of `connect` for tests that lose connections."""
SPOKEN = [Subprotocol(SUBPROTOCOL)]
Cut = Literal["before it arrives", "when it arrives", "before the answer"]
CUTS: tuple[Cut, ...] = get_args(Cut)
LAST_ANSWERS = {"joined", "acted", "hinted", "refused", "pong"}
"""The messages after which the server has done what it was asked for."""
Socket = ClientConnection | ServerConnection
Harm = Callable[[str, str], Awaitable[str | None]]
"""What happens to a message, by its type and text: the text that is passed on, or None."""
Handler = Callable[[ServerConnection], Awaitable[None]]
Found = TypeVar("Found")


class Sockets(Observer):
    """The websockets of a client, and the codes with which they were closed."""

    def __init__(self) -> None:
        self.opened: list[ClientConnection] = []
        self.codes: list[int] = []
        self.refused: list[str] = []
        """The commands that were refused."""

    def connection_opened(self, socket: ClientConnection) -> None:
        self.opened.append(socket)

    def message_received(self, message: ServerMessage) -> None:
        if isinstance(message, Refused):
            self.refused.append(message.command)

    def connection_closed(self, code: int) -> None:
        self.codes.append(code)

    def cut(self) -> None:
        """Break the connection that was opened last."""
        self.opened[-1].transport.abort()


class Between:
    """What lies between programs and a server, and may lose messages of either."""

    def __init__(self, port: int, address: str = "") -> None:
        self.lost: dict[str, int] = {}
        """The types of messages of which the next one is lost.

        The connection is closed with the code in place of the message; it stays with 0.
        """
        self.cut: dict[str, Cut] = {}
        """The types of messages of programs with which the connection breaks once, and how."""
        self.rewritten = ("\0", "")
        """A text of the messages, and the one that replaces it."""
        self.is_passable = asyncio.Event()
        """Cleared while no connection is let through."""
        self.is_passable.set()
        self._port = port
        self._unanswered: set[ServerConnection] = set()
        self._forwarded = {"X-Forwarded-For": address} if address else None

    async def handle(self, program: ServerConnection) -> None:
        """Connect a program's websocket to the server."""
        if not self.is_passable.is_set():
            program.transport.abort()
            return
        address = f"ws://127.0.0.1:{self._port}/ws"
        async with connect_socket(
            address, subprotocols=SPOKEN, additional_headers=self._forwarded, proxy=None
        ) as server:
            back = asyncio.create_task(self._pass_on(server, program, self._keep_back(program)))
            await self._pass_on(program, server, self._break(program, server))
            if program in self._unanswered:
                program.transport.abort()
            await server.close()
            await back

    async def _pass_on(self, source: Socket, sink: Socket, harm: Harm) -> None:
        """Pass the messages of the source on, but those that `harm` returns none of."""
        try:
            async for text in source:
                assert isinstance(text, str)
                passed = await harm(json.loads(text)["type"], text)
                if passed is not None:
                    await sink.send(passed)
        except ConnectionClosed:
            pass
        code = source.close_code or CloseCode.GOING_AWAY
        await sink.close(CloseCode.GOING_AWAY if code == ABNORMAL_CLOSURE else code)

    def _break(self, program: ServerConnection, server: ClientConnection) -> Harm:
        async def harm(kind: str, text: str) -> str | None:
            cut = self.cut.pop(kind, None)
            if cut is None:
                return await self._lose(program, kind, text)
            self._unanswered.add(program)
            if cut != "before it arrives":
                await server.send(text)
            if cut != "before the answer":
                program.transport.abort()
            return None

        return harm

    def _keep_back(self, program: ServerConnection) -> Harm:
        async def harm(kind: str, text: str) -> str | None:
            if program not in self._unanswered:
                return await self._lose(program, kind, text.replace(*self.rewritten))
            if kind in LAST_ANSWERS:
                program.transport.abort()
            return None

        return harm

    async def _lose(self, program: ServerConnection, kind: str, text: str) -> str | None:
        code = self.lost.pop(kind, None)
        if code:
            await program.close(code)
        return text if code is None else None


@asynccontextmanager
async def at(
    handler: Handler, spoken: list[Subprotocol] | None = SPOKEN, **options: Any
) -> AsyncIterator[Client]:
    """Return the client of a server that handles its websockets so."""
    async with (
        serve(handler, "127.0.0.1", 0, subprotocols=spoken) as server,
        connect(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", **options) as client,
    ):
        yield client


async def race_of_two(client: Client, **settings: object) -> tuple[Race, Race]:
    """Return the host and the guest of a race that has just begun."""
    host = await client.create("Ada", {**EASY, **settings})
    guest = await client.join(host.code, "Bob")
    await begin(host, guest)
    return host, guest


async def begin(*races: Race) -> None:
    """Begin a round of these players."""
    for race in races:
        await race.ready()
    await asyncio.gather(*(race.wait_for_table() for race in races))


def first_move(race: Race) -> str:
    assert race.table is not None
    return race.table.legal[0]


async def event(race: Race, kind: type[Found]) -> Found:
    """Return the next event of a type; skip others."""
    async for each in race:
        if isinstance(each, kind):
            return each
    raise AssertionError(f"the race has ended without {kind}")


def in_round(n: int) -> Callable[[Race], bool]:
    """Return whether a race is in this round, as a condition to wait for."""
    return lambda race: race.room.round is not None and race.room.round.n == n


async def result_of(race: Race, n: int) -> RoundOver:
    """Wait for the end of a round; return its result."""
    await race.wait_until(lambda race: race.result is not None and race.result.n == n)
    assert race.result is not None
    return race.result

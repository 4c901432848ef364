"""Races of programs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any, TypeVar

from spider_race_client import Client, Race
from websockets.asyncio.client import ClientConnection

from protocol.to_client import Refused, ServerMessage
from tests.observer import Observer

EASY = {"game": "spider-1", "deal": "numbered", "number": 7, "undo": "any"}
Found = TypeVar("Found")


class Sockets(Observer):
    """The websockets of a client, and their close codes."""

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


@asynccontextmanager
async def answering(answer: bytes, **options: Any) -> AsyncIterator[str]:
    """Return the address of a server with this response to each HTTP request."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer), suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(answer)

    async with await asyncio.start_server(handle, "127.0.0.1", 0, **options) as server:
        scheme = "https" if options else "http"
        yield f"{scheme}://localhost:{server.sockets[0].getsockname()[1]}"


async def output(*command: str | Path, cwd: Path = Path("/")) -> str:
    """Run a program to its end, outside of the sources; return its output."""
    process = await asyncio.create_subprocess_exec(
        *command, stdout=asyncio.subprocess.PIPE, cwd=cwd
    )
    try:
        printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return printed.decode()


async def event(race: Race, kind: type[Found]) -> Found:
    """Return the next event of a type; skip others."""
    async for each in race:
        if isinstance(each, kind):
            return each
    raise AssertionError(f"the race has ended without {kind}")

"""A network between a player and the server, which may silently swallow everything."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class Relay:
    """A port that leads to another one, until it is a black hole."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self.is_shut = False  # nobody is let in
        self._target = target
        self._open = asyncio.Event()
        self._open.set()
        self._writers: list[asyncio.StreamWriter] = []
        self._pumps: set[asyncio.Task[None]] = set()

    def swallow(self) -> None:
        """From now on nothing goes through, and no connection ends."""
        self._open.clear()

    def restore(self) -> None:
        """Let everything through from now on, first the bytes that were held back."""
        self._open.set()

    async def meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_shut:
            writer.transport.abort()
            return
        there, thither = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers += [writer, thither]
        for source, sink in ((reader, thither), (there, writer)):
            pump = asyncio.create_task(self._pump(source, sink))
            self._pumps.add(pump)

    async def _pump(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                await self._open.wait()
                sink.write(data)
        await self._open.wait()
        sink.close()

    def cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def end(self) -> None:
        for pump in self._pumps:
            pump.cancel()
        self.cut()


@asynccontextmanager
async def relayed(target: int) -> AsyncIterator[Relay]:
    relay = Relay(target)
    server = await asyncio.start_server(relay.meet, "127.0.0.1", 0)
    relay.port = server.sockets[0].getsockname()[1]
    try:
        yield relay
    finally:
        server.close()
        relay.end()

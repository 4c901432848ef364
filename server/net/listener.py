import asyncio
import logging
import socket
from collections.abc import Coroutine
from typing import Any

from protocol.errors import CloseCode
from server import metrics
from server.config import Config
from server.net.connection import Connection
from server.net.crowd import Crowd, make_room
from server.net.http import Pages, Scrape
from server.net.proxies import UnnamedProxies
from server.sessions.services import Services

CHECK_S = 1.0
BACKLOG = 4_096
"""So many may come back at once when a server was killed; who finds no place tries for seconds."""

SYSTEM_BUFFER = 64 * 1024
"""By itself the system keeps megabytes for who does not read, before we come to see any of it."""

DRAIN_STEP_S = 0.01
GOODBYE_S = 0.1


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """The socket to listen on; one that does not listen only holds the port for workers.

    It shares the port with them, but not with those of somebody else.

    Raises:
        OSError: there is no such address, or the port is taken.
    """
    found = socket.getaddrinfo(
        config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, _, _, _, address = found[0]
    if not listening:
        _bound(family, address, shared=False).close()  # while others listen, this fails
    door = _bound(family, address, shared=config.workers > 1)
    if listening:
        try:
            # Whoever is taken here inherits it.
            door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER)
            door.listen(BACKLOG)
        except OSError:
            door.close()
            raise
    return door


def _bound(family: int, address: Any, *, shared: bool) -> socket.socket:
    door = socket.socket(family)
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        door.bind(address)
    except OSError:
        door.close()
        raise
    return door


class Listener:
    """Everybody who is connected to this process."""

    def __init__(self, config: Config, services: Services, scrape: Scrape = metrics.page) -> None:
        self.config = config
        self.services = services
        self.pages = Pages(config, services.book, scrape)
        self.connections: set[Connection] = set()
        self.crowd = Crowd(config.connections_per_address)
        self.proxies = UnnamedProxies(config.trusted_proxies)
        self.allowed_origins = frozenset(
            origin.lower()
            for origin in (*config.allowed_origins, config.public_url)
            if origin is not None
        )
        self.quiet = logging.getLogger("spider_race.websocket")
        self.quiet.setLevel(logging.ERROR)
        self.port = config.port
        self._server: asyncio.Server | None = None
        self.now = asyncio.get_running_loop().time

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs something beside the reading of sockets."""
        self.services.hub.spawn(work, name)

    async def open(self, door: socket.socket) -> None:
        """Takes connections at this door."""
        make_room()
        loop = asyncio.get_running_loop()
        self.port = int(door.getsockname()[1])
        self._server = await loop.create_server(
            lambda: Connection(self), sock=door, backlog=BACKLOG
        )

    async def watch(self) -> None:
        """Ends silent connections, for ever."""
        while True:
            asleep = self.now()
            await asyncio.sleep(CHECK_S)
            now = self.now()
            metrics.loop_lag.set(max(0.0, now - asleep - CHECK_S))
            for connection in list(self.connections):
                connection.check(now)

    def count(self) -> metrics.Here:
        """What is connected here, to be counted."""
        return metrics.Here(lambda: len(self.connections), self.services.hub.states)

    async def drain(self, seconds: float) -> None:
        """Takes no more, and sends everybody elsewhere, spread over `seconds` at most."""
        assert self._server is not None, "the listener was opened"
        self._server.close()
        leaving = list(self.connections)
        for connection in leaving:
            connection.close(CloseCode.DRAINING)
            await asyncio.sleep(min(DRAIN_STEP_S, seconds / len(leaving)))
        if leaving:
            await asyncio.sleep(GOODBYE_S)
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)  # for the loop to close what was aborted

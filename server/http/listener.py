import asyncio
import logging
import socket
from collections.abc import Coroutine
from typing import Any

from protocol.errors import CloseCode
from server import metrics
from server.config import Config
from server.http.connection import Connection
from server.http.operations import Operations, Scrape
from server.http.proxies import UnnamedProxies
from server.http.routes import Routes
from server.sessions.services import Services
from server.websocket.connection_limit import ConnectionLimit, Places, make_room

CHECK_S = 1.0
BACKLOG = 4_096
"""Connections that may wait to be accepted: players of a killed server come back all at once.

A client that finds no place tries for seconds.
"""

TURNED_AWAY = 50
"""Surplus connections of an address that get an answer at a time; the others are cut off."""

SYSTEM_BUFFER = 64 * 1024
"""By itself the system keeps megabytes for who does not read, before we come to see any of it."""

LOOPBACK = "127.0.0.1"
SETTLE_S = 0.2
"""Before anybody is sent away, the other processes of a deploy stop listening too."""
DRAIN_STEP_S = 0.01
"""From one goodbye to the next: coming back costs another process some milliseconds."""
GOODBYE_S = 0.1


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """The socket to listen on; one that does not listen only holds the port for workers.

    It shares the port with them, but not with those of somebody else.

    Raises:
        OSError: there is no such address, or the port is taken; `filename` says which it is.
    """
    return _bind(config.host, config.port, config, listening=listening)


def bind_operations(config: Config, port: int, *, listening: bool = True) -> socket.socket:
    """The socket for operators, of a server whose players come to `port`; as `bind`.

    Where no address was chosen it is the port after that one, or any that is free.
    """
    if config.operations is not None:
        host, _, chosen = config.operations.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        return _bind(host, int(chosen), config, listening=listening)
    try:
        return _bind(LOOPBACK, port + 1, config, listening=listening)
    except (OSError, OverflowError):
        return _bind(LOOPBACK, 0, config, listening=listening)


def _bind(host: str, port: int, config: Config, *, listening: bool) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
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
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), f"{host} port {port}") from error
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
        self.pages = Routes(config, services.book, services.slices)
        self._operations = Operations(services.store, scrape, lambda: self.draining)
        self.connections: set[Connection] = set()
        self.places = Places(make_room(), lambda: len(self.connections))
        self.draining = False
        self.crowd = ConnectionLimit(config.connections_per_address)
        self.proxies = UnnamedProxies(config.trusted_proxies)
        self.visitors = ConnectionLimit(config.connections_per_address)
        self.turned_away = ConnectionLimit(TURNED_AWAY)
        self.allowed_origins = frozenset(
            origin.lower()
            for origin in (*config.allowed_origins, config.public_url)
            if origin is not None
        )
        self.quiet = logging.getLogger("spider_race.websocket")
        self.quiet.setLevel(logging.ERROR)
        self.port = config.port
        self.operations_port = 0
        self._servers: list[asyncio.Server] = []
        self.now = asyncio.get_running_loop().time

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs something beside the reading of sockets."""
        self.services.hub.spawn(work, name)

    async def open(self, players: socket.socket, operators: socket.socket) -> None:
        """Accepts connections at these two sockets."""
        self.port = int(players.getsockname()[1])
        self.operations_port = int(operators.getsockname()[1])
        loop = asyncio.get_running_loop()
        for accepts, door in [
            (lambda: Connection(self), players),
            (lambda: Connection(self, self._operations), operators),
        ]:
            self._servers.append(await loop.create_server(accepts, sock=door, backlog=BACKLOG))

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
        """Accept nobody more, and send everybody elsewhere, spread over `seconds` at most."""
        assert self._servers, "the listener was opened"
        self.draining = True
        players, operators = self._servers
        players.close()
        await asyncio.sleep(SETTLE_S)
        leaving = [connection for connection in self.connections if not connection.operators]
        for connection in leaving:
            connection.close(CloseCode.DRAINING)
            await asyncio.sleep(min(DRAIN_STEP_S, seconds / len(leaving)))
        if leaving:
            await asyncio.sleep(GOODBYE_S)
        operators.close()
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)  # for the loop to close what was aborted

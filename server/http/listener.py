import asyncio
import socket

from protocol.vocabulary import CloseCode
from server import metrics
from server.config import Config
from server.http.connection import Connection, Peer, Shared
from server.http.operations import Operations, Scrape
from server.http.proxies import UnnamedProxies
from server.http.routes import Routes
from server.http.sockets import BACKLOG
from server.http.visitors import Visitors
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.websocket.connection import Process

CHECK_S = 1.0
SETTLE_S = 0.2
"""Before anybody is sent away, the other processes of a deploy stop listening too."""
DRAIN_STEP_S = 0.01
"""From one goodbye to the next: coming back costs another process some milliseconds."""
GOODBYE_S = 0.1


class Listener:
    """Everybody who is connected to this process."""

    def __init__(self, config: Config, services: Services, scrape: Scrape = metrics.page) -> None:
        self.services = services
        self.connections: set[Peer] = set()
        self.visitors = Visitors(config.connections_per_address, lambda: len(self.connections))
        visits = self.visitors.rate
        self.pages = Routes(config, services.repository, services.slices, visits)
        self._operations = Operations(services.store, scrape, lambda: self.draining)
        self.draining = False
        self.settle_s = SETTLE_S
        self.port = config.port
        self.operations_port = 0
        self._servers: list[asyncio.Server] = []
        self.now = asyncio.get_running_loop().time
        self._shared = Shared(
            process=Process(self.now, services.hub.spawn),
            routes=self.pages,
            visitors=self.visitors,
            proxies=UnnamedProxies(config.trusted_proxies),
            trusted_proxies=config.trusted_proxies,
            allowed_origins=frozenset(
                origin.lower()
                for origin in (*config.allowed_origins, config.public_url)
                if origin is not None
            ),
            make_handler=lambda wire, address: Handler(services, wire, address),
            connections=self.connections,
        )

    async def open(self, players: socket.socket, operators: socket.socket) -> None:
        """Accepts connections at these two sockets."""
        self.port = int(players.getsockname()[1])
        self.operations_port = int(operators.getsockname()[1])
        loop = asyncio.get_running_loop()
        for accepts, listening_socket in [
            (lambda: Connection(self._shared), players),
            (lambda: Connection(self._shared, self._operations), operators),
        ]:
            self._servers.append(
                await loop.create_server(accepts, sock=listening_socket, backlog=BACKLOG)
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
        """Accept nobody more, and send everybody elsewhere, spread over `seconds` at most."""
        assert self._servers, "the listener was opened"
        self.draining = True
        players, operators = self._servers
        players.close()
        await asyncio.sleep(self.settle_s)
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

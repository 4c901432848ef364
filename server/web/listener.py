import asyncio
import contextlib
import socket
from functools import partial

import structlog

from protocol.vocabulary import CloseCode
from server import metrics
from server.config import Config
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.store import StoreAway
from server.web.addresses import BACKLOG, ServerAddress
from server.web.connection import HttpConnection, HttpServices, await_command
from server.web.limits import (
    HTTP_LIMITS,
    WEBSOCKET_LIMITS,
    ConnectionLimits,
    HttpLimits,
    UnreadBytes,
    WebsocketLimits,
)
from server.web.proxies import ProxyLog
from server.web.routes import Operations, Routes
from server.web.websocket import WebsocketConnection, WebsocketServices

DRAIN_STEP_S = 0.01  # least time between closes: a reconnect costs another process milliseconds
CLOSE_WAIT_S = 0.1  # how long the last peers have to close their connections
STOPPED_S = 2.0  # a longer lag of the event loop means that the process was suspended

Connection = HttpConnection | WebsocketConnection

log = structlog.get_logger()


class Listener:
    """The listening sockets of this process and all their connections."""

    def __init__(
        self,
        config: Config,
        services: Services,
        scrape: metrics.Scrape = metrics.exposition,
        limits: HttpLimits = HTTP_LIMITS,
        websocket: WebsocketLimits = WEBSOCKET_LIMITS,
    ) -> None:
        self.services = services
        self.connections: set[Connection] = set()
        self.connection_limits = ConnectionLimits(
            config.connections_per_address, lambda: len(self.connections), limits
        )
        address = ServerAddress(config, lambda: self.port)
        self.routes = Routes(services, address, self.connection_limits.visits, limits)
        self._operations = Operations(services.store, scrape, lambda: self.is_draining)
        self.is_draining = False
        self.port = config.port
        self.operations_port = 0
        self._servers: list[asyncio.Server] = []
        self.now_s = asyncio.get_running_loop().time
        self._http = HttpServices(
            websocket=WebsocketServices(
                now_s=self.now_s,
                spawn=services.hub.spawn,
                run_command=lambda command, connection: services.hub.spawn(
                    await_command(command, connection), "command"
                ),
                forget=self._forget,
                limits=websocket,
                unread=UnreadBytes(websocket.unread_of_address, websocket.unread),
            ),
            routes=self.routes,
            connection_limits=self.connection_limits,
            proxies=ProxyLog(config.trusted_proxies),
            allowed_origins=frozenset(
                origin.lower()
                for origin in (*config.allowed_origins, config.public_url)
                if origin is not None
            ),
            make_handler=partial(Handler, services),
            connections=self.connections,
            limits=limits,
        )

    async def open(self, players: socket.socket, operators: socket.socket) -> None:
        """Accept connections on these two sockets."""
        self.port = int(players.getsockname()[1])
        self.operations_port = int(operators.getsockname()[1])
        create = partial(asyncio.get_running_loop().create_server, backlog=BACKLOG)
        route = self._operations.respond
        self._servers = [
            await create(lambda: HttpConnection(self._http), sock=players),
            await create(lambda: HttpConnection(self._http, route), sock=operators),
        ]

    async def watch(self) -> None:
        """Check all connections and the loop's lag every `check_s` seconds, forever."""
        interval_s = self._http.limits.check_s
        while True:
            asleep_s = self.now_s()
            await asyncio.sleep(interval_s)
            now_s = self.now_s()
            lag_s = max(0.0, now_s - asleep_s - interval_s)
            metrics.loop_lag.set(lag_s)
            if lag_s >= STOPPED_S:  # suspended: first read what living peers have sent meanwhile
                continue
            for connection in list(self.connections):
                self._check(connection, now_s)

    async def keep_bans(self) -> None:
        """Read the bans every `check_s` seconds, forever; close newly banned websockets."""
        banned, store = self.connection_limits.banned, self.services.store
        while True:
            with contextlib.suppress(StoreAway):  # the known bans stay in force meanwhile
                if banned.update(await store.bans.read()):
                    for peer in list(self.connections):
                        if isinstance(peer, WebsocketConnection) and banned.has(peer.network):
                            peer.close(CloseCode.BANNED)
            await asyncio.sleep(self._http.limits.check_s)

    def _check(self, connection: Connection, now_s: float) -> None:
        """Check one connection; an unexpected error closes only this one."""
        try:
            connection.check(now_s)
        except Exception:
            # If it cannot be aborted either, the error must not come back every second.
            self.connections.discard(connection)
            log.exception("connection failed")
            connection.abort()

    def _forget(self, websocket: WebsocketConnection) -> None:
        self.connections.discard(websocket)
        self.connection_limits.players.add(websocket.network, -1)

    async def drain(self, seconds: float) -> None:
        """Stop listening, close players' connections within `seconds`, then the operators'."""
        assert self._servers, "the listener was opened"
        self.is_draining = True
        players, operators = self._servers
        players.close()
        # Meanwhile the other processes of a deploy stop listening too.
        await asyncio.sleep(self._http.limits.takeover_s)
        leaving = [connection for connection in self.connections if not connection.is_of_operator]
        for connection in leaving:
            connection.close(CloseCode.DRAINING)
            await asyncio.sleep(min(DRAIN_STEP_S, seconds / len(leaving)))
        if leaving:
            await asyncio.sleep(CLOSE_WAIT_S)
        operators.close()
        for connection in list(self.connections):
            connection.abort()
        await asyncio.sleep(0)  # lets the loop close the aborted transports

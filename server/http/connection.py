"""One TCP connection of HTTP: request after request, until one of them opens a websocket.

A websocket gets the transport, and a protocol of its own. Until then nothing more is answered
than the peer reads: one answer at a time, and no request is read while one waits.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Protocol, cast

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import State

from protocol.vocabulary import CloseCode
from server import metrics
from server.http.proxies import UnnamedProxies
from server.http.request import METHODS, HttpRequest
from server.http.requests import Requests
from server.http.responses import (
    CROWDED_S,
    ambiguous,
    crowded,
    failed,
    forbidden,
    not_get,
    too_many,
)
from server.http.visitors import Visitors
from server.websocket.connection import Connection as Websocket
from server.websocket.connection import Handler, Process
from server.websocket.origin import (
    Network,
    client_address,
    counted_as,
    network_of,
    origin_allowed,
)

HEAD_S = 5.0
"""So long a peer may take to send a whole head."""
KEEP_S = 15.0
TURNED_AWAY_S = 1.0
"""Seconds for a surplus connection to send its request, which is answered with the reason."""
READING_S = 30.0

log = structlog.get_logger()


class Answers(Protocol):
    """What answers plain requests."""

    async def answer(self, asked: HttpRequest) -> Response:
        """Return the response to a request."""


class Peer(Protocol):
    """A connection of either kind, as the listener sees it."""

    @property
    def operators(self) -> bool:
        """Whether it came to the operators' port."""

    def check(self, now: float) -> None:
        """End it if it has taken too long; `now` is the loop's time."""

    def close(self, code: CloseCode) -> None:
        """Close it as soon as that is polite."""

    def abort(self) -> None:
        """End it at once."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What the connections of a process have in common."""

    process: Process
    routes: Answers
    visitors: Visitors
    proxies: UnnamedProxies
    trusted_proxies: Sequence[Network]
    allowed_origins: frozenset[str]
    make_handler: Callable[[Websocket, str], Handler]
    """Make what handles the messages of a websocket that comes from an address."""
    connections: set[Peer]


class Phase(Enum):
    """What a connection is doing."""

    READING = auto()
    """It waits for the head of a request."""
    ANSWERING = auto()
    """A request is being answered; what the peer sends meanwhile waits."""
    CLOSING = auto()
    """The last answer is sent, and the peer is to close."""


class Connection(asyncio.Protocol):
    """A peer that asks over HTTP; made by the listener for each that connects."""

    def __init__(self, shared: Shared, routes: Answers | None = None) -> None:
        """Make the connection of a visitor; with `routes`, of an operator, who gets only those."""
        self._shared = shared
        self._routes = routes
        self._requests = Requests()
        self._handshake = self._requests.handshake
        self._transport: asyncio.Transport | None = None
        self._peer = ""
        self._visitor: str | None = None  # the address that the connection is counted for
        self._one_too_many: str | None = None  # the same, if there was no place for it
        self._phase = Phase.READING
        self._full = False  # the peer has not read what it asked for
        self._ended = False  # the peer sends no more
        self._draining = False  # the server is going: one more answer is the last
        self._opened_at = shared.process.now()
        self._due = self._opened_at + HEAD_S
        self._closing_at = 0.0

    @property
    def operators(self) -> bool:
        """Whether it came to the operators' listener."""
        return self._routes is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let a peer in, if there is a place for it."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        if self._routes is None and not self._shared.visitors.places.take():
            self._transport.abort()
            self._transport = None
            return
        self._shared.connections.add(self)
        visitor = None if self.operators else self._counted_as(Headers())
        if visitor is not None:
            self._visit(visitor)

    def data_received(self, data: bytes) -> None:
        """Take bytes that have come in."""
        now = self._shared.process.now()
        if self._requests.idle:
            self._due = min(self._due, now + HEAD_S)
        self._requests.feed(data)
        self._ask()

    def eof_received(self) -> bool:
        """Take note that the peer sends no more; what it has asked for before is answered."""
        if self._phase is Phase.ANSWERING:
            self._ended = True
            return True
        self._handshake.receive_eof()
        self._flush()
        return False

    def pause_writing(self) -> None:
        """Answer nothing more till the peer has read what it asked for."""
        self._full = True

    def resume_writing(self) -> None:
        """Go on: the peer has read."""
        self._full = False
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Let go of the peer."""
        self._transport = None
        self._shared.connections.discard(self)
        self._end_visit()
        if self._one_too_many is not None:
            self._shared.visitors.turned_away.leave(self._one_too_many)

    def close(self, code: CloseCode) -> None:
        """Let the next answer be the last; a code is for websockets."""
        del code
        self._draining = True

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def check(self, now: float) -> None:
        """End what asks for nothing, does not read or does not close; call it every second."""
        match self._phase:
            case Phase.ANSWERING:
                return  # an answer that takes its time is no silence of the peer's
            case Phase.READING:
                late = now > self._due + (READING_S if self._full else 0)
            case Phase.CLOSING:
                late = now - self._closing_at > READING_S
        if late:
            self.abort()

    def _flush(self) -> None:
        transport = self._transport
        if transport is None:
            return
        for data in self._handshake.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                transport.write_eof()
        if self._phase is not Phase.CLOSING and self._handshake.close_expected():
            self._phase = Phase.CLOSING
            self._closing_at = self._shared.process.now()

    def _counted_as(self, headers: Headers) -> str | None:
        return counted_as(self._peer, headers, self._shared.trusted_proxies)

    def _visit(self, visitor: str) -> None:
        """Count the connection in; if there is no place for it, it is told so, or cut off."""
        visitors = self._shared.visitors
        if visitors.connections.enter(visitor):
            self._visitor = visitor
            if visitors.rate.take(visitor):
                return
        metrics.turned_away.labels("connections").inc()
        if visitors.turned_away.enter(visitor):
            self._one_too_many = visitor
            self._due = self._opened_at + TURNED_AWAY_S
        else:
            self.abort()

    def _end_visit(self) -> None:
        """Count the connection as a visitor's no more."""
        if self._visitor is not None:
            self._shared.visitors.connections.leave(self._visitor)
            self._visitor = None

    def _ask(self) -> None:
        """Take the next request, if none is being answered."""
        request = None if self._full else self._requests.next()
        if request is not None:
            self._requested(request)
        self._flush()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._requests.held:
            transport.pause_reading()
        else:
            transport.resume_reading()

    def _requested(self, request: Request) -> None:
        asked = HttpRequest(request, self._peer)
        self._shared.proxies.notice(self._peer, request.headers)
        if self._one_too_many is not None:
            self._answer_last(too_many("connections", CROWDED_S))
        elif request.method not in METHODS:
            self._answer_last(not_get())
        elif asked.ambiguous:
            self._answer_last(ambiguous())
        elif asked.path != "/ws" or request.method != "GET" or self.operators:
            self._serve(request, asked)
        elif not origin_allowed(request.headers, self._shared.allowed_origins):
            self._answer_last(forbidden())
        else:
            self._open(request)

    def _serve(self, request: Request, asked: HttpRequest) -> None:
        """Answer a request; one that came through a proxy is a visitor until it is answered."""
        counts = self._visitor is None and not self.operators
        visitor = self._counted_as(request.headers) if counts else None
        if visitor is not None and not self._shared.visitors.connections.enter(visitor):
            metrics.turned_away.labels("connections").inc()
            self._answer_last(too_many("connections", CROWDED_S))
            return
        self._phase = Phase.ANSWERING
        self._shared.process.spawn(self._answer(request, asked, visitor), "http")

    async def _answer(self, request: Request, asked: HttpRequest, visitor: str | None) -> None:
        try:
            response = await (self._routes or self._shared.routes).answer(asked)
        except Exception:
            log.exception("request failed", path=asked.path)
            response = failed()
        finally:
            if visitor is not None:
                self._shared.visitors.connections.leave(visitor)
        self._phase = Phase.READING
        if request.method == "HEAD":
            response.body = b""
        last = self._draining or (self._ended and not self._requests.held)
        if last or not self._requests.keeps(request):
            self._answer_last(response)
        elif self._transport is not None:
            del response.headers["Connection"]
            response.headers["Connection"] = "keep-alive"
            self._transport.write(response.serialize())
            self._handshake = self._requests.answered()
            self._due = self._shared.process.now() + KEEP_S
            self._ask()

    def _answer_last(self, response: Response) -> None:
        """Send the last answer on this connection."""
        self._requests.closed()
        self._handshake.send_response(response)
        self._flush()

    def _open(self, request: Request) -> None:
        """Open a websocket, if there is a place for one more of the address."""
        response = self._handshake.accept(request)
        counted = self._counted_as(request.headers)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and counted is not None:
            visitors = self._shared.visitors
            if self._visitor is None and not visitors.rate.take(counted):
                metrics.turned_away.labels("connections").inc()
                self._answer_last(too_many("connections", visitors.rate.wait_s(counted)))
                return
            if not visitors.players.enter(counted):
                self._answer_last(crowded())
                return
            self._end_visit()
        self._answer_last(response)
        if self._handshake.state is State.OPEN:
            self._switch(request, counted)

    def _switch(self, request: Request, counted: str | None) -> None:
        """Give the transport to a websocket, which is counted out when it is lost."""
        transport, shared = self._transport, self._shared
        assert transport is not None, "a request came in over it"
        address = network_of(client_address(self._peer, request.headers, shared.trusted_proxies))

        def lost(connection: Websocket) -> None:
            shared.connections.discard(connection)
            if counted is not None:
                shared.visitors.players.leave(counted)

        websocket = Websocket(
            shared.process,
            transport,
            self._handshake,
            lambda connection: shared.make_handler(connection, address),
            lost,
        )
        request.headers.clear()  # the library's parser keeps the request for ever
        self._transport = None
        shared.connections.discard(self)
        shared.connections.add(websocket)
        transport.set_protocol(websocket)
        transport.resume_reading()
        websocket.start(self._requests.rest())

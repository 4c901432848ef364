"""One HTTP connection: request after request, until one of them opens a websocket.

The websocket gets the transport with a protocol of its own. Until then responses are sent one at
a time, and no request is read while the peer has not read the response before.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Protocol, cast

import structlog
from websockets.http11 import Request, Response
from websockets.protocol import State

from protocol.vocabulary import CloseCode
from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.proxies import UnnamedProxies
from server.http.request import METHODS, HttpRequest
from server.http.requests import Requests
from server.http.responses import (
    RETRY_AFTER_S,
    ambiguous,
    failed,
    forbidden,
    not_get,
    too_many,
)
from server.http.visit import Visit
from server.http.visitors import Visitors
from server.websocket.connection import Handler, Process, WebsocketConnection
from server.websocket.handshake import Handshake, accept_plain
from server.websocket.origin import (
    Network,
    client_address,
    network_of,
    origin_allowed,
)

TURNED_AWAY_S = 1.0
"""Longest time in which a surplus connection may send its request, to be refused with a reason."""
READING_S = 30.0

log = structlog.get_logger()


class Router(Protocol):
    """The part of the server that answers plain requests."""

    async def answer(self, http_request: HttpRequest) -> Response:
        """Return the response to a request."""


class Peer(Protocol):
    """A connection, HTTP or websocket, as the listener needs it."""

    @property
    def operators(self) -> bool:
        """Return whether it came to the operators' port."""

    def check(self, now: float) -> None:
        """Abort the connection if it has been silent for too long; `now` is the loop's time."""

    def close(self, code: CloseCode) -> None:
        """Close the connection; a request in progress is answered first."""

    def abort(self) -> None:
        """Close the connection at once."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The objects that all connections of a process share."""

    process: Process
    routes: Router
    visitors: Visitors
    proxies: UnnamedProxies
    trusted_proxies: Sequence[Network]
    allowed_origins: frozenset[str]
    make_handler: Callable[[WebsocketConnection, str], Handler]
    """Return the message handler of a websocket from an address."""
    connections: set[Peer]
    limits: HttpLimits = HTTP_LIMITS


class Phase(Enum):
    """The phase of a connection."""

    READING = auto()
    """The connection waits for the head of a request."""
    ANSWERING = auto()
    """A request is being answered; bytes of the peer wait meanwhile."""
    CLOSING = auto()
    """The last response is sent, and the peer should close."""


class HttpConnection(asyncio.Protocol):
    """An HTTP connection; the listener creates one for each peer."""

    def __init__(self, shared: Shared, routes: Router | None = None) -> None:
        """Create the connection of a visitor; with `routes`, that of an operator."""
        self._shared = shared
        self._routes = routes
        self._requests = Requests(shared.limits.requests_of_connection)
        self._transport: asyncio.Transport | None = None
        self._peer = ""
        self._visit: Visit | None = None  # none of an operator
        self._phase = Phase.READING
        self._write_paused = False  # the peer has not read the response
        self._eof_received = False  # the peer sends no more
        self._draining = False  # the server shuts down: the next response is the last
        self._opened_at = shared.process.now()
        self._deadline = self._opened_at + shared.limits.head_s
        self._closing_at = 0.0

    @property
    def operators(self) -> bool:
        """Return whether it came to the operators' port."""
        return self._routes is not None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a peer, if the limits allow one more connection."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        if self._routes is None and not self._shared.visitors.file_limit.take():
            self._transport.abort()
            self._transport = None
            return
        self._shared.connections.add(self)
        if not self.operators:
            self._begin_visit()

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes."""
        now = self._shared.process.now()
        if self._requests.idle:
            self._deadline = min(self._deadline, now + self._shared.limits.head_s)
        self._requests.feed(data)
        self._handle_next()

    def eof_received(self) -> bool:
        """Handle the end of the peer's stream; a request in progress is still answered."""
        if self._phase is Phase.ANSWERING:
            self._eof_received = True
            return True
        self._requests.handshake.receive_eof()
        self._flush()
        return False

    def pause_writing(self) -> None:
        """Send no further response until the peer has read the last one."""
        self._write_paused = True

    def resume_writing(self) -> None:
        """Resume with the next request: the peer has read."""
        self._write_paused = False
        self._handle_next()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Remove the connection from the counts."""
        self._transport = None
        self._shared.connections.discard(self)
        if self._visit is not None:
            self._visit.end()

    def close(self, code: CloseCode) -> None:
        """Make the next response the last; the code is for websockets."""
        del code
        self._draining = True

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def check(self, now: float) -> None:
        """Abort a peer that sends nothing, never reads or never closes; call it every second."""
        match self._phase:
            case Phase.ANSWERING:
                return  # a slow response is not the peer's fault
            case Phase.READING:
                late = now > self._deadline + (READING_S if self._write_paused else 0)
            case Phase.CLOSING:
                late = now - self._closing_at > READING_S
        if late:
            self.abort()

    def _flush(self) -> None:
        """Send what the library has queued, if it has seen the present request."""
        transport = self._transport
        if transport is None or not self._requests.handshake_begun:
            return
        handshake = self._requests.handshake
        for data in handshake.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                transport.write_eof()
        if self._phase is not Phase.CLOSING and handshake.close_expected():
            self._phase = Phase.CLOSING
            self._closing_at = self._shared.process.now()

    def _begin_visit(self) -> None:
        """Count the connection; above the limit it is refused with a response, or aborted."""
        shared = self._shared
        self._visit = visit = Visit(shared.visitors, shared.trusted_proxies, self._peer)
        if not visit.begin():
            self.abort()
        elif visit.surplus:
            self._deadline = self._opened_at + TURNED_AWAY_S

    def _handle_next(self) -> None:
        """Handle the next request, if none is being answered."""
        request = None if self._write_paused else self._requests.next()
        if request is not None:
            self._handle_request(request)
        self._flush()
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._requests.held:
            transport.pause_reading()
        else:
            transport.resume_reading()

    def _handle_request(self, request: Request) -> None:
        http_request = HttpRequest(request, self._peer)
        self._shared.proxies.notice(self._peer, request.headers)
        if self._visit is not None and self._visit.surplus:
            self._answer_last(too_many("connections", RETRY_AFTER_S))
        elif request.method not in METHODS:
            self._answer_last(not_get())
        elif http_request.ambiguous:
            self._answer_last(ambiguous())
        elif http_request.path != "/ws" or request.method != "GET" or self._visit is None:
            self._serve(request, http_request)
        elif not origin_allowed(request.headers, self._shared.allowed_origins):
            self._answer_last(forbidden())
        else:
            self._open_websocket(request, self._visit)

    def _serve(self, request: Request, http_request: HttpRequest) -> None:
        """Answer a request; behind a trusted proxy it counts as a visitor until it is answered."""
        refusal = None if self._visit is None else self._visit.begin_request(request.headers)
        if refusal is not None:
            self._answer_last(refusal)
            return
        self._phase = Phase.ANSWERING
        self._shared.process.spawn(self._answer(request, http_request), "http")

    async def _answer(self, request: Request, http_request: HttpRequest) -> None:
        try:
            response = await (self._routes or self._shared.routes).answer(http_request)
        except Exception:
            log.exception("request failed", path=http_request.path)
            response = failed()
        finally:
            if self._visit is not None:
                self._visit.end_request()
        self._phase = Phase.READING
        if request.method == "HEAD":
            response.body = b""
        last = self._draining or (self._eof_received and not self._requests.held)
        if last or not self._requests.keeps(request):
            self._answer_last(response)
        elif self._transport is not None:
            del response.headers["Connection"]
            response.headers["Connection"] = "keep-alive"
            self._transport.write(response.serialize())
            self._requests.answered()
            self._deadline = self._shared.process.now() + self._shared.limits.keep_alive_s
            self._handle_next()

    def _answer_last(self, response: Response) -> None:
        """Send the last response of this connection."""
        self._requests.closed()
        self._requests.handshake.send_response(response)
        self._flush()

    def _open_websocket(self, request: Request, visit: Visit) -> None:
        """Open a websocket, if the limits of the address allow one more."""
        plain = accept_plain(request)
        if plain is not None:
            refusal = visit.become_player(request.headers)
            if refusal is None:
                self._switch(request, visit, None, plain)
            else:
                self._answer_last(refusal)
            return
        handshake = self._requests.handshake
        answer = handshake.accept(request)
        if answer.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            answer = visit.become_player(request.headers) or answer
        self._answer_last(answer)
        if handshake.state is State.OPEN:
            self._switch(request, visit, handshake)

    def _switch(
        self, request: Request, visit: Visit, handshake: Handshake | None, response: bytes = b""
    ) -> None:
        """Switch the transport to a websocket, which is counted until it is lost.

        `response` opens it, if the library's `handshake` has not done so.
        """
        transport, shared = self._transport, self._shared
        assert transport is not None, "a request came in over it"
        counted = visit.network_of(request.headers)
        address = network_of(client_address(self._peer, request.headers, shared.trusted_proxies))

        def lost(connection: WebsocketConnection) -> None:
            shared.connections.discard(connection)
            if counted is not None:
                shared.visitors.players.leave(counted)

        websocket = WebsocketConnection(
            shared.process,
            transport,
            handshake,
            lambda connection: shared.make_handler(connection, address),
            lost,
        )
        request.headers.clear()  # the library's parser keeps a reference to the request
        self._transport = None
        shared.connections.discard(self)
        shared.connections.add(websocket)
        transport.set_protocol(websocket)
        transport.resume_reading()
        if response:
            transport.write(response)
        websocket.start(self._requests.rest())

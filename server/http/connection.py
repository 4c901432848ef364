"""One HTTP connection: request after request, until one of them opens a websocket.

The websocket gets the transport with a protocol of its own. Until then responses are sent one at
a time, and no request is read while the peer has not read the response before.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial
from http import HTTPStatus
from typing import Protocol, cast

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request, Response
from websockets.protocol import State

from protocol.vocabulary import CloseCode
from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.outgoing import Outgoing
from server.http.proxies import UnnamedProxies
from server.http.refused_handshakes import RefusedHandshakes
from server.http.request import METHODS, HttpRequest
from server.http.requests import Requests
from server.http.responses import (
    RETRY_AFTER_S,
    ambiguous,
    failed,
    forbidden,
    not_get,
    too_many,
    too_much_unread,
)
from server.http.security_headers import HSTS, require_tls
from server.http.visit import Visit
from server.http.visitors import Visitors
from server.websocket.connection import Handler, Process, WebsocketConnection
from server.websocket.handshake import Handshake, accept_plain
from server.websocket.origin import (
    Network,
    limited_as,
    origin_allowed,
)

TURNED_AWAY_S = 1.0
"""Longest time in which a surplus connection may send its request, to be refused with a reason."""
READING_S = 30.0
SMALL_BYTES = 4 * 1024
"""Bytes of a body up to which it is sent however much is unread."""

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
    refused_handshakes: RefusedHandshakes
    trusted_proxies: Sequence[Network]
    allowed_origins: frozenset[str]
    is_secure: Callable[[str, Headers], bool]
    """Return whether a peer's request with these headers came over TLS."""
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
        self._outgoing: Outgoing | None = None
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
        bodies = None if self.operators else self._shared.visitors.bodies
        self._outgoing = Outgoing(self._transport, bodies)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        if not self.operators:
            self._requests.is_secure = partial(self._shared.is_secure, self._peer)
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
        if self._phase is Phase.ANSWERING or self._sending:
            self._eof_received = True
            return True
        self._requests.handshake.receive_eof()
        self._flush()
        return False

    def pause_writing(self) -> None:
        """Send no further response until the peer has read the last one."""
        if self._outgoing is not None:
            self._outgoing.pause()

    def resume_writing(self) -> None:
        """Resume with the rest of the response, or the next request: the peer has read."""
        if self._outgoing is not None:
            self._outgoing.resume()
        if not self._sending:
            self._handle_next()
            self._end_after_eof()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Remove the connection from the counts."""
        self._transport = None
        if self._outgoing is not None:
            self._outgoing.drop()
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
                late = now > self._deadline + (READING_S if self._sending else 0)
            case Phase.CLOSING:
                late = now - self._closing_at > READING_S
        if late:
            self.abort()

    def _flush(self) -> None:
        """Send what the library has queued, if it has seen the present request."""
        if not self._requests.handshake_begun:
            return
        handshake = self._requests.handshake
        self._send(handshake.data_to_send())
        if self._phase is not Phase.CLOSING and handshake.close_expected():
            self._phase = Phase.CLOSING
            self._closing_at = self._shared.process.now()

    @property
    def _sending(self) -> bool:
        """Return whether the peer has not read the last response yet."""
        return self._outgoing is not None and self._outgoing.busy

    def _send(self, parts: Sequence[bytes], body: bytes = b"", address: str | None = None) -> None:
        """Send a response, or what the library has written, in which nothing ends the stream."""
        if self._transport is None or self._outgoing is None:
            return
        head = b"".join(parts)
        if head:
            self._outgoing.send(head, body, address)
        if not all(parts):
            self._outgoing.end()

    def _end_after_eof(self) -> None:
        """Close the connection of a peer that sends no more, once it has every response."""
        if self._transport is None or not self._eof_received or self._requests.held:
            return
        if self._phase is Phase.READING:
            self._transport.close()

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
        request = None if self._sending else self._requests.next()
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
            self._answer_last(too_many("connections", RETRY_AFTER_S), request)
        elif request.method not in METHODS:
            self._answer_last(not_get(), request)
        elif http_request.ambiguous:
            self._answer_last(ambiguous(), request)
        elif http_request.path != "/ws" or request.method != "GET" or self._visit is None:
            self._serve(request, http_request)
        elif not origin_allowed(request.headers, self._shared.allowed_origins):
            self._refuse_handshake(request, forbidden(), origin_allowed=False)
        else:
            self._open_websocket(request, self._visit)

    def _serve(self, request: Request, http_request: HttpRequest) -> None:
        """Answer a request; behind a trusted proxy it counts as a visitor until it is answered."""
        refusal = None if self._visit is None else self._visit.begin_request(request.headers)
        if refusal is not None:
            self._answer_last(refusal, request)
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
        response = self._unless_too_much_is_unread(response, request)
        last = self._draining or (self._eof_received and not self._requests.held)
        if last or not self._requests.keeps(request):
            self._answer_last(response, request)
        elif self._transport is not None:
            if self._requests.is_secure(request.headers):
                require_tls(response)
            del response.headers["Connection"]
            response.headers["Connection"] = "keep-alive"
            body, response.body = response.body, b""
            self._send([response.serialize()], bytes(body), self._counted_as(request))
            self._requests.answered()
            self._deadline = self._shared.process.now() + self._shared.limits.keep_alive_s
            self._handle_next()

    def _unless_too_much_is_unread(self, response: Response, request: Request) -> Response:
        """Return the response; a refusal if it is large and others before it are not read."""
        if self._visit is None or len(response.body) <= SMALL_BYTES:
            return response
        unread, address = self._shared.visitors.bodies.unread, self._counted_as(request)
        if not unread.is_full(address):
            return response
        return too_much_unread(of_address=unread.is_address_full(address))

    def _counted_as(self, request: Request) -> str | None:
        return None if self._visit is None else self._visit.network_of(request.headers)

    def _answer_last(self, response: Response, request: Request) -> None:
        """Send the last response of this connection."""
        if self._requests.is_secure(request.headers):
            require_tls(response)
        self._requests.closed()
        body, response.body = response.body, b""
        handshake = self._requests.handshake
        handshake.send_response(response)
        self._send(handshake.data_to_send(), bytes(body), self._counted_as(request))
        self._flush()

    def _open_websocket(self, request: Request, visit: Visit) -> None:
        """Open a websocket, if the limits of the address allow one more."""
        further = HSTS if self._requests.is_secure(request.headers) else {}
        plain = accept_plain(request, further)
        if plain is not None:
            refusal = visit.become_player(request.headers)
            if refusal is None:
                self._switch(request, visit, None, plain)
            else:
                self._answer_last(refusal, request)
            return
        handshake = self._requests.handshake
        answer = handshake.accept(request)
        if answer.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._refuse_handshake(request, answer, origin_allowed=True)
            return
        answer = visit.become_player(request.headers) or answer
        self._answer_last(answer, request)
        if handshake.state is State.OPEN:
            self._switch(request, visit, handshake)

    def _refuse_handshake(
        self, request: Request, response: Response, *, origin_allowed: bool
    ) -> None:
        self._shared.refused_handshakes.notice(self._peer, request, origin_allowed=origin_allowed)
        self._answer_last(response, request)

    def _switch(
        self, request: Request, visit: Visit, handshake: Handshake | None, response: bytes = b""
    ) -> None:
        """Switch the transport to a websocket, which is counted until it is lost.

        `response` opens it, if the library's `handshake` has not done so.
        """
        transport, shared = self._transport, self._shared
        assert transport is not None, "a request came in over it"
        counted = visit.network_of(request.headers)
        address = limited_as(self._peer, request.headers, shared.trusted_proxies)

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
            counted,
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

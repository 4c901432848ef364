"""One HTTP connection: request after request, until one of them opens a websocket.

1. Responses are sent one at a time. The next request is read only once the peer has read the
   previous response.
2. The library parses heads that are not plain GETs, and checks handshakes. It sends nothing.
3. The transport belongs to one protocol at a time, which alone pauses and resumes it: first to
   this one, and from `WebsocketConnection.start` on to the websocket. Each sets the write buffer's
   limit to 0, so that it learns when the peer has read everything.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from enum import Enum, auto
from http import HTTPStatus
from typing import Any, cast

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from protocol.vocabulary import CloseCode
from server import metrics
from server.web.handshake import Handshake, is_origin_allowed
from server.web.limits import ConnectionLimits, HttpLimits
from server.web.proxies import ProxyLog, counted_network
from server.web.requests import METHODS, OTHER_METHOD, BadHead, HttpRequest, RequestReader
from server.web.responses import (
    HSTS,
    RETRY_AFTER_S,
    SECURITY,
    ResponseWriter,
    text_response,
    too_many,
    too_much_unread,
)
from server.web.routes import Routes
from server.web.websocket import ConnectionHandler, WebsocketConnection, WebsocketServices

TURNED_AWAY_S = 1.0
"""How long a surplus connection may take to send a request, which is refused with a reason."""
READING_S = 30.0  # how long a peer may take to read a response
BANNED = "The operator of this server has banned your address for a time.\n"

Respond = Callable[[HttpRequest], Awaitable[Response]]

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HttpServices:
    """The objects that all connections of a process share."""

    websocket: WebsocketServices  # HTTP also uses its clock and tasks
    routes: Routes
    connection_limits: ConnectionLimits
    proxies: ProxyLog
    allowed_origins: frozenset[str]
    """The origins of pages on other hosts that may open a websocket, in lower case."""
    make_handler: Callable[[WebsocketConnection, str, str], ConnectionHandler]
    """Make a websocket's handler, given its client's network and the base URL of links."""
    connections: "set[HttpConnection | WebsocketConnection]"  # all that are open in the process
    limits: HttpLimits


class HttpPhase(Enum):
    """What a connection is doing."""

    READING = auto()  # it waits for the head of a request
    RESPONDING = auto()  # a response is being made; bytes from the peer wait meanwhile
    CLOSING = auto()  # the last response is sent, and the peer should close


class HttpConnection(asyncio.Protocol):
    """An HTTP connection; the listener creates one for each peer.

    It counts towards the limit of its peer's network until it ends or becomes a websocket. A
    trusted proxy's connection is not counted: instead, each request and websocket in it counts
    towards the limit of its client.
    """

    def __init__(self, services: HttpServices, route: Respond | None = None) -> None:
        """Create a visitor's connection or, with a `route` that answers it, an operator's."""
        self._services = services
        self._route = route or services.routes.respond
        self.is_of_operator = route is not None  # whether it came to the operators' port
        # `connection_made` sets these three. Once the connection is lost, the transport is None.
        self._transport: asyncio.Transport | None = None
        self._peer: str
        self._writer: ResponseWriter
        self._requests = RequestReader()
        self._phase = HttpPhase.READING
        self._counted_for: str | None = None  # the network whose limit counts the connection
        # The connection's network, if it has too many of them: then the first request is refused.
        self._surplus_of: str | None = None
        self._has_eof = False  # whether the peer has ended its stream
        self._is_draining = False  # whether the server shuts down: the next response is the last
        self._deadline_s = services.websocket.now_s() + services.limits.head_s

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Accept a peer, if the limits allow one more connection."""
        services, limits = self._services, self._services.connection_limits
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        bodies = None if self.is_of_operator else limits.bodies
        self._writer = ResponseWriter(self._transport, bodies)
        if self.is_of_operator or limits.accept_socket():
            services.connections.add(self)
            self._count_or_turn_away()
        else:
            self._transport.abort()
            self._transport = None

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes; drop those after the last response."""
        if self._phase is HttpPhase.CLOSING:
            return
        now_s = self._services.websocket.now_s()
        if self._requests.is_idle:  # a new head starts; it never postpones the deadline
            self._deadline_s = min(self._deadline_s, now_s + self._services.limits.head_s)
        self._requests.feed(data)
        self._handle_next()

    def eof_received(self) -> bool:
        """Handle the end of the peer's stream; return True to stay open for a last response."""
        self._has_eof = self._phase is HttpPhase.RESPONDING or self._writer.is_busy
        return self._has_eof

    def pause_writing(self) -> None:
        """Send no further response until the peer has read the last one."""
        self._writer.pause()

    def resume_writing(self) -> None:
        """Continue with the response or the next request, now that the peer has read."""
        self._writer.resume()
        if not self._writer.is_busy:
            self._handle_next()
            self._end_after_eof()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Remove the connection from the counts."""
        self._transport = None
        self._writer.drop()
        self._services.connections.discard(self)
        self._stop_counting()
        self._services.connection_limits.turned_away.add(self._surplus_of, -1)

    def close(self, code: CloseCode) -> None:
        """Make the next response the last; only websockets send the code."""
        del code
        self._is_draining = True

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def check(self, now_s: float) -> None:
        """Abort if the peer takes too long to send, read or close; called every second."""
        if self._phase is HttpPhase.RESPONDING:
            return  # the server is slow, not the peer
        has_unread = self._phase is HttpPhase.READING and self._writer.is_busy
        if now_s > self._deadline_s + (READING_S if has_unread else 0):
            self.abort()

    def _count_or_turn_away(self) -> None:
        """Count the connection for its network; at the network's limit, refuse or abort it."""
        # There is no request yet, so the network is the peer's own.
        network, limits = self._counted_network(Headers()), self._services.connection_limits
        if network is None:
            return
        if limits.connections.enter(network):
            self._counted_for = network
            if limits.visits.take(network):
                return
        metrics.turned_away.labels("connections").inc()
        if limits.turned_away.enter(network):
            self._surplus_of = network  # so `_handle_request` will refuse its first request
            self._deadline_s = self._services.websocket.now_s() + TURNED_AWAY_S
        else:
            self.abort()

    def _stop_counting(self) -> None:
        self._services.connection_limits.connections.add(self._counted_for, -1)
        self._counted_for = None

    def _counted_network(self, headers: Headers) -> str | None:
        """Return the network whose limits a request with these headers counts towards, if any."""
        if self.is_of_operator:
            return None
        return counted_network(self._peer, headers, self._services.proxies.trusted)

    def _handle_next(self) -> None:
        """Handle the next request, unless a response is being made or read."""
        request = None if self._writer.is_busy else self._requests.next()
        if isinstance(request, BadHead):
            self._send_last(text_response(request.status, request.text), request.headers)
        elif request is not None:
            self._handle_request(request)
        self._pause_or_resume()

    def _pause_or_resume(self) -> None:
        """Read from the peer only while no request is waiting."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if self._requests.has_next:
            transport.pause_reading()
        else:
            transport.resume_reading()

    def _end_after_eof(self) -> None:
        """Close the connection if the peer has ended its stream and got every response."""
        if self._transport is None or not self._has_eof or self._requests.has_next:
            return
        if self._phase is not HttpPhase.RESPONDING and not self._writer.is_busy:
            self._transport.close()

    def _handle_request(self, raw: Request) -> None:
        """Refuse a request, serve it, or turn its connection into a websocket."""
        request = HttpRequest(raw, self._peer, self._services.proxies.trusted)
        self._services.proxies.notice(self._peer, request.headers)
        if self._surplus_of is not None:  # this connection is one too many for its network
            refusal = too_many("connections", RETRY_AFTER_S)
        elif self._services.connection_limits.banned.has(self._counted_network(request.headers)):
            refusal = text_response(HTTPStatus.FORBIDDEN, BANNED)
        elif raw.method not in METHODS:
            refusal = text_response(HTTPStatus.METHOD_NOT_ALLOWED, OTHER_METHOD)
        elif request.is_ambiguous:
            refusal = text_response(HTTPStatus.BAD_REQUEST, "a path begins with one slash\n")
        elif request.path == "/ws" and raw.method == "GET" and not self.is_of_operator:
            self._upgrade(request)
            return
        else:
            self._serve(request)
            return
        self._send_last(refusal, request.headers)

    def _turn_away(self, noun: str, headers: Headers, wait_s: float = RETRY_AFTER_S) -> None:
        """Refuse a request, as its address has too many connections or players (`noun`)."""
        metrics.turned_away.labels(noun).inc()
        self._send_last(too_many(noun, wait_s), headers)

    def _serve(self, request: HttpRequest) -> None:
        """Start responding, unless the client makes too many requests at once through a proxy."""
        network, connections = None, self._services.connection_limits.connections
        if self._counted_for is None:  # a proxy's connection is not counted: count the request
            network = self._counted_network(request.headers)
        if network is not None and not connections.enter(network):
            self._turn_away("connections", request.headers)
            return
        self._phase = HttpPhase.RESPONDING
        self._services.websocket.spawn(self._respond(request, network), "http")

    async def _respond(self, request: HttpRequest, network: str | None) -> None:
        """Make a request's response, then stop counting the request for `network`, and send it.

        If the route fails, the client gets an error; if sending fails, the connection is closed.
        """
        try:
            response = await self._route(request)
        except Exception:
            log.exception("request failed", path=request.path)
            text = "something went wrong\n"  # only the log has the details
            response = text_response(HTTPStatus.INTERNAL_SERVER_ERROR, text)
        finally:
            self._services.connection_limits.connections.add(network, -1)
        self._phase = HttpPhase.READING
        try:
            self._respond_with(response, request)
        except Exception:
            log.exception("connection failed")
            self.abort()

    def _respond_with(self, response: Response, request: HttpRequest) -> None:
        """Send a response, or a refusal if too much is unread; then close or go on reading."""
        if request.raw.method == "HEAD":
            response.body = b""
        if not self.is_of_operator:
            bodies = self._services.connection_limits.bodies
            address = self._counted_network(request.headers)
            if not bodies.may_send(address, len(response.body)):
                response = too_much_unread(of_address=bodies.unread.is_address_full(address))
        limits = self._services.limits
        is_last = self._is_draining or (self._has_eof and not self._requests.has_next)
        if is_last or not self._requests.stays_open(request.raw, limits.requests_of_connection):
            self._send_last(response, request.headers)
            self._pause_or_resume()
        elif self._transport is not None:
            del response.headers["Connection"]  # the assignment adds another
            response.headers["Connection"] = "keep-alive"
            self._send(response, request.headers)
            self._requests.end_response()
            self._deadline_s = self._services.websocket.now_s() + limits.keep_alive_s
            self._handle_next()

    def _is_secure(self, headers: Headers) -> bool:
        return not self.is_of_operator and self._services.routes.is_secure(self._peer, headers)

    def _send(self, response: Response, headers: Headers) -> None:
        if self._is_secure(headers):
            response.headers.update(HSTS)
        body, response.body = response.body, b""  # so that `serialize` copies no body
        self._writer.send(response.serialize(), bytes(body), self._counted_network(headers))

    def _send_last(self, response: Response, headers: Headers) -> None:
        """Send the last response, to a request with these headers, and end the stream.

        Anything else that the peer sends within `READING_S` seconds is dropped.
        """
        self._phase = HttpPhase.CLOSING
        self._deadline_s = self._services.websocket.now_s() + READING_S
        self._requests.take_rest()  # these requests get no response
        if self._transport is not None:
            self._send(response, headers)
            self._writer.end()
            self._end_after_eof()

    def _upgrade(self, request: HttpRequest) -> None:
        """Open a websocket, if the page may do so and its address may have one more."""
        headers, services = request.headers, self._services
        if not is_origin_allowed(headers, services.allowed_origins):
            services.proxies.note_refusal(self._peer, request.raw, origin_allowed=False)
            refusal = text_response(HTTPStatus.FORBIDDEN, "this page may not connect here\n")
            self._send_last(refusal, headers)
            return
        library = Handshake()
        response = library.accept(request.raw)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            services.proxies.note_refusal(self._peer, request.raw, origin_allowed=True)
            response.headers.update(SECURITY)
            self._send_last(response, headers)
            return
        network, limits = self._counted_network(headers), services.connection_limits
        if network is not None:
            # A counted connection was already charged as a visit; one from a proxy was not.
            if self._counted_for is None and not limits.visits.take(network):
                self._turn_away("connections", headers, limits.visits.wait_s(network))
                return
            if not limits.players.enter(network):
                self._turn_away("players", headers)
                return
        self._stop_counting()
        if self._is_secure(headers):
            response.headers.update(HSTS)
        base = sys.intern(services.routes.base(request) or "")  # all sockets share it
        transport, self._transport = self._transport, None
        assert transport is not None, "a request came in over it"
        websocket = WebsocketConnection(
            services.websocket,
            transport,
            lambda connection: services.make_handler(connection, request.client_network, base),
            network,
        )
        services.connections.discard(self)
        services.connections.add(websocket)
        rest = self._requests.take_rest()
        websocket.start(response.serialize(), rest, speaks_version=library.is_version_supported)


async def await_command(
    command: Coroutine[Any, Any, None], connection: WebsocketConnection
) -> None:
    """Run a websocket's command; on an error, close the connection."""
    try:
        await command
    except Exception:
        log.exception("session failed", **connection.log_context)
        connection.close(CloseCode.INTERNAL_ERROR)
    connection.command_ended()  # this handles the frames that came in meanwhile

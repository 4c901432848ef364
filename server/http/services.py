from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from websockets.datastructures import Headers
from websockets.http11 import Response

from protocol.vocabulary import CloseCode
from server.http.connection_limits import ConnectionLimits
from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.refused_handshakes import RefusedHandshakes
from server.http.request import HttpRequest
from server.http.unnamed_proxies import UnnamedProxies
from server.websocket.connection import ConnectionHandler, WebsocketConnection
from server.websocket.origin import IpNetwork
from server.websocket.services import WebsocketServices


class Router(Protocol):
    """The part of the server that answers plain requests."""

    async def answer(self, http_request: HttpRequest) -> Response:
        """Return the response to a request."""


class Peer(Protocol):
    """A connection, HTTP or websocket, as the listener needs it."""

    @property
    def is_of_operator(self) -> bool:
        """Return whether it came to the operators' port."""

    def check(self, now: float) -> None:
        """Abort the connection if it has been silent for too long; `now` is the loop's time."""

    def close(self, code: CloseCode) -> None:
        """Close the connection; a request in progress is answered first."""

    def abort(self) -> None:
        """Close the connection at once."""


@dataclass(frozen=True, slots=True)
class HttpServices:
    """The objects that all connections of a process share."""

    websocket: WebsocketServices
    """The objects that websockets share; HTTP uses their clock and tasks."""
    routes: Router  # the routes of the players' port
    connection_limits: ConnectionLimits
    proxies: UnnamedProxies  # the proxies whose clients are not told apart, each logged once
    refused_handshakes: RefusedHandshakes
    trusted_proxies: Sequence[IpNetwork]
    """The networks of proxies whose forwarding headers are trusted."""
    allowed_origins: frozenset[str]
    """Pages of other hosts that may open a websocket, in lower case."""
    is_secure: Callable[[str, Headers], bool]
    """Return whether a peer's request with these headers came over TLS."""
    make_handler: Callable[[WebsocketConnection, str], ConnectionHandler]
    """Return the message handler of a websocket from an address."""
    connections: set[Peer]  # all open connections of the process
    limits: HttpLimits = HTTP_LIMITS

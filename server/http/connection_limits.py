"""Limits of connections: of visitors, of players, and of surplus connections to be refused."""

from collections.abc import Callable

from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.unread_bodies import UnreadBodies
from server.sessions.rate_limit import RateLimits
from server.websocket.connection_limit import ConnectionLimit
from server.websocket.descriptor_limit import DescriptorLimit, raise_descriptor_limit


class ConnectionLimits:
    """The limits of connections by address; `connected` returns the number of all connections.

    `connections` limits plain HTTP connections, `players` websockets; behind a trusted proxy
    requests in progress count for their clients instead of connections.
    """

    def __init__(
        self,
        connections_per_address: int,
        connected: Callable[[], int],
        limits: HttpLimits = HTTP_LIMITS,
    ) -> None:
        allowed = raise_descriptor_limit()
        self.descriptor_limit = DescriptorLimit(limits.sockets or allowed, connected)
        self.connections = ConnectionLimit(connections_per_address)
        self.players = ConnectionLimit(connections_per_address)
        self.turned_away = ConnectionLimit(limits.turned_away)
        self.bodies = UnreadBodies(limits)
        self.rate = RateLimits(*limits.visits)

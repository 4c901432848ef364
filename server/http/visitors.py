"""Limits of connections: of visitors, of players, and of surplus connections to be refused."""

from collections.abc import Callable

from server.sessions.rate_limit import RateLimits
from server.websocket.connection_limit import ConnectionLimit
from server.websocket.file_limit import FileLimit, raise_file_limit

TURNED_AWAY = 50
"""Surplus connections of an address that get a response; further ones are aborted."""

VISITS, VISITS_PER_S = 15_000, 200
"""Requests for client files, and connections, of an address: sixty people who open every page at
once cause 11,000; after a restart of the server a thousand players reconnect at once."""


class Visitors:
    """The limits of connections by address; `connected` returns the number of all connections.

    `connections` limits plain HTTP connections, `players` websockets; behind a trusted proxy
    requests in progress count for their clients instead of connections.
    """

    def __init__(self, connections_per_address: int, connected: Callable[[], int]) -> None:
        self.file_limit = FileLimit(raise_file_limit(), connected)
        self.connections = ConnectionLimit(connections_per_address)
        self.players = ConnectionLimit(connections_per_address)
        self.turned_away = ConnectionLimit(TURNED_AWAY)
        self.rate = RateLimits(VISITS, VISITS_PER_S)

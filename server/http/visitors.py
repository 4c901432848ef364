"""Who may be connected: people on the page, players, and those who have to be told no."""

from collections.abc import Callable

from server.sessions.rate_limit import RateLimits
from server.websocket.connection_limit import ConnectionLimit
from server.websocket.file_limit import FileLimit, raise_file_limit

TURNED_AWAY = 50
"""Surplus connections of an address that get an answer at a time; the others are cut off."""

VISITS, VISITS_PER_S = 10_000, 200
"""Files of the page, and connections, of an address: sixty people who open the page at once, and
look at all there is, ask for 8,040; a thousand whose server was restarted come back at once."""


class Visitors:
    """The limits of connections, by address; `connected` counts those that there are.

    `connections` are those that are no websockets yet, `players` those that are; behind a
    trusted proxy the requests under way count for their clients instead.
    """

    def __init__(self, connections_per_address: int, connected: Callable[[], int]) -> None:
        self.places = FileLimit(raise_file_limit(), connected)
        self.connections = ConnectionLimit(connections_per_address)
        self.players = ConnectionLimit(connections_per_address)
        self.turned_away = ConnectionLimit(TURNED_AWAY)
        self.rate = RateLimits(VISITS, VISITS_PER_S)

from server.live.hub import Hub
from server.live.repository import Repository
from server.live.slices import Slices
from server.rooms.admission import SEATS_PER_ADDRESS
from server.sessions.boards import Boards
from server.sessions.positions import Positions
from server.sessions.rate_limit import RateLimits

GUESSES = 20
GUESSES_PER_S = 0.2
"""Wrong codes and tokens of an address; so a classroom behind one may still join all at once.
Those that come together may leave a debt, which is paid within two minutes."""

ROOMS = 100
ROOMS_PER_S = 0.2
"""New rooms of an address, but for loopback: a classroom may practise, each on their own."""

JOINS = 300
JOINS_PER_S = 5
"""Seats that an address takes: each is told to all in its room. Not loopback."""

RETURNS = 30
RETURNS_PER_S = 0.5
"""Times that the holder of a token takes its seat again: a page that reconnects needs few."""


class Services:
    """What all sessions of a process share."""

    def __init__(
        self, repository: Repository, hub: Hub, seats_per_address: int = SEATS_PER_ADDRESS
    ) -> None:
        self.repository = repository
        self.seats_per_address = seats_per_address
        self.store = repository.store
        self.hub = hub
        self.clock = hub.clock
        self.guesses = RateLimits(GUESSES, GUESSES_PER_S)
        self.rooms = RateLimits(ROOMS, ROOMS_PER_S)
        self.joins = RateLimits(JOINS, JOINS_PER_S)
        self.returns = RateLimits(RETURNS, RETURNS_PER_S)
        self.slices = Slices()
        self.positions = Positions(repository.store, self.slices)
        self.boards = Boards(repository.store, hub, self.slices)

from server.live.hub import Hub
from server.live.repository import Repository
from server.live.slices import Slices
from server.networks import alone
from server.rooms.admission import SEATS_PER_ADDRESS
from server.sessions.boards import Boards
from server.sessions.positions import Positions
from server.sessions.rate_limit import RateLimits

GUESSES = 20
GUESSES_PER_S = 0.2
"""Wrong codes and tokens of an address, enough for a classroom that joins at once. Many at the
same moment leave a debt, which is paid within two minutes."""

ROOMS = 100
ROOMS_PER_S = 0.2
"""New rooms of an address other than loopback: in a classroom each pupil may practise alone."""

JOINS = 300
JOINS_PER_S = 5
"""Joins of an address other than loopback: each one is sent to all seats of the room."""

RETURNS = 30
RETURNS_PER_S = 0.5
"""Resumes of one seat: a client that reconnects needs few."""


class Services:
    """The objects that all sessions of a process share."""

    def __init__(
        self,
        repository: Repository,
        hub: Hub,
        seats_per_address: int = SEATS_PER_ADDRESS,
        slices: Slices | None = None,
    ) -> None:
        self.repository = repository
        self.seats_per_address = seats_per_address
        self.store = repository.store
        self.hub = hub
        self.clock = hub.clock
        self.guesses = RateLimits(GUESSES, GUESSES_PER_S)
        self.rooms = RateLimits(ROOMS, ROOMS_PER_S)
        self.joins = RateLimits(JOINS, JOINS_PER_S)
        self.returns = RateLimits(RETURNS, RETURNS_PER_S, around=alone)
        self.slices = slices or Slices()
        self.positions = Positions(repository.store, self.slices)
        self.boards = Boards(repository.store, hub, self.slices)

import time
from collections.abc import Callable

from server.live.hub import Hub
from server.live.repository import Repository
from server.live.slices import Slices
from server.networks import alone
from server.sessions.boards import Boards
from server.sessions.guesses import Guesses, SharedGuesses
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.losses import Losses
from server.sessions.positions import Positions
from server.sessions.rate_limit import RateLimits, RecentTimes
from server.sessions.tokens import draw_token


class Services:
    """The objects that all sessions of a process share.

    `draw_token` returns the token of a new seat, and `monotonic` the seconds of a clock that never
    runs backwards. `shared_guesses` counts the guesses of all processes, if there are several.
    `interrupted_at` is described in `Losses`.
    """

    def __init__(
        self,
        repository: Repository,
        hub: Hub,
        limits: SessionLimits = SESSION_LIMITS,
        slices: Slices | None = None,
        *,
        shared_guesses: SharedGuesses | None = None,
        interrupted_at: Callable[[], int] | None = None,
        draw_token: Callable[[], str] = draw_token,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.repository = repository
        self.limits = limits
        self.store = repository.store
        self.hub = hub
        self.clock = hub.clock
        self.guesses = Guesses(limits.guesses, shared_guesses, monotonic)
        self.rooms = RateLimits(*limits.rooms)
        self.joins = RateLimits(*limits.joins)
        self.returns = RateLimits(*limits.returns, around=alone)
        self.commands = RateLimits(*limits.commands, around=alone)  # of a seat
        self.commands_of_address = RateLimits(*limits.commands_of_address)
        self.chat = RecentTimes(monotonic)  # of a seat
        self.chat_of_address = RateLimits(*limits.chat_of_address)
        self.losses = Losses(hub.known, interrupted_at)
        hub.on_acts_taken_back(self.losses.loaded)
        self.slices = slices or Slices()
        self.draw_token = draw_token
        self.monotonic = monotonic
        self.positions = Positions(repository.store, self.slices, limits)
        self.boards = Boards(repository.store, hub, self.slices, limits)
        self.unanswered = 0  # connections of new seats that are being reported as lost
        self._generation = 0

    def draw_generation(self) -> int:
        """Return the generation of a new seat; this process gives none twice."""
        self._generation = max(self._generation + 1, self.clock.now())
        return self._generation

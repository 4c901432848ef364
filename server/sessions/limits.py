"""Rate limits of sockets, seats and addresses, and the settings of sessions."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from protocol.vocabulary import CHAT_INTERVAL_S, CHAT_MESSAGES, COMMANDS_AT_ONCE, COMMANDS_PER_S
from server.networks import Network, is_loopback, networks_of

ADDRESSES = 10_000  # addresses and networks whose limits are remembered
Monotonic = Callable[[], float]
"""A clock that counts seconds and never runs backwards."""
Around = Callable[[str], tuple[Network, ...]]
"""A function that returns an address and the networks around it, such as `networks_of`."""


class Rate(NamedTuple):
    """The limits of a token bucket: at most `burst` at once, then `per_s` a second."""

    burst: int
    per_s: float


class RateLimit:
    """A token bucket with this rate. Its debt is at most `rate.burst`."""

    __slots__ = ("_burst", "_monotonic_s", "_per_s", "_refilled_at_s", "_tokens")

    def __init__(self, rate: Rate, monotonic_s: Monotonic = time.monotonic) -> None:
        self._burst, self._per_s = float(rate.burst), rate.per_s
        self._monotonic_s = monotonic_s
        self._tokens, self._refilled_at_s = self._burst, monotonic_s()

    def _refill(self) -> float:
        """Add the tokens of the time since the latest call; return the tokens that are left."""
        now_s = self._monotonic_s()
        self._tokens = min(self._burst, self._tokens + (now_s - self._refilled_at_s) * self._per_s)
        self._refilled_at_s = now_s
        return self._tokens

    def has_token(self) -> bool:
        """Return whether a token is left."""
        return self._refill() >= 1

    def take(self) -> bool:
        """Take a token; return False if none is left."""
        if self._refill() < 1:
            return False
        self._tokens -= 1
        return True

    def owe(self, amount: float = 1) -> None:
        """Take `amount` tokens even if none are left, for a cost that is known only afterwards."""
        # Many costs at once would otherwise add up to a debt that takes long to pay.
        self._tokens = max(-self._burst, self._refill() - amount)

    @property
    def wait_s(self) -> float:
        """Return the seconds until a token is left."""
        tokens = self._refill()
        return 0.0 if tokens >= 1 else (1 - tokens) / self._per_s


def remote_networks(address: str) -> tuple[Network, ...]:
    """Return the networks of an address; loopback has none, so its address has no limits."""
    return () if is_loopback(address) else networks_of(address)


class RateLimits:
    """A rate limit for each address, and larger ones for the networks around it.

    The least recently used limit is forgotten first.
    """

    def __init__(
        self, rate: Rate, monotonic_s: Monotonic = time.monotonic, around: Around = networks_of
    ) -> None:
        """Allow each network that `around` returns for an address `share` times the `rate`."""
        self._rate, self._monotonic_s, self._around = rate, monotonic_s, around
        self._known: OrderedDict[str, RateLimit] = OrderedDict()

    def has_token(self, address: str) -> bool:
        """Return whether the address and each network around it have a token left."""
        return all(limit.has_token() for limit in self._known_limits_of(address))

    def take(self, address: str) -> bool:
        """Take a token of the address; return False, and take nothing, if none is left."""
        if not self.has_token(address):
            return False
        for limit in self._limits_of(address):
            limit.take()
        return True

    def owe(self, address: str, amount: float = 1) -> None:
        """Take `amount` tokens even if none are left; a negative amount gives them back."""
        for limit in self._limits_of(address):
            limit.owe(amount)

    def wait_s(self, address: str) -> float:
        """Return the seconds until the address has a token left."""
        return max([limit.wait_s for limit in self._known_limits_of(address)], default=0.0)

    def _known_limits_of(self, address: str) -> list[RateLimit]:
        """Return the limits of an address that were used; any other still has all its tokens."""
        return [self._known[name] for name, _ in self._around(address) if name in self._known]

    def _limits_of(self, address: str) -> list[RateLimit]:
        """Return the limits of an address and the networks around it; add any that are missing."""
        found = []
        for name, share in self._around(address):
            limit = self._known.get(name)
            if limit is None:
                rate = Rate(self._rate.burst * share, self._rate.per_s * share)
                limit = self._known[name] = RateLimit(rate, self._monotonic_s)
            self._known.move_to_end(name)
            found.append(limit)
        while len(self._known) > ADDRESSES:
            self._known.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of addresses, seats and sockets, and the intervals of sessions.

    For loopback only guesses are limited by address.
    """

    seats_per_address: int = 20  # seats in a room whose host has another address
    guesses: Rate = Rate(20, 0.2)  # wrong codes and tokens of an address, in all processes
    rooms: Rate = Rate(100, 0.2)
    """New rooms of an address: in a classroom each pupil may practise alone."""
    joins: Rate = Rate(300, 5)  # of an address: each join is sent to all seats of the room
    returns: Rate = Rate(30, 0.5)  # resumes of a seat: a client that reconnects needs few
    carries: Rate = Rate(20, 0.1)
    """New codes, per address, that move a seat to another device: each costs five milliseconds."""
    commands: Rate = Rate(COMMANDS_AT_ONCE, COMMANDS_PER_S)
    """Messages of a seat, or of a socket without a seat, except acts and pings: a change of a room
    is sent to all its seats. A refused act counts too if the reply contains the whole table."""
    commands_of_address: Rate = Rate(10_000, 300)  # a thousand players can share an address
    chat: Rate = Rate(CHAT_MESSAGES, CHAT_MESSAGES / CHAT_INTERVAL_S)  # messages of a seat
    chat_of_address: Rate = Rate(100, 5)
    deal_searches: Rate = Rate(60, 0.5)
    """Searches for winnable deals before a round starts, for the rooms of an address. Further
    rooms wait for their deals when they start."""
    searches: Rate = Rate(10, 0.5)  # assessments of a seat's game: players ask for them in pauses
    search_ms: Rate = Rate(500, 100)
    """Milliseconds that a process spends on assessments: a tenth of its time at most."""
    search_ms_of_address: Rate = Rate(125, 25)  # a quarter of `search_ms`
    waiting_searches: int = 32
    """Assessments for one address that run or wait for their turn; further ones do not run."""
    board_interval_s: float = 0.5
    boards: int = 100
    """Boards kept without watchers: as many as one room has. The oldest is dropped first."""
    boards_kept_s: float = 30.0  # how long a board without watchers is kept
    unconfirmed: int = 1_000  # report at most this many unconfirmed seats at a time
    retry_s: float = 0.5  # interval between attempts while the store is away
    unreadable_s: float = 60.0  # interval between attempts to read an unreadable room


SESSION_LIMITS = SessionLimits()

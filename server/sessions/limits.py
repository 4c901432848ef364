"""Rate limits of sockets, seats and addresses, and the settings of sessions."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from protocol.vocabulary import CHAT_INTERVAL_S, CHAT_MESSAGES, COMMANDS_AT_ONCE, COMMANDS_PER_S
from server.networks import Network, is_loopback, networks_of

MAX_ADDRESSES = 10_000  # remember the limits of this many addresses and networks
Monotonic = Callable[[], float]
"""A clock that counts seconds and never runs backwards."""
NetworksOf = Callable[[str], tuple[Network, ...]]
"""Returns the networks whose limits an address counts towards, such as `networks_of`."""


class Rate(NamedTuple):
    """The rate of a token bucket: at most `burst` tokens at once, refilled by `per_s` a second."""

    burst: int
    per_s: float


class RateLimit:
    """A token bucket. It may owe tokens, but never more than `rate.burst`."""

    __slots__ = ("_burst", "_monotonic_s", "_per_s", "_refilled_at_s", "_tokens")

    def __init__(self, rate: Rate, monotonic_s: Monotonic = time.monotonic) -> None:
        self._burst, self._per_s = float(rate.burst), rate.per_s
        self._monotonic_s = monotonic_s
        self._tokens, self._refilled_at_s = self._burst, monotonic_s()

    def _refill(self) -> float:
        """Add the tokens for the time since the last call; return how many there are now."""
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
        # The debt has a limit: many costs at once would otherwise take very long to pay off.
        self._tokens = max(-self._burst, self._refill() - amount)

    @property
    def wait_s(self) -> float:
        """Return the seconds until a token is left."""
        tokens = self._refill()
        return 0.0 if tokens >= 1 else (1 - tokens) / self._per_s


def remote_networks(address: str) -> tuple[Network, ...]:
    """Return the networks of an address, but none for loopback, which all clients may share."""
    return () if is_loopback(address) else networks_of(address)


class RateLimits:
    """A rate limit for each address, and larger ones for the networks around it.

    Beyond `MAX_ADDRESSES`, the least recently used limit is forgotten.
    """

    def __init__(
        self,
        rate: Rate,
        monotonic_s: Monotonic = time.monotonic,
        networks_of: NetworksOf = networks_of,
    ) -> None:
        """Allow each network of an address the `rate`, multiplied by its `share`."""
        self._rate, self._monotonic_s, self._networks_of = rate, monotonic_s, networks_of
        self._limits: OrderedDict[str, RateLimit] = OrderedDict()  # by network, latest use last

    def has_token(self, address: str) -> bool:
        """Return whether the address and each network around it have a token left."""
        return all(limit.has_token() for limit in self._known_limits_of(address))

    def take(self, address: str) -> bool:
        """Take a token from each of the address's networks, or return False and take none."""
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
        """Return the remembered limits of an address; any others have all their tokens."""
        return [
            self._limits[name] for name, _ in self._networks_of(address) if name in self._limits
        ]

    def _limits_of(self, address: str) -> list[RateLimit]:
        """Return the limits of an address and the networks around it; add any that are missing."""
        found = []
        for name, factor in self._networks_of(address):
            limit = self._limits.get(name)
            if limit is None:
                rate = Rate(self._rate.burst * factor, self._rate.per_s * factor)
                limit = self._limits[name] = RateLimit(rate, self._monotonic_s)
            self._limits.move_to_end(name)
            found.append(limit)
        while len(self._limits) > MAX_ADDRESSES:
            self._limits.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of addresses, seats and sockets, and the intervals of sessions.

    A loopback address has no limits, except for guesses.
    """

    seats_per_address: int = 20  # how many seats an address may take in somebody else's room
    guesses: Rate = Rate(20, 0.2)  # wrong codes and tokens of an address, in all processes
    rooms: Rate = Rate(100, 0.2)
    """New rooms per address. The limit is high, as each pupil of a class may practise alone."""
    joins: Rate = Rate(300, 5)  # per address: each join is sent to all seats of the room
    returns: Rate = Rate(30, 0.5)  # per seat: a client that reconnects takes its seat again
    carries: Rate = Rate(20, 0.1)
    """New codes, per address, that move a seat to another device: each costs five milliseconds."""
    commands: Rate = Rate(COMMANDS_AT_ONCE, COMMANDS_PER_S)
    """Messages per seat, or per socket without a seat, except acts and pings: a change of a room
    is sent to all its seats. A refused act counts too if the reply contains the whole table."""
    commands_of_address: Rate = Rate(10_000, 300)  # a thousand players can share an address
    chat: Rate = Rate(CHAT_MESSAGES, CHAT_MESSAGES / CHAT_INTERVAL_S)  # per seat
    chat_of_address: Rate = Rate(100, 5)
    deal_searches: Rate = Rate(60, 0.5)
    """Searches ahead of time for winnable deals, for all rooms of an address. Beyond this limit a
    room waits for its deal when the round starts."""
    searches: Rate = Rate(10, 0.5)  # assessments per seat: players ask for them when they pause
    search_ms: Rate = Rate(500, 100)
    """Milliseconds that a process spends on assessments: a tenth of its time at most."""
    search_ms_of_address: Rate = Rate(125, 25)  # a quarter of `search_ms`
    waiting_searches: int = 32
    """How many assessments for one address may run or wait. Further ones are skipped."""
    board_interval_s: float = 0.5  # between two updates of a watched board
    boards: int = 100
    """How many boards to keep without watchers: enough for a full room. The oldest goes first."""
    boards_kept_s: float = 30.0  # how long a board without watchers is kept
    unconfirmed: int = 1_000  # seats that the store has not confirmed: how many reports may wait
    retry_s: float = 0.5  # between two attempts while the store is unavailable
    unreadable_s: float = 60.0  # between two attempts to read an unreadable room


SESSION_LIMITS = SessionLimits()

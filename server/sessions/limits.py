"""The limits and times of sessions, and the rate limits of a socket, a seat or an address."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from protocol.vocabulary import CHAT_INTERVAL_S, CHAT_MESSAGES, COMMANDS_AT_ONCE, COMMANDS_PER_S
from server.networks import Network, is_loopback, networks_of

ADDRESSES = 10_000  # those of which limits are kept
Now = Callable[[], float]
Around = Callable[[str], tuple[Network, ...]]


class Rate(NamedTuple):
    """The limits of a token bucket: at most `burst` at once, then `per_s` a second."""

    burst: int
    per_s: float


class RateLimit:
    """A token bucket: at most `burst` at once, then `per_s` a second; debts up to `burst`."""

    __slots__ = ("_at", "_burst", "_clock", "_per_s", "_tokens")

    def __init__(self, burst: float, per_s: float, clock: Now = time.monotonic) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._tokens, self._at = burst, clock()

    def has_token(self) -> bool:
        """Return whether a token is left."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
        self._at = now
        return self._tokens >= 1

    def take(self) -> bool:
        """Take a token; return False if none is left."""
        # Without `has_token`: it runs for every message.
        now = self._clock()
        tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
        taken = tokens >= 1
        self._tokens, self._at = tokens - 1 if taken else tokens, now
        return taken

    def owe(self, amount: float = 1) -> None:
        """Take tokens even if none are left, for costs that are known only afterwards."""
        self.has_token()  # adds the tokens of the time since the latest call
        # Many costs at the same moment would add up to a debt that lasts for long.
        self._tokens = max(-self._burst, self._tokens - amount)

    @property
    def wait_s(self) -> float:
        """Return the seconds until a token is left."""
        return 0.0 if self.has_token() else (1 - self._tokens) / self._per_s


def remote_networks(address: str) -> tuple[Network, ...]:
    """Return the networks of an address; none of loopback, which has no limits of its own."""
    return () if is_loopback(address) else networks_of(address)


class RateLimits:
    """One rate limit per address, and larger ones for the networks that are `around` it.

    The least recently used limits are forgotten first.
    """

    def __init__(
        self, burst: float, per_s: float, clock: Now = time.monotonic, around: Around = networks_of
    ) -> None:
        self._burst, self._per_s, self._clock, self._around = burst, per_s, clock, around
        self._known: OrderedDict[str, RateLimit] = OrderedDict()

    def has_token(self, address: str) -> bool:
        """Return whether the address, and each network around it, has a token left."""
        return all(known.has_token() for known in self._known_of(address))

    def take(self, address: str) -> bool:
        """Take a token of the address; return False, and take nothing, if none is left."""
        if not self.has_token(address):
            return False
        for known in self._of(address):
            known.take()
        return True

    def owe(self, address: str, amount: float = 1) -> None:
        """Take tokens of the address even if none are left."""
        for known in self._of(address):
            known.owe(amount)

    def wait_s(self, address: str) -> float:
        """Return the seconds until the address has a token left."""
        return max([known.wait_s for known in self._known_of(address)], default=0.0)

    def _known_of(self, address: str) -> list[RateLimit]:
        return [self._known[name] for name, _ in self._around(address) if name in self._known]

    def _of(self, address: str) -> list[RateLimit]:
        """Return the limits of an address and of the networks around it."""
        found = []
        for name, share in self._around(address):
            known = self._known.get(name)
            if known is None:
                known = RateLimit(self._burst * share, self._per_s * share, self._clock)
                self._known[name] = known
            self._known.move_to_end(name)
            found.append(known)
        while len(self._known) > ADDRESSES:
            self._known.popitem(last=False)
        return found


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of addresses, seats and sockets, and the times of what sessions repeat.

    Loopback has no limits of an address, except that of guesses.
    """

    seats_per_address: int = 20  # seats in a room whose host has another address
    guesses: Rate = Rate(20, 0.2)  # wrong codes and tokens of an address, at all processes
    rooms: Rate = Rate(100, 0.2)
    """New rooms of an address: in a classroom each pupil may practise alone."""
    joins: Rate = Rate(300, 5)  # of an address: each one is sent to all seats of the room
    returns: Rate = Rate(30, 0.5)  # resumes of one seat: a client that reconnects needs few
    carries: Rate = Rate(20, 0.1)
    """Codes of an address that move seats: to draw one takes five milliseconds."""
    commands: Rate = Rate(COMMANDS_AT_ONCE, COMMANDS_PER_S)
    """Messages of a seat, or of a socket without one, but acts and pings: changes of a room are
    sent to all its seats. Refused acts that are answered with the whole table count too."""
    commands_of_address: Rate = Rate(10_000, 300)  # the same: enough for a thousand players
    chat: Rate = Rate(CHAT_MESSAGES, CHAT_MESSAGES / CHAT_INTERVAL_S)  # messages of a seat
    chat_of_address: Rate = Rate(100, 5)
    deal_searches: Rate = Rate(60, 0.5)
    """Searches for winnable deals, of rooms of an address, before their rounds begin. Rooms beyond
    it wait for their deals when they begin."""
    searches: Rate = Rate(10, 0.5)
    """Searches of a seat for what is known about the rest of its game: players ask in pauses."""
    search_ms: Rate = Rate(500, 100)
    """Milliseconds of all these searches of a process: a tenth of its time at most."""
    search_ms_of_address: Rate = Rate(125, 25)  # the same: a quarter of that share
    waiting_searches: int = 32
    """Searches of an address that run or wait for their turn; those beyond them do not run."""
    board_interval_s: float = 0.5
    boards: int = 100
    """Boards kept without watchers, at most: as many as one room has. The oldest is dropped."""
    boards_kept_s: float = 30.0  # time for which a board without watchers is kept
    unanswered: int = 1_000  # connections of new seats that are reported as lost at a time
    retry_s: float = 0.5  # interval between attempts while the store is away
    unreadable_s: float = 60.0  # the same for a room that cannot be read


SESSION_LIMITS = SessionLimits()

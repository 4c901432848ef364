"""How much one socket, or one address, may ask for: token buckets, and the clock comes in."""

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

from server.networks import networks_of

ADDRESSES = 10_000
Clock = Callable[[], float]


class RateLimit:
    """At most `burst` at once, and `per_s` a second for long. A debt is at most `burst` too."""

    __slots__ = ("_at", "_burst", "_clock", "_left", "_per_s")

    def __init__(self, burst: float, per_s: float, clock: Clock = time.monotonic) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._left, self._at = burst, clock()

    def may(self) -> bool:
        """Whether one is left."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s)
        self._at = now
        return self._left >= 1

    def take(self) -> bool:
        """Takes one; False if none is left."""
        # Not by way of `may`: this is done for every message.
        now = self._clock()
        left = min(self._burst, self._left + (now - self._at) * self._per_s)
        taken = left >= 1
        self._left, self._at = left - 1 if taken else left, now
        return taken

    def owe(self, amount: float = 1) -> None:
        """Takes so much, left or not: for what is known to be too much only when it is done."""
        self.may()
        # Many that come at once are known too late at once; the debt of all would last for long.
        self._left = max(-self._burst, self._left - amount)

    @property
    def wait_s(self) -> float:
        """Return the seconds until one is left."""
        return 0.0 if self.may() else (1 - self._left) / self._per_s


class RateLimits:
    """One allowance an address, and of IPv6 larger ones for the networks that it is in.

    The one that has been quiet for longest is forgotten first.
    """

    def __init__(self, burst: float, per_s: float, clock: Clock = time.monotonic) -> None:
        self._burst, self._per_s, self._clock = burst, per_s, clock
        self._known: OrderedDict[str, RateLimit] = OrderedDict()

    def may(self, address: str) -> bool:
        """Whether the address, and each network that it is in, has one left."""
        return all(known.may() for known in self._known_of(address))

    def take(self, address: str) -> bool:
        """Takes one of the address's; False, and nothing is taken, if none is left."""
        if not self.may(address):
            return False
        for allowance in self._of(address):
            allowance.take()
        return True

    def owe(self, address: str, amount: float = 1) -> None:
        """Takes so much of the address's, left or not."""
        for allowance in self._of(address):
            allowance.owe(amount)

    def wait_s(self, address: str) -> float:
        """Return the seconds until the address has one left."""
        return max((known.wait_s for known in self._known_of(address)), default=0.0)

    def _known_of(self, address: str) -> Iterator[RateLimit]:
        for name, _ in networks_of(address):
            if name in self._known:
                yield self._known[name]

    def _of(self, address: str) -> list[RateLimit]:
        found = []
        for name, share in networks_of(address):
            known = self._known.get(name)
            if known is None:
                known = RateLimit(self._burst * share, self._per_s * share, self._clock)
                self._known[name] = known
            self._known.move_to_end(name)
            found.append(known)
        while len(self._known) > ADDRESSES:
            self._known.popitem(last=False)
        return found

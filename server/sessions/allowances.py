"""How much one socket, or one address, may ask for: token buckets, and the clock comes in."""

import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address

ADDRESSES = 10_000
Clock = Callable[[], float]


class Allowance:
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
        left = self.may()
        if left:
            self._left -= 1
        return left

    def owe(self, amount: float = 1) -> None:
        """Takes so much, left or not: for what is known to be too much only when it is done."""
        self.may()
        # Many that come at once are known too late at once; the debt of all would last for long.
        self._left = max(-self._burst, self._left - amount)

    @property
    def wait_s(self) -> float:
        """Return the seconds until one is left."""
        return 0.0 if self.may() else (1 - self._left) / self._per_s


def is_loopback(address: str) -> bool:
    """Whether the address is this machine's own: everybody's, behind a proxy nobody named."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


class Allowances:
    """One allowance an address; the address that has been quiet for longest is forgotten first."""

    def __init__(self, burst: float, per_s: float, clock: Clock = time.monotonic) -> None:
        self._fresh: Callable[[], Allowance] = partial(Allowance, burst, per_s, clock)
        self._known: OrderedDict[str, Allowance] = OrderedDict()

    def may(self, address: str) -> bool:
        """Whether the address has one left."""
        known = self._known.get(address)
        return known is None or known.may()

    def take(self, address: str) -> bool:
        """Takes one of the address's; False if none is left."""
        return self._of(address).take()

    def owe(self, address: str, amount: float = 1) -> None:
        """Takes so much of the address's, left or not."""
        self._of(address).owe(amount)

    def wait_s(self, address: str) -> float:
        """Return the seconds until the address has one left."""
        known = self._known.get(address)
        return 0.0 if known is None else known.wait_s

    def _of(self, address: str) -> Allowance:
        known = self._known.setdefault(address, self._fresh())
        self._known.move_to_end(address)
        while len(self._known) > ADDRESSES:
            self._known.popitem(last=False)
        return known

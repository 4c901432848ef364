"""How many are here from each address, so that one of them cannot take all the places.

A connection is a visitor's from its first moment, and a player's once it is a websocket; each
kind is counted by itself. Behind a trusted proxy the connections are the proxy's: there a visitor
is a request that is being answered. What counts as one address is for `origin.counted_as` to say.
"""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable
from time import monotonic

import structlog

from server import metrics
from server.networks import is_loopback, networks_of

WINDOWS_SOCKETS = 10_000
"""No limit of descriptors is known there."""


class ConnectionLimit:
    """At most `limit` of one address; any number of loopback, where a proxy nobody named is.

    Of IPv6 the networks that the address is in have limits too: see `networks.py`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Counts one in; False, and not counted, if the address has its fill."""
        networks = networks_of(address)
        if not is_loopback(address) and any(
            self._here[name] >= self._limit * share for name, share in networks
        ):
            return False
        self._here.update(name for name, _ in networks)
        return True

    def leave(self, address: str) -> None:
        """Counts out one who was let in."""
        for name, _ in networks_of(address):
            self._here[name] -= 1
            if not self._here[name]:
                del self._here[name]

    def __len__(self) -> int:
        """The number of networks, those of one address counted in."""
        return len(self._here)


RESERVE = 128
"""File descriptors that players never get: the store's connections, files, workers, operators."""
SAY_AGAIN_S = 60.0

log = structlog.get_logger()


class Places:
    """The sockets that this process may have, counted against its limit of file descriptors."""

    def __init__(
        self, limit: int, taken: Callable[[], int], clock: Callable[[], float] = monotonic
    ) -> None:
        self._limit = limit
        self._taken = taken
        self._clock = clock
        self._said_at = float("-inf")

    def take(self) -> bool:
        """Return whether there is a place for one more; log now and then that there is none."""
        if self._taken() < self._limit:
            return True
        metrics.turned_away.labels("descriptors").inc()
        now = self._clock()
        if now - self._said_at >= SAY_AGAIN_S:
            self._said_at = now
            log.error("no more connections: file descriptors run out", connections=self._limit)
        return False


def make_room() -> int:
    """Let this process have as many sockets as the system allows; return how many it may take.

    Shells often set a limit that is far below the system's.
    """
    if sys.platform == "win32":
        return WINDOWS_SOCKETS
    import resource  # noqa: PLC0415  # not to be had on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):  # then it stays as it is
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(limit - RESERVE, limit // 2)

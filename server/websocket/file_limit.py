"""The file descriptors of this process, and how many of them may be sockets of players."""

import contextlib
import sys
from collections.abc import Callable
from time import monotonic

import structlog

from server import metrics

WINDOWS_SOCKETS = 10_000
"""No limit of descriptors is known there."""

RESERVE = 128
"""File descriptors that players never get: the store's connections, files, workers, operators."""
SAY_AGAIN_S = 60.0

log = structlog.get_logger()


class FileLimit:
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


def raise_file_limit() -> int:
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

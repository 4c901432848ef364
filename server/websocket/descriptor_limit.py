"""The limit of file descriptors, and the share of it for sockets of players."""

import contextlib
import sys
from collections.abc import Callable
from time import monotonic

import structlog

from server import metrics

WINDOWS_SOCKETS = 10_000  # sockets on Windows, where no limit of descriptors is known

RESERVE = 128  # file descriptors kept for the store's connections, files, workers and operators
LOG_INTERVAL_S = 60.0

log = structlog.get_logger()


class DescriptorLimit:
    """The limit of this process's sockets, derived from its limit of file descriptors."""

    def __init__(
        self, limit: int, taken: Callable[[], int], clock: Callable[[], float] = monotonic
    ) -> None:
        self._limit = limit
        self._used = taken
        self._clock = clock
        self._logged_at = float("-inf")

    def take(self) -> bool:
        """Return whether one more socket fits; log a refusal at most every `LOG_INTERVAL_S`."""
        if self._used() < self._limit:
            return True
        metrics.turned_away.labels("descriptors").inc()
        now = self._clock()
        if now - self._logged_at >= LOG_INTERVAL_S:
            self._logged_at = now
            log.error("no more connections: file descriptors run out", connections=self._limit)
        return False


def raise_descriptor_limit() -> int:
    """Raise the limit of file descriptors to the system's; return the number of sockets it allows.

    Shells often set a limit far below the system's.
    """
    if sys.platform == "win32":
        return WINDOWS_SOCKETS
    import resource  # noqa: PLC0415  # not available on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):  # then the limit stays unchanged
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(limit - RESERVE, limit // 2)

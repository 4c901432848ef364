"""The times of acts, counted for `metrics.py`."""

from bisect import bisect_left
from time import perf_counter
from typing import Final

# Declared as a tuple of any length: compiled code makes one of twelve anew for each use.
BOUNDS: Final[tuple[float, ...]] = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025),
    *(0.05, 0.1, 0.25, 0.5, 1.0, 2.5),
)
"""The upper bounds of the buckets in seconds; a last bucket has no bound."""


class Seconds:
    """A histogram for measurements of every act: the library's takes ten times as long to lock."""

    __slots__ = ("buckets", "sum")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Add one observation, in seconds."""
        self.buckets[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds


ACT_SECONDS: Final = Seconds()  # from the judging of an act to its reply
COMMIT_SECONDS: Final = Seconds()  # from the queueing of an act for the store to its answer


def observe_act(judged_at: float, queued_at: float) -> None:
    """Count an act that is answered now; the times are those of `perf_counter`."""
    now = perf_counter()
    ACT_SECONDS.observe(now - judged_at)
    COMMIT_SECONDS.observe(now - queued_at)

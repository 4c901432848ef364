"""The shared time between two comparisons with the store, which `clock.py` makes."""

from collections.abc import Callable


class SharedTime:
    """The time that all processes share, counted by this process's monotonic clock."""

    __slots__ = ("_latest_ms", "_monotonic_s", "offset_ms")

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self.offset_ms: float | None = None  # add this to our clock; None before the start
        self._latest_ms = 0  # what `now_ms` returned last

    def now_ms(self) -> int:
        """Return the time in ms since the epoch; it never runs backwards."""
        self._latest_ms = max(self._latest_ms, int(self.estimate_ms() + 0.5))
        return self._latest_ms

    def estimate_ms(self) -> float:
        """Return the time in fractions of a ms; unlike `now_ms`, a correction may set it back."""
        assert self.offset_ms is not None, "the clock was started"
        return self._monotonic_s() * 1_000 + self.offset_ms

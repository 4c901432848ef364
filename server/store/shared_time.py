"""The shared time as this process counts it on between two looks at the store; no coroutines.

`clock.py` takes the time from the store, compares it and corrects it.
"""

from collections.abc import Callable


class SharedTime:
    """The time of all processes by the own clock of this one, which counts seconds."""

    __slots__ = ("_latest_ms", "_monotonic_s", "offset_ms")

    def __init__(self, monotonic_s: Callable[[], float]) -> None:
        self._monotonic_s = monotonic_s
        self.offset_ms: float | None = None  # from own to shared time; None before the first look
        self._latest_ms = 0  # the time that was returned last

    def now(self) -> int:
        """Return the shared time in ms since the epoch, never less than returned before."""
        now_ms = int(self.estimate_ms() + 0.5)
        self._latest_ms = max(self._latest_ms, now_ms)
        return self._latest_ms

    def estimate_ms(self) -> float:
        """Return the shared time as it is now known, in ms; a correction may set it back."""
        assert self.offset_ms is not None, "the clock was started"
        return self._monotonic_s() * 1_000 + self.offset_ms

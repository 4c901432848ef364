from time import monotonic

MESSAGES_PER_S = 20
BURST = 60
"""A hand that plays fast, or a client that catches up, is not a flood; three seconds of one is."""


class Bucket:
    """A token bucket: `BURST` messages at once, `MESSAGES_PER_S` for long."""

    __slots__ = ("_at", "_left")

    def __init__(self) -> None:
        self._left = float(BURST)
        self._at = monotonic()

    def take(self) -> bool:
        """Takes one token; False if there is none."""
        now = monotonic()
        self._left = min(BURST, self._left + (now - self._at) * MESSAGES_PER_S)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

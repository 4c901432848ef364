"""The server's clock, estimated from the ping with the shortest round trip."""

from collections import deque
from typing import NamedTuple

SAMPLES = 8
"""The pings that count, the latest ones."""
UNMEASURED_TRIP_MS = 60_000.0
"""The round trip of a sample without a ping: longer than any measured one."""


class _Sample(NamedTuple):
    offset_ms: float
    trip_ms: float


class ServerClock:
    """The difference between the server's clock and the program's, in ms."""

    def __init__(self) -> None:
        self._samples: deque[_Sample] = deque(maxlen=SAMPLES)

    @property
    def offset_ms(self) -> float:
        """The server's time less the program's; 0 before the first message."""
        return min(self._samples, key=lambda each: each.trip_ms, default=_Sample(0, 0)).offset_ms

    def guess(self, received_ms: float, now_ms: float) -> None:
        """Take the server's time in a message that answers no ping, if nothing is known yet."""
        if not self._samples:
            self._samples.append(_Sample(now_ms - received_ms, UNMEASURED_TRIP_MS))

    def measure(self, sent_ms: float, received_ms: float, now_ms: float) -> None:
        """Take the server's time in the answer to a ping."""
        trip_ms = max(0.0, received_ms - sent_ms)
        self._samples.append(_Sample(now_ms + trip_ms / 2 - received_ms, trip_ms))

    def begin_connection(self) -> None:
        """Keep the estimate only until the next ping is answered."""
        if self._samples:
            offset_ms = self.offset_ms
            self._samples.clear()
            self._samples.append(_Sample(offset_ms, UNMEASURED_TRIP_MS))

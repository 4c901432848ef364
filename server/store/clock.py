"""The time that all processes share: one clock that neither jumps nor runs backwards.

1. Redis's `TIME` is the reference, and no decision asks it: each process counts on from the
   agreed time by its own monotonic clock, and compares the two every second.
2. A small difference is drift, and is corrected a little at a time. A large one is a step of the
   store's clock (somebody has set it, or a replica with another clock has taken over). The shift
   that undoes the step is written beside the reference, so that all processes keep agreeing.
3. A process whose own clock has stood still follows the others; `clock.lua` tells the two apart.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import NamedTuple

import structlog

from server import metrics
from server.store.errors import StoreAway

SYNC_S = 1.0
STEP_MS = 1_000
"""A larger difference is a step; network and scheduling explain a smaller one."""
SLEW_MS = 20
"""The largest correction of drift at one comparison."""
SLOWEST_ANSWER_MS = 500
"""An answer that took longer does not say what time it is."""

log = structlog.get_logger(__name__)


class Reading(NamedTuple):
    """The agreed time in ms since the epoch, and by how many ms a step was undone just now."""

    now: int
    stepped: int


Agree = Callable[[int | None], Awaitable[Reading]]


class Clock:
    """The shared time at this process, without a round trip.

    `agree` compares this process's time (None: it has none yet) with the store's and returns the
    agreed one; `own` is the process's monotonic clock in seconds.
    """

    def __init__(self, agree: Agree, own: Callable[[], float] = monotonic) -> None:
        self._agree = agree
        self._own = own
        self._offset_ms: float | None = None
        self._latest = 0

    def now(self) -> int:
        """Return the milliseconds since the epoch; never fewer than before.

        `start` must have returned.
        """
        self._latest = max(self._latest, round(self._reckoned()))
        return self._latest

    async def start(self) -> None:
        """Take the time from the store.

        Raises:
            StoreAway: the store does not answer.
        """
        asked = self._own()
        reading = await self._agree(None)
        self._offset_ms = reading.now - (asked + self._own()) * 500
        if reading.stepped:
            _report(reading.stepped)

    async def compare(self) -> None:
        """Compare with the store once, and correct a small difference.

        Raises:
            StoreAway: the store does not answer; the clock goes on meanwhile.
        """
        asked = self._own()
        claimed = round(self._reckoned())
        reading = await self._agree(claimed)
        took_ms = (self._own() - asked) * 1_000
        if reading.stepped:
            _report(reading.stepped)
        assert self._offset_ms is not None, "the clock was started"
        # The store looked at its clock about half-way between question and answer.
        ahead_ms = reading.now - (claimed + took_ms / 2)
        if abs(ahead_ms) > STEP_MS + took_ms:
            log.warning("this process's clock stood still", ms=round(ahead_ms))
            self._offset_ms += ahead_ms
        elif took_ms <= SLOWEST_ANSWER_MS:
            self._offset_ms += max(-SLEW_MS, min(SLEW_MS, ahead_ms))

    async def keep(self) -> None:
        """Compare every second, for ever."""
        while True:
            await asyncio.sleep(SYNC_S)
            with contextlib.suppress(StoreAway):  # the clock goes on by itself meanwhile
                await self.compare()

    def _reckoned(self) -> float:
        assert self._offset_ms is not None, "the clock was started"
        return self._own() * 1_000 + self._offset_ms


def _report(stepped: int) -> None:
    metrics.clock_steps.inc()
    log.warning("the store's clock stepped; races and deadlines are not affected", ms=stepped)

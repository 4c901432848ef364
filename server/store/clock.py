"""The time that all processes share: one clock that neither jumps nor runs backwards.

1. Redis's `TIME` is the reference, but no decision waits for it: each process counts on from the
   agreed time by its own monotonic clock, and compares the two every second.
2. A small difference is drift, and is corrected a little at a time. A large difference is a step
   of the store's clock: an operator has set it, or a replica with another clock has taken over.
   The shift that undoes the step is stored in Redis, so that all processes keep the same time.
3. A process whose own clock stood still takes the store's time, if another process has just
   confirmed it. A reply that took long is ignored.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import NamedTuple

import structlog

from server import metrics
from server.store.errors import StoreAway
from server.store.shared_time import SharedTime
from server.store.timings import STORE_TIMINGS, StoreTimings

STEP_MS = 1_000  # the largest difference that counts as drift, or as a delay on the network
SLEW_MS = 20  # the largest correction of drift at one comparison
SLOWEST_ANSWER_MS = 500  # the longest round trip of a reply from which the time is taken
ATTEMPTS = 10  # requests of a start for the time, at most; if all are slow, the quickest counts

log = structlog.get_logger(__name__)


class Reading(NamedTuple):
    """The reply of `compare_clocks.lua`, which says what the fields mean."""

    now: int  # in ms since the epoch
    shift: int  # in ms
    is_confirmed: int
    undone: int


class Clock:
    """The shared time in this process, available without a round trip.

    `ask` runs `compare_clocks.lua` with an action and its arguments; `monotonic_s` counts on.
    """

    def __init__(
        self,
        ask: Callable[..., Awaitable[Reading]],
        monotonic_s: Callable[[], float] = monotonic,
        timings: StoreTimings = STORE_TIMINGS,
    ) -> None:
        self._ask = ask
        self._monotonic_s = monotonic_s
        self._timings = timings
        self.time = SharedTime(monotonic_s)
        self.now = self.time.now  # in ms since the epoch; the caller must have awaited `start`

    async def start(self, *, alone: bool) -> None:
        """Take the time from the store, or raise StoreAway.

        If not `alone`, wait for another process to confirm it: the store's clock may have stepped
        just now, and only a process that was running before can detect that.
        """
        give_up = self._monotonic_s() + self._timings.confirmation_wait_s
        while not await self._read_time() and not alone and self._monotonic_s() < give_up:  # noqa: ASYNC110  # another process's confirmation
            await asyncio.sleep(self._timings.confirmation_poll_s)
        await self._confirm(self.time.estimate_ms())

    async def _read_time(self) -> bool:
        """Take the store's time; return whether another process has confirmed it."""
        quickest_ms = float("inf")
        for _ in range(ATTEMPTS):
            sent = self._monotonic_s()
            reading = await self._ask("start")
            took_ms = (self._monotonic_s() - sent) * 1_000
            if reading.undone:
                _report("the store's clock is behind; it is taken to go on from where it was")
            if took_ms < quickest_ms:
                # The store reads its clock about half-way between the request and the reply.
                quickest_ms = took_ms
                self.time.offset_ms = reading.now - sent * 1_000 - took_ms / 2
            if quickest_ms <= SLOWEST_ANSWER_MS:
                break
        return bool(reading.is_confirmed)

    async def compare(self) -> None:
        """Correct drift, and undo a step of the store's clock, once, or raise StoreAway."""
        assert self.time.offset_ms is not None, "the clock was started"
        sent = self._monotonic_s()
        expected = self.time.estimate_ms()
        reading = await self._confirm(expected)
        took_ms = (self._monotonic_s() - sent) * 1_000
        if took_ms > SLOWEST_ANSWER_MS:
            return
        ahead_ms = reading.now - expected - took_ms / 2
        if abs(ahead_ms) <= STEP_MS:
            self.time.offset_ms += max(-SLEW_MS, min(SLEW_MS, ahead_ms))
        elif reading.is_confirmed:
            log.warning("the clock of this process stood still", ms=round(ahead_ms))
            self.time.offset_ms += ahead_ms
        elif (await self._ask("undo", ms := round(ahead_ms), reading.shift)).undone:
            _report("the store's clock stepped; it moves no race and no deadline", ms=ms)

    async def keep(self) -> None:
        """Compare again and again, until cancelled."""
        while True:
            await asyncio.sleep(self._timings.sync_s)
            try:
                await self.compare()
            except StoreAway:
                pass  # the clock continues without the store
            except Exception:
                log.exception("the comparison of clocks failed")

    async def _confirm(self, own_ms: float) -> Reading:
        """Read the store's time, and confirm it there if it fits this process's time."""
        return await self._ask("confirm", round(own_ms), STEP_MS)


def _report(event: str, **ms: int) -> None:
    metrics.clock_steps.inc()
    log.warning(event, **ms)

"""The time that all processes share. It neither jumps nor runs backwards.

1. Redis's `TIME` is the reference, but no decision waits for it: each process counts on by its own
   monotonic clock, and compares the two every second.
2. A small difference is drift, and is corrected a little at a time. A large one is a step of the
   store's clock: an operator has set it, or a replica with another clock has taken over. A shift
   that undoes the step is stored in Redis, so that all processes keep the same time.
3. A process whose own clock stood still takes the store's time if another process has just
   confirmed it. A slow reply is ignored.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import NamedTuple

import structlog

from server import metrics
from server.store.address import STORE_TIMINGS, StoreTimings
from server.store.errors import StoreAway

STEP_MS = 1_000  # a larger difference is neither drift nor network delay
SLEW_MS = 20  # correct at most this much drift at each comparison
SLOWEST_REPLY_MS = 500  # take no time from a slower reply
ATTEMPTS = 10  # at the start, ask until a reply is quick, or use the quickest of this many

log = structlog.get_logger(__name__)


class Reading(NamedTuple):
    """The reply of `compare_clocks.lua`; the last two fields are 1 or 0."""

    now_ms: int  # the agreed time since the epoch
    shift_ms: int  # added to Redis's `TIME` to undo its steps
    is_confirmed: int  # whether another process has just confirmed the time
    is_undone: int  # whether this call has undone a step of `TIME`


class Clock:
    """The shared time. `monotonic_s` keeps it running between two comparisons with the store.

    `ask` runs `compare_clocks.lua` with an action and its arguments.
    """

    def __init__(
        self,
        ask: Callable[..., Awaitable[Reading]],
        monotonic_s: Callable[[], float] = monotonic,
        timings: StoreTimings = STORE_TIMINGS,
    ) -> None:
        self._ask, self._monotonic_s, self._timings = ask, monotonic_s, timings
        self.offset_ms: float | None = None  # shared time minus our clock; None before `start`
        self._latest_ms = 0  # the latest result of `now_ms`

    def now_ms(self) -> int:
        """Return the time in ms since the epoch; it never runs backwards. Call `start` first."""
        self._latest_ms = max(self._latest_ms, int(self.estimate_ms() + 0.5))
        return self._latest_ms

    def estimate_ms(self) -> float:
        """Return the time in fractional ms; unlike `now_ms`, a correction may set it back."""
        assert self.offset_ms is not None, "the clock was started"
        return self._monotonic_s() * 1_000 + self.offset_ms

    async def start(self, *, alone: bool) -> None:
        """Set this clock to the store's time, or raise StoreAway.

        Unless this process is `alone`, wait a while for another one to confirm it: the store's
        clock may just have stepped, which only a process that was already running can detect.
        """
        give_up_s = self._monotonic_s() + self._timings.confirmation_wait_s
        is_confirmed = await self._set_from_store()
        while not (is_confirmed or alone or self._monotonic_s() >= give_up_s):
            await asyncio.sleep(self._timings.confirmation_poll_s)
            is_confirmed = await self._set_from_store()
        await self._ask("confirm", round(self.estimate_ms()), STEP_MS)

    async def _set_from_store(self) -> bool:
        """Set this clock to the store's time; return whether another process has confirmed it."""
        quickest_ms = float("inf")
        for _ in range(ATTEMPTS):
            sent_s = self._monotonic_s()
            reading = await self._ask("start")
            took_ms = (self._monotonic_s() - sent_s) * 1_000
            if reading.is_undone:
                _report("the store's clock is behind; it is taken to go on from where it was")
            if took_ms < quickest_ms:
                # The store reads its clock about half-way between the request and the reply.
                quickest_ms = took_ms
                self.offset_ms = reading.now_ms - sent_s * 1_000 - took_ms / 2
            if quickest_ms <= SLOWEST_REPLY_MS:
                break
        return bool(reading.is_confirmed)

    async def compare(self) -> None:
        """Correct drift from the store's clock, or a step of either clock. May raise StoreAway."""
        assert self.offset_ms is not None, "the clock was started"
        sent_s = self._monotonic_s()
        expected_ms = self.estimate_ms()
        # If the store's time fits `expected_ms`, this also confirms it to other processes.
        reading = await self._ask("confirm", round(expected_ms), STEP_MS)
        took_ms = (self._monotonic_s() - sent_s) * 1_000
        if took_ms > SLOWEST_REPLY_MS:
            return
        ahead_ms = reading.now_ms - expected_ms - took_ms / 2
        rounded_ms = round(ahead_ms)
        if abs(ahead_ms) <= STEP_MS:
            self.offset_ms += max(-SLEW_MS, min(SLEW_MS, ahead_ms))
        elif reading.is_confirmed:  # another process agrees with the store
            log.warning("the clock of this process stood still", ms=rounded_ms)
            self.offset_ms += ahead_ms
        elif (await self._ask("undo", rounded_ms, reading.shift_ms)).is_undone:
            _report("the store's clock stepped; it moves no race and no deadline", ms=rounded_ms)

    async def keep(self) -> None:
        """Call `compare` every `sync_s` seconds, until cancelled."""
        while True:
            await asyncio.sleep(self._timings.sync_s)
            try:
                await self.compare()
            except StoreAway:
                pass  # the clock continues without the store
            except Exception:
                log.exception("the comparison of clocks failed")


def _report(event: str, **ms: int) -> None:
    """Log a step of the store's clock, and count it in the metrics."""
    metrics.clock_steps.inc()
    log.warning(event, **ms)

"""The time that all processes share: one clock that neither jumps nor runs backwards.

1. Redis's `TIME` is the reference, and no decision asks it: each process counts on from the
   agreed time by its own monotonic clock, and compares the two every second.
2. A small difference is drift, and is corrected a little at a time. A large one is a step of the
   store's clock (somebody has set it, or a replica with another clock has taken over). The shift
   that undoes the step is kept beside the reference, so that all processes keep agreeing.
3. A process whose own clock has stood still follows the others: they have just confirmed the
   store's. An answer that took long says nothing.
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
OTHERS_S = 3.0
"""A process that starts waits so long for others to say what time it is."""
LOOK_S = 0.1
ATTEMPTS = 10
"""Times that a starting process asks for a quick answer, at most; then the quickest serves."""

log = structlog.get_logger(__name__)


class Reading(NamedTuple):
    """The agreed time in ms since the epoch, and the shift that is part of it.

    `fresh`: another process has just confirmed it, or there never was another. `undone`: this
    call has undone a step.
    """

    now: int
    shift: int
    fresh: int
    undone: int


Ask = Callable[..., Awaitable[Reading]]


class Clock:
    """The shared time at this process, without a round trip.

    `ask` runs `clock.lua` with what to do and its arguments; `own` is the process's monotonic
    clock in seconds.
    """

    def __init__(self, ask: Ask, own: Callable[[], float] = monotonic) -> None:
        self._ask = ask
        self._own = own
        self._offset_ms: float | None = None
        self._latest = 0

    def now(self) -> int:
        """Return the milliseconds since the epoch; never fewer than before.

        `start` must have returned.
        """
        self._latest = max(self._latest, round(self._reckoned()))
        return self._latest

    async def start(self, *, alone: bool) -> None:
        """Take the time from the store.

        Unless this process is known to be `alone`, it waits for another to confirm the time: the
        store's clock may have stepped just now, and only a process that was there can tell.

        Raises:
            StoreAway: the store does not answer.
        """
        give_up = self._own() + OTHERS_S
        while not await self._take() and not alone and self._own() < give_up:  # noqa: ASYNC110  # another process's confirmation
            await asyncio.sleep(LOOK_S)
        await self._confirm(self._reckoned())

    async def _take(self) -> bool:
        """Take the time as the store has it; return whether another process has confirmed it."""
        quickest = float("inf")
        for _ in range(ATTEMPTS):
            asked = self._own()
            reading = await self._ask("start")
            took_ms = (self._own() - asked) * 1_000
            if reading.undone:
                _report("the store's clock is behind; it is taken to go on from where it was")
            if took_ms < quickest:
                # The store looked at its clock about half-way between question and answer.
                quickest, self._offset_ms = took_ms, reading.now - asked * 1_000 - took_ms / 2
            if quickest <= SLOWEST_ANSWER_MS:
                break
        return bool(reading.fresh)

    async def compare(self) -> None:
        """Compare with the store once; correct drift, and undo a step of the store's clock.

        Raises:
            StoreAway: the store does not answer; the clock goes on meanwhile.
        """
        assert self._offset_ms is not None, "the clock was started"
        asked = self._own()
        expected = self._reckoned()
        reading = await self._confirm(expected)
        took_ms = (self._own() - asked) * 1_000
        if took_ms > SLOWEST_ANSWER_MS:
            return
        ahead_ms = reading.now - expected - took_ms / 2
        if abs(ahead_ms) <= STEP_MS:
            self._offset_ms += max(-SLEW_MS, min(SLEW_MS, ahead_ms))
        elif reading.fresh:
            log.warning("the clock of this process stood still", ms=round(ahead_ms))
            self._offset_ms += ahead_ms
        elif (await self._ask("undo", round(ahead_ms), reading.shift)).undone:
            _report("the store's clock stepped; it moves no race and no deadline", round(ahead_ms))

    async def keep(self) -> None:
        """Compare every second, for ever."""
        while True:
            await asyncio.sleep(SYNC_S)
            with contextlib.suppress(StoreAway):  # the clock goes on by itself meanwhile
                await self.compare()

    async def _confirm(self, own: float) -> Reading:
        """Return a reading, which the store has as confirmed if it fits this process's time."""
        return await self._ask("confirm", round(own), STEP_MS)

    def _reckoned(self) -> float:
        assert self._offset_ms is not None, "the clock was started"
        return self._own() * 1_000 + self._offset_ms


def _report(event: str, ms: int | None = None) -> None:
    metrics.clock_steps.inc()
    log.warning(event, **({} if ms is None else {"ms": ms}))

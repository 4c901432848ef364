"""The shared clock, with stores whose own clocks are set forward and back."""

import asyncio
import time
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import pytest
from structlog.testing import capture_logs

from server.store import STORE_TIMINGS, NewSeat, Store, StoreAway, StoreTimings, keys
from server.store.clock import ATTEMPTS, SLOWEST_REPLY_MS, STEP_MS, Clock, Reading
from server.store.connection import pack
from tests.clocks import SteppingServer, can_step
from tests.present import present
from tests.servers import opened
from tests.store.rooms_and_acts import CODE, SEAT, TOKEN, change, everywhere
from tests.waiting import until_answer

NOON = 1_790_000_000_000
HOUR = 3_600_000
STEPS = [-30_000, 60_000, 25 * HOUR]


@dataclass
class Reference:
    """A store whose clock is ahead of the true time by `ahead_ms`.

    `requests` has the actions with the arguments that tests look at.
    """

    ahead_ms: int = 0
    answer_s: float = 0.0  # how long each reply takes
    is_confirmed: int = 0
    own_s: float = 0.0  # the time by the process's own clock
    requests: list[str] = field(default_factory=list)

    def own(self) -> float:
        return self.own_s

    async def ask(self, action: str, *words: int) -> Reading:
        words_in_log = words[:1] if action == "confirm" else words  # without the constant STEP_MS
        self.requests.append(" ".join(map(str, (action, *words_in_log))))
        self.own_s += self.answer_s
        read_s = self.own_s - self.answer_s / 2
        now = NOON + round(read_s * 1_000) + self.ahead_ms
        if action == "undo":
            self.ahead_ms -= words[0]
        return Reading(
            now, shift_ms=0, is_confirmed=self.is_confirmed, is_undone=int(action == "undo")
        )

    async def clock(self, timings: StoreTimings = STORE_TIMINGS) -> Clock:
        made = Clock(self.ask, self.own, timings)
        await made.start(alone=True)
        return made


async def test_a_clock_starts_at_the_stores_time_and_counts_on_by_itself() -> None:
    """The store reads its time, noon at first, at the middle of the round trip."""
    reference = Reference(answer_s=0.2)
    clock = await reference.clock()
    assert clock.now_ms() == NOON + round(reference.own_s * 1_000)
    await clock.compare()
    reference.own_s += 2.5
    assert clock.now_ms() == NOON + round(reference.own_s * 1_000)


async def test_a_start_retries_slow_replies_and_takes_the_quickest() -> None:
    """Regression: a process that started on a busy machine was a second ahead of other ones."""
    reference = Reference(answer_s=2.0)
    await reference.clock()
    assert reference.requests[:-1] == ["start"] * ATTEMPTS
    reference = Reference(answer_s=0.4)
    await reference.clock()
    assert reference.requests == ["start", f"confirm {NOON + 400}"]


async def test_a_starting_process_waits_for_a_confirmation_and_for_a_limited_time() -> None:
    """Regression: a process that started just after a step accepted it, and closed the rooms."""
    reference = Reference(ahead_ms=25 * HOUR, answer_s=0.1)
    made = Clock(reference.ask, reference.own, StoreTimings(confirmation_poll_s=0.0))
    starting = asyncio.create_task(made.start(alone=False))
    while len(reference.requests) < 5:
        await asyncio.sleep(0)  # turn by turn: each request takes some of its own time
    reference.ahead_ms, reference.is_confirmed = 0, 1  # a running process has undone the step
    await starting
    assert abs(made.now_ms() - NOON - reference.own_s * 1_000) < STEP_MS
    unconfirmed = Reference(answer_s=0.5)
    made = Clock(unconfirmed.ask, unconfirmed.own, StoreTimings(confirmation_poll_s=0.0))
    await made.start(alone=False)
    assert 6 <= unconfirmed.requests.count("start") <= 8


async def test_drift_is_corrected_a_little_at_a_time_and_never_backwards() -> None:
    reference = Reference()
    clock = await reference.clock()
    for ahead_ms in (50, -50):
        reference.ahead_ms = ahead_ms
        await clock.compare()
        assert clock.now_ms() == NOON + 20
    reference.own_s += 0.021
    assert clock.now_ms() == NOON + 21


async def test_a_slow_reply_does_not_change_the_clock_and_a_step_is_undone() -> None:
    """Regression: a store that hung for seconds looked like a step of its clock."""
    reference = Reference()
    clock = await reference.clock()
    reference.ahead_ms, reference.answer_s = HOUR, 0.6
    await clock.compare()
    assert clock.now_ms() == NOON + 600
    assert reference.requests == ["start", *[f"confirm {NOON}"] * 2]
    reference.answer_s = 0.0
    await clock.compare()
    assert reference.requests[3:] == [f"confirm {NOON + 600}", f"undo {HOUR} 0"]
    assert (clock.now_ms(), reference.ahead_ms) == (NOON + 600, 0)


async def test_no_reply_of_the_store_stops_the_clock() -> None:
    """Neither an outage nor a reply without a time stops the comparisons."""
    reference = Reference()
    made = await reference.clock(StoreTimings(sync_s=0.0))
    answers: list[Exception | None] = [StoreAway(), TypeError("no reading"), None]
    done = asyncio.Event()

    async def ask(action: str, *words: int) -> Reading:
        if not answers:
            done.set()
        elif (answer := answers.pop(0)) is not None:
            raise answer
        return await reference.ask(action, *words)

    made._ask = ask
    reference.own_s, reference.ahead_ms = 1.0, 10
    assert made.now_ms() == NOON + 1_000
    keeping = asyncio.create_task(made.keep())
    await done.wait()
    assert made.now_ms() == NOON + 1_010
    keeping.cancel()


# Tests with real stores: changing the shift has the same effect as a step of TIME.


async def shifted(store: Store, by_ms: int) -> None:
    """Simulate a step of the store's `TIME` by changing the stored shift and reading."""
    known = await store.client.call("HMGET", keys.UNPREFIXED.clock, "shift", "raw")
    shift, raw = (int(value or 0) for value in known)
    moved = "shift", shift + by_ms, "raw", raw - by_ms
    await store.client.call("HSET", keys.UNPREFIXED.clock, *moved)


async def compared(*stores: Store) -> None:
    """Compare each clock with its store's; repeat a comparison whose reply was too slow."""
    for store in stores:
        slow = True
        while slow:
            began = monotonic()
            await store.clock.compare()
            slow = (monotonic() - began) * 1_000 > SLOWEST_REPLY_MS


def ahead_of_own(store: Store) -> float:
    """Return how far the shared time is ahead of the clock of this process, in ms."""
    return store.clock.now_ms() - 1_000 * monotonic()


@pytest.mark.parametrize("step", STEPS)
async def test_processes_that_compare_at_the_same_moment_do_not_accept_a_step(
    store: Store, tmp_path: Path, step: int
) -> None:
    """Regression: one process confirmed the time before comparing, and the other one took it.

    After its return to the right time, the second clock stood still for the time it was ahead.
    """
    async with opened(store.url, tmp_path) as other:
        await compared(store, other)
        before = {each: ahead_of_own(each) for each in (store, other)}
        await shifted(store, step)
        with capture_logs() as logs:
            await asyncio.gather(compared(store), compared(other))
            await compared(store)
        for each, then in before.items():
            assert abs(ahead_of_own(each) - then) < STEP_MS
            assert offset(each) == pytest.approx(offset(store), abs=STEP_MS)
        (line,) = logs
        assert line["event"].startswith("the store's clock stepped")
        assert abs(line["ms"] - step) < STEP_MS


def offset(store: Store) -> float:
    return present(store.clock.offset_ms)


@pytest.mark.parametrize("confirmed", [True, False])
async def test_a_process_that_was_suspended_does_not_set_the_others_back(
    store: Store, tmp_path: Path, *, confirmed: bool
) -> None:
    """Regression: two processes undid each other's time once a second for ever."""
    async with opened(store.url, tmp_path) as other:
        store.clock.offset_ms = offset(store) - HOUR
        if confirmed:
            await compared(other)
        before = ahead_of_own(other)
        for _ in range(3):
            await compared(store, other)
        assert not confirmed or abs(ahead_of_own(other) - before) < STEP_MS
        assert abs(offset(store) - offset(other)) < STEP_MS
        with capture_logs() as logs:
            await compared(store, other)
        assert logs == []


@everywhere
async def test_agreed_time_never_goes_back_over_a_restart(store: Store, tmp_path: Path) -> None:
    await compared(store)
    before, began = store.clock.now_ms(), monotonic()
    await shifted(store, -25 * HOUR)
    async with opened(store.url, tmp_path) as later:
        passed_ms = (monotonic() - began) * 1_000
        assert -STEP_MS < later.clock.now_ms() - before < passed_ms + STEP_MS


@pytest.mark.skipif(not can_step(), reason="no C compiler for the shim")
async def test_setting_the_stores_clock_ends_no_race_and_changes_no_time(tmp_path: Path) -> None:
    """The system clock of this store really jumps."""
    with SteppingServer(tmp_path) as stepping:
        async with opened(stepping.url, tmp_path) as store:
            await store.rooms.create(CODE, change(seat=NewSeat(SEAT, TOKEN)))
            v, hour = 1, store.clock.now_ms() + HOUR
            times = [store.clock.now_ms()]
            before = ahead_of_own(store)
            for step in STEPS:
                stepping.step(step)
                # The server reads the system's clock from time to time.
                await until_answer(
                    lambda: ahead_of_true(store),
                    lambda ahead, step=step: abs(ahead - step) < STEP_MS,  # type: ignore[misc]
                )
                times.append(store.clock.now_ms())
                await compared(store)
                times.append(store.clock.now_ms())
                assert await store.rooms.append(CODE, "said") == v + 1
                v += 1
            assert times == sorted(times)
            assert abs(ahead_of_own(store) - before) < STEP_MS
            assert await store.rooms.change(CODE, v, change(deadline=hour)) == v + 1
            assert await store.lists.due(store.clock.now_ms()) == []
            seat = present(await store.seats.take(CODE, SEAT))
            assert seat.generation < hour


async def ahead_of_true(store: Store) -> float:
    """Return how far the store's clock is ahead of the system's, in ms."""
    seconds, micros = await store.client.ask_any_master(pack("TIME"))
    return int(seconds) * 1_000 + int(micros) / 1_000 - 1_000 * time.time()

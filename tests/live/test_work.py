"""Long work in slices, with a clock that the steps advance, and locks by key."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress

import pytest

from server.live.work import SLICE_S, KeyedLocks, LongWork

STEPS_OF_A_SLICE = 4
STEP_S = SLICE_S / STEPS_OF_A_SLICE


class ManualClock:
    """A clock that only work advances, and a sleep that only notes its length."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.sleep(0)

    def work(self, name: str, steps: int, done: list[str]) -> Iterator[None]:
        """Yield after each step, which takes a quarter of a slice."""
        for _ in range(steps):
            self.now += STEP_S
            done.append(name)
            yield


async def counted(turns: list[str], name: str) -> None:
    """Note each turn of the event loop."""
    while True:
        turns.append(name)
        await asyncio.sleep(0)


async def test_jobs_take_turns_and_the_event_loop_runs_between_them() -> None:
    """There is one slice per turn even with many jobs: ten slices would be a long stall."""
    clock, done = ManualClock(), list[str]()
    long_work = LongWork(clock)
    loop = asyncio.create_task(counted(done, "|"))
    jobs = {"a": 12, "b": 8, "c": 1}
    spent = await asyncio.gather(
        *(long_work.run(clock.work(name, steps, done)) for name, steps in jobs.items())
    )
    loop.cancel()
    parts = [one for one in "".join(done).split("|") if one]
    assert parts == ["aaaa", "bbbb", "c", "aaaa", "bbbb", "aaaa"]
    assert spent == [pytest.approx(steps * STEP_S) for steps in jobs.values()]


async def test_background_work_rests_as_long_as_it_works() -> None:
    clock, done = ManualClock(), list[str]()
    long_work = LongWork(clock, clock.sleep)
    both = (long_work.in_background(clock.work(name, 10, done)) for name in "ab")
    spent = await asyncio.gather(*both)
    assert spent == [pytest.approx(10 * STEP_S)] * 2
    assert sum(clock.slept) == pytest.approx(sum(spent))


async def test_background_work_sleeps_without_blocking_other_work() -> None:
    clock, done = ManualClock(), list[str]()
    resting = asyncio.Event()

    async def sleep(_seconds: float) -> None:
        resting.set()
        await asyncio.Event().wait()

    long_work = LongWork(clock, sleep)
    slow = asyncio.create_task(long_work.in_background(clock.work("a", 10, done)))
    await resting.wait()
    await long_work.run(clock.work("b", 10, done))
    assert done.count("a") == 4
    slow.cancel()


async def test_errors_of_a_step_are_raised_and_other_jobs_go_on() -> None:
    clock, done = ManualClock(), list[str]()
    long_work = LongWork(clock)

    def broken() -> Iterator[None]:
        yield
        raise ValueError("broken")

    with pytest.raises(ValueError, match=r"^broken$"):
        await long_work.run(broken())
    await long_work.run(clock.work("b", 5, done))
    assert len(done) == 5


async def test_callers_get_the_lock_of_a_room_in_the_order_of_their_requests() -> None:
    """Regression: a patient call timed out and replayed a log beside the one before it."""
    turns = KeyedLocks(patience_s=None)
    order: list[str] = []
    go_on = asyncio.Event()

    async def take(code: str, name: str) -> None:
        async with turns.of(code):
            order.append(name)
            await go_on.wait()

    async with asyncio.TaskGroup() as tasks:
        for name in ("a1", "a2", "b1", "a3"):
            tasks.create_task(take(name[0], name))
        await asyncio.sleep(100)
        assert order == ["a1", "b1"]
        go_on.set()
    assert (order, len(turns._locks)) == (["a1", "b1", "a2", "a3"], 0)


async def test_a_cancelled_or_failed_change_releases_the_lock() -> None:
    turns = KeyedLocks()

    async def take() -> None:
        async with turns.of("a"):
            await asyncio.Event().wait()

    tasks = [asyncio.create_task(take()) for _ in range(3)]
    await asyncio.sleep(0)
    for task in reversed(tasks):  # first the waiting tasks, then the holder
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    with pytest.raises(ZeroDivisionError):
        async with turns.of("a"):
            raise ZeroDivisionError
    async with turns.of("a"):
        assert len(turns._locks) == 1
    assert len(turns._locks) == 0


async def test_a_change_that_has_waited_too_long_goes_on_without_the_lock() -> None:
    turns, now = KeyedLocks(patience_s=5), asyncio.get_running_loop().time
    async with turns.of("a"), turns.of("a"), turns.of("a"):
        assert (len(turns._locks), now()) == (1, 10)
    assert len(turns._locks) == 0


async def test_a_turn_that_is_cancelled_just_as_it_begins_is_passed_on() -> None:
    turns, go, order = KeyedLocks(), asyncio.Event(), list[str]()

    async def take(name: str) -> None:
        async with turns.of("a"):
            order.append(name)
            await go.wait()

    first, second, third = (asyncio.create_task(take(name)) for name in ("1", "2", "3"))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)  # the second has the lock now, but does not run yet
    second.cancel()
    go.set()
    await asyncio.wait((first, second, third))
    assert (order, len(turns._locks)) == (["1", "3"], 0)

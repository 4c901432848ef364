import asyncio
from contextlib import suppress

import pytest

from server.live.work import KeyedLocks


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
    assert (order, len(turns)) == (["a1", "b1", "a2", "a3"], 0)


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
        assert len(turns) == 1
    assert len(turns) == 0


async def test_a_change_that_has_waited_too_long_goes_on_without_the_lock() -> None:
    turns, now = KeyedLocks(patience_s=5), asyncio.get_running_loop().time
    async with turns.of("a"), turns.of("a"), turns.of("a"):
        assert (len(turns), now()) == (1, 10)
    assert len(turns) == 0


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
    assert (order, len(turns)) == (["1", "3"], 0)

import asyncio
from contextlib import suppress

import pytest

from protocol.settings import Settings
from server.live.keyed_locks import KeyedLocks
from server.live.repository import Repository
from server.store import RoomChange, StoredRoom
from tests.live.memory import MemoryRooms, MemoryStore
from tests.rooms.rooms import joins


class BusyRooms(MemoryRooms):
    """Rooms that take their time, and take a change only of the latest version."""

    lost = 0

    async def read(self, code: str) -> StoredRoom | None:
        found = await super().read(code)
        await asyncio.sleep(0)
        return found

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        if v != (self[code].v if code in self else 0):
            self.lost += 1
            return None
        return await super().change(code, v, change)


async def test_a_hundred_changes_at_once_are_tried_one_after_another() -> None:
    """Each change was tried again by all others: the last were closed before it was their turn."""
    store = MemoryStore()
    store.rooms = rooms = BusyRooms(store)
    repository = Repository(store)
    latest = await repository.open("Ada", Settings(), "hash")
    names = [f"Player {number}" for number in range(99)]
    await asyncio.gather(*(repository.apply(latest.room.code, joins(name)) for name in names))
    room = (await repository.read(latest.room.code)).room
    assert [seat.name for seat in room.seats] == ["Ada", *names]
    assert rooms.lost == 0


async def test_turns_are_taken_in_the_order_of_asking_room_by_room() -> None:
    turns = KeyedLocks()
    read_v: list[str] = []
    go_on = asyncio.Event()

    async def take(code: str, name: str) -> None:
        async with turns.of(code):
            read_v.append(name)
            await go_on.wait()

    async with asyncio.TaskGroup() as tasks:
        for name in ("a1", "a2", "b1", "a3"):
            tasks.create_task(take(name[0], name))
        while len(read_v) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert read_v == ["a1", "b1"]
        go_on.set()
    assert read_v == ["a1", "b1", "a2", "a3"]
    assert len(turns) == 0


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
    async with asyncio.timeout(10), turns.of("a"):
        assert len(turns) == 1
    assert len(turns) == 0


async def test_a_change_that_has_waited_for_long_goes_on_without_the_lock() -> None:
    turns = KeyedLocks(patience_s=0.01)
    async with asyncio.timeout(10), turns.of("a"), turns.of("a"), turns.of("a"):
        assert len(turns) == 1
    assert len(turns) == 0


async def test_the_patient_wait_for_a_turn_however_long() -> None:
    """Regression: a call that timed out replayed the long log beside the one in progress."""
    turns, go, order = KeyedLocks(patience_s=0, patient=True), asyncio.Event(), list[str]()

    async def first() -> None:
        async with turns.of("A"):
            await go.wait()
            order.append("first")

    async def second() -> None:
        async with turns.of("A"):
            order.append("second")

    both = [asyncio.create_task(first()), asyncio.create_task(second())]
    for _ in range(20):
        await asyncio.sleep(0.001)
    go.set()
    await asyncio.gather(*both)
    assert (order, len(turns)) == (["first", "second"], 0)


async def test_a_turn_that_is_cancelled_just_as_it_begins_is_passed_on() -> None:
    turns, go, order = KeyedLocks(), asyncio.Event(), list[str]()

    async def take(name: str) -> None:
        async with turns.of("a"):
            order.append(name)
            await go.wait()

    first, second, third = (asyncio.create_task(take(name)) for name in ("1", "2", "3"))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)  # the second has the lock now, and does not run yet
    second.cancel()
    go.set()
    await asyncio.wait((first, second, third), timeout=10)
    assert (order, len(turns)) == (["1", "3"], 0)

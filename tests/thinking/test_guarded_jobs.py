"""Jobs for rooms: each is done once among all processes, and few wait for one address."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import structlog

from server.store import StoreAway
from server.thinking import guarded_jobs
from server.thinking.guarded_jobs import GUARDED_S, RENEW_S, GuardedJobs
from tests.world.store import Connection, MemoryStore

NETWORK = {"one": 1}


class Works:
    """The jobs of two processes; each takes an hour unless it fails."""

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        self.store = MemoryStore()
        self.done: list[str] = []
        self.stopped: list[str] = []
        self.here, self.there = self.store.connect(), self.store.connect()
        self.works = {each: GuardedJobs(each.guards, tasks, 2) for each in (self.here, self.there)}

    async def begin(
        self, name: str, at: Connection | None = None, *, may: bool = True, **networks: int
    ) -> bool:
        async def do() -> None:
            try:
                await asyncio.sleep(3_600)
            except asyncio.CancelledError:
                self.stopped.append(name)
                raise
            self.done.append(name)

        works = self.works[at or self.here]
        begun = await works.start(name, networks or NETWORK, do, lambda: may)
        await asyncio.sleep(0.001)
        return begun

    async def fail(self, error: Exception) -> None:
        async def do() -> None:
            raise error

        assert await self.works[self.here].start("bad", {}, do)
        await asyncio.sleep(0.1)


@pytest.fixture
async def works(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Works]:
    monkeypatch.setattr(guarded_jobs, "MAX_JOBS", 3)
    async with asyncio.TaskGroup() as tasks:
        works = Works(tasks)
        yield works
        for each in works.works.values():
            for name in "abcd":
                each.stop(name)


async def test_a_job_is_done_once_by_one_process(works: Works) -> None:
    assert await works.begin("a")
    assert await works.begin("a")
    await asyncio.sleep(2 * GUARDED_S)  # the guard is renewed
    assert await works.begin("a", works.there)
    await asyncio.sleep(3_600)
    assert works.done == ["a"]
    assert works.store.guards == {}
    assert await works.begin("a", works.there)
    assert works.store.guards.keys() == {"a"}


async def test_the_job_of_a_dead_process_starts_again_with_the_next_request(works: Works) -> None:
    assert await works.begin("a")
    works.here.faults.away = True
    await asyncio.sleep(GUARDED_S / 2)
    assert await works.begin("a", works.there)
    assert works.done == works.stopped == []
    await asyncio.sleep(GUARDED_S)
    assert await works.begin("a", works.there)
    works.here.faults.away = False
    await asyncio.sleep(RENEW_S + 1)
    assert works.stopped == ["a"]  # the first process notices that another one has the guard
    await asyncio.sleep(3_600)
    assert works.done == ["a"]


async def test_few_jobs_of_an_address_and_of_all_wait(works: Works) -> None:
    assert [await works.begin(name) for name in "abc"] == [True, True, False]
    assert await works.begin("c", another=1)
    assert not await works.begin("d", third=1)
    assert works.store.guards.keys() == set("abc")
    works.works[works.here].stop("a")
    await asyncio.sleep(0.1)
    assert await works.begin("d", one=1)


async def test_the_networks_around_an_address_have_larger_shares(works: Works) -> None:
    assert [await works.begin(name, one=2) for name in "abc"] == [True] * 3


async def test_a_job_that_may_not_start_leaves_no_guard(works: Works) -> None:
    assert not await works.begin("a", may=False)
    assert works.store.guards == {}
    works.here.faults.failing["guards.claim"] = StoreAway()
    with pytest.raises(StoreAway):
        await works.begin("a")


async def test_a_job_that_fails_is_logged_and_may_start_again(works: Works) -> None:
    for error, events in ((StoreAway(), []), (ValueError(), ["a room's work has failed"])):
        with structlog.testing.capture_logs() as logged:
            await works.fail(error)
        assert [entry["event"] for entry in logged] == events
        assert works.store.guards == {}

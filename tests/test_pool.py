"""The computing process: the order of calls, and what happens to a call when it dies."""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.vocabulary import SEED_BYTES
from server.solver.deal_kinds import DEAL_KINDS, find_win
from server.thinking import pool as module
from server.thinking.pool import (
    HAS_PRIORITIES,
    LOW_NICENESS,
    MAX_MEMORY,
    NICENESS,
    GivenUp,
    Pool,
    Urgency,
)
from tests.faults.processes import serving
from tests.players import Player
from tests.servers import is_running
from tests.waiting import until

ShouldStop = Callable[[], bool]


@asynccontextmanager
async def kept() -> AsyncIterator[Pool]:
    pool = Pool()
    keeping = asyncio.create_task(pool.keep())
    try:
        yield pool
        assert not keeping.done()
    finally:
        keeping.cancel()
        await asyncio.wait([keeping])


# Functions for the process.


def count(most: int, should_stop: ShouldStop) -> int:
    """Search for some milliseconds; return how often `should_stop` was called."""
    asked, until_s = 0, time.monotonic() + most / 1_000
    while time.monotonic() < until_s and not should_stop():
        asked += 1
    return asked


def wait_for(path: str, should_stop: ShouldStop) -> bool:
    """Search until a file exists."""
    while not Path(path).exists() and not should_stop():
        pass
    return Path(path).exists()


def wait_for_stop(path: str, should_stop: ShouldStop) -> None:
    """Search endlessly; note the end in a file."""
    while not should_stop():
        time.sleep(0.001)
    Path(path).write_text("stopped")


def take_slices(slices: int, should_stop: ShouldStop) -> None:
    """Search for this number of slices."""
    for _ in range(slices):
        time.sleep(module.SLICE_S)
        should_stop()


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(should_stop: ShouldStop) -> None:
    raise ZeroDivisionError(should_stop())


def facts() -> tuple[int, tuple[int, int]]:
    import resource  # noqa: PLC0415  # not on Windows

    return os.nice(0), resource.getrlimit(resource.RLIMIT_DATA)


def priority(should_stop: ShouldStop) -> int:
    assert not should_stop()
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


async def test_a_choice_does_not_wait_for_the_end_of_a_search(tmp_path: Path) -> None:
    async with kept() as pool:
        end = tmp_path / "end"
        searches = [
            asyncio.create_task(pool.search(wait_for, str(end), urgency=urgency))
            for urgency in (Urgency.REVIEW, Urgency.REVIEW, Urgency.LABEL, Urgency.DEAL)
        ]
        for _ in range(5):
            assert await pool.run(os.getpid) == pool.pid
        assert not any(search.done() for search in searches)
        end.touch()
        assert await asyncio.gather(*searches) == [True] * 4


async def test_the_process_leaves_the_processors_and_the_memory_to_others() -> None:
    async with kept() as pool:
        niceness, patient = (os.nice(0) + each for each in (NICENESS, LOW_NICENESS))
        assert await pool.run(facts) == (niceness, (MAX_MEMORY, MAX_MEMORY))
        found = [await pool.search(priority, urgency=each) for each in Urgency]
        lower = [patient if HAS_PRIORITIES else niceness] * 3
        assert found == [lower[0], niceness, *lower]


async def test_the_process_starts_when_it_is_needed_and_ends_after_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("server.thinking.pool.IDLE_S", 0.2)
    async with kept() as pool:
        assert pool.pid is None
        first = await pool.run(os.getpid)
        await until(lambda: not is_running(first))
        assert pool.pid is None
        assert await pool.run(os.getpid) != first
        last = pool.pid
    assert last is not None
    assert not is_running(last)
    with pytest.raises(asyncio.CancelledError):
        await pool.run(os.getpid)


async def test_the_process_finds_a_deal_without_importing_messages_and_rooms() -> None:
    """Their imports took most of its start, on a busy machine more than a second."""
    async with kept() as pool:
        name = next(iter(DEAL_KINDS))
        await pool.search(find_win, name, bytes(SEED_BYTES), 0, urgency=Urgency.AWAITED_DEAL)
        loaded = await pool.run(eval, "[*__import__('sys').modules]")
    assert {"pydantic", "redis", "websockets"}.isdisjoint(loaded)


async def test_a_search_that_nobody_waits_for_is_stopped(tmp_path: Path) -> None:
    async with kept() as pool:
        note = tmp_path / "stopped"
        search = asyncio.create_task(pool.search(wait_for_stop, str(note), urgency=Urgency.LABEL))
        await pool.run(os.getpid)
        search.cancel()
        await pool.search(count, 1, urgency=Urgency.REVIEW)
        await until(note.exists)


@pytest.mark.parametrize("is_ending", [False, True])
async def test_a_process_that_hangs_while_it_starts_is_ended(
    monkeypatch: pytest.MonkeyPatch, *, is_ending: bool
) -> None:
    """Regression: nobody could end it, so all calls and the server's end waited for it."""
    monkeypatch.setattr(module, "prepare", signal.pause)
    monkeypatch.setattr(module, "MAX_TRIES", 1)
    monkeypatch.setattr(module, "STARTS_S", 600 if is_ending else 0.2)
    async with kept() as pool:
        call = asyncio.create_task(pool.run(os.getpid))
        if is_ending:
            await until(multiprocessing.active_children)
        else:
            with pytest.raises(GivenUp):
                await call
            assert not multiprocessing.active_children()
            monkeypatch.undo()
            assert await pool.run(os.getpid) == pool.pid
    assert not multiprocessing.active_children()
    assert call.done()


async def test_searches_start_again_after_a_death_and_only_the_deadly_one_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_TRIES", 2)
    async with kept() as pool:
        before = await pool.run(os.getpid)
        other = asyncio.create_task(pool.search(count, 500, urgency=Urgency.LABEL))
        for call in (pool.run(die), pool.search(die, urgency=Urgency.REVIEW)):
            with pytest.raises(GivenUp):
                await call
        assert await other
        assert await pool.run(os.getpid) != before
        pid = pool.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)  # while it is idle
        assert await pool.run(os.getpid) != pid


async def test_an_error_fails_only_its_call() -> None:
    async with kept() as pool:
        with pytest.raises(ZeroDivisionError):
            await pool.search(fail, urgency=Urgency.LABEL)
        assert await pool.search(count, 1, urgency=Urgency.LABEL) >= 0


async def test_a_process_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async with kept() as pool:
        await pool.run(os.getpid)
        monkeypatch.setattr(module, "HANGS_S", 0.2)
        with pytest.raises(GivenUp):
            await pool.run(time.sleep, 60)
        monkeypatch.setattr(module, "HANGS_S", 60.0)
        assert await pool.run(os.getpid) == pool.pid
        monkeypatch.setattr(module, "STOP_S", 0.2)
        hanging = asyncio.create_task(pool.run(time.sleep, 60))
        await asyncio.sleep(0.1)
    assert hanging.done(), "a server that ends does not wait for it"


async def test_calls_that_have_waited_long_come_first() -> None:
    """An endless stream of rooms that wait for deals does not delay a review for ever."""
    async with kept() as pool:
        await pool.run(os.getpid)
        review = asyncio.create_task(pool.search(count, 100, urgency=Urgency.REVIEW))
        while not review.done():
            deals = (pool.search(count, 20, urgency=Urgency.AWAITED_DEAL) for _ in range(3))
            await asyncio.gather(*deals)


@pytest.mark.parametrize(
    ("urgent", "patient"), [(Urgency.LABEL, Urgency.REVIEW), (Urgency.AWAITED_DEAL, Urgency.DEAL)]
)
async def test_a_patient_search_gets_one_tenth(urgent: Urgency, patient: Urgency) -> None:
    """Regression: it got a fortieth, so reviews stayed open while labels were searched."""
    async with kept() as pool:
        await pool.run(os.getpid)
        ahead = asyncio.create_task(pool.search(take_slices, 40, urgency=urgent))
        await pool.search(take_slices, 4, urgency=patient)
        assert not ahead.done()
        await ahead


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_the_process_ends_with_a_killed_server(embedded_url: str, tmp_path: Path) -> None:
    options = ("--redis-url", embedded_url, "--thinkers", "1")
    async with serving(tmp_path / "log", *options, exit_code=-signal.SIGKILL) as server:
        await Player.create(server.port, "Ada", game="spider-1", winnable=True)
        (started,) = await server.logged("process started")
        server.running.kill()
        await until(lambda: not is_running(started["pid"]))

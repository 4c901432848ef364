import gzip
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

import pytest
from coverage import Coverage
from hypothesis import settings

from server.store import Store
from tests.servers import PATIENT_TIMEOUT_MS, Cluster, opened, processes_in, start_embedded

# Failed comparisons of a page's text are shown in full.
pytest.register_assert_rewrite("tests.e2e.pages")

# Servers of tests have no processes beside them, but in the tests of these.
os.environ.setdefault("SPIDER_RACE_BOTS", "0")
os.environ.setdefault("SPIDER_RACE_THINKERS", "0")

settings.register_profile("patient", deadline=None)  # no test depends on the machine's speed
settings.load_profile("patient")


END_S = 5.0
WHOLE = {"faults", "security", "server"}
"""Folders whose tests drive whole servers. A line is covered if the tests of its part run it."""


@pytest.hookimpl(trylast=True)  # after they have been shuffled
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests that may take longest, so that none of them is left to one worker.

    xdist gives each of its workers as many tests, one after the other. Two of five workers begin
    with the tests that wait for real processes, while the others keep the processors busy. Quick
    tests of one file stay together: what they share is made once, and while some wait, others
    compute.
    """
    items.sort(key=_patience, reverse=True)
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if workers == 1:
        return
    waiting = [item for item in items if item.get_closest_marker("faults")]
    busy = [item for item in items if not item.get_closest_marker("faults")]
    waiters = max(1, 2 * workers // 5) if waiting else 0
    shares = [waiting[waiter::waiters] for waiter in range(waiters)]
    for share in shares:
        missing = max(0, len(items) // workers - len(share))
        first = max(0, len(busy) - missing)
        share.extend(busy[first:])
        del busy[first:]
    long = [item for item in busy if _patience(item)]
    quick = busy[len(long) :]
    rest = workers - waiters
    ends = [len(quick) * worker // rest for worker in range(rest + 1)]
    shares += [
        long[worker::rest] + quick[ends[worker] : ends[worker + 1]] for worker in range(rest)
    ]
    items[:] = [item for share in shares for item in share]


def _patience(item: pytest.Item) -> float:
    """Return the seconds that a test may take, if it says so; whole servers wait for a while."""
    own = item.get_closest_marker("timeout")
    if own is not None:
        return float(own.args[0])
    return 1.0 if item.path.parent.name in WHOLE else 0.0


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Measure in the first worker only what imports execute: it is the same in all of them."""
    worker = getattr(session.config, "workerinput", {"workerid": "gw0"})["workerid"]
    with _unmeasured(paused=worker != "gw0"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Measure no coverage of whole servers, nor of searches and property tests: chance leads them.

    pytest-cov's `no_cover` does not suffice: a worker of xdist has two measurements, pytest-cov's
    and the one that every subprocess starts, and while the first is paused the second goes on.
    """
    marked = item.get_closest_marker("hypothesis") or item.get_closest_marker("unmeasured")
    paused = marked is not None or item.path.parent.name in WHOLE
    try:
        with _unmeasured(paused=paused):
            return (yield)
    finally:
        if paused:  # a measured test must compute for itself what is kept
            for kept in _caches():
                kept.cache_clear()


@cache
def _caches() -> list[Any]:
    """Return the functions of the pure parts, all of which must be covered, that keep results."""
    return [
        kept
        for name, module in sys.modules.items()
        if name.startswith(("protocol.", "server.games.", "server.rooms.", "server.views."))
        for kept in vars(module).values()
        if hasattr(kept, "cache_clear")
    ]


@contextmanager
def _unmeasured(*, paused: bool) -> Iterator[None]:
    """Pause all measurements of this process, and start none in its subprocesses."""
    if not paused:
        yield
        return
    running: list[Coverage] = []
    while (measurement := Coverage.current()) is not None:
        measurement.stop()
        running.append(measurement)
    subprocesses = os.environ.pop("COVERAGE_PROCESS_CONFIG", None)
    try:
        yield
    finally:
        if subprocesses is not None:
            os.environ["COVERAGE_PROCESS_CONFIG"] = subprocesses
        for measurement in reversed(running):
            measurement.start()


@pytest.fixture(scope="session", autouse=True)
def no_store_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail after the last test if a store still runs; its directory is named after its test."""
    yield
    give_up = time.monotonic() + END_S
    while (left := processes_in(tmp_path_factory.getbasetemp())) and time.monotonic() < give_up:
        time.sleep(0.05)  # one that was killed ends in a moment
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"stores that were not stopped: {', '.join(left.values())}"


@pytest.fixture(scope="session", autouse=True)
def compressed_once() -> Iterator[None]:
    """Compress the client's files for the first server of this process only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip, "compress", lru_cache(512)(gzip.compress))
        yield


@pytest.fixture(scope="session")
def embedded_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Valkey of this test process, as the embedded store runs it."""
    with start_embedded(tmp_path_factory.mktemp("valkey")) as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of three masters and their replicas; a test that breaks it repairs it."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), PATIENT_TIMEOUT_MS)
    yield cluster
    cluster.stop()


@pytest.fixture
async def store(
    embedded_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Store]:
    """An empty store."""
    async with opened(embedded_url, tmp_path_factory.getbasetemp()) as store:
        await store.client.pipelines[0].call("FLUSHALL")
        yield store

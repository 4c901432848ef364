import gzip
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache

import pytest
from coverage import Coverage
from hypothesis import settings

from server.store import Store
from tests.servers import Cluster, open_at_once, start_embedded

# Failed comparisons of a page's text are shown in full.
pytest.register_assert_rewrite("tests.e2e.pages")

settings.register_profile("patient", deadline=None)  # no test depends on the machine's speed
settings.load_profile("patient")


@pytest.hookimpl(trylast=True)  # after they have been shuffled
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the tests that may take longest, so that none of them is left to one worker.

    xdist gives each of its workers as many tests, one after the other. The first worker gets the
    tests that wait for real processes, while the others keep the processors busy.
    """
    items.sort(key=_patience, reverse=True)
    workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    waiting = [item for item in items if item.get_closest_marker("faults")]
    others = [item for item in items if not item.get_closest_marker("faults")]
    if waiting and workers > 1:
        workers -= 1
        short = max(0, len(items) // (workers + 1) - len(waiting))
        others, last = others[: len(others) - short], others[len(others) - short :]
        waiting += last
    items[:] = waiting + [item for start in range(workers) for item in others[start::workers]]


def _patience(item: pytest.Item) -> float:
    own = item.get_closest_marker("timeout")
    return float(own.args[0]) if own is not None else 0.0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Measure no coverage of searches and property tests, whose paths are random.

    pytest-cov's `no_cover` does not suffice: a worker of xdist has two measurements, pytest-cov's
    and the one that every subprocess starts, and while the first is paused the second goes on.
    """
    paused: list[Coverage] = []
    if item.get_closest_marker("hypothesis") or item.get_closest_marker("unmeasured"):
        while (running := Coverage.current()) is not None:
            running.stop()
            paused.append(running)
    try:
        yield
    finally:
        for measurement in reversed(paused):
            measurement.start()


@pytest.fixture(scope="session", autouse=True)
def compressed_once() -> Iterator[None]:
    """Compress the client's files for the first server of this process only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip, "compress", lru_cache(512)(gzip.compress))
        yield


@pytest.fixture(scope="session")
def embedded_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Valkey of this test process, as the embedded store runs it."""
    server = start_embedded(tmp_path_factory.mktemp("valkey"))
    yield server.url
    server.stop()


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of three masters and their replicas; a test that breaks it repairs it."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture
async def store(
    embedded_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Store]:
    """An empty store."""
    store = await open_at_once(embedded_url, tmp_path_factory.getbasetemp())
    await store._client.pipelines[0].call("FLUSHALL")
    yield store
    await store.close()

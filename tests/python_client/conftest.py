"""Programs at a server in memory, in a loop whose time passes only while nobody has to act."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from spider_race_client import Client, connect

from server.app import Tuning
from server.live.days import DAY_MS, day_of, end_ms_of
from server.rooms.days import DayDeal
from server.rooms.events import RoomTimings
from server.sessions.limits import Rate, SessionLimits
from server.store import Store
from tests.games.wins import SEED, winnable
from tests.players import running
from tests.python_client.lines import Line, Network
from tests.python_client.races import Sockets
from tests.servers import AT_ONCE
from tests.world.world import Choices, JumpingLoop, World, opened

REAL = {
    "test_days.py",
    "test_encrypted_connections.py",
    "test_packaging.py",
    "test_readme.py",
    "test_real_servers.py",
}
"""Tests with real connections, in real time."""
FAR, NEAR = "http://far.example", "http://near.example"
CHOICES = Choices(
    # Some limits count by the real clock, which hardly moves in such a test.
    limits=SessionLimits(commands=Rate(10_000, 1_000), returns=Rate(10_000, 1_000)),
    draw_entropy=winnable,
    has_sweeps=True,
)
SOON = Tuning(rooms=RoomTimings(countdown_ms=10), store=AT_ONCE, draw_entropy=winnable)
Networks = dict[str, Network]
"""The networks in memory, by their servers' addresses."""


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    del config
    is_real = item.path.name in REAL
    return {"real": asyncio.new_event_loop} if is_real else {"jumping": JumpingLoop}


@pytest.fixture
async def url(embedded_url: str, store: object, tmp_path: Path) -> AsyncIterator[str]:
    """The address of a server whose countdown is short, on a clean store."""
    assert store is not None
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path) as listener:
        yield f"http://127.0.0.1:{listener.port}"


@pytest.fixture
async def real_client(url: str) -> AsyncIterator[Client]:
    """A client of that server."""
    async with connect(url) as client:
        yield client


@pytest.fixture
async def today(store: Store) -> str:
    """Return the server's day; its race with one suit has a deal."""
    day = day_of(store.clock.now_ms())
    text = DayDeal(seed=SEED.hex(), salt=bytes(16).hex(), line="").model_dump_json()
    await store.days.choose(day, "spider-1", text, end_ms_of(day) + DAY_MS)
    return day


@pytest.fixture
async def networks(monkeypatch: pytest.MonkeyPatch) -> Networks:
    """No networks yet; programs open their connections in those that a test adds."""
    networks: Networks = {}

    def open_line(url: str, **options: Any) -> AbstractAsyncContextManager[Line]:
        network = networks[f"http://{urlsplit(url).hostname}"]
        return network.open(options["open_timeout"])

    time, looks = asyncio.get_running_loop().time, count()
    # It always advances, so that waiting for part of a token ends.
    clock = SimpleNamespace(monotonic=lambda: time() + next(looks) * 1e-9)
    # There are no HTTP requests, so the files of the page need not be read.
    monkeypatch.setattr("tests.world.world.Routes", lambda *_: None)
    monkeypatch.setattr("spider_race_client.connection.connect", open_line)
    for module in ("calls", "connection"):
        monkeypatch.setattr(f"spider_race_client.{module}.time", clock)
    monkeypatch.setattr("spider_race_client.connection.random.uniform", lambda _least, most: most)
    return networks


@dataclass
class Stage:
    """A server with two clients: the connections of the `far` one can be broken."""

    world: World
    between: Network
    far: Client
    near: Client
    sockets: Sockets
    """The connections of the client that is near."""


@asynccontextmanager
async def a_stage(networks: Networks) -> AsyncIterator[Stage]:
    async with opened(chosen=CHOICES) as world:
        sockets = Sockets()
        networks[NEAR], networks[FAR] = Network(world.services), Network(world.services)
        async with connect(NEAR, observer=sockets) as near, connect(FAR) as far:
            yield Stage(world, networks[FAR], far, near, sockets)


@pytest.fixture
async def stage(networks: Networks) -> AsyncIterator[Stage]:
    async with a_stage(networks) as stage:
        yield stage


@pytest.fixture
def client(stage: Stage) -> Client:
    """A client whose connection is not broken."""
    return stage.near


@pytest.fixture
def sockets(stage: Stage) -> Sockets:
    """The connections of that client."""
    return stage.sockets


@pytest.fixture
def far(stage: Stage) -> Client:
    """A client that reaches the server through `between`."""
    return stage.far


@pytest.fixture
def between(stage: Stage) -> Network:
    return stage.between

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from spider_race_client import Client, connect

from server.app import Tuning
from server.http.listener import Listener
from server.rooms.timings import RoomTimings
from tests.games.wins import winnable
from tests.players import running
from tests.python_client.races import QUICK, Between, Sockets, at
from tests.servers import AT_ONCE

BEHIND_A_PROXY = {"trusted_proxies": "127.0.0.1"}
SOON = Tuning(rooms=RoomTimings(countdown_ms=10), store=AT_ONCE, draw_entropy=winnable)


@pytest.fixture
async def listener(embedded_url: str, store: object, tmp_path: Path) -> AsyncIterator[Listener]:
    """A server whose countdown is short, on a clean store."""
    assert store is not None
    async with running(
        SOON, redis_url=embedded_url, data_dir=tmp_path, **BEHIND_A_PROXY
    ) as listener:
        yield listener


@pytest.fixture
def sockets() -> Sockets:
    return Sockets()


@pytest.fixture
async def client(listener: Listener, sockets: Sockets) -> AsyncIterator[Client]:
    """A client of the server, with its sockets."""
    address = f"http://127.0.0.1:{listener.port}"
    async with connect(address, observer=sockets, **QUICK) as client:
        yield client


@pytest.fixture
def between(listener: Listener) -> Between:
    """What lies between a program and the server."""
    return Between(listener.port)


@pytest.fixture
async def far(between: Between) -> AsyncIterator[Client]:
    """A client that reaches the server through `between`."""
    async with at(between.handle, **QUICK) as client:
        yield client

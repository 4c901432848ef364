from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from spider_race_client import Client, connect

from server.app import Tuning
from server.http.listener import Listener
from server.rooms.timings import RoomTimings
from server.store import Store
from tests.players import running
from tests.servers import AT_ONCE

SOON = Tuning(rooms=RoomTimings(countdown_ms=10, grace_ms=100), store=AT_ONCE)


@pytest.fixture
async def listener(embedded_url: str, store: Store, tmp_path: Path) -> AsyncIterator[Listener]:
    """A server that takes computer players, on a clean store."""
    assert store is not None
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path, bots=4) as listener:
        yield listener


@pytest.fixture
def address(listener: Listener) -> str:
    return f"http://127.0.0.1:{listener.port}"


@pytest.fixture
async def client(address: str) -> AsyncIterator[Client]:
    async with connect(address) as client:
        yield client

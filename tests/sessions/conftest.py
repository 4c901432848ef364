"""Sessions in a loop whose time passes only while nobody has to act."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from tests.sessions.clients import FEW, Processes
from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    del config, item
    return {"jumping": JumpingLoop}


@pytest.fixture(autouse=True)
def no_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read no files of the page: nothing is requested over HTTP."""
    monkeypatch.setattr("tests.world.world.Routes", lambda *_: None)


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    async with Processes.opened(FEW) as processes:
        yield processes

"""Let time jump in these tests."""

from collections.abc import AsyncIterator

import pytest

from tests.sessions.clients import FEW, Site
from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    return {"jumping": JumpingLoop}


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site.opened(FEW) as site:
        yield site

"""Sessions in a loop whose time passes only while nobody has to act."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from tests.sessions.clients import FEW, Site
from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config,  # noqa: ARG001  # the name of the hook's argument
    item: pytest.Item,  # noqa: ARG001
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"jumping": JumpingLoop}


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site.opened(FEW) as site:
        yield site

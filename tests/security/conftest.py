import contextlib
from collections.abc import AsyncIterator

import pytest

from tests.security.raw import OPEN
from tests.server.conftest import listener, serving

__all__ = ["listener", "serving"]


@pytest.fixture(autouse=True)
async def hang_up() -> AsyncIterator[None]:
    """Close the sockets that a test has left open."""
    yield
    while OPEN:
        writer = OPEN.pop()
        writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

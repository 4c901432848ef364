import asyncio
from collections.abc import Callable, Mapping

import pytest

from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories(
    config: pytest.Config,  # noqa: ARG001  # the name of the hook's argument
    item: pytest.Item,  # noqa: ARG001
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Let time jump in these tests: to wait for seconds is certain, and costs nothing."""
    return {"jumping": JumpingLoop}

"""Computer players at a server in memory, in a loop whose time passes only while nobody acts."""

from tests.python_client.conftest import networks, stage
from tests.world.world import JumpingLoop

__all__ = ["networks", "stage"]


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    return {"jumping": JumpingLoop}

from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    """Let time jump in these tests."""
    return {"jumping": JumpingLoop}

from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    """Let time jump in these tests, so that waiting for seconds is exact and costs nothing."""
    return {"jumping": JumpingLoop}

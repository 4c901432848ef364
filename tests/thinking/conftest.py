from tests.world.world import JumpingLoop


class WorkingLoop(JumpingLoop):
    """A loop on which a search takes a moment, while the processes beside it go on."""

    work_s = 0.01


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    """Let time jump in these tests; searches run in the loop's own thread."""
    return {"working": WorkingLoop}

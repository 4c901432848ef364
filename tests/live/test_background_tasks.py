import asyncio
import inspect

from structlog.testing import capture_logs

from tests.live.hubs import hub_over
from tests.live.memory import MemoryStore
from tests.waiting import until


async def test_errors_of_a_task_are_logged_and_the_hub_goes_on() -> None:
    async def fail() -> None:
        raise ValueError("a bug")

    with capture_logs() as logs:
        async with hub_over(MemoryStore()) as hub:
            hub.spawn(fail(), "failing")
            hub.spawn(hub.tick("0000000"), "ticking")
            await until(lambda: len(logs) == 2)
        assert [line["event"] for line in logs] == ["task failed", "put off"]
        hub.spawn(fail(), "too late")  # the group has ended: nothing runs any more


async def test_work_that_is_given_just_before_the_end_is_closed() -> None:
    """Its task was cancelled before it began, and the work was "never awaited"."""

    async def tell() -> None:
        await asyncio.sleep(0)

    work = tell()
    async with hub_over(MemoryStore()) as hub:
        hub.spawn(work, "telling")
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED

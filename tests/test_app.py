"""The start over a store that is late."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from server.app import Stop, Tuning, open_store
from server.config import Config
from server.store import Store, StoreNotReady, StoreUnusable
from tests.world.world import JumpingLoop


class LateStore:
    """A store that answers only after some seconds."""

    def __init__(self, after_s: float, error: StoreUnusable | None = None) -> None:
        self.after_s = after_s
        self.error = error or StoreNotReady("No Redis answers at redis:6379.")
        self.tries = 0
        self.closed = False

    async def open(self, *_: object, **__: object) -> Store:
        self.tries += 1
        if asyncio.get_running_loop().time() < self.after_s:
            raise self.error
        return cast("Store", self)

    async def keep(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        self.closed = True


def start(store: LateStore, data_dir: Path, stop_after_s: float = 1e6, **options: Any) -> float:
    """Open a store in virtual time; return when it was open."""

    async def main() -> float:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        stopping = loop.call_later(stop_after_s, stop.set)
        config = Config(redis_url="redis://redis", data_dir=data_dir, **options)
        async with open_store(config, stop, Tuning(open_store=store.open)):
            stopping.cancel()
            return loop.time()

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main())


def test_a_late_store_is_waited_for_with_a_line_each_ten_seconds(tmp_path: Path) -> None:
    store = LateStore(45)
    with capture_logs() as logs:
        assert 45 <= start(store, tmp_path) <= 46
    assert [line["event"] for line in logs] == ["waiting for the store"] * 5
    assert {line["why"] for line in logs} == {str(store.error)}
    assert store.closed


@pytest.mark.parametrize("wait", [60, 5, 0])
def test_the_wait_ends_with_a_sentence(tmp_path: Path, wait: int) -> None:
    store = LateStore(1e9)
    options: dict[str, int] = {} if wait == 60 else {"store_wait": wait}  # which is the default
    with pytest.raises(StoreUnusable) as ended:
        start(store, tmp_path, **options)
    waited = f"; the server has waited {wait} s for it." if wait else "."
    assert str(ended.value) == f"No Redis answers at redis:6379{waited}"
    assert store.tries == wait + 1


def test_other_errors_are_not_waited_for(tmp_path: Path) -> None:
    store = LateStore(10, StoreUnusable("The Redis refuses the user or password."))
    with pytest.raises(StoreUnusable, match="password"):
        start(store, tmp_path)
    assert store.tries == 1


def test_a_start_that_waits_can_be_stopped(tmp_path: Path) -> None:
    store = LateStore(1e9)
    with pytest.raises(Stop):
        start(store, tmp_path, stop_after_s=7.5)
    assert store.tries == 8

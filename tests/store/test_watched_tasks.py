"""Tasks behind the connections of a store: none of them dies unnoticed."""

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.app import Tuning, serve
from server.config import Config
from server.store import Store
from server.store.pipeline import TaskDied, WatchedTasks
from server.web.listener import Listener
from tests.servers import AT_ONCE


async def die() -> None:
    raise IndexError


async def test_a_task_that_dies_is_logged_and_its_error_raised() -> None:
    tasks = WatchedTasks()
    gone, ended = [tasks.start(asyncio.sleep(s), "ends") for s in (60, 0)]
    gone.cancel()
    await asyncio.wait([gone, ended])
    with capture_logs() as logs:
        tasks.start(die(), "pipeline")
        with pytest.raises(TaskDied, match="pipeline") as caught:
            await tasks.watch()
    assert isinstance(caught.value.__cause__, IndexError)
    assert [(line["task"], line["log_level"]) for line in logs] == [("pipeline", "critical")]


def config(data_dir: Path, url: str | None) -> Config:
    return Config(host="127.0.0.1", port=0, data_dir=data_dir, redis_url=url, bots=0, thinkers=0)


@pytest.mark.parametrize("embedded", [False, True])
async def test_a_server_ends_when_a_task_of_its_store_dies(
    embedded_url: str, tmp_path: Path, *, embedded: bool
) -> None:
    """Its supervisor starts another one."""
    opened: list[Store] = []

    async def open_store(*given: object, **options: object) -> Store:
        opened.append(await Store.open(*given, **options))  # type: ignore[arg-type]  # passed on
        return opened[0]

    def ready(_: Listener) -> None:
        opened[0].topology.tasks.start(die(), "redis pub/sub")

    options = config(tmp_path / "data", None if embedded else embedded_url)
    tuning = Tuning(store=AT_ONCE, open_store=open_store)
    with pytest.raises(TaskDied):
        await serve(options, asyncio.Event(), ready, tuning=tuning)


async def test_a_server_ends_when_another_of_its_tasks_dies(
    embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.app.sweep", lambda *_: die())
    tuning, options = Tuning(store=AT_ONCE), config(tmp_path, embedded_url)
    with capture_logs() as logs, pytest.raises(ExceptionGroup) as caught:
        await serve(options, asyncio.Event(), lambda _: None, tuning=tuning)
    assert caught.group_contains(IndexError)
    critical = [line["event"] for line in logs if line["log_level"] == "critical"]
    assert critical == ["a task has died"]

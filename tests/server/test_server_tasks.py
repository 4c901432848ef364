"""The tasks of a server: none of them dies unnoticed."""

import asyncio
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.app import Tuning, serve
from server.config import Config
from tests.servers import AT_ONCE


async def die() -> None:
    raise IndexError


async def test_a_server_ends_when_one_of_its_tasks_dies(
    embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its supervisor starts another one."""
    monkeypatch.setattr("server.app.sweep", lambda *_: die())
    options = Config(
        host="127.0.0.1", port=0, data_dir=tmp_path, redis_url=embedded_url, bots=0, thinkers=0
    )
    with capture_logs() as logs, pytest.raises(ExceptionGroup) as caught:
        await serve(options, asyncio.Event(), lambda _: None, tuning=Tuning(store=AT_ONCE))
    assert caught.group_contains(IndexError)
    critical = [line["event"] for line in logs if line["log_level"] == "critical"]
    assert critical == ["a task has died"]

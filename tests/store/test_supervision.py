"""The supervision of the embedded store: it is started again, until its owner gives up."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.store import STORE_TIMINGS, Store, StoredRoom, StoreUnusable
from server.store.data_dir import DataDir
from server.store.supervision import DISK_ERROR, Supervision
from tests.present import present
from tests.servers import AT_ONCE, embedded, opened
from tests.store.killed_owner import left_by_a_killed_owner
from tests.store.rooms_and_acts import CODE, change, until_back
from tests.waiting import until

STARTS = len(STORE_TIMINGS.pauses_s)
HASTY = replace(AT_ONCE, watch_s=0.01, pauses_s=(0.0,) * STARTS)


@asynccontextmanager
async def kept(
    data_dir: Path, url: str | None = None, **options: Any
) -> AsyncIterator[tuple[Store, "asyncio.Task[None]"]]:
    """Open a store, and keep its embedded server running until the block ends."""
    async with opened(url, data_dir, **{"timings": HASTY, **options}) as store:
        task = asyncio.create_task(store.keep())
        try:
            yield store, task
        finally:
            task.cancel()
            await asyncio.wait([task])


async def ended_by(number: int, store: Store) -> None:
    """End the server by a signal, and wait until another one runs."""
    before = embedded(store).pid
    os.kill(before, number)
    await until(lambda: embedded(store).pid not in {0, before})
    await until_back(store)


async def test_a_server_that_ends_is_back_at_the_same_socket_with_its_data(tmp_path: Path) -> None:
    """Also where the path is too long for a socket, which then lies in a directory of its own."""
    data = tmp_path / ("d" * 100) / "ü e%20?"
    async with kept(data, fsync="always") as (store, _):
        url = store.url
        sockets = present(embedded(store).socket).parent
        assert sockets.stat().st_mode & 0o777 == 0o700
        await store.rooms.create(CODE, change(doc="kept"))
        with capture_logs() as logs:
            await ended_by(signal.SIGKILL, store)
        assert await store.rooms.read(CODE) == StoredRoom(1, "kept")
        assert sorted((line["event"], line.get("why")) for line in logs) == [
            ("notifications interrupted", None),
            ("the embedded store ended and is started again", "it was killed by signal 9"),
        ]
        with capture_logs() as logs:
            await ended_by(signal.SIGTERM, store)
        (why,) = [line["why"] for line in logs if "why" in line]
        assert why.startswith("it exited with code 0")
        assert "bye bye" in (data / "valkey.log.1").read_text()  # for the operator
        assert embedded(store).url == url
        process = present(embedded(store).process)
    assert process.poll() == 0
    assert not sockets.exists()


async def test_an_adopted_server_is_started_again(tmp_path: Path) -> None:
    """Before that it gets the settings of its new owner."""
    settings: dict[str, Any] = {"memory": 32 << 20, "fsync": "always"}
    async with left_by_a_killed_owner(tmp_path) as pid, kept(tmp_path, **settings) as (store, _):
        url, call = store.url, store.client.pipelines[0].call
        assert embedded(store).pid == pid
        assert await call("CONFIG", "GET", "maxmemory") == [b"maxmemory", b"%d" % (32 << 20)]
        assert await call("CONFIG", "GET", "appendfsync") == [b"appendfsync", b"always"]
        await ended_by(signal.SIGKILL, store)
        assert embedded(store).url == url


async def test_a_server_whose_data_are_gone_is_not_started_empty(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, keeping):
        await store.rooms.create(CODE, change())
        (tmp_path / "appendonlydir" / "appendonly.aof.manifest").unlink()
        os.kill(embedded(store).pid, signal.SIGKILL)
        with pytest.raises(StoreUnusable, match="manifest is missing"):
            await keeping


async def test_a_given_redis_is_not_supervised(embedded_url: str, tmp_path: Path) -> None:
    async with kept(tmp_path, embedded_url) as (store, keeping):
        await store.ping()
        assert not keeping.done()


class Failing:
    """A server that never runs; `start` may fail, and ends the test by an error of its own."""

    def __init__(self, start: Callable[[int], None], why: str = "it was killed") -> None:
        self.starts = 0
        self._start = start
        self._why = why

    def runs(self) -> bool:
        return False

    def why_it_ended(self) -> str:
        return self._why

    def start_again(self) -> None:
        self.starts += 1
        self._start(self.starts)


def stop_at(number: int) -> Callable[[int], None]:
    """Return a start that ends the test at its n-th call."""

    def start(starts: int) -> None:
        if starts == number:
            raise KeyError(number)

    return start


def refuse(_starts: int) -> None:
    raise StoreUnusable("The embedded store cannot start: Is a directory.")


@pytest.mark.parametrize(
    ("start", "why"),
    [(stop_at(99), "it was killed"), (refuse, "The embedded store cannot start: Is a directory")],
)
async def test_the_owner_gives_up_a_server_that_ends_again_and_again(
    tmp_path: Path, start: Callable[[int], None], why: str
) -> None:
    data = DataDir.open(tmp_path)
    server = Failing(start)
    with pytest.raises(StoreUnusable) as given_up:
        await Supervision(data, HASTY).keep(server)
    assert server.starts == STARTS
    assert str(given_up.value) == (
        f"The embedded store in {tmp_path} was given up after it had ended 5 times within a "
        f"minute, the last time because {why}."
    )
    data.lock.close()


async def test_old_ends_of_the_server_do_not_count(tmp_path: Path) -> None:
    data = DataDir.open(tmp_path)
    with pytest.raises(KeyError):
        await Supervision(data, replace(HASTY, forgiven_s=-1.0)).keep(Failing(stop_at(99)))
    data.lock.close()


async def test_a_server_that_ended_on_a_full_disk_waits_for_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fsync `always` the server ends at the first failed write, and at any new start."""
    data = DataDir.open(tmp_path)
    found = [False] * 3 * STARTS + [True]
    monkeypatch.setattr(data, "has_space", lambda: found.pop(0))
    with capture_logs() as logs, pytest.raises(KeyError):
        await Supervision(data, replace(HASTY, space_s=0.0)).keep(Failing(stop_at(1), DISK_ERROR))
    assert found == []
    assert [line["event"] for line in logs if "why" in line] == [
        "the disk of the embedded store is full: it waits for space",
        "the embedded store ended and is started again",
    ]
    data.lock.close()


def test_a_disk_that_cannot_be_written_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(28, "No space left on device")

    data = DataDir.open(tmp_path)
    assert data.has_space()
    monkeypatch.setattr(os, "fsync", fails)
    assert not data.has_space()
    assert not (tmp_path / "valkey.probe").exists()
    data.lock.close()

"""The supervision of the embedded store: it is started again, until its owner gives up."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.store import STORE_TIMINGS, Store, StoredRoom, StoreUnusable
from server.store.data_dir import DataDir
from server.store.embedded import Embedded
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


async def killed(store: Store) -> None:
    """Kill the server, and wait until another one runs."""
    await until(lambda: embedded(store).pid)
    before = embedded(store).pid
    os.kill(before, signal.SIGKILL)
    await until(lambda: embedded(store).pid not in {0, before})
    await until_back(store)


async def test_a_killed_server_is_back_at_the_same_socket_with_its_data(tmp_path: Path) -> None:
    async with kept(tmp_path, fsync="always") as (store, _):
        url = store.url
        await store.rooms.create(CODE, change(doc="kept"))
        with capture_logs() as logs:
            await killed(store)
        assert await store.rooms.read(CODE) == StoredRoom(1, "kept")
        assert embedded(store).url == url
        assert sorted((line["event"], line.get("why")) for line in logs) == [
            ("notifications interrupted", None),
            ("the embedded store ended and is started again", "it was killed by signal 9"),
        ]
        process = embedded(store).process
        assert process is not None
    assert process.poll() == 0


async def test_a_stopped_server_is_started_again(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, _):
        before = embedded(store).pid
        with capture_logs() as logs:
            os.kill(before, signal.SIGTERM)
            await until(lambda: embedded(store).pid not in {0, before})
        (why,) = [line["why"] for line in logs if "why" in line]
        assert why.startswith("it exited with code 0")
        assert "bye bye" in (tmp_path / "valkey.log.1").read_text()  # for the operator
        await until_back(store)


async def test_a_server_in_a_deep_directory_is_back_at_the_same_socket(tmp_path: Path) -> None:
    """The path is too long for a Unix socket, so the socket lies in a directory of its own."""
    async with kept(tmp_path / ("d" * 100)) as (store, _):
        url = store.url
        await killed(store)
        assert embedded(store).url == url


async def test_an_adopted_server_is_started_again(tmp_path: Path) -> None:
    async with left_by_a_killed_owner(tmp_path) as pid, kept(tmp_path) as (store, _):
        url = store.url
        await killed(store)
        assert embedded(store).pid != pid
        assert embedded(store).url == url


async def test_an_adopted_server_gets_the_settings_of_its_new_owner(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"memory": 32 << 20, "fsync": "always"}
    async with left_by_a_killed_owner(tmp_path), kept(tmp_path, **settings) as (store, _):
        call = store.client.pipelines[0].call
        assert await call("CONFIG", "GET", "maxmemory") == [b"maxmemory", b"%d" % (32 << 20)]
        assert await call("CONFIG", "GET", "appendfsync") == [b"appendfsync", b"always"]


async def test_the_owner_gives_up_a_server_that_ends_again_and_again(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, keeping):
        for _ in range(STARTS):
            await killed(store)
        os.kill(embedded(store).pid, signal.SIGKILL)
        with pytest.raises(StoreUnusable) as given_up:
            await keeping
    assert str(given_up.value) == (
        f"The embedded store in {tmp_path} was given up after it had ended 5 times within a "
        "minute, the last time because it was killed by signal 9."
    )


async def test_old_ends_of_the_server_do_not_count(tmp_path: Path) -> None:
    forgiving = replace(HASTY, forgiven_s=0.0)
    async with kept(tmp_path, timings=forgiving) as (store, _):
        for _ in range(STARTS + 2):
            await killed(store)


async def test_a_server_whose_data_are_gone_is_not_started_empty(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, keeping):
        await store.rooms.create(CODE, change())
        (tmp_path / "appendonlydir" / "appendonly.aof.manifest").unlink()
        os.kill(embedded(store).pid, signal.SIGKILL)
        with pytest.raises(StoreUnusable, match="manifest is missing"):
            await keeping


async def test_a_server_that_ended_on_a_full_disk_waits_for_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fsync `always` the server ends at the first failed write, and at any new start."""
    monkeypatch.setattr(Embedded, "why_it_ended", lambda _: "AOF write error")
    waits = replace(HASTY, space_s=0.01)
    async with kept(tmp_path, fsync="always", timings=waits) as (store, keeping):
        await store.rooms.create(CODE, change(doc="kept"))
        checks = 0

        def full(_: DataDir) -> bool:
            nonlocal checks
            checks += 1
            return False

        has_space = DataDir.has_space
        monkeypatch.setattr(DataDir, "has_space", full)
        before = embedded(store).pid
        with capture_logs() as logs:
            os.kill(before, signal.SIGKILL)
            await until(lambda: checks > 2 * STARTS)
            assert not keeping.done()
            monkeypatch.setattr(DataDir, "has_space", has_space)
            await until(lambda: embedded(store).pid not in {0, before})
        assert [line["event"] for line in logs if "why" in line] == [
            "the disk of the embedded store is full: it waits for space",
            "the embedded store ended and is started again",
        ]
        await until_back(store)
        assert await store.rooms.read(CODE) == StoredRoom(1, "kept")
    assert not (tmp_path / "valkey.probe").exists()


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


@contextmanager
def in_the_way(path: Path) -> Iterator[None]:
    """Put a directory of this name in place of the file, so that it cannot be opened."""
    path.rename(path.with_suffix(".aside"))
    path.mkdir()
    yield
    path.rmdir()


async def test_the_owner_gives_up_with_the_reason_when_a_start_fails(tmp_path: Path) -> None:
    async with kept(tmp_path) as (store, keeping):
        with in_the_way(tmp_path / "valkey.log"):
            os.kill(embedded(store).pid, signal.SIGKILL)
            with pytest.raises(StoreUnusable, match=r"cannot start in .*: Is a directory"):
                await keeping


async def test_a_given_redis_is_not_supervised(embedded_url: str, tmp_path: Path) -> None:
    async with kept(tmp_path, embedded_url) as (store, keeping):
        await store.ping()
        assert not keeping.done()

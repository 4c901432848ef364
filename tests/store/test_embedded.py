import asyncio
import os
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from server.store import StoredRoom, StoreTimings, StoreUnusable
from server.store.embedded import Embedded
from tests.servers import AT_ONCE, ended, open_at_once
from tests.store.rooms_and_acts import CODE, change

OWNER = """
import asyncio, sys
from pathlib import Path
from server.store import Store
from tests.store.rooms_and_acts import CODE, change

async def main():
    store = await Store.open(None, Path(sys.argv[1]))
    await store.create(CODE, change(doc="kept"))
    print(store._embedded._pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_a_room_survives_a_restart(tmp_path: Path) -> None:
    store = await open_at_once(None, tmp_path / "data")
    await store.create(CODE, change(doc="kept"))
    await store.close()
    store = await open_at_once(None, tmp_path / "data")
    assert await store.read(CODE) == StoredRoom(1, "kept")
    await store.close()


async def test_no_server_runs_after_closing(tmp_path: Path) -> None:
    store = await open_at_once(None, tmp_path)
    assert isinstance(store._embedded, Embedded)
    process = store._embedded._process
    assert process is not None
    await store.close()
    assert process.poll() == 0
    assert not (tmp_path / "valkey.sock").exists()


async def test_a_worker_shares_the_store_and_does_not_stop_it(tmp_path: Path) -> None:
    owner = await open_at_once(None, tmp_path)
    worker = await open_at_once(owner.url, tmp_path)
    await worker.create(CODE, change())
    await worker.close()
    assert await owner.read(CODE) is not None
    await owner.close()


async def test_the_server_has_no_port_and_a_private_socket(tmp_path: Path) -> None:
    store = await open_at_once(None, tmp_path)
    assert await store._client.pipelines[0].call("CONFIG", "GET", "port") == [b"port", b"0"]
    assert (tmp_path / "valkey.sock").stat().st_mode & 0o777 == 0o700
    await store.close()


async def test_a_directory_has_one_owner(tmp_path: Path) -> None:
    store = await open_at_once(None, tmp_path)
    with pytest.raises(StoreUnusable, match="Another server uses the data directory"):
        await open_at_once(None, tmp_path)
    await store.ping()
    await store.close()


async def test_the_server_of_a_killed_owner_is_adopted(tmp_path: Path) -> None:
    owner = subprocess.Popen(  # noqa: ASYNC220  # started in a moment, and killed
        [sys.executable, "-c", OWNER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    pid = int(await asyncio.to_thread(owner.stdout.readline))
    with ended(pid):
        owner.kill()
        owner.wait()
        owner.stdout.close()
        store = await open_at_once(None, tmp_path)
        assert isinstance(store._embedded, Embedded)
        assert store._embedded._pid == pid
        assert await store.read(CODE) == StoredRoom(1, "kept")
        await store.close()
        assert not (tmp_path / "valkey.sock").exists()
    store = await open_at_once(None, tmp_path)
    assert await store.read(CODE) == StoredRoom(1, "kept")
    await store.close()


async def test_a_directory_with_a_killed_server_is_taken_over(tmp_path: Path) -> None:
    first = await Embedded.start(tmp_path, fsync="always")
    store = await open_at_once(first.url, tmp_path)
    await store.create(CODE, change(doc="kept"))
    os.kill(first._pid, signal.SIGKILL)
    await store.close()
    first._lock.close()  # simulates the death of its owner
    assert first._process is not None
    first._process.wait()
    store = await open_at_once(None, tmp_path)
    assert await store.read(CODE) == StoredRoom(1, "kept")
    await store.close()


async def test_a_directory_too_deep_for_a_socket_gets_a_socket_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / "ü e%"
    store = await open_at_once(None, deep)
    await store.create(CODE, change(doc="kept"))
    assert isinstance(store._embedded, Embedded)
    assert store._embedded._socket is not None
    sockets = store._embedded._socket.parent
    assert sockets.stat().st_mode & 0o777 == 0o700
    await store.close()
    assert not sockets.exists()
    store = await open_at_once(None, deep)
    assert await store.read(CODE) == StoredRoom(1, "kept")
    await store.close()


async def test_a_directory_with_special_characters_works(tmp_path: Path) -> None:
    store = await open_at_once(None, tmp_path / "ü e%20?")
    await store.ping()
    await store.close()


async def test_a_directory_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnusable, match="cannot be written"):
        await open_at_once(None, tmp_path / "file" / "data")


async def test_a_server_that_cannot_start_gives_its_reason(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").touch()
    with pytest.raises(StoreUnusable, match="append-only"):
        await open_at_once(None, tmp_path)
    (tmp_path / "appendonlydir").unlink()
    store = await open_at_once(None, tmp_path)  # the lock is free again
    await store.close()


async def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "valkey.log").mkdir()
    with pytest.raises(StoreUnusable, match="Is a directory"):
        await open_at_once(None, tmp_path)


async def test_a_system_without_the_binary_gets_an_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    with pytest.raises(StoreUnusable, match="give --redis-url"):
        await open_at_once(None, tmp_path)


async def test_a_server_that_hangs_is_killed(tmp_path: Path) -> None:
    embedded = await Embedded.start(tmp_path, timings=StoreTimings(reply_s=0.1, stop_s=0.1))
    os.kill(embedded._pid, signal.SIGSTOP)
    await embedded.stop()
    assert embedded._process is not None
    assert embedded._process.poll() == -signal.SIGKILL


@pytest.mark.skipif(
    not hasattr(socket, "SO_PEERCRED"), reason="the system does not report the listening process"
)
async def test_a_hanging_server_of_a_dead_owner_is_not_adopted(tmp_path: Path) -> None:
    embedded = await Embedded.start(tmp_path)
    quick = replace(AT_ONCE, reply_s=0.1)
    embedded._lock.close()
    os.kill(embedded._pid, signal.SIGSTOP)
    for _ in range(2):  # a second start is refused too: two servers would damage the files
        with pytest.raises(StoreUnusable, match=r"\(process \d+\) .* does not answer") as refused:
            await open_at_once(None, tmp_path, timings=quick)
        assert f"(process {embedded._pid})" in str(refused.value)
    os.kill(embedded._pid, signal.SIGCONT)
    await embedded.stop()


async def test_a_server_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="was not ready"):
        await open_at_once(None, tmp_path, timings=StoreTimings(start_s=0.0))

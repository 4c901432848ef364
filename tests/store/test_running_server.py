"""The adoption of a running embedded server, and what is never adopted, stopped or removed."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server.store import StoredRoom, StoreUnusable
from server.store.unix_socket import OWNER as OWNER_FILE
from tests.servers import embedded, open_at_once, opened
from tests.store.killed_owner import left_by_a_killed_owner
from tests.store.rooms_and_acts import CODE, change

KEPT = StoredRoom(1, "kept")
OTHER = "other-room"
IGNORED = "the file valkey.where names another place and is ignored"


def link(data: Path) -> Path:
    path = data.parent / "link"
    path.symlink_to(data, target_is_directory=True)
    return path


def dots(data: Path) -> Path:
    return data / ".." / data.name


def relative(data: Path) -> Path:
    return Path(os.path.relpath(data))


def moved(data: Path) -> Path:
    return data.rename(data.parent / "moved")


def same(data: Path) -> Path:
    return data


async def keeps_its_room(data_dir: Path) -> None:
    """Check that a directory still has its files, and its room after another start."""
    assert (data_dir / "appendonlydir").is_dir()
    async with opened(None, data_dir) as store:
        assert await store.rooms.read(CODE) == KEPT


@pytest.mark.parametrize("name", ["data", "d" * 100])
async def test_a_copy_made_while_a_server_runs_is_read_and_the_original_stays(
    tmp_path: Path, name: str
) -> None:
    """A path that is too long for a socket has it in a temporary directory, which stays, too."""
    data, copy = tmp_path / name, tmp_path / "backup"
    async with opened(None, data, fsync="always") as original:
        await original.rooms.create(CODE, change(doc="kept"))
        shutil.copytree(data, copy, ignore=shutil.ignore_patterns("valkey.sock"))
        sockets = Path((copy / "valkey.where").read_text()).parent
        assert (sockets == data) is (name == "data")
        note = sockets / "note"  # a file of somebody else is not removed either
        note.touch()
        with capture_logs() as logs:
            async with opened(None, copy) as other:
                assert embedded(other).pid != embedded(original).pid
                assert await other.rooms.read(CODE) == KEPT
                await other.rooms.create(OTHER, change())
        assert [(line["event"], line["names"]) for line in logs if "names" in line] == [
            (IGNORED, str(sockets / "valkey.sock"))
        ]
        assert await original.rooms.read(CODE) == KEPT
        assert await original.rooms.read(OTHER) is None
    assert note.exists()
    note.unlink()
    await keeps_its_room(data)
    await keeps_its_room(copy)
    if sockets != data:
        sockets.rmdir()


@pytest.mark.parametrize(
    ("path", "written"),
    [(link, same), (same, link), (relative, dots), (moved, same), (dots, same)],
)
async def test_a_server_left_behind_is_adopted_by_every_path_and_its_rooms_stay(
    tmp_path: Path, path: Callable[[Path], Path], written: Callable[[Path], Path]
) -> None:
    """Also if an earlier release has written another path of the directory."""
    data = tmp_path / "data"
    async with left_by_a_killed_owner(data) as pid:
        (data / "valkey.where").write_text(str(written(data) / "valkey.sock"))
        given = path(data)
        async with opened(None, given) as store:
            assert embedded(store).pid == pid
            assert await store.rooms.read(CODE) == KEPT
            place = (given / "valkey.where").read_text()
            assert place == str(given.resolve() / "valkey.sock")
        assert not (given / "valkey.where").exists()
        await keeps_its_room(given)


@pytest.mark.parametrize("killed", [False, True])
async def test_a_server_in_a_temporary_directory_leaves_nothing_there(
    tmp_path: Path, *, killed: bool
) -> None:
    """One that still runs is adopted; the directory of a killed one is removed."""
    deep = tmp_path / ("d" * 100)
    async with left_by_a_killed_owner(deep) as pid:
        sockets = Path((deep / "valkey.where").read_text()).parent
        if killed:
            os.kill(pid, signal.SIGKILL)
        async with opened(None, link(deep)) as store:
            assert (embedded(store).pid == pid) is not killed
            assert sockets.exists() is not killed
            assert await store.rooms.read(CODE) == KEPT
        assert not sockets.exists()
        await keeps_its_room(deep)


@pytest.mark.parametrize("owner", [None, "1 2"], ids=["an earlier release's", "another's"])
async def test_a_directory_that_is_not_this_ones_stays(tmp_path: Path, owner: str | None) -> None:
    data, sockets = tmp_path / "data", tmp_path / "spider-race-elsewhere"
    for folder in (data, sockets):
        folder.mkdir(mode=0o700)
    if owner is not None:
        (sockets / OWNER_FILE).write_text(owner)
    (sockets / "valkey.sock").touch()
    (data / "valkey.where").write_text(str(sockets / "valkey.sock"))
    async with opened(None, data):
        pass
    assert (sockets / "valkey.sock").exists()


@pytest.mark.parametrize(
    "text", [b"", b"\xff", b"\0", b"/", b"x" * 5_000, b"/proc/self/valkey.sock"]
)
async def test_a_hint_that_names_no_socket_is_ignored(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "valkey.where").write_bytes(text)
    with capture_logs() as logs:
        async with opened(None, tmp_path):
            pass
    assert len([line for line in logs if "is ignored" in line["event"]]) == 1


async def test_a_pipe_in_place_of_the_hint_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "valkey.where")
    with pytest.raises(StoreUnusable, match="cannot be written"):
        await open_at_once(None, tmp_path)


async def test_a_copy_of_hard_links_is_refused(tmp_path: Path) -> None:
    """Two servers on the same files would damage them."""
    data, copy = tmp_path / "data", tmp_path / "copy"
    async with left_by_a_killed_owner(data) as pid:
        shutil.copytree(data, copy, copy_function=os.link)
        with pytest.raises(StoreUnusable, match=rf"another directory \(process {pid}\) listens"):
            await open_at_once(None, copy)
        await keeps_its_room(data)


async def test_a_server_is_not_started_again_in_a_directory_that_was_put_in_its_place(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        data.rename(tmp_path / "moved")
        data.mkdir(mode=0o700)
        (data / "valkey.where").write_text("another's")
        os.kill(embedded(store).pid, signal.SIGKILL)
        with pytest.raises(StoreUnusable, match="was moved or removed while the server ran"):
            await asyncio.wait_for(store.keep(), 30)
    assert (data / "valkey.where").read_text() == "another's"
    assert [path.name for path in data.iterdir()] == ["valkey.where"]

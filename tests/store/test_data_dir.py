"""The directory of the embedded store: closed to other users, and never empty by mistake."""

import errno
import fcntl
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.store import StoredRoom, StoreUnusable
from server.store.connection import pack
from server.store.data_dir import DataDir, has_had_data
from tests.servers import open_at_once, opened
from tests.store.rooms_and_acts import CODE, change

FILES = "appendonlydir"
MANIFEST = f"{FILES}/appendonly.aof.manifest"
LOG = f"{FILES}/appendonly.aof.1.incr.aof"
BASE = f"{FILES}/appendonly.aof.1.base.rdb"
NOBODY = 4711  # the uid of another user
KEPT = StoredRoom(1, "kept")


def open_to_others(data_dir: Path) -> list[str]:
    """Return the paths, including the directory, that other users have any right to."""
    opened_paths = []
    for path in (data_dir, *data_dir.rglob("*")):
        # A running store renames and removes files between the listing and the look at each.
        with suppress(FileNotFoundError):
            if path.lstat().st_mode & 0o077:
                opened_paths.append(str(path.relative_to(data_dir)))
    return opened_paths


async def filled(data_dir: Path) -> None:
    """Create a store with a room in it, and stop it."""
    async with opened(None, data_dir) as store:
        await store.rooms.create(CODE, change(doc="kept"))


async def refused(data_dir: Path) -> str:
    """Return the reason why the store cannot be opened; check that it is one sentence."""
    with pytest.raises(StoreUnusable) as error:
        await open_at_once(None, data_dir)
    sentence = str(error.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


async def test_other_users_cannot_read_the_store_under_any_umask(tmp_path: Path) -> None:
    """Regression: they could read the seeds of running rounds in a directory that was open."""
    data_dir = tmp_path / "deep" / "data"
    before = os.umask(0)
    try:
        async with opened(None, data_dir) as store:
            await store.rooms.create(CODE, change(doc="kept"))
            # The rewrite creates a file later than the start, and renames it when it is done.
            await store.client.ask_any_master(pack("BGREWRITEAOF"))
            assert open_to_others(data_dir) == []
    finally:
        os.umask(before)
    assert open_to_others(data_dir) == []
    (data_dir / "valkey.log.1").write_text("older")
    for path in (data_dir, *data_dir.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    async with opened(None, data_dir) as store:
        assert open_to_others(data_dir) == []
        assert await store.rooms.read(CODE) == KEPT


async def test_an_existing_empty_directory_is_closed_to_other_users(tmp_path: Path) -> None:
    """Links to other people's files are left alone."""
    data_dir, theirs = tmp_path / "data", tmp_path / "theirs"
    data_dir.mkdir()
    data_dir.chmod(0o755)
    theirs.touch()
    theirs.chmod(0o644)
    (data_dir / ".gitkeep").touch()
    (data_dir / "valkey.log.1").symlink_to(theirs)
    (tmp_path / "link").symlink_to(data_dir)
    DataDir.open(tmp_path / "link").lock.close()
    assert sorted(open_to_others(data_dir)) == [".gitkeep", "valkey.log.1"]
    assert theirs.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("mode", [0o755, 0o1777])
async def test_a_directory_with_files_is_refused_and_not_closed(tmp_path: Path, mode: int) -> None:
    """Closing a directory such as /tmp or /var/lib would harm all other users."""
    data_dir = tmp_path / "shared"
    data_dir.mkdir()
    (data_dir / "theirs").touch()
    data_dir.chmod(mode)
    assert "give a --data-dir of its own" in await refused(data_dir)
    assert data_dir.stat().st_mode & 0o777 == mode & 0o777
    assert sorted(path.name for path in data_dir.iterdir()) == ["theirs"]


def test_a_directory_of_another_user_is_refused(tmp_path: Path) -> None:
    is_root = os.geteuid() == 0  # only root can give a directory to another user
    if is_root:
        os.chown(tmp_path, NOBODY, -1)
    with pytest.raises(StoreUnusable, match="belongs to another user"):
        DataDir.open(tmp_path, user=None if is_root else NOBODY)
    assert not (tmp_path / "lock").exists()


@pytest.mark.parametrize("owner", [0, NOBODY])
def test_the_refusal_names_the_user_who_must_own_the_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, owner: int
) -> None:
    """The user 10001 of the image has no name on the machine where the volume is."""
    found = tmp_path.stat()
    theirs = os.stat_result((*found[:4], owner, *found[5:]))
    monkeypatch.setattr(Path, "stat", lambda *_, **__: theirs)

    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("server.store.data_dir.open_private", refuse)
    with pytest.raises(StoreUnusable) as refused:
        DataDir.open(tmp_path, user=10_001)
    assert f"let it belong to uid 10001, as which this server runs (chown 10001 {tmp_path})" in (
        str(refused.value)
    )


def test_the_folder_where_a_directory_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the advice was to give a missing directory to another user."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.F_OK and path.exists())
    with pytest.raises(StoreUnusable, match=f"be made: {tmp_path} cannot be written\\.$"):
        DataDir.open(tmp_path / "home" / "data")


async def test_a_file_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(tmp_path)
    (tmp_path / "valkey.log").chmod(0o644)

    def not_ours(path: Path, mode: int) -> None:
        raise PermissionError(1, f"Operation not permitted: {path} {mode}")

    monkeypatch.setattr(Path, "chmod", not_ours)
    assert "valkey.log belongs to another user" in await refused(tmp_path)


def test_an_unreadable_directory_is_not_taken_for_an_empty_one(tmp_path: Path) -> None:
    tmp_path.chmod(0)
    user = os.geteuid()
    try:
        os.seteuid(user or NOBODY)
        with pytest.raises(StoreUnusable, match="cannot be read; run the command as root, or as"):
            has_had_data(tmp_path)
    finally:
        os.seteuid(user)
        tmp_path.chmod(0o700)
    assert not has_had_data(tmp_path)
    assert not has_had_data(tmp_path / "none")


def test_a_doctor_that_looks_at_the_lock_does_not_refuse_a_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    DataDir.open(tmp_path).lock.close()
    doctor = (tmp_path / "lock").open()
    fcntl.flock(doctor, fcntl.LOCK_SH)
    monkeypatch.setattr("server.store.data_dir.time.sleep", lambda _s: doctor.close())
    opened_now = DataDir.open(tmp_path)
    with pytest.raises(StoreUnusable, match="Another server uses the data directory"):
        DataDir.open(tmp_path)
    opened_now.lock.close()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a directory that is root's")
async def test_a_private_file_of_another_user_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: such a manifest, as root copies it, was reported as a port."""
    await filled(tmp_path)
    read_text = Path.read_text

    def forbidden(path: Path, *given: Any, **named: Any) -> str:
        if path.name.endswith(".manifest"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return read_text(path, *given, **named)

    monkeypatch.setattr(Path, "read_text", forbidden)
    assert "appendonly.aof.manifest belongs to another user" in await refused(tmp_path)


def test_a_volume_that_a_group_may_write_is_accepted(tmp_path: Path) -> None:
    tmp_path.chmod(0o775)
    with capture_logs() as logs:
        DataDir.open(tmp_path, user=NOBODY).lock.close()
    assert [line["event"] for line in logs] == ["the data directory is open to other users"]
    assert tmp_path.stat().st_mode & 0o777 == 0o775
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600


async def test_a_store_whose_data_are_gone_does_not_start_empty(tmp_path: Path) -> None:
    await filled(tmp_path)
    away = tmp_path / "away"
    missing = {name: f"{name} is missing" for name in (MANIFEST, FILES)}
    for name, sentence in {**missing, LOG: Path(LOG).name, BASE: Path(BASE).name}.items():
        (tmp_path / name).rename(away)
        found = await refused(tmp_path)
        assert sentence in found
        assert f"move {tmp_path} away" in found
        if name == FILES:
            (tmp_path / FILES).mkdir()
            assert sentence in await refused(tmp_path)
            (tmp_path / FILES).rmdir()
        away.rename(tmp_path / name)
    async with opened(None, tmp_path) as store:
        assert await store.rooms.read(CODE) == KEPT
    (tmp_path / MANIFEST).unlink()
    (tmp_path / "valkey.kept").unlink()  # as in a directory of an older release
    assert f"{MANIFEST} is missing" in await refused(tmp_path)
    assert (tmp_path / LOG).stat().st_size > 0


async def test_a_killed_first_start_is_repeated(tmp_path: Path) -> None:
    """The killed start had created its files, without a room in them, but no manifest yet."""
    await filled(tmp_path / "other")
    (tmp_path / FILES).mkdir()
    shutil.copy(tmp_path / "other" / BASE, tmp_path / BASE)
    (tmp_path / LOG).touch()
    async with opened(None, tmp_path) as store:
        await store.rooms.create(CODE, change())
    assert (tmp_path / MANIFEST).exists()


async def test_damaged_data_are_named_without_a_missing_repair_tool(tmp_path: Path) -> None:
    """Regression: the server recommended `valkey-check-aof`, which is not installed with it."""
    await filled(tmp_path)
    text = bytearray((tmp_path / LOG).read_bytes())
    text[len(text) // 2 : len(text) // 2 + 20] = b"#" * 20
    (tmp_path / LOG).write_bytes(text)
    sentence = await refused(tmp_path)
    assert "Bad file format" in sentence
    assert "check-aof" not in sentence
    assert f"put {FILES} back from a copy, or move {tmp_path} away" in sentence


async def test_a_truncated_file_is_logged_and_read(tmp_path: Path) -> None:
    """A power cut truncates the file; entries before that point are not lost."""
    await filled(tmp_path)
    text = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(text + b"*3\r\n$3\r\nSET\r\n$9\r\nhalf")
    with capture_logs() as logs:
        async with opened(None, tmp_path) as store:
            assert await store.rooms.read(CODE) == KEPT
    assert [line["event"] for line in logs] == [
        "the end of the store's file was broken and was cut off"
    ]

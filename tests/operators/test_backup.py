"""Backups of the embedded store, made while players race, and restored elsewhere."""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from protocol.http import TableHistory
from server.__main__ import main
from server.app import Tuning
from server.config import BackupOptions, RestoreOptions, RoomsOptions
from server.operators import Failed, backup
from server.operators.backup import back_up, restore
from server.operators.rooms import list_rooms
from server.rooms.events import RoomTimings
from server.store import Store
from server.store.connection import pack
from tests.players import Player, running, start_race
from tests.present import present
from tests.server.http import get
from tests.servers import AT_ONCE, opened
from tests.store.rooms_and_acts import CODE, change
from tests.test_command import one_sentence

TUNING = Tuning(rooms=RoomTimings(countdown_ms=100), store=AT_ONCE)


async def saved(file: Path, data_dir: Path) -> str:
    return (await back_up(BackupOptions(file=file, data_dir=data_dir))).text


async def restored(file: Path, data_dir: Path) -> str:
    return (await restore(RestoreOptions(file=file, data_dir=data_dir))).text


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


async def act_for_ever(player: Player) -> None:
    """Send acts until the socket is closed."""
    with suppress(ConnectionClosed):
        while True:
            legal = player.table["legal"]
            await player.act(legal[player.used % len(legal)])
            await asyncio.sleep(0.02)


@pytest.mark.usefixtures("program")
async def test_races_that_were_saved_in_play_go_on_in_another_directory(tmp_path: Path) -> None:
    """Every player resumes with the old token, and has a game that the store once had."""
    file, data, new = (tmp_path / name for name in ("backup", "data", "new"))
    async with running(TUNING, data_dir=data) as listener:
        races = [await start_race(listener.port, 3, undo="any") for _ in range(3)]
        players = [player for race in races for player in race]
        acting = [asyncio.create_task(act_for_ever(player)) for player in players]
        while min(player.used for player in players) < 3:
            await asyncio.sleep(0.01)
        assert await saved(file, data) == f"All rooms are in {file}."
        for task in acting:
            task.cancel()
        await asyncio.wait(acting)
        store = listener.services.store
        logs = {one.token: await store.logs.read(one.code, 1, one.seat) for one in players}
        assert "dump.rdb" not in names_in(data)
    await restored(file, new)
    async with running(TUNING, data_dir=new) as listener:
        listed = (await list_rooms(RoomsOptions(data_dir=new))).text
        assert all(race[0].code in listed for race in races)
        for player in [await player.resume(listener.port) for player in players]:
            at = (await player.race())["at"]
            assert player.room["state"] == "RUNNING"
            log = await listener.services.store.logs.read(player.code, 1, player.seat)
            assert 3 <= at == len(log)
            assert log == logs[player.token][:at]
            assert (await player.act(player.table["legal"][0]))["type"] == "acted"


async def race(host: Player, other: Player) -> None:
    if host.room["state"] == "FINISHED":
        await host.ask("next_round")
    await other.say("ready")
    await host.say("ready")
    for player in (host, other):
        await player.in_state("RUNNING")
        await player.say("forfeit")
    for player in (host, other):
        await player.in_state("FINISHED")


async def test_a_kept_table_comes_back_with_its_history_and_each_round_once(
    tmp_path: Path,
) -> None:
    """The backup was made before the second race, so the next race gets that number again."""
    file, data, new = (tmp_path / name for name in ("backup", "data", "new"))
    async with running(TUNING, data_dir=data) as listener:
        host = await Player.create(listener.port, "Ada")
        other = await Player.join(listener.port, host.code, "Bob")
        await host.ask("keep", name="Friday")
        await race(host, other)
        await saved(file, data)
        await race(host, other)
    await restored(file, new)
    async with running(TUNING, data_dir=new) as listener:
        players = [await player.resume(listener.port) for player in (host, other)]
        assert (players[0].room["kept"]["name"], players[0].room["kept"]["races"]) == ("Friday", 1)
        await race(*players)
        path, store = f"/api/rooms/{host.code}/table", listener.services.store
        found = TableHistory.model_validate_json((await get(listener.port, path)).body)
        assert [each.n for each in found.rounds] == [2, 1]
        assert [row.races for row in found.standings[0].rows] == [2, 2]
        key = store.keys.history(host.code)
        assert await store.client.call("TTL", key) > 90 * 24 * 3_600


async def room(store: Store) -> str:
    return present(await store.rooms.read(CODE)).doc


async def test_a_store_that_nobody_owns_is_started_for_a_backup(tmp_path: Path) -> None:
    """A store that rewrites its own file is waited for."""
    file, data, new = (tmp_path / name for name in ("backup", "data", "new"))
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        slowly = ("CONFIG", "SET", "rdb-key-save-delay", 100_000)  # microseconds a key
        await store.client.ask_any_master(pack(*slowly))
        await store.client.ask_any_master(pack("BGREWRITEAOF"))
        await saved(file, data)
        assert await room(store) == "kept"  # its owner still has it
    await saved(file, data)
    assert "valkey.sock" not in names_in(data)
    assert await restored(file, new) == f"The rooms of {file} are in {new}."
    async with opened(None, new) as store:
        assert await room(store) == "kept"
        assert await store.rooms.change(CODE, 1, change(doc="later")) == 2
    async with opened(None, new) as store:  # the commands after the snapshot count too
        assert await room(store) == "later"


async def test_a_backup_is_private_and_replaces_an_earlier_one_when_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, folder = tmp_path / "data", tmp_path / "backups"
    folder.mkdir()
    file, latest = folder / "backup", folder / "latest"
    file.write_text("an earlier one")
    latest.symlink_to(file)
    async with opened(None, data):
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", _full_disk)
            with pytest.raises(Failed, match=r"Cannot write to .*: No space left"):
                await saved(latest, data)
        assert file.read_text() == "an earlier one"
        assert names_in(folder) == ["backup", "latest"]
        await saved(latest, data)
    assert latest.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o600
    assert names_in(folder) == ["backup", "latest"]


def _full_disk(_: int) -> None:
    raise OSError(28, "No space left on device")


async def test_a_store_that_cannot_write_its_snapshot_makes_no_backup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data = tmp_path / "backup", tmp_path / "data"

    def pack_and_hinder(*words: str) -> bytes:
        if words == ("BGSAVE",):
            (data / "dump.rdb").mkdir()  # a name that the snapshot cannot get
        return pack(*words)

    monkeypatch.setattr(backup, "pack", pack_and_hinder)
    async with opened(None, data):
        with pytest.raises(Failed, match="cannot write its snapshot"):
            await saved(file, data)
    assert not file.exists()


async def test_a_restore_is_whole_or_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The restored files are private too, and an existing store is left unchanged."""
    file, data, new = (tmp_path / name for name in ("backup", "data", "new"))
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        await saved(file, data)
        with pytest.raises(Exception, match="Another server uses the data directory"):
            await restored(file, data)
    with monkeypatch.context() as patch:
        patch.setattr(backup, "ONLY_A_BASE", 0)  # it fails once the snapshot is written
        with pytest.raises(TypeError):
            await restored(file, new)
    assert names_in(new) == ["lock"]
    await restored(file, new)
    # With its mark, so that the store never starts without these files.
    assert names_in(new) == ["appendonlydir", "lock", "valkey.kept"]
    whole = new / "appendonlydir"
    assert {path.stat().st_mode & 0o077 for path in (new, whole, *whole.iterdir())} == {0}
    before = {path: path.read_bytes() for path in whole.iterdir()}
    for used in (data, new):
        with pytest.raises(Failed, match="There is a store in"):
            await restored(file, used)
    assert before == {path: path.read_bytes() for path in whole.iterdir()}


@pytest.mark.parametrize(
    "damage",
    [
        lambda _content: b"",
        lambda content: content[:-1],
        lambda content: content[:40],
        lambda content: content + bytes(40),  # as `redis-cli --rdb -` writes it
        lambda content: content.replace(b"kept", b"lost"),
        lambda content: b"REDIS9999" + content[9:],  # a program of later years
    ],
)
async def test_a_broken_backup_is_refused_before_it_is_used(tmp_path: Path, damage: Any) -> None:
    file, data = tmp_path / "backup", tmp_path / "data"
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        await saved(file, data)
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(Failed, match="is not a whole snapshot"):
        await restored(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup"], "FILE"),
        (["backup", "x", "--data-dir", "/nowhere/at/all"], "There is no store in /nowhere"),
        (["backup", "x", "--redis-url", "redis://127.0.0.1:1"], "redis-cli --rdb FILE"),
        (["restore", "x", "--redis-url", "redis://127.0.0.1:1"], "redis-cli --rdb FILE"),
        (["restore", "/nowhere/at/all"], "/nowhere/at/all cannot be read: No such file"),
        (["restore", "/"], "/ cannot be read: Is a directory"),
        (["restore", "/dev/fd/{pipe}", "--data-dir", "/nowhere/at/all"], "it is a pipe; write"),
        (["restore", "-", "--data-dir", "/nowhere/at/all"], "restore cannot read a pipe: write"),
        (["restore", __file__, "--data-dir", "/nowhere/at/all"], "is not a whole snapshot"),
    ],
)
def test_a_command_that_fails_says_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pipe, end = os.pipe()
    assert main([word.format(pipe=pipe) for word in words]) == 2
    for descriptor in (pipe, end):
        os.close(descriptor)
    one_sentence(capsys.readouterr().err, sentence)
    assert not Path("/nowhere").exists()


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A directory with a store."""

    async def make_store() -> None:
        async with opened(None, tmp_path / "data"):
            pass

    asyncio.run(make_store())
    return str(tmp_path / "data")


def test_the_commands_say_what_they_did(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, new = str(tmp_path / "backup"), str(tmp_path / "new")
    assert main(["backup", file, "--data-dir", data]) == 0
    assert capsys.readouterr() == (f"All rooms are in {file}.\n", "")
    assert main(["restore", file, "--data-dir", new]) == 0
    assert capsys.readouterr() == (f"The rooms of {file} are in {new}.\n", "")


@pytest.mark.faults
def test_a_backup_goes_through_a_pipe_and_not_to_a_terminal(
    data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, file = ["backup", "-", "--data-dir", data], tmp_path / "piped"
    for path, code, sentence in (
        (file, 0, "All rooms are in standard output."),
        (Path("/dev/full"), 2, "Cannot write to standard output: No space left on device."),
    ):
        command = [sys.executable, "-m", "server", *words]
        with path.open("wb") as output:
            done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, check=False)
        said = f"spider-race: {sentence}\n"
        assert (done.returncode, done.stderr.decode()) == (code, said)
    assert main(["restore", str(file), "--data-dir", str(tmp_path / "new")]) == 0
    capsys.readouterr()
    monkeypatch.setattr(os, "isatty", lambda _descriptor: True)
    assert main(words) == 2
    assert "A terminal cannot show a backup" in capsys.readouterr().err

"""The commands `backup` and `restore` as processes, beside a server with an embedded store."""

import subprocess
from pathlib import Path

import pytest

from server.backup.backup_file import check_backup
from tests.players import Player, start_race
from tests.test_command import COMMAND, one_sentence
from tests.test_embedded_store import serving

pytestmark = pytest.mark.faults


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=60, check=False
    )


async def test_players_go_on_in_another_data_directory(tmp_path: Path) -> None:
    data, other, file = (str(tmp_path / name) for name in ("data", "other", "backup"))
    async with serving(Path(data)) as server:
        players = await start_race(server.port, 2, undo="any")
        for player in players:
            assert (await player.act(player.table["legal"][0]))["type"] == "acted"
        done = run("backup", file, "--data-dir", data)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"1 room in {file}.\n"
        # The server goes on, and its store is still its own.
        assert (await players[0].act(players[0].table["legal"][0]))["type"] == "acted"
        for player in players:
            await player.leave()
    assert check_backup(Path(file)) == [players[0].code]
    done = run("restore", file, "--data-dir", other)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"1 room restored from {file}.\n"
    async with serving(Path(other)) as server:
        for player in players:
            back: Player = await player.resume(server.port)
            await back.race()
            assert back.table["at"] == 1
            assert (await back.act(back.table["legal"][0]))["type"] == "acted"
            await back.leave()
        done = run("restore", file, "--data-dir", other)
    assert done.returncode == 2
    one_sentence(done.stderr, "choose --existing keep or --existing replace")
    assert server.process.returncode == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup"], "FILE"),
        (["backup", "x", "--data-dir", "/nowhere/at/all"], "There is no store in /nowhere"),
        (["backup", "x", "--redis-url", "redis://127.0.0.1:1"], "No Redis answers"),
        (["restore", "/nowhere/at/all"], "/nowhere/at/all cannot be read: No such file"),
        (["restore", "x", "--existing", "maybe"], "--existing"),
    ],
)
def test_a_command_that_fails_says_one_sentence(words: list[str], sentence: str) -> None:
    done = run(*words)
    assert done.returncode == 2
    one_sentence(done.stderr, sentence)


def test_a_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no backup")
    done = run("restore", str(tmp_path / "file"), "--data-dir", str(tmp_path / "data"))
    assert done.returncode == 2
    one_sentence(done.stderr, "is no backup of Spider Race")
    assert not (tmp_path / "data").exists()

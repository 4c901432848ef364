"""The commands `backup` and `restore` as their user sees them."""

import asyncio
from pathlib import Path

import pytest

import server.__main__ as program
from tests.servers import opened
from tests.store.rooms_and_acts import CODE, change
from tests.test_command import one_sentence


@pytest.fixture(autouse=True)
def no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "set_up_logs", lambda _options: None)


def run(*words: str) -> int:
    try:
        return program.main(words)
    except SystemExit as ended:
        return int(ended.code or 0)


async def create_room(data_dir: Path) -> None:
    async with opened(None, data_dir) as store:
        await store.rooms.create(CODE, change())


def test_the_commands_say_what_they_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, other, file = (str(tmp_path / name) for name in ("data", "other", "backup"))
    asyncio.run(create_room(Path(data)))
    assert run("backup", file, "--data-dir", data) == 0
    assert capsys.readouterr() == (f"1 room in {file}.\n", "")
    assert run("restore", file, "--data-dir", other) == 0
    assert capsys.readouterr().out.endswith(f"1 room restored from {file}.\n")
    assert run("restore", file, "--data-dir", other) == 2
    one_sentence(capsys.readouterr().err, "choose --existing keep or --existing replace")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup"], "FILE"),
        (["backup", "x", "--data-dir", "/nowhere/at/all"], "There is no store in /nowhere"),
        (["backup", "x", "--redis-url", "redis://127.0.0.1:1"], "No Redis answers"),
        (["restore", "/nowhere/at/all"], "/nowhere/at/all cannot be read: No such file"),
        (["restore", "x", "--existing", "maybe"], "--existing"),
        (["restore", __file__, "--data-dir", "/nowhere/at/all"], "is no backup of Spider Race"),
    ],
)
def test_a_command_that_fails_says_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*words) == 2
    one_sentence(capsys.readouterr().err, sentence)
    assert not Path("/nowhere").exists()

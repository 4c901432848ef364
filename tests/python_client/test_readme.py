"""The programs that the client's README shows, run as they stand there.

`test_packaging.py` runs the first one.
"""

import ast
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import spider_race_client
from spider_race_client import Client, Refused

from tests.python_client.races import first_move, output, race_of_two

README = Path(spider_race_client.__file__).parents[1] / "README.md"
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)
FIRST, DAY, GHOST, WINDOW, CHART = PROGRAM.findall(README.read_text("utf-8"))
EXAMPLE = "https://race.example"


async def run_snippet(source: str) -> None:
    """Run what a person types into `python -m asyncio`."""
    code = compile(source, README, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {}
    exec("from spider_race_client import *", names)  # noqa: S102  # as the README says
    await eval(code, names)  # noqa: S307  # it is ours


@pytest.mark.faults
async def test_a_game_of_the_day_takes_25_lines_and_keeps_who_has_played_it(
    real_client: Client, today: str, tmp_path: Path
) -> None:
    assert len(list(filter(str.strip, DAY.splitlines()))) <= 25
    program = DAY.replace(EXAMPLE, real_client.server)
    printed = await output(sys.executable, "-c", program, cwd=tmp_path)
    assert re.match(r"place=1 .* name='Ada'", printed)
    browser = (tmp_path / "browser.txt").read_text()
    with pytest.raises(Refused, match="day_played"):
        await real_client.create("Ada", cards=f"{today}/spider-1", browser=browser)


async def test_a_ghost_is_raced_and_a_round_is_drawn(
    real_client: Client,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host, guest = await race_of_two(real_client)
    await host.act(first_move(host))
    await host.forfeit()
    await guest.forfeit()
    await host.wait_for_result()
    await run_snippet(GHOST.replace(EXAMPLE, real_client.server).replace("7K3QZ0A", host.code))
    assert "points ahead of Ada" in capsys.readouterr().out
    monkeypatch.chdir(tmp_path)
    await run_snippet(CHART.replace(f"{EXAMPLE}/r/ABC-DEFG", host.link))
    assert (tmp_path / "round.png").read_bytes().startswith(b"\x89PNG")


async def test_a_game_is_played_in_a_window(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await run_snippet(WINDOW.replace(EXAMPLE, url))
    assert "name='Bob'" in capsys.readouterr().out

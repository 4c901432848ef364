"""The programs that the client's README shows, run as they stand there."""

import ast
import asyncio
import re
import sys
from pathlib import Path
from typing import Any

import pytest
import spider_race_client
from spider_race_client import Client, connect

from tests.python_client.races import EASY, begin, first_move

README = Path(spider_race_client.__file__).parents[1] / "README.md"
FIRST, DAY, GHOST, WINDOW = re.findall(
    r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL
)
EXAMPLE = "https://race.example"


async def run_script(source: str, python: str | Path = sys.executable) -> str:
    """Run a program to its end; return what it prints."""
    process = await asyncio.create_subprocess_exec(
        python, "-c", source, stdout=asyncio.subprocess.PIPE, cwd="/"
    )
    try:
        printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return printed.decode()


async def run_snippet(source: str) -> None:
    """Run what a person types into `python -m asyncio`."""
    code = compile(source, README, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    names: dict[str, Any] = {}
    exec("from spider_race_client import *", names)  # noqa: S102  # as the README says
    await eval(code, names)  # noqa: S307  # it is ours


async def show_the_first(client: Client, python: str | Path = sys.executable) -> None:
    """Run the first program of the README against a host who gives up."""
    host = await client.create("Ada", EASY)
    running = asyncio.create_task(
        run_script(FIRST.replace(f"{EXAMPLE}/r/ABC-DEFG", host.link), python)
    )
    await host.wait_until(lambda race: len(race.room.seats) == 2)
    await host.ready()
    await host.wait_for_table()
    await host.forfeit()
    assert "First legal action" in await running


@pytest.mark.faults
async def test_the_first_program_joins_a_race(url: str) -> None:
    async with connect(url) as client:
        await show_the_first(client)


@pytest.mark.faults
async def test_a_game_of_the_day_takes_25_lines(url: str, today: str) -> None:
    assert today
    assert len(list(filter(str.strip, DAY.splitlines()))) <= 25
    printed = await run_script(DAY.replace(EXAMPLE, url))
    assert re.fullmatch(r"\d+ points: place 1 of 1\n", printed)


async def test_a_ghost_is_raced(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    async with connect(url) as client:
        host, guest = await client.create("Ada", EASY), None
        guest = await client.join(host.link, "Bob")
        await begin(host, guest)
        await host.act(first_move(host))
        await host.forfeit()
        await guest.forfeit()
        await host.wait_for_result()
    await run_snippet(GHOST.replace(EXAMPLE, url).replace("7K3QZ0A", host.code))
    assert "points ahead of Ada" in capsys.readouterr().out


async def test_a_window_is_played_in(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    await run_snippet(WINDOW.replace(EXAMPLE, url))
    assert "name='Bob'" in capsys.readouterr().out

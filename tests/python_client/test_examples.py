"""The examples, each in a process of its own, as a person starts them."""

import asyncio
import sys
from pathlib import Path

import pytest
from spider_race_client import Client

from protocol.vocabulary import SeatState

EXAMPLES = Path(__file__).parents[2] / "python_client" / "examples"
DEAL = {"game": "spider-1", "deal": "numbered", "number": 24, "layout": "left4"}
SETTINGS = {**DEAL, "time_limit_s": 60}
"""A game that the Python example wins."""
PATIENCE_S = 100.0


async def output(program: str, *arguments: str) -> list[str]:
    """Run an example to its end; return the lines that it prints."""
    binary = sys.executable if program.endswith(".py") else Path(sys.executable).with_name("node")
    process = await asyncio.create_subprocess_exec(
        binary, EXAMPLES / program, *arguments, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with asyncio.timeout(PATIENCE_S):
            printed, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0
    return printed.decode().splitlines()


async def test_two_programs_race_to_the_end_and_a_third_draws_it(
    client: Client, tmp_path: Path
) -> None:
    host = await client.create("Ada", SETTINGS)
    async with asyncio.TaskGroup() as tasks:
        racing = [
            tasks.create_task(output("greedy.py", host.link, "Python")),
            tasks.create_task(output("greedy.mjs", host.link, "Node")),
        ]
        await host.wait_until(lambda race: len(race.room.seats) == 3)
        await host.ready()
        await host.wait_for_table()
        await host.forfeit()
        result = await host.wait_for_result()
    first, second, _ = result.ranking
    assert (first.name, first.state, first.won) == ("Python", SeatState.FINISHED, True)
    assert second.name == "Node"
    assert second.score > 500
    shown = [f"{row.place}. {row.name}: {row.score}" for row in result.ranking]
    assert [program.result() for program in racing] == [shown, shown]

    picture = tmp_path / "round.png"
    rows = await output("chart.py", host.link, "1", str(picture))
    assert len(rows) > first.moves + second.moves
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("name", "longest"), [("greedy.py", 40), ("greedy.mjs", 30)])
def test_the_examples_are_short(name: str, longest: int) -> None:
    assert len((EXAMPLES / name).read_text().splitlines()) <= longest

"""The programs of `docs/protocol.md`, run on real rounds."""

import asyncio
import base64
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spider_race_client import connect

from server.http.listener import Listener
from tests.players import running
from tests.server.http import get

PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
GAMES = ("spider-1", "spider-2", "spider-4", "spiderette-2", "little-spider")
RUN = {
    "python": (sys.executable, "py"),
    "js": (str(Path(sys.executable).with_name("node")), "mjs"),
    "sh": ("sh", "sh"),
}
"""The interpreter of each language, and the suffix of its programs."""


def program(language: str) -> str:
    """Return the program with which the page verifies a deal."""
    section = PAGE.read_text(encoding="utf-8").partition("## How to verify a deal")[2]
    (code,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    return str(code)


async def verdict(path: Path, played: bytes) -> list[str]:
    """Return the words that a program prints about a round: its address and its input are it."""
    interpreter = next(each for each, suffix in RUN.values() if path.suffix == f".{suffix}")
    process = await asyncio.create_subprocess_exec(
        *(interpreter, path, f"data:application/json;base64,{base64.b64encode(played).decode()}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    printed, _ = await process.communicate(played)
    return printed.decode().lower().split()


async def finished_round(server: Listener, game: str) -> bytes:
    """Return a round of a secret deal as its server documents it."""
    async with connect(f"http://127.0.0.1:{server.port}") as client:
        race = await client.create("Ada", {"game": game, "max_players": 1})
        await race.start()
        await race.wait_for_table()
        await race.forfeit()
        n = (await race.wait_for_result()).n
        return (await get(server.port, f"/api/rooms/{race.code}/rounds/{n}")).body


@pytest.mark.faults
async def test_the_programs_of_the_page_verify_the_deal_of_a_round(tmp_path: Path) -> None:
    """The one for the shell verifies no cards."""
    async with running(data_dir=tmp_path) as server:
        rounds = [await finished_round(server, game) for game in GAMES]
    for language, (_, suffix) in RUN.items():
        path = tmp_path / f"verify.{suffix}"
        path.write_text(program(language), encoding="utf-8")
        hidden = int(language == "sh")
        for played in rounds:
            assert await verdict(path, played) == ["true", "true"][hidden:]
        assert await verdict(path, harmed(rounds[2], swap_cards)) == ["false", "true"][hidden:]
        assert await verdict(path, harmed(rounds[2], other_salt)) == ["true", "false"][hidden:]


def harmed(played: bytes, harm: Callable[[Any], None]) -> bytes:
    document = json.loads(played)
    harm(document["reveal"])
    return json.dumps(document, separators=(",", ":")).encode()


def swap_cards(reveal: Any) -> None:
    reveal["deck"].append(reveal["deck"].pop(0))


def other_salt(reveal: Any) -> None:
    reveal["salt"] = reveal["salt"][::-1]

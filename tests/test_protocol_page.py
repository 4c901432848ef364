"""The programs of `docs/protocol.md`, run on real rounds.

`tests/python_client/test_real_servers.py` lets `docs/client.mjs` race.
"""

import asyncio
import base64
import json
import re
import sys
from functools import partial
from pathlib import Path

import pytest
from spider_race_client import connect

from protocol.vocabulary import CloseCode
from server.web.listener import Listener
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


async def verdict(interpreter: str, path: Path, played: bytes) -> list[str]:
    """Return the words that a program prints about a round: its address and its input are it."""
    process = await asyncio.create_subprocess_exec(
        *(interpreter, path, f"data:application/json;base64,{base64.b64encode(played).decode()}"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    printed, _ = await process.communicate(played)
    return printed.decode().lower().split()


async def finished_round(server: Listener, game: str, deal: str = "secret") -> bytes:
    """Return a round of one player as its server documents it."""
    async with connect(f"http://127.0.0.1:{server.port}") as client:
        race = await client.create("Ada", {"game": game, "deal": deal, "max_players": 1})
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
        open_round = await finished_round(server, GAMES[0], "numbered")
    section = PAGE.read_text(encoding="utf-8").partition("## How to verify a deal")[2]
    for language, (interpreter, suffix) in RUN.items():
        path = tmp_path / f"verify.{suffix}"
        (program,) = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
        path.write_text(program, encoding="utf-8")
        verified = partial(verdict, interpreter, path)
        hidden = int(language == "sh")
        for played in rounds:
            assert await verified(played) == ["true", "true"][hidden:]
        assert await verified(harmed(rounds[2], "deck")) == ["false", "true"][hidden:]
        assert await verified(harmed(rounds[2], "salt")) == ["true", "false"][hidden:]
        assert (await verified(open_round))[-3:] == ["nothing", "to", "check"]


@pytest.mark.faults
async def test_the_client_of_the_page_says_why_it_may_not_join(tmp_path: Path) -> None:
    async def said() -> list[str]:
        process = await asyncio.create_subprocess_exec(
            *(RUN["js"][0], PAGE.with_name("client.mjs"), link), stderr=asyncio.subprocess.PIPE
        )
        _, words = await process.communicate()
        assert process.returncode == 1
        return words.decode().splitlines()

    async with running(data_dir=tmp_path) as server:
        link = f"http://127.0.0.1:{server.port}/r/0000000"
        refused, closed = await said()
    assert json.loads(refused)["code"] == "no_such_room"
    assert closed == f"{CloseCode.NO_SUCH_ROOM.reason} (4504)"
    assert await said() == [f"no connection to {link} (1006)"]


def harmed(played: bytes, name: str) -> bytes:
    """Return the round with its deck or its salt backwards."""
    document = json.loads(played)
    document["reveal"][name] = document["reveal"][name][::-1]
    return json.dumps(document, separators=(",", ":")).encode()

"""A race moves to this release and back to the last one, on one store.

The last release's code comes from git, by its tag (`v1.0.0`). While none is tagged, and in a clone
without tags, this code serves in its place. The tests are for the night: they start six servers,
and fail only when a record changes between two releases.
"""

import io
import json
import subprocess
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from server.store import keys
from tests.faults.processes import serving
from tests.players import Player, is_move, start_race
from tests.rooms.test_record import marked, unmarked
from tests.server.http import get
from tests.servers import RedisServer, start_embedded

pytestmark = [pytest.mark.night, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[2]


def last_release(directory: Path) -> Path:
    """Export the code of the last release; return the directory that has it, or this code's."""

    def git(*words: str) -> bytes:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False).stdout

    tags = git("tag", "--list", "v[0-9]*", "--sort=-version:refname").decode().split()
    if not tags:
        return ROOT
    with zipfile.ZipFile(io.BytesIO(git("archive", "--format=zip", tags[0]))) as files:
        files.extractall(directory)
    return directory


@dataclass
class Releases:
    """Servers of two releases on one store."""

    store: RedisServer
    directory: Path
    last: Path
    started: int = 0

    @asynccontextmanager
    async def serving(self, code: Path) -> AsyncIterator[int]:
        self.started += 1
        log = self.directory / f"{self.started}.log"
        async with serving(log, "--redis-url", self.store.url, code=code) as process:
            yield process.port

    def doc(self, code: str) -> Any:
        return json.loads(self.store.ask("HGET", keys.UNPREFIXED.room(code), "doc"))

    def write(self, code: str, doc: Any) -> None:
        """Write the record as a newer release would have: as another version, and published."""
        self.store.ask("HSET", keys.UNPREFIXED.room(code), "doc", json.dumps(doc))
        self.store.ask("HINCRBY", keys.UNPREFIXED.room(code), "v", 1)
        self.store.ask("SPUBLISH", keys.UNPREFIXED.channel(code), "room")


@pytest.fixture
def releases(tmp_path: Path) -> Iterator[Releases]:
    data = tmp_path / "data"
    data.mkdir()
    with start_embedded(data) as store:
        yield Releases(store, tmp_path, last_release(tmp_path / "code"))


async def act(player: Player, acts: int) -> None:
    for _ in range(acts):
        moves = [one for one in player.table["legal"] if is_move(one) or one == "deal"]
        assert (await player.act(moves[0]))["type"] == "acted"


async def moved(port: int, *players: Player) -> list[Player]:
    """Reconnect the players to another server, in the middle of their race."""
    resumed = [await player.resume(port) for player in players]
    for player, was in zip(resumed, players, strict=True):
        assert (await player.race())["at"] == was.table["at"]
        player.used = was.used
    return resumed


async def give_up(*players: Player) -> None:
    for player in players:
        await player.say("forfeit")
    for player in players:
        ranking = (await player.receive("round_over"))["ranking"]
        assert {line["state"] for line in ranking} == {"FORFEIT"}


async def lengths(port: int, code: str, n: int) -> dict[int, int]:
    """Return the numbers of the acts of a round, by seat."""
    whole = json.loads((await get(port, f"/api/rooms/{code}/rounds/{n}")).body)
    assert whole["reveal"]["commitment"]
    return {one["seat"]: len(one["log"]) for one in whole["players"]}


async def test_a_race_moves_to_this_release_and_back_and_loses_nothing(releases: Releases) -> None:
    async with releases.serving(releases.last) as port:
        ada, bob = await start_race(port, 2, game="spider-1", time_limit_s=None)
        code = ada.code
        await act(ada, 2)
        await act(bob, 5)
        async with releases.serving(ROOT) as new:  # a deploy: both releases run for a while
            (ada,) = await moved(new, ada)
            await act(ada, 1)
            (ada,) = await moved(port, ada)
    async with releases.serving(ROOT) as port:
        ada, bob = await moved(port, ada, bob)
        await act(ada, 4)
        await act(bob, 2)
        # A newer release has changed the room, and this release changes it afterwards.
        releases.write(code, marked(releases.doc(code)))
        await bob.leave()
        (bob,) = await moved(port, bob)
        assert unmarked(releases.doc(code)) == []
        await act(bob, 1)
    async with releases.serving(releases.last) as port:  # rolled back
        ada, bob = await moved(port, ada, bob)
        assert unmarked(releases.doc(code)) == []
        await act(ada, 2)
        await act(bob, 2)
        await give_up(ada, bob)
        await ada.say("next_round")
        await ada.in_state("LOBBY")
        for player in (bob, ada):
            player.table = {}
            await player.say("ready")
        for player in (ada, bob):
            await player.race()
            await act(player, 1)
    async with releases.serving(ROOT) as port:  # and forward again
        assert await lengths(port, code, 1) == {0: 9, 1: 10}
        assert (await get(port, f"/api/rooms/{code}/rounds/1.txt")).status == 200
        ada, bob = await moved(port, ada, bob)
        await act(bob, 1)
        await give_up(ada, bob)
        assert await lengths(port, code, 2) == {0: 1, 1: 2}


async def test_games_of_this_release_go_on_in_the_last_one_and_back(releases: Releases) -> None:
    """Logs without an act move too, and a race over days whose players begin in both releases."""
    async with releases.serving(ROOT) as new, releases.serving(releases.last) as last:
        ada, bob = await start_race(new, 2, game="spider-1", time_limit_s=None)
        ada, bob = await moved(last, ada, bob)
        await act(ada, 2)
        (bob,) = await moved(new, bob)
        await act(bob, 1)
        await give_up(ada, bob)

        cy = await Player.create(new, "Cy", game="spider-1", window_s=86_400, time_limit_s=None)
        dee = await Player.join(last, cy.code, "Dee")
        await cy.say("start")
        await dee.in_state("RUNNING")
        for player in (cy, dee):
            await player.say("chase")
            await player.race()
        cy, dee = (await moved(last, cy))[0], (await moved(new, dee))[0]
        await act(cy, 1)
        await act(dee, 2)
        await cy.say("end", grace_s=5)
        await give_up(cy, dee)
        for port in (new, last):
            assert await lengths(port, ada.code, 1) == {0: 2, 1: 1}
            assert await lengths(port, cy.code, 1) == {0: 1, 1: 2}

"""A race moves to this release and back to the last one, on one store.

While no release is tagged, this code serves in place of the last one.
"""

import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis

from server.store import keys
from tests.faults.processes import FENCED, Server
from tests.players import Player, is_move
from tests.rooms.test_record import marked, unmarked
from tests.server.http import get
from tests.servers import RedisServer, start_embedded

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RedisServer]:
    with start_embedded(tmp_path) as server:
        yield server


@dataclass
class Fleet:
    """Servers of two releases on one store."""

    store: RedisServer
    directory: Path
    last_release: Path
    started: int = 0

    @contextlib.asynccontextmanager
    async def old(self) -> AsyncIterator[int]:
        async with self._serving(self.last_release) as port:
            yield port

    @contextlib.asynccontextmanager
    async def new(self) -> AsyncIterator[int]:
        async with self._serving(None) as port:
            yield port

    @contextlib.asynccontextmanager
    async def _serving(self, code: Path | None) -> AsyncIterator[int]:
        self.started += 1
        server = Server(self.started, FENCED, self.store.url, self.directory, code)
        await server.start()
        assert server.port is not None
        try:
            yield server.port
        finally:
            await server.close()
        assert server.troubles == []

    def doc(self, code: str) -> Any:
        with redis.Redis(unix_socket_path=str(self.store.socket)) as client:
            return json.loads(client.hget(keys.room(code), "doc") or "null")

    def write(self, code: str, doc: Any) -> None:
        """Write the record as a newer release would have: as another version, and published."""
        with redis.Redis(unix_socket_path=str(self.store.socket)) as client:
            client.hset(keys.room(code), "doc", json.dumps(doc))
            client.hincrby(keys.room(code), "v", 1)
            client.execute_command("SPUBLISH", keys.channel(code), "room")


@pytest.fixture
def fleet(store: RedisServer, tmp_path: Path, last_release: Path) -> Fleet:
    return Fleet(store, tmp_path, last_release)


async def act(player: Player, acts: int) -> None:
    for _ in range(acts):
        player.used = max(player.used, player.table["last_id"] if player.table else 0)
        moves = [one for one in player.table["legal"] if is_move(one) or one == "deal"]
        assert (await player.act(moves[0]))["type"] == "acted"


async def moved(port: int, *players: Player) -> list[Player]:
    """Reconnect the players to another server, in the middle of their race."""
    resumed = [await player.resume(port) for player in players]
    for player, was in zip(resumed, players, strict=True):
        assert (await player.race())["at"] == was.table["at"]
        player.used = was.used
    return resumed


async def begun(port: int) -> tuple[Player, Player]:
    """Begin a race of two players without a time limit."""
    ada = await Player.create(port, "Ada", game="spider-1", time_limit_s=None)
    bob = await Player.join(port, ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    for player in (ada, bob):
        await player.race()
    return ada, bob


async def test_a_race_moves_to_this_release_and_back_and_loses_nothing(fleet: Fleet) -> None:
    async with fleet.old() as port:
        ada, bob = await begun(port)
        code = ada.code
        await act(ada, 3)
        await act(bob, 5)
    async with fleet.new() as port:
        ada, bob = await moved(port, ada, bob)
        await act(ada, 4)
        await act(bob, 2)
        # A newer release has changed the room, and this release changes it afterwards.
        fleet.write(code, marked(fleet.doc(code)))
        await bob.leave()
        (bob,) = await moved(port, bob)
        assert unmarked(fleet.doc(code)) == []
        await act(bob, 1)
    async with fleet.old() as port:  # rolled back
        ada, bob = await moved(port, ada, bob)
        assert unmarked(fleet.doc(code)) == []
        await act(ada, 2)
        await act(bob, 2)
        for player in (ada, bob):
            await player.say("forfeit")
        for player in (ada, bob):
            assert (await player.receive("round_over"))["n"] == 1
        acts = {0: ada.table["at"], 1: bob.table["at"]}
        assert acts == {0: 9, 1: 10}
        await ada.say("next_round")
        await ada.in_state("LOBBY")
        for player in (bob, ada):
            player.table = {}
            await player.say("ready")
        for player in (ada, bob):
            await player.race()
            await act(player, 1)
    async with fleet.new() as port:  # and forward again
        path = f"/api/rooms/{code}/rounds/1"
        whole = json.loads((await get(port, path)).body)
        assert {one["seat"]: len(one["log"]) for one in whole["players"]} == acts
        assert whole["reveal"]["commitment"]
        assert (await get(port, f"{path}.txt")).status == 200
        ada, bob = await moved(port, ada, bob)
        await act(bob, 1)
        for player in (ada, bob):
            await player.say("forfeit")
        for player in (ada, bob):
            await player.receive("round_over")
        whole = json.loads((await get(port, f"/api/rooms/{code}/rounds/2")).body)
        assert {one["seat"]: len(one["log"]) for one in whole["players"]} == {0: 1, 1: 2}


async def test_both_releases_serve_one_race_at_once(fleet: Fleet) -> None:
    """A deploy replaces one server after the other, so both releases run for a while."""
    async with fleet.old() as old, fleet.new() as new:
        ada = await Player.create(new, "Ada", game="spider-1", time_limit_s=None)
        bob = await Player.join(old, ada.code, "Bob")
        await bob.say("ready")
        await ada.say("ready")
        for player in (ada, bob):
            await player.race()
            await act(player, 3)
        for _ in range(2):  # the players swap servers
            (ada,), (bob,) = await moved(old, ada), await moved(new, bob)
            await act(ada, 2)
            await act(bob, 2)
            (ada,), (bob,) = await moved(new, ada), await moved(old, bob)
        await bob.say("forfeit")
        while not any(seat["state"] == "FORFEIT" for seat in ada.room["seats"]):
            await ada.next()
        await ada.say("forfeit")
        for player in (ada, bob):
            ranking = (await player.receive("round_over"))["ranking"]
            assert {line["state"] for line in ranking} == {"FORFEIT"}

"""A race moves to this release and back to the one before, on one store.

The release before has limits: it keeps no unknown field, it refuses a room with unknown settings,
and such a room stops its sweep. So it can serve every room of this release whose settings it
knows, but unknown fields are lost in rooms that it changes, and it must not run alone with rooms
whose hosts have chosen newer settings. It reads no room codes of seven characters, so the rooms of
these tests have ten. It ranks by its own rules while it serves, and uses the store's clock even
where this release has undone a step. `python -m tests.faults` protects it from all of that: see
`release_before.py`.
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
from tests.faults.processes import WITH_BEFORE, Server
from tests.faults.wire_before import EitherPlayer as Player
from tests.players import is_move
from tests.rooms.test_record import UNKNOWN, marked, unmarked
from tests.server.http import get
from tests.servers import RedisServer, start_embedded

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RedisServer]:
    server = start_embedded(tmp_path)
    yield server
    server.stop()


@dataclass
class Fleet:
    """Servers of two releases on one store."""

    store: RedisServer
    directory: Path
    before: Path
    started: int = 0

    @contextlib.asynccontextmanager
    async def old(self) -> AsyncIterator[int]:
        async with self._serving(self.before) as port:
            yield port

    @contextlib.asynccontextmanager
    async def new(self) -> AsyncIterator[int]:
        async with self._serving(None) as port:
            yield port

    @contextlib.asynccontextmanager
    async def _serving(self, code: Path | None) -> AsyncIterator[int]:
        self.started += 1
        server = Server(self.started, WITH_BEFORE, self.store.url, self.directory, code)
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
def fleet(store: RedisServer, tmp_path: Path, before: Path) -> Fleet:
    return Fleet(store, tmp_path, before)


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


def with_unknown_fields(doc: Any) -> Any:
    """Return a record of a newer release with known settings, as the release before requires."""
    found = marked(doc)

    def strict(part: Any) -> Any:
        if isinstance(part, list):
            return [strict(each) for each in part]
        if not isinstance(part, dict):
            return part
        known = {key: strict(each) for key, each in part.items()}
        if "settings" in known:
            known["settings"].pop(UNKNOWN)
        return known

    return strict(found)


def forgotten(doc: Any) -> list[str]:
    return [at for at in unmarked(doc) if not at.endswith("settings")]


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
        fleet.write(code, with_unknown_fields(fleet.doc(code)))
        await bob.leave()
        (bob,) = await moved(port, bob)
        assert forgotten(fleet.doc(code)) == []
        await act(bob, 1)
    async with fleet.old() as port:  # rolled back
        ada, bob = await moved(port, ada, bob)
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


async def test_a_room_that_the_release_before_cannot_serve_is_not_changed(fleet: Fleet) -> None:
    async with fleet.new() as port:
        ada, bob = await begun(port)
        await act(ada, 2)
        doc = fleet.doc(ada.code)
        doc["settings"][UNKNOWN] = doc["round"]["settings"][UNKNOWN] = True
        fleet.write(ada.code, doc)
    left = fleet.doc(ada.code)
    server = Server(9, WITH_BEFORE, fleet.store.url, fleet.directory, fleet.before)
    await server.start()
    try:
        assert server.port is not None
        eve = await Player.connect(server.port)
        await eve.say("resume", room=ada.code, seat=0, token=ada.token)
        assert await eve.closed() == 1011
        other = await Player.create(server.port, "Cy")
        assert (await other.ask("ready"))["type"] == "room"
    finally:
        await server.close()
    assert fleet.doc(ada.code) == left
    async with fleet.new() as port:
        ada, bob = await moved(port, ada, bob)
        await act(ada, 1)
        await act(bob, 1)
        assert fleet.doc(ada.code)["settings"][UNKNOWN] is True

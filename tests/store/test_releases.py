"""This release serves the stores of all earlier releases: every file of `releases/`."""

import json
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from server import __version__
from server.app import Tuning
from server.games import notation
from server.store import Store
from tests.players import Player, running
from tests.rooms.test_record import UNKNOWN, marked, unmarked
from tests.server.conftest import SOON
from tests.server.http import get
from tests.servers import AT_ONCE, RedisServer, opened, start_embedded
from tests.store import snapshot
from tests.store.recordings import RELEASES, Recorded

FILES = sorted(RELEASES.glob("*.json"))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with start_embedded(tmp_path_factory.mktemp("releases")) as server:
        yield server


@pytest.fixture(params=FILES, ids=[path.stem for path in FILES])
def recorded(request: pytest.FixtureRequest) -> Recorded:
    found: Recorded = json.loads(request.param.read_text())
    return found


@pytest.fixture
async def empty(server: RedisServer, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(server.url, tmp_path) as store:
        await store.client.pipelines[0].call("FLUSHALL")
        yield store


def put_back(server: RedisServer, recorded: Recorded) -> None:
    later = round(time.time() * 1_000) - recorded["taken"]
    snapshot.put_back(server.socket, recorded["keys"], later)


def of_a_newer_release(recorded: Recorded) -> Recorded:
    """Return the same store, with fields in every part of a record that no release has had."""
    keys = dict(recorded["keys"])
    for name, kept in keys.items():
        if name.endswith("}:room"):
            doc = json.dumps(marked(json.loads(kept["hash"]["doc"])))
            keys[name] = {"hash": {**kept["hash"], "doc": doc}}
    return {**recorded, "keys": keys}


async def back(port: int, seat: dict[str, Any]) -> Player:
    """Return the player of a recorded seat, who has only its token."""
    player = await Player.connect(port)
    player.code, player.seat, player.token = seat["room"], seat["seat"], seat["token"]
    player.used = seat["used"]
    return await player.resume(port)


async def all_back(port: int, recorded: Recorded, name: str) -> list[Player]:
    return [await back(port, seat) for seat in recorded["seats"][name]]


async def go_on(port: int, recorded: Recorded) -> str:
    """Continue the race of two players to its end and the next round; return its room's code."""
    ada, bob = await all_back(port, recorded, "race")
    for player, seat in zip((ada, bob), recorded["seats"]["race"], strict=True):
        assert (await player.race())["at"] == seat["at"]
        player.used = max(player.used, player.table["last_id"])
        assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    for player in (ada, bob):
        await player.say("forfeit")
    over = await bob.receive("round_over")
    assert {line["seat"]: line["moves"] > 0 for line in over["ranking"]} == {0: True, 1: True}
    await check_round(port, ada.code, 1, {0: ada.table["at"], 1: bob.table["at"]})
    await ada.say("next_round")
    await ada.in_state("LOBBY")
    ada.table = {}
    await ada.say("start")
    await ada.race()
    assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
    return ada.code


async def check_round(port: int, code: str, n: int, logs: dict[int, int]) -> None:
    """Check that a finished round can be read in every form, with logs of these lengths."""
    path = f"/api/rooms/{code}/rounds/{n}"
    whole = json.loads((await get(port, path)).body)
    assert {one["seat"]: len(one["log"]) for one in whole["players"]} == logs
    assert len(json.loads((await get(port, f"{path}/course")).body)["courses"]) == len(logs)
    for seat, acts in logs.items():
        assert json.loads((await get(port, f"{path}/seats/{seat}")).body)["acts"] == acts
    text = (await get(port, f"{path}.txt")).body.decode()
    assert len(notation.parse_round(text).players) == len(logs)


QUICK = Tuning(rooms=SOON, store=AT_ONCE)


def test_this_release_is_recorded() -> None:
    assert __version__ in {path.stem for path in FILES}


async def test_every_seat_of_an_earlier_release_can_be_taken_again(
    server: RedisServer, recorded: Recorded, empty: Store, tmp_path: Path
) -> None:
    assert empty is not None
    put_back(server, recorded)
    async with running(QUICK, redis_url=server.url, data_dir=tmp_path) as listener:
        port = listener.port
        for name, seats in recorded["seats"].items():
            for seat in seats:
                player = await back(port, seat)
                if name.startswith(("race", "chased")):
                    assert (await player.race())["at"] == seat["at"]
            assert player.room["code"] == seats[0]["room"]
        over = recorded["seats"]["over"]
        await check_round(port, over[0]["room"], 1, {one["seat"]: one["at"] for one in over})
        said = await back(port, over[1])
        assert (await said.receive("said"))["text"] == "Good game, all of you"
        again = await all_back(port, recorded, "rematch")
        for player in again:
            await player.say("rematch")
        for player in again:
            await player.race()


async def test_races_of_an_earlier_release_continue(
    server: RedisServer, recorded: Recorded, empty: Store, tmp_path: Path
) -> None:
    assert empty is not None
    put_back(server, recorded)
    async with running(QUICK, redis_url=server.url, data_dir=tmp_path) as listener:
        port = listener.port
        await go_on(port, recorded)
        ada, bob, cy = await all_back(port, recorded, "chased")
        for player in (ada, bob, cy):
            await player.race()
            assert (await player.act(player.table["legal"][0]))["type"] == "acted"
        ada.used = bob.used = 1_000
        assert (await ada.ask("hint"))["hints"] == 2
        for player in (ada, bob):
            await player.say("forfeit")
        late = next(
            line
            for line in (await cy.receive("round_over"))["ranking"]
            if line["late_ms"] is not None
        )
        assert (late["seat"], late["place"], late["state"]) == (2, None, "TIMED_OUT")
        match = await all_back(port, recorded, "between rounds")
        for player in match:
            await player.say("ready")
        for player in match:
            await player.race()
            await player.say("forfeit")
        await match[0].in_state("FINISHED")


async def test_rooms_of_a_newer_release_are_served_and_keep_unknown_fields(
    server: RedisServer, recorded: Recorded, empty: Store, tmp_path: Path
) -> None:
    put_back(server, of_a_newer_release(recorded))
    async with running(QUICK, redis_url=server.url, data_dir=tmp_path) as listener:
        code = await go_on(listener.port, recorded)
        for seats in recorded["seats"].values():
            player = await back(listener.port, seats[0])
            assert UNKNOWN not in json.dumps(player.received)
        stored = await empty.rooms.read(code)
        assert stored is not None
        doc = json.loads(stored.doc)
        # Only this release's own parts lack these fields: the current round, and the results.
        assert [at for at in unmarked(doc) if ".results." not in at] == [
            "room.round",
            "room.round.deal",
        ]

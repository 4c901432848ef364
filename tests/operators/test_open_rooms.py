"""The open rooms and their players, as a table and as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from spider_race_client import connect

from protocol.vocabulary import RoomState
from server.__main__ import main
from server.app import Tuning
from server.config import RoomsOptions
from server.operators.open_rooms import count_rooms, list_rooms, shown
from server.operators.tables import duration, one_line, table
from server.rooms.timings import RoomTimings
from tests.players import running
from tests.python_client.races import race_of_two
from tests.rooms.rooms import ROOMS, T0
from tests.servers import RedisServer, start_embedded


async def test_open_rooms_are_listed_beside_their_server(tmp_path: Path) -> None:
    async with (
        running(Tuning(rooms=RoomTimings(countdown_ms=0)), data_dir=tmp_path) as listener,
        connect(f"http://127.0.0.1:{listener.port}") as client,
    ):
        host, guest = await race_of_two(client)
        lonely = await client.create("Eve", {"public": True})
        guest.close()
        table_options = RoomsOptions(data_dir=tmp_path)
        rooms = json.loads((await list_rooms(RoomsOptions(data_dir=tmp_path, as_json=True))).text)
        text = (await list_rooms(table_options)).text
        totals = json.loads(
            (await count_rooms(RoomsOptions(data_dir=tmp_path, as_json=True))).text
        )
        counted = (await count_rooms(table_options)).text
    by_code = {room["code"]: room for room in rooms}
    race = by_code[host.code]
    assert (race["state"], race["players"], race["races"]) == ("RUNNING", 2, 1)
    assert race["age_s"] is not None
    lobby = by_code[lonely.code]
    assert (lobby["state"], lobby["players"], lobby["connected"]) == ("LOBBY", 1, 1)
    assert (lobby["public"], lobby["host"], lobby["age_s"]) == (True, "Eve", None)
    for code in by_code:
        assert code in text
    assert "2 open rooms" in text
    assert (totals["rooms"], totals["rooms_running"], totals["rooms_lobby"]) == (2, 1, 1)
    assert totals["players"] == 3
    assert totals["servers"] == 1
    assert "servers" in counted


async def test_a_store_without_rooms_says_so(tmp_path: Path) -> None:
    async with running(data_dir=tmp_path):
        assert (await list_rooms(RoomsOptions(data_dir=tmp_path))).text == "No open rooms."


@pytest.fixture(scope="module")
def redis_of_rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with start_embedded(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.mark.parametrize("option", ["--json", "--as-json"])  # the latter of earlier releases
@pytest.mark.parametrize("given", [("doctor", "--port", "0"), ("rooms",), ("stats",)])
def test_the_command_line_gives_json(
    given: tuple[str, ...],
    option: str,
    redis_of_rooms: RedisServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([*given, option, "--redis-url", redis_of_rooms.url]) in {0, 1}
    assert isinstance(json.loads(capsys.readouterr().out), dict if "stats" in given else list)


@pytest.mark.parametrize("state", RoomState)
def test_rooms_of_every_state_are_shown(state: RoomState) -> None:
    room = shown(ROOMS[state](), T0 + 60_000)
    assert room.state == state
    assert room.connected <= room.players
    assert room.age_s is None if state is RoomState.LOBBY else room.age_s is not None


@pytest.mark.parametrize("name", ["\x1b[2J\x1b[31mEve", "a\nb", "a\rb", "\u202eevE", "\x9b2J"])
def test_names_of_players_cannot_move_what_a_terminal_shows(name: str) -> None:
    text = table(("code", "host"), [("7K3QZ0A", name)])
    assert text.count("\n") == 2
    assert all(each.isprintable() for each in text.replace("\n", ""))
    assert len(one_line("x" * 10_000)) < 200


def test_durations_have_their_two_largest_units() -> None:
    spans = [duration(seconds) for seconds in (-1, 59, 61, 7_500, 200_000)]
    assert spans == ["0 s", "59 s", "1 min 1 s", "2 h 5 min", "2 d 7 h"]


def test_columns_of_numbers_are_on_the_right_and_an_empty_table_has_heads() -> None:
    assert table(("what", "now"), [("rooms", 5), ("players", 12)]).splitlines()[2].endswith("  5")
    assert "what" in table(("what", "now"), [])

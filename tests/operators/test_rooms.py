"""The open rooms and their players, as a table and as JSON."""

import asyncio
import json
from pathlib import Path

import pytest
from spider_race_client import connect

from protocol.vocabulary import RoomState
from server.__main__ import main
from server.app import Tuning
from server.config import RoomsOptions, StatsOptions
from server.operators import one_line, table
from server.operators.rooms import count_rooms, describe, list_rooms
from server.rooms.events import RoomTimings
from server.store import Store
from server.store.keys import UNPREFIXED
from tests.players import running, start_race
from tests.python_client.races import race_of_two
from tests.rooms.rooms import ROOMS, T0
from tests.server.conftest import Serving
from tests.store.rooms_and_acts import change


async def test_open_rooms_are_listed_beside_their_server(tmp_path: Path) -> None:
    async with (
        running(Tuning(rooms=RoomTimings(countdown_ms=0)), data_dir=tmp_path) as listener,
        connect(f"http://127.0.0.1:{listener.port}") as client,
    ):
        host, guest = await race_of_two(client)
        lonely = await client.create("Eve", {"public": True})
        guest.close()
        for_people = StatsOptions(data_dir=tmp_path)
        shown = list_rooms, count_rooms
        text, counted = [(await show(for_people)).text for show in shown]
        as_json = StatsOptions.model_validate({"data_dir": tmp_path, "json": True})
        rooms, totals = [json.loads((await show(as_json)).text) for show in shown]
    by_code = {room["code"]: room for room in rooms}
    race = by_code[host.code]
    assert (race["state"], race["players"], race["races"]) == ("RUNNING", 2, 1)
    assert race["age_s"] is not None
    assert race["idle_s"] <= race["age_s"]
    lobby = by_code[lonely.code]
    assert (lobby["state"], lobby["players"], lobby["connected"]) == ("LOBBY", 1, 1)
    assert (lobby["public"], lobby["host"], lobby["age_s"]) == (True, "Eve", None)
    assert all(word in text for word in (*by_code, "2 open rooms"))
    counts = {"rooms": 2, "rooms_running": 1, "rooms_lobby": 1, "players": 3, "servers": 1}
    assert counts.items() <= totals.items()
    assert "servers" in counted


async def test_a_store_without_rooms_says_so_in_each_form(
    embedded_url: str, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await store.lists.public() == []
    assert (await list_rooms(RoomsOptions(redis_url=embedded_url))).text == "No open rooms."
    for command in (("doctor", "--port", "0"), ("rooms",), ("stats",)):
        words = [*command, "--json", "--redis-url", embedded_url]
        assert await asyncio.to_thread(main, words) in {0, 1}
        found = json.loads(capsys.readouterr().out)
        assert isinstance(found, dict if "stats" in command else list)


async def test_open_rooms_are_listed_by_their_players_and_closed_ones_not_at_all(
    embedded_url: str, store: Store
) -> None:
    docs = {state.value: ROOMS[state]() for state in RoomState}
    crowd = docs["RUNNING"]
    docs["LONELY"] = docs["LOBBY"].model_copy(update={"seats": crowd.seats[:1]})
    for code, room in docs.items():
        named = tuple(seat.model_copy(update={"name": "\0" * 200}) for seat in room.seats)
        doc = room.model_copy(update={"code": code, "seats": named}).model_dump_json()
        await store.rooms.create(code, change(doc=doc))
        await store.open_rooms.renew([code], [""])
    await store.rooms.create("STRANGE", change(doc="no JSON"))
    await store.open_rooms.renew(["STRANGE"], [""])
    text = (await list_rooms(RoomsOptions(redis_url=embedded_url))).text
    _, _, *rows, _, total = text.splitlines()
    listed = [row.split()[0] for row in rows]
    assert sorted(listed) == sorted({*docs, "STRANGE"} - {"CLOSED"})
    assert listed.index("RUNNING") < listed.index("LONELY") < listed.index("STRANGE")
    assert total.startswith("6 open rooms, ")
    assert max(map(len, rows)) < 220


@pytest.mark.parametrize("state", RoomState)
def test_rooms_of_every_state_are_shown(state: RoomState) -> None:
    room = describe(ROOMS[state](), T0 + 60_000)
    assert room.state == state
    assert room.connected <= room.players
    assert room.age_s is None if state is RoomState.LOBBY else room.age_s is not None


@pytest.mark.parametrize("name", ["\x1b[2J\x1b[31mEve", "a\nb", "a\rb", "\u202eevE", "\x9b2J"])
def test_names_of_players_cannot_move_what_a_terminal_shows(name: str) -> None:
    text = table(("code", "host"), [("7K3QZ0A", name)])
    assert text.count("\n") == 2
    assert all(each.isprintable() for each in text.replace("\n", ""))
    assert len(one_line("x" * 10_000)) < 200


def test_columns_of_numbers_are_on_the_right_and_an_empty_table_has_heads() -> None:
    assert table(("what", "now"), [("rooms", 5), ("players", 12)]).splitlines()[2].endswith("  5")
    assert "what" in table(("what", "now"), [])
    assert "7E5" in table(("code",), [("7E5",)])  # not a number


async def test_a_room_is_idle_since_its_latest_change_or_act(
    serving: Serving, embedded_url: str, store: Store
) -> None:
    as_json = RoomsOptions.model_validate({"redis_url": embedded_url, "json": True})

    async def idle_s() -> int:
        answer = await list_rooms(as_json)
        return int(json.loads(answer.text)[0]["idle_s"])

    async with serving() as listener:
        (player,) = await start_race(listener.port, players=1)
        key = UNPREFIXED.room(player.code)
        assert await idle_s() < 600
        table_of_one = await list_rooms(RoomsOptions(redis_url=embedded_url))
        assert table_of_one.text.endswith("\n\n1 open room, 1 of 1 players connected.")
        # As if the record had been written two hours ago: it expires two hours sooner.
        left_s = await store.client.call("TTL", key)
        await store.client.call("EXPIRE", key, left_s - 7_200)
        assert await idle_s() >= 7_000
        await player.act(player.table["legal"][0])
        assert await idle_s() < 600

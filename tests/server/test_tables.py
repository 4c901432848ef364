"""Kept tables at whole servers: places, the history, its files, and old rounds."""

import asyncio
import csv
import io
import json
from collections.abc import Sequence

from structlog.testing import capture_logs

from protocol.http import TableHistory
from server import metrics
from server.sessions.limits import Rate, SessionLimits
from server.store import StoreAway, Unreadable
from tests.players import Message
from tests.world.stage import Person, Stage, begin, get, staged, start_race

HERE, THERE = "192.0.2.1", "198.51.100.1"


async def race(players: Sequence[Person]) -> None:
    """Play one more race to its end: the last player wins nothing."""
    if players[0].room["state"] == "FINISHED":
        await players[0].ask("next_round")
    await begin(players)
    await give_up(players)


async def give_up(players: Sequence[Person]) -> None:
    for player in players:
        await player.ask("forfeit")
    for player in players:
        await player.in_state("FINISHED")


async def table(port: int, code: str) -> TableHistory:
    answer = await get(port, f"/api/rooms/{code}/table")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-cache")
    return TableHistory.model_validate_json(answer.body)


def at_table(room: Message) -> tuple[str, int]:
    return room["kept"]["name"], room["kept"]["races"]


@staged
async def test_an_evening_at_a_table_is_in_its_history(stage: Stage) -> None:
    players = ada, bob = await start_race(stage.port)
    await give_up(players)
    assert (await get(stage.port, f"/api/rooms/{ada.code}/table")).status == 404
    kept = await ada.ask("keep", name="Friday")
    assert (kept["type"], at_table(kept["room"])) == ("room", ("Friday", 1))
    await race(players)
    assert at_table(bob.room) == ("Friday", 2)
    found = await table(stage.port, ada.code)
    assert (found.room, found.name) == (ada.code, "Friday")
    assert [each.n for each in found.rounds] == [2, 1]
    assert {each.name: each.here for each in found.members} == {"Player 0": True, "Player 1": True}
    assert all(each.counted and each.replay for each in found.rounds)
    (standings,) = found.standings
    assert [(row.races, row.wins, row.form) for row in standings.rows] == [(2, 0, (1, 1))] * 2
    (pair,) = standings.pairs
    assert (pair.a, pair.b, pair.races, pair.last) == (0, 1, 2, (None, None))
    invitation = json.loads((await get(stage.port, f"/api/rooms/{ada.code}")).body)
    assert (invitation["kept"], invitation["here"]) == (True, ["Player 0", "Player 1"])
    await ada.ask("keep", kept=False)
    assert "kept" not in ada.room
    assert (await get(stage.port, f"/api/rooms/{ada.code}/table")).status == 404
    assert stage.store.rooms.histories == {}


@staged
async def test_the_files_of_a_table_are_made_once_a_change(stage: Stage) -> None:
    players = ada, _ = await start_race(stage.port)
    await give_up(players)
    await ada.ask("keep")
    calls, path = stage.one.store.faults.calls, f"/api/rooms/{ada.code}/table"
    first = await get(stage.port, path)
    again = await get(stage.port, path, if_none_match=first.headers["etag"])
    assert (again.status, calls["rooms.history"]) == (304, 1)
    sheet = await get(stage.port, f"{path}.csv")
    assert sheet.headers["content-type"] == "text/csv; charset=utf-8"
    assert f"spider-race-{ada.code}.csv" in sheet.headers["content-disposition"]
    head, *rows = csv.reader(io.StringIO(sheet.body.decode("utf-8-sig")))
    assert [dict(zip(head, row, strict=True))["name"] for row in rows] == ["Player 0", "Player 1"]
    assert (await get(stage.port, "/api/rooms/0000000/table")).status == 404


@staged
async def test_the_page_of_a_table_reveals_nothing_of_a_race_that_is_on(stage: Stage) -> None:
    players = ada, bob = await start_race(stage.port, undo="any")
    await give_up(players)
    await ada.ask("keep")
    await ada.ask("next_round")
    await begin(players)
    path = f"/api/rooms/{ada.code}/table"
    before = [(await get(stage.port, each)).body for each in (path, f"{path}.csv")]
    for player in (ada, bob):
        assert (await player.act("deal"))["type"] == "acted"
    await ada.ask("forfeit")
    assert [(await get(stage.port, each)).body for each in (path, f"{path}.csv")] == before
    for played in (await stage.one.repository.read(ada.code)).room.known_rounds:
        secrets = (str(played.deal.seed), str(played.deal.salt))
        assert not any(each.encode() in page for each in secrets for page in before)


@staged
async def test_no_name_is_a_formula_in_a_spreadsheet(stage: Stage) -> None:
    names = ["=1+1", "@SUM(A1)", "-2", "+3", 'Ann, "the" one']
    host = await Person.create(stage.port, names[0])
    players = [host, *[await Person.join(stage.port, host.code, name) for name in names[1:]]]
    await race(players)
    await host.ask("keep")
    sheet = (await get(stage.port, f"/api/rooms/{host.code}/table.csv")).body.decode("utf-8-sig")
    shown = {row["name"] for row in csv.DictReader(io.StringIO(sheet))}
    assert shown == {"'=1+1", "'@SUM(A1)", "'-2", "'+3", 'Ann, "the" one'}


@staged
async def test_an_address_keeps_so_many_tables_and_hears_at_once_of_one_too_many(
    stage: Stage,
) -> None:
    """A thousand tables from one address, at all processes together."""
    one, two = (stage.process(kept_per_address=3, kept_tables=4) for _ in range(2))

    async def keeps(port: int, address: str) -> tuple[str, Person]:
        host = await Person.connect(port, address=address)
        await host.ask("create", name="Eve")
        answer = await host.ask("keep")
        return str(answer.get("code") or answer["type"]), host

    many = [await keeps((one, two)[number % 2].port, HERE) for number in range(9)]
    assert [answer for answer, _ in many] == ["room"] * 3 + ["too_many_kept"] * 6
    assert [(await keeps(one.port, THERE))[0] for _ in range(2)] == ["room", "kept_full"]
    assert await stage.store.kept.count() == 4
    # The host of a table may rename it, or keep another one instead.
    host = many[0][1]
    assert (await host.ask("keep", name="Ours"))["room"]["kept"]["name"] == "Ours"
    assert (await host.ask("keep", kept=False))["type"] == "room"
    assert (await many[-1][1].ask("keep"))["type"] == "room"
    assert metrics.refusals.labels("too_many_kept")._value.get() >= 6


@staged
async def test_a_guest_who_keeps_the_table_too_takes_no_place_and_frees_none(stage: Stage) -> None:
    """Otherwise two people at a table would keep more of them than their address may."""
    one, two = stage.process(), stage.process()
    ada = await Person.create(one.port, "Ada")
    bob = await Person.join(two.port, ada.code, "Bob")
    answers = await asyncio.gather(bob.ask("keep"), ada.ask("keep"))
    assert [answer.get("code", "kept") for answer in answers] == ["not_host", "kept"]
    assert await stage.store.kept.count() == 1


@staged
async def test_a_full_store_says_so_when_a_table_is_to_be_kept_and_never_later(
    stage: Stage,
) -> None:
    players = ada, bob = await start_race(stage.port)
    await give_up(players)
    stage.store.open_rooms.without_space = stage.store.kept.without_space = 1
    assert (await ada.ask("keep"))["code"] == "store_full"
    stage.one.store.faults.is_full = True
    assert (await ada.ask("keep"))["code"] == "store_full"
    stage.one.store.faults.is_full = False
    assert (await bob.ask("keep"))["code"] == "not_host"
    assert await stage.store.kept.count() == 0
    await ada.ask("keep")
    stage.one.store.faults.is_full = True
    await race(players)
    assert at_table(ada.room) == ("", 2)
    stage.one.store.faults.is_full = False
    assert len((await table(stage.port, ada.code)).rounds) == 2


@staged
async def test_a_round_whose_end_gets_no_answer_is_in_the_history_once(stage: Stage) -> None:
    """The process stops between the end of a round and its answer; another one goes on."""
    one, two = stage.process(), stage.process()
    ada = await Person.create(one.port, "Ada")
    bob = await Person.join(two.port, ada.code, "Bob")
    await ada.ask("keep")
    await begin([ada, bob])
    await ada.ask("forfeit")
    two.store.faults.lose_answer("rooms.change")
    await bob.say("forfeit")
    assert (await bob.receive("refused"))["code"] == "try_again"
    two.store.faults.away = True
    await asyncio.sleep(30)
    found = await table(one.port, ada.code)
    assert [each.n for each in found.rounds] == [1]
    room = (await one.repository.read(ada.code)).room
    assert (room.state.value, room.kept and room.kept.races) == ("FINISHED", 1)


@staged
async def test_a_damaged_history_leaves_a_table_that_plays(stage: Stage) -> None:
    players = ada, _ = await start_race(stage.port)
    await give_up(players)
    await ada.ask("keep")
    history = stage.store.rooms.histories[ada.code]
    stage.store.rooms.histories[ada.code] = ["{}", *history, "not JSON", history[0][:99]]
    await race(players)
    with capture_logs() as logs:
        assert [each.n for each in (await table(stage.port, ada.code)).rounds] == [2, 1]
    assert [(each["event"], each["lines"]) for each in logs if "lines" in each] == [
        ("a part of a history cannot be read", 3)
    ]
    stage.one.store.faults.failing["rooms.history"] = Unreadable("another type")
    await ada.ask("keep", name="Still here")
    found = await table(stage.port, ada.code)
    assert (found.name, found.rounds, found.standings) == ("Still here", (), ())
    assert len(found.members) == 2
    stage.one.store.faults.failing["rooms.history"] = StoreAway()
    await ada.ask("keep", name="Away")
    assert (await get(stage.port, f"/api/rooms/{ada.code}/table")).status == 503


@staged
async def test_old_rounds_of_a_table_are_shown_replayed_and_raced(stage: Stage) -> None:
    stage.process(limits=SessionLimits(commands=Rate(1_000, 1_000)))
    players = ada, _ = await start_race(stage.port, undo="any")
    await ada.act("deal")
    await give_up(players)
    await ada.ask("keep")
    for _ in range(25):
        await race(players)
    room = (await stage.one.repository.read(ada.code)).room
    assert room.finished_round(1) is None
    path = f"/api/rooms/{ada.code}/rounds/1"
    whole = json.loads((await get(stage.port, path)).body)
    assert [len(player["log"]) for player in whole["players"]] == [1, 0]
    assert (await get(stage.port, f"{path}/seats/0")).status == 200
    assert (await get(stage.port, f"/r/{ada.code}/1")).status == 200
    assert (await get(stage.port, f"/r/{ada.code}/99")).status == 404
    cat = await Person.connect(stage.port)
    raced = await cat.ask("create", name="Cat", cards=f"{ada.code}/1/0")
    assert raced["type"] == "joined"
    assert b"Player 0 challenges you" in (await get(stage.port, f"/g/{ada.code}/1/0")).body
    # Without the round itself, which is damaged, all of this is simply gone.
    stage.store.rooms.shelves[ada.code][1] = stage.store.rooms.shelves[ada.code][1][:-9]
    for gone in (path, f"/r/{ada.code}/1"):
        assert (await get(stage.port, gone)).status == 404
    dan = await Person.connect(stage.port)
    refused = await dan.ask("create", name="Dan", cards=f"{ada.code}/1/0")
    assert refused["code"] == "no_such_cards"


@staged
async def test_an_idle_table_closes_with_all_that_belongs_to_it(stage: Stage) -> None:
    one = stage.process()
    players = ada, _ = await start_race(one.port)
    await give_up(players)
    await ada.ask("keep")
    code, day_ms = ada.code, 24 * 3_600_000
    assert await stage.store.kept.count() == 1
    for player in players:
        await player.leave()
    stage.store.clock.shift_ms += 89 * day_ms
    await asyncio.sleep(60)
    assert len((await table(one.port, code)).rounds) == 1
    stage.store.clock.shift_ms += day_ms
    await asyncio.sleep(60)
    assert (await get(one.port, f"/api/rooms/{code}/table")).status == 404
    assert stage.store.keys_of(code) == set()
    assert (stage.store.rooms.histories, stage.store.rooms.shelves) == ({}, {})
    assert await stage.store.kept.count() == 0

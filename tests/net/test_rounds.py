"""Rounds that are over, over HTTP."""

import asyncio
import gzip
import json
from typing import Any

import pytest

from server.games.notation import parse_round
from server.net import rounds
from server.rooms import replays
from tests.net.conftest import Serving
from tests.net.http import Answer, get
from tests.players import Player, start_race

WAYS = ("", ".txt", "/course", "/seats/0")


def body(answer: Answer) -> Any:
    assert answer.status == 200
    return json.loads(answer.body)


async def play(player: Player, acts: int) -> None:
    """Some acts, the last two of which are an undo and its redo."""
    for _ in range(acts - 2):
        moves = [act for act in player.table["legal"] if act["type"] == "move"]
        await player.act(moves[0] if moves else {"type": "deal"})
    await player.act({"type": "undo"})
    await player.act({"type": "redo"})


async def test_a_round_that_is_on_is_as_one_that_never_was(serving: Serving) -> None:
    async with serving() as listener:
        ada, bob = await start_race(listener.port)
        path = f"/api/rooms/{ada.code}/rounds"
        await ada.ask("forfeit")
        for way in WAYS:
            on, never = [await get(listener.port, f"{path}/{n}{way}") for n in (1, 2)]
            assert (on.status, on.body) == (never.status, never.body)
            assert on.status == 404
            assert (await get(listener.port, f"/api/rooms/0000000000/rounds/1{way}")).status == 404
        await bob.ask("forfeit")
        await bob.in_state("FINISHED")
        for way in WAYS:
            assert (await get(listener.port, f"{path}/1{way}")).status == 200
        assert (await get(listener.port, f"{path}/1/seats/2")).status == 404


async def test_a_replay_ends_with_the_table_of_its_player(serving: Serving) -> None:
    async with serving() as listener:
        ada, bob = await start_race(listener.port, undo="any")
        await play(ada, 12)
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        await bob.in_state("FINISHED")
        path = f"/api/rooms/{ada.code}/rounds/1"
        replay = body(await get(listener.port, f"{path}/seats/0"))
        piles = {pile["id"]: (pile["down"], pile["up"]) for pile in replay["start"]["piles"]}
        for step in replay["steps"]:
            piles |= {pile["id"]: (pile["down"], pile["up"]) for pile in step["piles"]}
        assert piles == {pile["id"]: (pile["down"], pile["up"]) for pile in ada.table["piles"]}
        assert [step["action"] for step in replay["steps"][-2:]] == ["undo", "redo"]
        assert replay["steps"][-1]["score"] == ada.table["score"]
        assert body(await get(listener.port, f"{path}/seats/1"))["steps"] == []

        course = body(await get(listener.port, f"{path}/course"))
        assert [line["seat"] for line in course["courses"]] == [0, 1]
        assert course["courses"][0]["score"][-1] == ada.table["score"]
        assert course["ranking"][0]["name"] in {"Player 0", "Player 1"}


async def test_a_round_stays_where_it_was_when_the_room_goes_on(serving: Serving) -> None:
    async with serving() as listener:
        (ada,) = await start_race(listener.port, players=1)
        await ada.act(ada.table["legal"][0])
        await ada.ask("forfeit")
        path = f"/api/rooms/{ada.code}/rounds/1"
        before = {way: (await get(listener.port, path + way)).body for way in WAYS}
        await ada.ask("next_round")
        await ada.say("start")
        await ada.in_state("RUNNING")
        for way in WAYS:
            assert (await get(listener.port, path + way)).body == before[way]
        assert (await get(listener.port, f"/api/rooms/{ada.code}/rounds/2/course")).status == 404
        assert parse_round(before[".txt"].decode()).players[0].name == "Player 0"


async def test_what_is_told_of_a_round_is_compressed_and_kept_by_browsers(
    serving: Serving,
) -> None:
    async with serving() as listener:
        (ada,) = await start_race(listener.port, players=1, undo="any")
        await play(ada, 8)
        await ada.ask("forfeit")
        path = f"/api/rooms/{ada.code}/rounds/1/seats/0"
        plain = await get(listener.port, path)
        packed = await get(listener.port, path, Accept_Encoding="gzip")
        assert gzip.decompress(packed.body) == plain.body
        assert "immutable" in plain.headers["cache-control"]
        again = await get(listener.port, path, If_None_Match=plain.headers["etag"])
        assert (again.status, again.body) == (304, b"")


async def test_a_replay_is_made_once_for_all_who_ask_and_the_oldest_is_let_go(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(played: Any, log: Any) -> Any:
        made.append(len(log))
        return replays.steps_of(played, log)

    monkeypatch.setattr(rounds, "steps_of", counted)
    monkeypatch.setattr(rounds, "SLICE", 2)
    async with serving() as listener:
        ada, bob = await start_race(listener.port, undo="any")
        await play(ada, 6)
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        await bob.in_state("FINISHED")
        paths = [f"/api/rooms/{ada.code}/rounds/1/seats/{seat}" for seat in (0, 1)]
        answers = await asyncio.gather(*(get(listener.port, paths[0]) for _ in range(5)))
        assert made == [6]
        assert len({answer.body for answer in answers}) == 1
        monkeypatch.setattr(rounds, "KEPT_BYTES", 1)
        await get(listener.port, paths[1])
        await get(listener.port, paths[0])
        assert made == [6, 0, 6]

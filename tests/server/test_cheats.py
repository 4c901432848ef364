"""Cheats from end to end: the rooms that count them, and the players that see them."""

import pytest

from server.games.notation import parse_round
from server.http.listener import Listener
from tests.players import is_move, start_race
from tests.server.http import get
from tests.server.test_chasers import line_of


@pytest.mark.parametrize(("undo", "cheats"), [("any", 2), ("counted", 2), ("free", 0)])
async def test_undone_deals_are_counted_for_all_to_see_or_refused(
    listener: Listener, undo: str, cheats: int
) -> None:
    ada, bob = await start_race(listener.port, undo=undo, rounds=2)
    for action in ("deal", "undo", "redo", "undo"):
        acted = await ada.act(action)
    assert acted["counts"]["undos"] == 2
    assert ada.table["counts"]["cheats"] == cheats
    assert ada.table["counts"]["stock"] == 50
    await line_of(bob, "Player 0", cheats=cheats, moves=0)
    await ada.say("forfeit")
    await bob.say("forfeit")
    over = await bob.receive("round_over")
    assert {row["name"]: row["cheats"] for row in over["ranking"]} == {
        "Player 0": cheats,
        "Player 1": 0,
    }
    cards = (await bob.in_state("FINISHED"))["match"]["cards"]
    assert {card["name"]: card["cheats"] for card in cards} == {
        "Player 0": cheats,
        "Player 1": 0,
    }
    text = await get(listener.port, f"/api/rooms/{ada.code}/rounds/1.txt")
    finished = parse_round(text.body.decode())
    assert finished.rules.undo == undo
    assert finished.replay(finished.players[0]).counts.cheats == cheats


@pytest.mark.parametrize(("undo", "cheats"), [("any", 0), ("counted", 1)])
async def test_an_undo_that_showed_no_card_counts_only_where_every_undo_does(
    listener: Listener, undo: str, cheats: int
) -> None:
    (ada,) = await start_race(listener.port, players=1, undo=undo, game="spiderette-1")
    face_down = ada.table["counts"]["face_down"]
    for action in filter(is_move, ada.table["legal"]):
        await ada.act(action)
        turned = face_down - ada.table["counts"]["face_down"]
        before = ada.table["counts"]["cheats"]
        await ada.act("undo")
        assert ada.table["counts"]["cheats"] - before == (1 if turned else cheats)

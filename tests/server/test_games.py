"""Games up to the result: hints, cheats, late starts, and acts that the store has lost."""

import asyncio
import json
from typing import Any

import pytest

from server.games.actions import ACTION_TEXTS
from server.games.transcripts import parse_round
from server.live.hub import LiveTimings
from server.sessions.limits import SESSION_LIMITS, Rate, SessionLimits
from server.store import SeatRecord
from tests.games.texts import replayed
from tests.games.wins import SEED, one_suit_game, one_suit_win
from tests.players import actions_in, is_move
from tests.world.stage import (
    Person,
    Stage,
    a_move,
    finish,
    get,
    line_of,
    play_acts,
    staged,
    start_race,
)

TEXTS = ACTION_TEXTS["spider-1"]
ONE_SUIT: dict[str, Any] = {
    "game": "spider-1",
    "deal": "seed",
    "seed": SEED.hex(),
    "auto_remove": False,
}
DEALT_OUT: dict[str, Any] = {"game": "spider-4", "deal": "seed", "seed": f"{1:032x}"}
"""Return a deal that leaves one useless move once everything is dealt."""


def all_seen() -> int:
    """Return how many acts of the win turn up all cards."""
    game = one_suit_game()
    for number, action in enumerate(one_suit_win()):
        if not game.counts.face_down and not game.counts.stock:
            return number
        game.apply(action)
    raise AssertionError("all cards are seen before the end")


# Hints and cheats


@staged
async def test_hints_are_legal_and_counted_for_all_to_see(stage: Stage) -> None:
    one, other = stage.process(), stage.process()
    ada, bob = await start_race(one.port, hints=True, undo="any")
    looker = await Person.join(one.port, ada.code, "Don", "spectator")
    assert (await looker.ask("hint"))["code"] == "not_racing"
    hinted = await ada.ask("hint")
    assert (hinted["type"], hinted["at"], hinted["hints"]) == ("hinted", 0, 1)
    assert hinted["action"] in ada.table["legal"]
    await line_of(bob, "Player 0", hints=1, moves=0)
    ada = await ada.resume(other.port)
    await ada.race()
    assert await ada.ask("hint") == hinted  # two hints for one table count once
    await play_acts(ada, [hinted["action"]])
    assert (await ada.ask("hint"))["hints"] == 2
    await line_of(bob, "Player 0", hints=2)
    over, _ = await finish(bob, ada)
    cards = (await bob.in_state("FINISHED"))["match"]["cards"]
    for rows in (over["ranking"], cards):
        assert {row["name"]: row["hints"] for row in rows} == {"Player 0": 2, "Player 1": 0}


@staged
async def test_clients_that_request_hints_without_end_are_closed(stage: Stage) -> None:
    commands = Rate(SESSION_LIMITS.commands.burst, 0.001)
    port = stage.process(limits=SessionLimits(commands=commands)).port
    (ada,) = await start_race(port, players=1, hints=True)
    for _ in range(55):
        await ada.say("hint")
    assert await ada.closed() == 4005


@pytest.mark.parametrize(("undo", "cheats"), [("any", 2), ("counted", 2), ("free", 0)])
@staged
async def test_undone_deals_count_for_all_to_see(stage: Stage, undo: str, cheats: int) -> None:
    ada, bob = await start_race(stage.port, undo=undo, rounds=2)
    acted = await play_acts(ada, ["deal", "undo", "redo", "undo"])
    assert acted["counts"]["undos"] == 2
    assert (ada.table["counts"]["cheats"], ada.table["counts"]["stock"]) == (cheats, 50)
    await line_of(bob, "Player 0", cheats=cheats, moves=0)
    over, _ = await finish(bob, ada)
    cards = (await bob.in_state("FINISHED"))["match"]["cards"]
    for rows in (over["ranking"], cards):
        assert {row["name"]: row["cheats"] for row in rows} == {"Player 0": cheats, "Player 1": 0}
    text = await get(stage.port, f"/api/rooms/{ada.code}/rounds/1.txt")
    finished = parse_round(text.body.decode())
    assert finished.rules.undo == undo
    assert replayed(finished, 0).counts.cheats == cheats


# The outlook of a game


@staged
async def test_a_won_game_can_be_played_out_by_its_line(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, **ONE_SUIT)
    seen = [TEXTS.format(action) for action in one_suit_win()[: all_seen()]]
    await play_acts(ada, seen)
    assessed = await ada.ask("assess")
    assert (assessed["outlook"], assessed["at"]) == ("won", all_seen())
    assert await ada.ask("assess") == assessed
    await play_acts(ada, actions_in(assessed["line"])[:3])
    ada = await ada.resume(stage.port)
    await ada.race()
    rest = await ada.ask("assess")
    assert (rest["outlook"], rest["at"]) == ("won", all_seen() + 3)
    assert (await play_acts(ada, actions_in(rest["line"])))["outcome"] == "won"
    assert (await ada.ask("assess"))["code"] in {"game_over", "not_racing"}
    await bob.say("forfeit")
    assert (await ada.receive("round_over"))["winners"] == [0]
    assert "assessed" not in {message["type"] for message in bob.received}

    (cy,) = await start_race(stage.port, players=1, autoplay=False, **ONE_SUIT)
    await play_acts(cy, seen)
    assessed = await cy.ask("assess")
    assert (assessed["outlook"], assessed["line"]) == ("open", "")


@staged
async def test_a_dead_game_is_recognized_once_all_is_dealt_and_has_a_place(stage: Stage) -> None:
    ada, bob, cy = await start_race(stage.port, players=3, **DEALT_OUT)
    refused = await ada.ask("forfeit", dead=True)
    assert (refused["command"], refused["code"]) == ("forfeit", "not_finished")
    without_game = await Person.create(stage.port, "Dan")
    assert (await without_game.ask("forfeit", dead=True))["code"] == "not_finished"
    await play_acts(ada, ["deal"] * 4)
    assert (await ada.ask("assess"))["outlook"] == "open"
    await play_acts(ada, ["deal"])
    assert ada.table["stuck"] is None
    assert any(is_move(action) for action in ada.table["legal"])
    for _ in range(3):  # a position may be assessed any number of times
        assessed = await ada.ask("assess")
        assert (assessed["outlook"], assessed["at"], assessed["line"]) == ("dead", 5, "")
        assert assessed["gain"] >= 0
    ada = await ada.resume(stage.port)
    await ada.race()

    # Messages after a question get their replies after it.
    behind: dict[str, dict[str, Any]] = {"ping": {"t": 1}, "watch": {}, "forfeit": {"dead": True}}
    for kind, fields in behind.items():
        await ada.say("assess")
        await ada.say(kind, **fields)
        reply = {"ping": "pong", "watch": "standings", "forfeit": "room"}[kind]
        answers = [await ada.receive("assessed", reply) for _ in range(2)]
        assert [answer["type"] for answer in answers] == ["assessed", reply]
    assert (await ada.act("undo"))["code"] in {"too_late", "not_racing"}
    await play_acts(cy, ["deal"])
    over, _ = await finish(bob, cy)
    rows = [(row["seat"], row["state"]) for row in over["ranking"]]
    assert rows[0] == (0, "FINISHED")
    assert {state for _, state in rows[1:]} == {"FORFEIT"}
    assert over["winners"] == [0]


# Coming late, and giving back what the store has lost


@staged
async def test_latecomers_chase_on_a_clock_of_their_own(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, game="spider-1", chasers=True)
    await play_acts(ada, [a_move(ada)])
    cy = await Person.join(stage.port, ada.code, "Cy")
    await asyncio.sleep(3)
    assert (await cy.ask("act", id=1, at=0, action="deal"))["code"] == "not_racing"
    room = (await cy.ask("chase"))["room"]
    assert [seat["state"] for seat in room["seats"]] == ["RACING", "RACING", "CHASING"]
    table = await cy.race()
    assert (table["at"], table["legal"]) == (0, bob.table["legal"])
    acted = await cy.act(a_move(cy))
    assert (acted["at"], acted["elapsed_ms"] < 500) == (1, True)  # by her own clock
    cy = await cy.resume(stage.port)
    assert (await cy.race())["at"] == 1
    line = await line_of(bob, "Cy", moves=1)
    assert line["place"] is None
    assert 3_000 <= line["late_ms"] < 3_500
    over, _ = await finish(ada, bob)
    cut = over["ranking"][-1]
    assert (cut["name"], cut["state"], cut["place"], cut["moves"]) == ("Cy", "TIMED_OUT", None, 1)
    played = json.loads((await get(stage.port, over["links"]["round"])).body)
    assert [player["late_ms"] for player in played["players"]] == [None, None, cut["late_ms"]]
    assert len(played["players"][2]["log"]) == 1

    (dee,) = await start_race(stage.port, players=1)
    eve = await Person.join(stage.port, dee.code, "Eve")
    assert (await eve.ask("chase"))["code"] == "no_chasers"


@pytest.mark.parametrize("read_first", [False, True])
@staged
async def test_acts_that_the_store_lost_can_be_given_back(stage: Stage, read_first: bool) -> None:
    # Progress is also read now and then, perhaps before the player is back.
    often = LiveTimings(reread_s=0.0, sweep_s=0.01) if read_first else LiveTimings()
    port = stage.process(live=often).port
    ada, bob = await start_race(port, game="spider-1")
    store, sent = stage.store, []
    kept: SeatRecord | None = None
    for _ in range(4):
        action = ada.table["legal"][0]
        sent.append({"id": ada.used + 1, "at": ada.table["at"], "action": action})
        await ada.act(action)
        if kept is None:
            moves_kept = ada.table["counts"]["moves"]
            kept = store.seats[ada.code, 0]
    before = ada.table
    stage.one.connection.interrupted_ms = stage.world.now()
    # A failover to a replica that had only the first of the four:
    del store.logs[ada.code, 1, 0][1:]
    assert kept is not None
    store.seats[ada.code, 0] = kept
    if read_first:
        await bob.act(bob.table["legal"][0])  # progress is read while it changes
        await line_of(bob, "Player 0", moves=moves_kept)
    back = await ada.resume(port)
    assert (await back.race())["at"] == 1
    for act in sent[1:]:
        assert (await back.ask("act", **act, again=True))["at"] == act["at"] + 1
    assert back.table["piles"] == before["piles"]
    await line_of(bob, "Player 0", moves=before["counts"]["moves"], restored=3)


@staged
async def test_no_act_is_given_back_to_a_round_without_an_outage(stage: Stage) -> None:
    ada, _ = await start_race(stage.port, game="spider-1")
    await ada.ask("act", id=ada.used + 1, at=0, action=ada.table["legal"][0], again=True)
    await line_of(ada, "Player 0", moves=ada.table["counts"]["moves"], restored=0)

"""Races and matches up to their results: places, wins, time limits, and boards meanwhile."""

import asyncio
import json
from typing import Any

from protocol.http import Replay
from server.games.actions import format_action
from server.games.deals import new_game, secret_deck
from server.solver.deal_kinds import DEAL_KINDS, Found
from server.solver.solve import solve
from server.store import StoreAway
from server.views.front_page import PRESETS
from tests.games.wins import SEED, one_suit_game, one_suit_win, winnable
from tests.players import Message
from tests.world.stage import (
    Person,
    Stage,
    a_move,
    begin,
    finish,
    get,
    play_acts,
    staged,
    start_race,
)
from tests.world.store import Hook

WINDOWS: dict[str, Any] = {
    **PRESETS["windows"].model_dump(exclude_defaults=True),
    "time_limit_s": 60,
}
KIND = "spider-1:left4:strict"
WINNABLE: dict[str, Any] = {"game": "spider-1", "auto_remove": False}


def winning() -> list[str]:
    """Return the acts that win the deal of `winnable`."""
    names = one_suit_game().variant.pile_names
    return [format_action(action, names) for action in one_suit_win()]


def lines(rows: list[Message]) -> list[str]:
    """Return a ranking, a line each: `1 Player 0 460 TIMED_OUT`."""
    return [f"{row['place']} {row['name']} {row['score']} {row['state']}" for row in rows]


# Places


@staged
async def test_doing_nothing_wins_nothing_and_the_time_limit_ends_the_round(stage: Stage) -> None:
    """Regression: with Windows points a player who gave up at once, at 500, won the race."""
    ada, bob, cy = await start_race(stage.port, players=3, **WINDOWS)
    await bob.ask("forfeit")
    assert (await play_acts(ada, [a_move(ada), *["undo", "redo"] * 19, "undo"]))["score"] == 460
    await ada.ask("kick", seat=cy.seat)
    await bob.say("watch")
    shown = await bob.standings_with(lambda rows: bool(rows[0]["score"] == 460))
    assert lines(shown) == [
        "1 Player 0 460 RACING",
        "2 Player 1 500 FORFEIT",
        "2 Player 2 500 FORFEIT",
    ]
    assert ada.room["round"]["t_end"] - ada.room["round"]["t0"] == 60_000
    await asyncio.sleep(61)
    over = await bob.receive("round_over")
    assert lines(over["ranking"])[0] == "1 Player 0 460 TIMED_OUT"
    assert (await ada.ask("act", id=99, at=40, action="deal"))["code"] == "too_late"
    for path in (over["links"]["round"], f"{over['links']['round']}/course"):
        read = json.loads((await get(stage.port, path)).body)
        assert read["ranking"] == over["ranking"]
        assert read["winners"] == over["winners"] == [0]
    await bob.in_state("FINISHED")
    cards = [(card["place"], card["name"], card["wins"]) for card in bob.room["match"]["cards"]]
    assert cards[:2] == [(1, "Player 0", 1), (2, "Player 1", 0)]


@staged
async def test_the_first_win_shortens_the_race_for_everybody_at_once(stage: Stage) -> None:
    stage.process(draw_entropy=winnable)
    host, winner, late = await start_race(stage.port, players=3, **WINNABLE, after_win_s=120)
    limit = host.room["round"]["t_end"]
    assert (await play_acts(winner, winning()))["outcome"] == "won"
    now = stage.one.store.clock.now_ms()
    while host.room["round"]["t_end"] == limit:
        await host.next()
    assert host.room["round"]["t_end"] == now + 120_000 < limit
    assert host.room["seats"][1]["state"] == "FINISHED"  # in the same message
    for player in (host, late):
        while player.room["state"] != "FINISHED":
            await asyncio.sleep(10)
            await player.ask("ping", t=1)
    over = next(each for each in late.received if each["type"] == "round_over")
    assert (over["ranking"][0]["name"], over["ranking"][0]["score"]) == ("Player 1", 990)
    assert [row["state"] for row in over["ranking"]] == ["FINISHED", "TIMED_OUT", "TIMED_OUT"]
    assert over["reveal"]["seed"] == SEED.hex()


@staged
async def test_a_race_with_a_winner_is_ended_and_not_aborted(stage: Stage) -> None:
    """The winning act is stored, and the winner's process does not report it."""
    one, other = (stage.process(draw_entropy=winnable) for _ in range(2))
    host = await Person.create(one.port, "Host", **WINNABLE, rounds=2)
    winner = await Person.join(other.port, host.code, "Winner")
    await begin([host, winner])
    other.faults.failing["rooms.change"] = StoreAway()
    await play_acts(winner, winning())
    refused = await host.ask("abort")
    assert (refused["command"], refused["code"]) == ("abort", "round_won")
    assert host.room["state"] == "RUNNING"
    await host.ask("end", grace_s=10)
    over = await host.receive("round_over")
    assert [(row["place"], row["name"], row["won"]) for row in over["ranking"]] == [
        (1, "Winner", True),
        (2, "Host", False),
    ]
    await host.in_state("FINISHED")
    match = (await host.ask("next_round"))["room"]["match"]
    assert [(card["name"], card["wins"]) for card in match["cards"]] == [
        ("Winner", 1),
        ("Host", 0),
    ]


@staged
async def test_a_race_is_not_aborted_past_a_win_that_is_being_stored(stage: Stage) -> None:
    """The winning act is stored after the host's command has read the stats."""
    stage.process(draw_entropy=winnable)
    host, winner = await start_race(stage.port, **WINNABLE)
    *acts, last = winning()
    await play_acts(winner, acts)
    hooks = stage.one.store.faults.hooks

    async def change_late(change: Hook, *given: Any) -> Any:
        del hooks["rooms.change"]
        await winner.act(last)
        return await change(*given)

    hooks["rooms.change"] = change_late
    assert (await host.ask("abort"))["code"] == "round_won"
    assert host.room["state"] == "RUNNING"


@staged
async def test_a_race_that_everybody_left_is_ended_at_its_limit_anywhere(stage: Stage) -> None:
    one, other = stage.process(), stage.process()
    ada, bob = await start_race(one.port, time_limit_s=60)
    acted = await ada.act(ada.table["legal"][0])
    await ada.leave()
    await bob.leave()
    await asyncio.sleep(70)
    played = json.loads((await get(other.port, f"/api/rooms/{ada.code}/rounds/1")).body)
    assert {line["state"] for line in played["ranking"]} == {"TIMED_OUT"}
    assert played["ranking"][0]["score"] == acted["score"]
    assert played["ended"] == ada.room["round"]["t_end"]
    back = await ada.resume(other.port)
    assert (await back.receive("round_over"))["n"] == 1
    late = await Person.join(one.port, ada.code, "Don")
    assert (await late.receive("round_over"))["n"] == 1
    await back.ask("next_round")
    assert (await back.in_state("LOBBY"))["round"] is None


# Matches


@staged
async def test_a_round_has_its_win_before_it_and_shows_it_afterwards(stage: Stage) -> None:
    rules, seed = DEAL_KINDS[KIND], (7).to_bytes(16, "big")
    line = solve(new_game(rules, secret_deck("spider-1", seed)), budget=1_000_000).line
    found = [Found(seed, line, degree="hard")]
    stage.process(thinkers=1).pool.works["find_win"] = lambda _name, seed, *_, **__: (
        found.pop() if found else Found(seed, None, is_unsearched=True)
    )
    ada, bob = await start_race(stage.port, game="spider-1", degree="hard")
    for is_known in (True, False):
        played = ada.room["round"]
        assert played["winnable"] is is_known
        assert played.get("degree") == ("hard" if is_known else None)
        over, _ = await finish(ada, bob)
        assert (over["reveal"]["seed"] == seed.hex()) is is_known
        assert (over["reveal"]["proof"] is not None) is is_known
        assert over["reveal"].get("degree") == played.get("degree")
        proof = await get(stage.port, f"/api/rooms/{ada.code}/rounds/{played['n']}/proof")
        assert proof.status == (200 if is_known else 404)
        if is_known:
            shown = Replay.model_validate_json(proof.body)
            assert (shown.seat, shown.acts, shown.steps[-1].suits) == (-1, len(line), 8)
            times = [step.ms for step in shown.steps]
            assert times == sorted(times)
        await ada.ask("next_round")
        await begin([ada, bob])

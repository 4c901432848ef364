"""The places of players when a round ends, over the wire (RULES, Ranking of a round)."""

import asyncio
import itertools
import json
from typing import Any

import pytest

from protocol.from_client import End
from server.games.actions import format_action
from server.http.listener import Listener
from server.rooms.events import Tick
from server.sessions.seat_table import SeatTable
from server.views.catalogue import PRESETS
from tests.games.wins import one_suit_game, one_suit_win, winnable
from tests.hooked import Hook, HookedStore
from tests.players import Message, Player, is_move, start_race
from tests.rooms.rooms import sends
from tests.server.conftest import FAST, Serving
from tests.server.http import get

WINDOWS: dict[str, Any] = PRESETS["windows"].model_dump(exclude_defaults=True)


async def play(player: Player, acts: int) -> Message:
    """Repeat one move, its undo and its redo until that many acts are stored."""
    first = next(action for action in player.table["legal"] if is_move(action))
    steps = itertools.chain([first], itertools.cycle(["undo", "redo"]))
    for action in itertools.islice(steps, acts):
        answer = await player.act(action)
        assert answer["type"] == "acted", answer
    return answer


async def limit(listener: Listener, code: str, within_ms: int) -> None:
    """Move the time limit of the round: it is this far from now, as at the end of a grace."""
    now = listener.services.store.clock.now()
    await listener.services.hub.apply(code, sends(0, End(grace_s=5), now + within_ms - 5_000))


async def end(listener: Listener, code: str) -> None:
    """The round ends now, as at its time limit or at the end of a grace."""
    await limit(listener, code, 0)
    await listener.services.hub.tick(code)


def lines(rows: list[Message]) -> list[str]:
    """A ranking, a line each: `1 Player 0 460 TIMED_OUT`."""
    return [f"{row['place']} {row['name']} {row['score']} {row['state']}" for row in rows]


async def test_doing_nothing_wins_nothing(listener: Listener) -> None:
    """Regression: with Windows points a player who gave up at once, at 500, won the race."""
    ada, bob = await start_race(listener.port, **WINDOWS)
    await bob.ask("forfeit")
    assert (await play(ada, 40))["score"] == 460
    await bob.say("watch")
    shown = await bob.standings_with(lambda rows: bool(rows[0]["score"] == 460))
    assert lines(shown) == ["1 Player 0 460 RACING", "2 Player 1 500 FORFEIT"]

    await end(listener, ada.code)
    over = await bob.receive("round_over")
    assert lines(over["ranking"]) == ["1 Player 0 460 TIMED_OUT", "2 Player 1 500 FORFEIT"]
    for path in (over["links"]["round"], f"{over['links']['round']}/course"):
        read = json.loads((await get(listener.port, path)).body)
        assert read["ranking"] == over["ranking"]
        assert read["winners"] == over["winners"] == [0]
    await bob.in_state("FINISHED")
    cards = [(card["place"], card["name"], card["wins"]) for card in bob.room["match"]["cards"]]
    assert cards == [(1, "Player 0", 1), (2, "Player 1", 0)]


async def test_nobody_wins_a_race_that_all_give_up(listener: Listener) -> None:
    """Regression: the first to give up, with more points, had a win in match and room."""
    ada, bob = await start_race(listener.port, rounds=2)
    await play(ada, 1)
    await bob.ask("forfeit")
    await ada.ask("forfeit")
    over = await bob.receive("round_over")
    assert [row["place"] for row in over["ranking"]] == [1, 2]
    assert over["winners"] == []
    await bob.in_state("FINISHED")
    assert [seat["wins"] for seat in bob.room["seats"]] == [0, 0]
    assert [card["wins"] for card in bob.room["match"]["cards"]] == [0, 0]


async def test_nobody_wins_a_race_without_an_act(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    await end(listener, ada.code)
    assert (await bob.receive("round_over"))["winners"] == []


async def test_a_deal_is_an_act_that_can_win(listener: Listener) -> None:
    """A deal counts as no move and may gain nothing."""
    ada, bob = await start_race(listener.port, score="woods")
    assert (await bob.act("deal"))["type"] == "acted"
    await ada.ask("forfeit")
    await end(listener, ada.code)
    assert (await bob.receive("round_over"))["winners"] == [1]


async def test_kicked_players_rank_below_all_who_raced_on(listener: Listener) -> None:
    ada, bob, cy = await start_race(listener.port, players=3, **WINDOWS)
    await play(ada, 1)
    await play(bob, 2)
    await ada.ask("kick", seat=cy.seat)
    await end(listener, ada.code)
    over = await bob.receive("round_over")
    assert [row["name"] for row in over["ranking"]] == ["Player 0", "Player 1", "Player 2"]
    assert (over["ranking"][2]["place"], over["ranking"][2]["score"]) == (3, 500)
    assert bob.room["seats"][2]["state"] == "FORFEIT"


async def test_a_race_with_a_winner_is_ended_and_not_aborted(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The winning act is stored, and the winner's process dies before its report."""
    monkeypatch.setattr(SeatTable, "handle_game_ended", lambda _session, _n: None)
    tuned = {"websocket": FAST, "draw_entropy": winnable}
    async with serving(**tuned) as one, serving(**tuned) as other:
        host = await Player.create(one.port, "Host", game="spider-1", auto_remove=False, rounds=2)
        winner = await Player.join(other.port, host.code, "Winner")
        await winner.say("ready")
        await host.say("ready")
        await asyncio.gather(host.race(), winner.race())
        names = one_suit_game().variant.pile_names
        for action in one_suit_win():
            answer = await winner.act(format_action(action, names))
        assert answer["outcome"] == "won"
        refused = await host.ask("abort")
        assert (refused["command"], refused["code"]) == ("abort", "round_won")
        assert host.room["state"] == "RUNNING"

        await host.ask("end", grace_s=30)
        await end(one, host.code)
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


async def test_the_first_win_shortens_the_race_for_everybody_at_once(serving: Serving) -> None:
    async with serving(websocket=FAST, draw_entropy=winnable) as listener:
        rules = {"game": "spider-1", "auto_remove": False, "after_win_s": 120}
        host, winner, late = await start_race(listener.port, players=3, **rules)
        limit = host.room["round"]["t_end"]
        names = one_suit_game().variant.pile_names
        for action in one_suit_win():
            await winner.act(format_action(action, names))
        while host.room["round"]["t_end"] == limit:
            await host.next()
        end_at = host.room["round"]["t_end"]
        assert end_at < limit
        assert host.room["seats"][1]["state"] == "FINISHED"  # in the same message
        now = listener.services.store.clock.now()
        assert now + 100_000 < end_at <= now + 120_000
        await listener.services.hub.apply(host.code, Tick(end_at))
        over = await late.receive("round_over")
        assert next((row["name"], row["state"]) for row in over["ranking"]) == (
            "Player 1",
            "FINISHED",
        )
        assert {row["state"] for row in over["ranking"][1:]} == {"TIMED_OUT"}


async def test_a_win_on_its_way_is_not_aborted_past(serving: Serving) -> None:
    """The winning act is stored after the host's command has read the stats."""
    async with serving(
        websocket=FAST, draw_entropy=winnable, open_store=HookedStore.open
    ) as listener:
        host, winner = await start_race(listener.port, game="spider-1", auto_remove=False)
        names = one_suit_game().variant.pile_names
        *acts, last = [format_action(action, names) for action in one_suit_win()]
        for action in acts:
            await winner.act(action)
        hooks = listener.services.store.hooks

        async def change_late(change: Hook, *given: Any) -> Any:
            hooks.clear()
            await winner.act(last)
            return await change(*given)

        hooks["change"] = change_late
        assert (await host.ask("abort"))["code"] == "round_won"
        assert host.room["state"] == "RUNNING"

"""Hints from end to end: their recipients, their limits and their count."""

from typing import Any

from server.http.listener import Listener
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.rate_limit import Rate
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.test_chasers import line_of


async def test_a_hint_is_legal_and_counted_for_all_to_see(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, hints=True)
    hinted = await ada.ask("hint")
    assert (hinted["type"], hinted["at"], hinted["hints"]) == ("hinted", 0, 1)
    assert hinted["action"] in ada.table["legal"]
    await line_of(bob, "Player 0", hints=1, moves=0)
    assert await ada.ask("hint") == hinted  # asked twice about one table, it counts once
    assert (await ada.act(hinted["action"]))["type"] == "acted"
    assert (await ada.ask("hint"))["hints"] == 2
    await line_of(bob, "Player 0", hints=2)
    await bob.say("forfeit")
    await ada.say("forfeit")
    over = await bob.receive("round_over")
    assert {row["name"]: row["hints"] for row in over["ranking"]} == {
        "Player 0": 2,
        "Player 1": 0,
    }
    cards = (await bob.in_state("FINISHED"))["match"]["cards"]
    assert {card["name"]: card["hints"] for card in cards} == {"Player 0": 2, "Player 1": 0}


async def test_a_room_gives_no_hints_unless_it_is_one_with_hints(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    refused = await ada.ask("hint")
    assert (refused["command"], refused["code"]) == ("hint", "hints_are_off")
    await line_of(bob, "Player 0", hints=0)


async def test_spectators_get_no_hint(listener: Listener) -> None:
    nobody = await Player.connect(listener.port)
    assert (await nobody.ask("hint"))["code"] == "not_joined"
    host = await Player.create(listener.port, hints=True)
    assert (await host.ask("hint"))["code"] == "not_racing"
    ada, _ = await start_race(listener.port, hints=True)
    looker = await Player.join(listener.port, ada.code, "Don", "spectator")
    assert (await looker.ask("hint"))["code"] == "not_racing"


async def test_every_question_is_answered_once_and_in_its_turn(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, hints=True, undo="any")
    await ada.say("act", id=1, at=0, action="deal")
    await ada.say("hint")
    await ada.say("act", id=2, at=1, action="redo")
    await ada.say("hint")
    await ada.say("act", id=3, at=1, action="undo")
    replies: list[Any] = []
    while len(replies) < 5:
        message = await ada.receive("acted", "hinted", "refused")
        replies.append((message["type"], message["at"], message.get("code")))
    assert replies == [
        ("acted", 1, None),
        ("hinted", 1, None),
        ("refused", 1, "nothing_to_redo"),
        ("hinted", 1, None),
        ("acted", 2, None),
    ]


async def test_the_count_goes_along_to_another_process(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada, bob = await start_race(one.port, hints=True)
        hinted = await ada.ask("hint")
        back = await ada.resume(other.port)
        await back.race()
        assert await back.ask("hint") == hinted
        await back.act(hinted["action"])
        assert (await back.ask("hint"))["hints"] == 2
        await line_of(bob, "Player 0", hints=2, moves=1)


async def test_clients_that_request_hints_without_end_are_closed(serving: Serving) -> None:
    commands = Rate(SESSION_LIMITS.commands.burst, 0.001)
    async with serving(sessions=SessionLimits(commands=commands)) as listener:
        (ada,) = await start_race(listener.port, players=1, hints=True)
        for _ in range(55):
            await ada.say("hint")
        assert await ada.closed() == 4005

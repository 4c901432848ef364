"""A room and its people: its host, its chat, its settings, and seats that are lost and taken."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from protocol.vocabulary import CHAT_MESSAGES, CloseCode
from server.rooms import seats
from server.sessions.limits import Rate, SessionLimits
from tests.world.stage import Person, Stage, begin, line_of, staged, start_race

TABS = 6
UNLIMITED = SessionLimits(returns=Rate(1_000, 1_000))


async def gone(player: Person) -> None:
    await player.say("leave")
    assert await player.closed() == 1000


async def until_state(watcher: Person, seat: int, **fields: Any) -> None:
    """Wait until the room shows these fields of a seat."""
    while not fields.items() <= watcher.room["seats"][seat].items():
        await watcher.next()


# The host's commands, and chat


@staged
async def test_kicked_players_are_closed_with_the_code_and_cannot_return(stage: Stage) -> None:
    ada, bob = await start_race(stage.port)
    assert (await bob.ask("kick", seat=0))["code"] == "not_host"
    await ada.ask("kick", seat=1)
    assert await bob.closed() == 4505
    again = await Person.connect(stage.port)
    await again.ask("resume", room=bob.code, seat=1, token=bob.token)
    assert await again.closed() == 4505
    assert [seat["state"] for seat in ada.room["seats"]] == ["RACING", "FORFEIT"]


@staged
async def test_chat_has_a_rate_limit(stage: Stage) -> None:
    ada = await Person.create(stage.port)
    for number in range(CHAT_MESSAGES):
        assert (await ada.ask("say", text=f"line {number}"))["type"] == "said"
    assert (await ada.ask("say", text="too much"))["code"] == "too_much_said"
    for _ in range(2):  # the limit is the seat's, on whichever socket
        ada = await ada.resume(stage.port)
        await ada.say("say", text="too much")
        assert (await ada.receive("refused"))["code"] == "too_much_said"


@staged
async def test_every_command_gets_one_reply_even_if_nothing_changes(stage: Stage) -> None:
    ada = await Person.create(stage.port)
    for ready in (True, True, False):
        assert (await ada.ask("ready", ready=ready))["type"] == "room"
    pong = await ada.ask("ping", t=12.5)
    assert (pong["t"], pong["v"]) == (12.5, ada.room["v"])
    assert pong["now"] == stage.one.store.clock.now_ms()
    assert [message["type"] for message in ada.received].count("room") == 3


# Seats that are lost and taken again


@staged
async def test_the_newest_tab_has_the_seat_and_nobody_sees_it_change(stage: Stage) -> None:
    one, other = stage.process(), stage.process()
    ada, bob = await start_race(one.port)
    for at, port in enumerate((one.port, other.port)):
        newer = await ada.resume(port)
        assert await ada.closed() == 4503
        assert (await newer.race())["at"] == at
        assert (await newer.act(newer.table["legal"][0]))["at"] == at + 1
        ada = newer
    await bob.standings_with(lambda rows: max(row["moves"] for row in rows) == 2)
    shown = [message["room"] for message in bob.received if "room" in message]
    assert {seat["connection"] for room in shown for seat in room["seats"]} == {"on"}
    doc = json.loads(stage.store.rooms[ada.code].doc)
    assert [seat["process"] for seat in doc["seats"]] == [other.hub.process, one.hub.process]


@pytest.mark.parametrize(("processes", "same_tab"), [(1, False), (2, False), (1, True)])
@staged
async def test_of_many_tabs_that_resume_a_seat_at_once_exactly_one_stays(
    stage: Stage, processes: int, *, same_tab: bool
) -> None:
    """Regression: two whose returns were written in one change of the room both stayed."""
    ports = [stage.process(limits=UNLIMITED).port for _ in range(processes)]
    racer, rival = await start_race(ports[0], game="spider-1")
    host = await Person.create(ports[0], approve=True)
    applicant = await Person.join(ports[-1], host.code, "Bob")
    for owner in (racer, applicant):
        sockets = [owner]
        for n in range(TABS):
            tab = await Person.connect(ports[n % processes])
            tab.code, tab.seat, tab.token = owner.code, owner.seat, owner.token
            sockets.append(tab)
        for n, tab in enumerate(sockets[1:]):
            name = "same" if same_tab else f"tab-{n}"
            await tab.say("resume", room=tab.code, seat=tab.seat, token=tab.token, tab=name)
        await asyncio.sleep(1)
        (kept,) = (each for each in sockets if each.socket.close_code is None)
        codes = Counter(each.socket.close_code for each in sockets)
        # Connections of one tab that lose the seat to it may come back.
        assert codes[CloseCode.REPLACED] == (1 if same_tab else TABS)
        assert codes[CloseCode.RESYNC] == (TABS - 1 if same_tab else 0)
        if owner is racer:
            await kept.race()
            assert (await kept.act(kept.table["legal"][0]))["type"] == "acted"
            assert (await rival.ask("ping", t=1))["t"] == 1
        else:
            await host.ask("admit", seat=owner.seat)
            while kept.room["waiting"] if kept.room else True:
                await kept.next()


# Reused seat numbers, in a room that has only five


@staged
async def test_an_earlier_owner_has_no_claim_to_a_reused_seat_number(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seats, "NUMBERS", 5)
    one, other = stage.process(), stage.process()
    ada = await Person.create(one.port, game="spider-1", undo="any")
    bob = await Person.join(other.port, ada.code, "Bob")
    await begin([ada, bob])
    for action in ("deal", "undo", "redo"):
        await bob.act(action)
    await ada.ask("abort")
    await bob.in_state("LOBBY")
    await gone(bob)
    assert (ada.code, 1) not in stage.store.seats
    for n in range(2, 5):
        await gone(await Person.join(one.port, ada.code, f"Guest {n}"))
    cy = await Person.join(other.port, ada.code, "Cy")
    assert cy.seat == bob.seat
    thief = await Person.connect(one.port)
    await thief.say("resume", room=bob.code, seat=bob.seat, token=bob.token)
    assert await thief.closed() == CloseCode.BAD_TOKEN
    back = await cy.resume(one.port)
    assert (back.room["seats"][1]["name"], await cy.closed()) == ("Cy", CloseCode.REPLACED)
    await begin([ada, back])
    assert (back.table["at"], back.table["last_id"]) == (0, 0)
    await line_of(ada, "Cy", cheats=0, moves=0)
    for at, action in enumerate(("deal", "undo"), 1):
        assert (await back.act(action))["at"] == at
    await line_of(ada, "Cy", cheats=1)

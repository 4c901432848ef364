"""Coming late to a race, and giving back what the store has lost."""

import json
from typing import Any

import pytest

from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.store import keys
from server.store.packed_commands import pack
from tests.players import Message, Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get


async def line_of(watcher: Player, name: str, **stats: int) -> dict[str, Any]:
    """A line of the leaderboard, once it shows these stats."""

    def found(rows: list[Message]) -> list[Message]:
        return [row for row in rows if row["name"] == name and stats.items() <= row.items()]

    await watcher.say("watch")
    return found(await watcher.standings_with(lambda rows: bool(found(rows))))[0]


async def test_latecomers_chase_on_a_clock_of_their_own(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, game="spider-1", chasers=True)
    for _ in range(3):
        await ada.act(ada.table["legal"][0])
    cy = await Player.join(listener.port, ada.code, "Cy")
    assert (await cy.ask("act", id=1, at=0, action="deal"))["code"] == "not_racing"
    room = (await cy.ask("chase"))["room"]
    assert [seat["state"] for seat in room["seats"]] == ["RACING", "RACING", "CHASING"]
    table = await cy.race()
    assert (table["at"], len(table["legal"])) == (0, len(bob.table["legal"]))
    assert (await cy.act(table["legal"][0]))["at"] == 1
    back = await cy.resume(listener.port)
    assert (await back.race())["at"] == 1
    cy_line = await line_of(bob, "Cy", moves=1)
    assert cy_line["place"] is None
    assert cy_line["late_ms"] > 0
    await ada.say("forfeit")
    await bob.say("forfeit")
    over = await back.receive("round_over")
    cut = over["ranking"][-1]
    assert (cut["name"], cut["state"], cut["place"]) == ("Cy", "TIMED_OUT", None)
    assert cut["moves"] == 1
    played = json.loads((await get(listener.port, over["links"]["round"])).body)
    assert [player["late_ms"] for player in played["players"]] == [None, None, cut["late_ms"]]
    assert len(played["players"][2]["log"]) == 1


async def test_a_room_without_chasers_refuses_them(listener: Listener) -> None:
    ada, *_ = await start_race(listener.port, players=1)
    cy = await Player.join(listener.port, ada.code, "Cy")
    assert (await cy.ask("chase"))["code"] == "no_chasers"


async def test_acts_that_were_not_lost_are_not_counted_as_sent_again(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, game="spider-1")
    await ada.act(ada.table["legal"][0])
    for _ in range(2):
        ada = await ada.resume(listener.port)
        table = await ada.race()
        act = {"id": table["last_id"] + 1, "at": table["at"], "action": table["legal"][0]}
        assert (await ada.ask("act", **act, again=True))["type"] == "acted"
    await line_of(bob, "Player 0", moves=ada.table["counts"]["moves"], restored=0)


async def test_a_forged_id_of_an_act_bars_its_seat_from_no_later_act(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, game="spider-1")
    for act_id in (2**31 - 1, 200_000):
        forged = {"id": act_id, "at": 0, "action": ada.table["legal"][0]}
        assert (await ada.ask("act", **forged))["code"] == "stale"
    assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
    await ada.ask("forfeit")
    await ada.receive("round_over")
    ada.table = {}
    await ada.ask("next_round")
    await ada.ask("start")
    await ada.race()
    assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"


@pytest.mark.parametrize("read_first", [False, True])
async def test_acts_that_the_store_has_lost_can_be_given_back(
    serving: Serving, read_first: bool
) -> None:
    # Progress is also read now and then, perhaps before the player is back.
    often = LiveTimings(unseen_s=0.0, sweep_s=0.01) if read_first else LiveTimings()
    async with serving(live=often) as listener:
        ada, bob = await start_race(listener.port, game="spider-1")
        store, sent = listener.services.store, []
        log, seat = keys.log(ada.code, 1, 0), keys.seat(ada.code, 0)
        for number in range(4):
            action = ada.table["legal"][0]
            sent.append({"id": ada.used + 1, "at": ada.table["at"], "action": action})
            await ada.act(action)
            if number == 0:
                moves_kept = ada.table["counts"]["moves"]
                kept = await store.client.ask(seat, pack("HGETALL", seat))
        before = ada.table
        # What a failover does whose replica had only the first of the four:
        await store.client.ask(log, pack("LTRIM", log, 0, 0))
        await store.client.ask(seat, pack("HSET", seat, *kept))
        if read_first:
            await bob.act(bob.table["legal"][0])  # progress is read while it changes
            await line_of(bob, "Player 0", moves=moves_kept)
        back = await ada.resume(listener.port)
        assert (await back.race())["at"] == 1
        for act in sent[1:]:
            assert (await back.ask("act", **act, again=True))["at"] == act["at"] + 1
        assert back.table["piles"] == before["piles"]
        await line_of(bob, "Player 0", moves=before["counts"]["moves"], restored=3)

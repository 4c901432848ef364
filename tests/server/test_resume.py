"""Coming back: reloads, second tabs, lost replies, other processes."""

import asyncio
import json

from server.http.listener import Listener
from server.store import Store, keys
from tests.games.wins import SEED
from tests.players import Player, is_move, start_race
from tests.server.conftest import Serving


async def test_a_reload_in_the_middle_of_a_race_loses_nothing(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, game="spider-1")
    for _ in range(5):
        await ada.act(ada.table["legal"][0])
    await ada.leave()
    while ada.room["seats"][0]["connection"] == "on":
        await bob.receive("room")
        ada.room = bob.room
    back = await ada.resume(listener.port)
    table = await back.race()
    same = ("at", "piles", "legal", "score", "counts", "elapsed_ms")
    assert {key: table[key] for key in same} == {key: ada.table[key] for key in same}
    assert table["last_id"] == 5
    assert (await back.act(back.table["legal"][0]))["at"] == 6
    assert back.room["seats"][0]["connection"] == "on"


async def test_the_newest_tab_has_the_seat(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    second = await ada.resume(listener.port)
    assert await ada.closed() == 4503
    await second.race()
    assert (await second.act(second.table["legal"][0]))["type"] == "acted"
    third = await second.resume(listener.port)  # "take it back"
    assert await second.closed() == 4503
    assert (await third.race())["at"] == 1
    assert (await third.act(third.table["legal"][0]))["at"] == 2
    await bob.standings_with(lambda rows: max(row["moves"] for row in rows) == 2)
    rooms = [message["room"] for message in bob.received if "room" in message]
    shown = {seat["connection"] for room in rooms for seat in room["seats"]}
    assert shown == {"on"}


async def test_a_repeated_id_gets_its_reply_again_and_is_applied_once(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1)
    act = {"id": 1, "at": 0, "action": ada.table["legal"][0]}
    first = await ada.ask("act", **act)
    assert await ada.ask("act", **act) == first
    back = await ada.resume(listener.port)
    assert (await back.race())["at"] == 1
    rebuilt = await back.ask("act", **act)
    assert (rebuilt["id"], rebuilt["at"], rebuilt["score"]) == (1, 1, first["score"])
    for part in ("piles", "counts"):
        assert rebuilt[part] == back.table[part]
        assert first[part].items() < rebuilt[part].items()


async def test_a_wrong_at_is_stale_and_brings_the_table(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1)
    await ada.act(ada.table["legal"][0])
    for at in (0, 5):
        stale = await ada.ask("act", id=9, at=at, action="deal")
        assert (stale["code"], stale["at"], stale["table"]["at"]) == ("stale", 1, 1)


async def test_eight_acts_may_be_on_their_way_and_stay_in_order(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, game="spider-1", undo="any")
    await ada.act(next(a for a in ada.table["legal"] if is_move(a)))
    for number in range(8):
        action = "redo" if number % 2 else "undo"
        await ada.say("act", id=2 + number, at=1 + number, action=action)
    answers = [await ada.receive("acted", "refused") for _ in range(8)]
    assert [(answer["id"], answer["at"]) for answer in answers] == [
        (2 + number, 2 + number) for number in range(8)
    ]


async def test_a_refused_act_makes_those_behind_it_stale(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1)
    bad = {"type": "act", "id": 1, "at": 0, "action": "undo"}
    good = {"type": "act", "id": 2, "at": 1, "action": ada.table["legal"][0]}
    await ada.socket.send(json.dumps(bad))
    await ada.socket.send(json.dumps(good))
    answers = [await ada.receive("acted", "refused") for _ in range(2)]
    assert [answer["code"] for answer in answers] == ["nothing_to_undo", "stale"]


async def test_players_of_one_room_may_sit_at_different_processes(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        known = {"deal": "seed", "seed": SEED.hex()}  # whose first move is worth something
        ada = await Player.create(one.port, game="spider-1", **known)
        bob = await Player.join(other.port, ada.code, "Bob")
        await bob.say("ready")
        await ada.say("ready")
        await asyncio.gather(ada.race(), bob.race())
        assert ada.table["piles"] == bob.table["piles"]
        await ada.act(ada.table["legal"][0])
        score = ada.table["score"]
        assert score > 0
        await bob.standings_with(lambda rows: bool(rows[0]["score"] == score))
        moved = await bob.resume(one.port)
        assert await bob.closed() == 4503
        await moved.ask("forfeit")
        await ada.ask("forfeit")
        assert (await moved.receive("round_over"))["n"] == 1


async def test_the_room_stores_the_process_of_each_seat(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada = await Player.create(one.port)
        await Player.join(other.port, ada.code, "Bob")
        page = await one.services.repository.read(ada.code)
        assert [seat.process for seat in page.room.seats] == [
            one.services.hub.process,
            other.services.hub.process,
        ]


async def test_a_client_ahead_of_a_failover_reconnects_by_itself(
    listener: Listener, store: Store
) -> None:
    """Regression: the only tab was closed as replaced, after which it does not reconnect."""
    (ada,) = await start_race(listener.port, players=1)
    seat = keys.seat(ada.code, ada.seat)
    await store.client.call(seat, "HINCRBY", seat, "gen", -1)
    await ada.say("act", id=1, at=0, action=ada.table["legal"][0])
    assert await ada.closed() == 4003
    back = await ada.resume(listener.port)
    assert (await back.race())["at"] == 0
    room = keys.room(ada.code)
    await store.client.call(room, "HINCRBY", room, "v", -1)
    await store.client.call(room, "SPUBLISH", keys.channel(ada.code), "room")
    assert await back.closed() == 4003

"""The admission to rooms: addresses and browsers of people, the host's queue, and the chair."""

import json
from typing import Any

from tests.players import Message
from tests.world.stage import Person, Stage, begin, finish, staged

HOME, AWAY, THIRD = "203.0.113.1", "203.0.113.2", "203.0.113.3"


async def asks(
    port: int, code: str, address: str = "", name: str = "Eve", **fields: Any
) -> tuple[Person, Message]:
    """Return a newcomer and the reply to its join."""
    person = await Person.connect(port, address=address)
    answer = await person.ask("join", room=code, name=name, **fields)
    if answer["type"] == "joined":
        person.code, person.seat, person.token = code, answer["seat"], answer["token"]
    return person, answer


async def hosts(port: int, address: str = "", browser: str = "", **settings: Any) -> Person:
    fields = {"name": "Ada", "settings": settings, "browser": browser}
    return await Person.seated(port, "create", address, **fields)


async def configure(host: Person, **changes: Any) -> Message:
    return await host.ask("configure", settings={**host.room["settings"], **changes})


NEWCOMERS: list[tuple[dict[str, Any], dict[str, Any], str | None, int | None]] = [
    ({"locked": True}, {}, "room_locked", 4507),
    ({"programs": False, "approve": True}, {"kind": "program"}, "no_programs", 4507),
    ({"max_players": 2}, {}, "room_full", 4506),
    ({"one_seat": True}, {"browser": "b"}, "one_seat", 4507),
    ({"one_seat": True}, {"browser": "b", "role": "spectator"}, "one_seat", 4507),
    ({"one_seat": True}, {"browser": ""}, None, None),  # a program without an id
    ({"max_players": 2}, {"role": "spectator"}, None, None),
]


@staged
async def test_a_newcomer_is_refused_by_the_settings_of_the_room(stage: Stage) -> None:
    for settings, newcomer, code, close_code in NEWCOMERS:
        ada = await hosts(stage.port, browser="a")
        bob, _ = await asks(stage.port, ada.code, browser="b")
        await ada.say("configure", settings={**ada.room["settings"], **settings})
        await ada.with_settings(**settings)
        eve, answer = await asks(stage.port, ada.code, **newcomer)
        assert (answer.get("code"), eve.socket.close_code) == (code, close_code), newcomer
        await bob.leave()
        assert (await bob.resume(stage.port)).seat == bob.seat


@staged
async def test_bans_and_seats_count_by_browser_and_address(stage: Stage) -> None:
    port = stage.process(trusted_proxies=("127.0.0.0/8",)).port
    ada = await hosts(port, HOME, "a", one_seat=True)
    for address, browser in ((HOME, "other"), (THIRD, "a")):
        second, answer = await asks(port, ada.code, address, browser=browser)
        assert (answer["code"], await second.closed()) == ("one_seat", 4507)
    bob, _ = await asks(port, ada.code, AWAY, browser="b-o-b")
    await ada.ask("kick", seat=bob.seat, ban=True)
    assert await bob.closed() == 4505
    for address, browser in ((AWAY, "new"), (THIRD, "b-o-b")):
        back, answer = await asks(port, ada.code, address, browser=browser)
        assert (answer["code"], await back.closed()) == ("banned", 4505)
    _, answer = await asks(port, ada.code, THIRD, browser="other")
    assert answer["type"] == "joined"

    # Nobody gets a network, a browser, or a hash of one.
    stored = stage.store.rooms[ada.code].doc
    doc = json.loads(stored)
    assert len(doc["bans"]) == 2
    seat = doc["seats"][0]
    hidden = {doc["salt"], seat["browser"], *seat["networks"], *doc["bans"], "b-o-b", HOME, AWAY}
    received_texts = json.dumps([*ada.received, *bob.received])
    assert not [each for each in hidden if each in received_texts]
    assert not [each for each in ("b-o-b", HOME, AWAY) if each in stored]


@staged
async def test_newcomers_wait_for_the_host(stage: Stage) -> None:
    one, other = stage.process(), stage.process()
    ada = await hosts(one.port, approve=True)
    eve, joined = await asks(other.port, ada.code)
    queued = {"seat": 1, "name": "Eve", "role": "player", "kind": "person"}
    assert joined["room"]["waiting"] == [queued]
    assert [seat["name"] for seat in joined["room"]["seats"]] == ["Ada"]
    await eve.leave()
    eve = await eve.resume(one.port)
    assert eve.room["waiting"] == [queued]
    while not ada.room["waiting"]:
        await ada.next()
    assert (await eve.ask("admit", seat=1))["code"] == "no_such_seat"
    await ada.say("admit", seat=1)
    while eve.room["waiting"]:
        await eve.next()
    assert [seat["name"] for seat in eve.room["seats"]] == ["Ada", "Eve"]
    assert (await eve.ask("ready"))["room"]["seats"][1]["state"] == "READY"

    bob, _ = await asks(other.port, ada.code)
    await ada.ask("kick", seat=bob.seat)
    assert await bob.closed() == 4507
    back = await Person.connect(one.port)
    await back.ask("resume", room=ada.code, seat=bob.seat, token=bob.token)
    assert await back.closed() == 4502
    cy, _ = await asks(other.port, ada.code)
    left = await cy.ask("leave")
    assert [seat["name"] for seat in left["room"]["seats"]] == ["Ada"]
    assert await cy.closed() == 1000


@staged
async def test_waiting_newcomers_receive_and_change_nothing_of_the_room(stage: Stage) -> None:
    port = stage.port
    ada = await hosts(port, spectate="boards", board_delay_s=0)
    bob = await Person.join(port, ada.code, "Bob")
    await configure(ada, approve=True)
    eve, _ = await asks(port, ada.code)
    await bob.ask("say", text="a secret of ours")
    await begin([ada, bob])
    await bob.act(bob.table["legal"][0])
    fields: dict[str, Any] = {"watch": {"boards": [0]}, "say": {"text": "Hello"}}
    for kind in ("watch", "say", "chase", "ready", "forfeit"):
        code = (await eve.ask(kind, **fields.get(kind, {})))["code"]
        assert code == ("not_in_state" if kind == "ready" else "no_such_seat")
    await finish(ada, bob)
    await eve.in_state("FINISHED")
    assert await eve.ask("ping", t=1)
    types = {message["type"] for message in eve.received}
    assert types == {"joined", "room", "refused", "pong"}
    rooms = [message["room"] for message in eve.received if "room" in message]
    assert {seat["name"] for room in rooms for seat in room["seats"]} == {"Ada"}

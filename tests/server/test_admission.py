"""The admission to rooms, over the wire: addresses come from a proxy that is trusted."""

import json
from dataclasses import replace
from typing import Any

from server.http.listener import Listener
from server.store import Store, keys
from tests.players import Message, Player, start_race
from tests.present import present
from tests.server.conftest import SOON, Serving

PROXY = ("127.0.0.0/8",)
HOME, AWAY, THIRD = "203.0.113.1", "203.0.113.2", "203.0.113.3"


async def asks(port: int, code: str, address: str = "", **fields: Any) -> tuple[Player, Message]:
    """Return a newcomer and the reply to its join."""
    player = await Player.connect(port, address=address)
    answer = await player.ask("join", room=code, **{"name": "Eve", **fields})
    if answer["type"] == "joined":
        player.code, player.seat, player.token = code, answer["seat"], answer["token"]
    return player, answer


async def hosts(port: int, address: str = "", browser: str = "", **settings: Any) -> Player:
    player = await Player.connect(port, address=address)
    await player.say("create", name="Ada", settings=settings, browser=browser)
    return await player._joined()


async def configure(host: Player, **changes: Any) -> Message:
    return await host.ask("configure", settings={**host.room["settings"], **changes})


async def test_a_locked_room_refuses_newcomers_and_its_people_come_back(
    listener: Listener,
) -> None:
    ada, bob = await start_race(listener.port)
    assert (await configure(ada, locked=True))["room"]["settings"]["locked"]
    eve, answer = await asks(listener.port, ada.code)
    assert (answer["code"], await eve.closed()) == ("room_locked", 4507)
    await bob.leave()
    assert (await bob.resume(listener.port)).seat == bob.seat
    await ada.say("configure", settings={**ada.room["settings"], "undo": "any"})
    assert (await ada.receive("refused"))["code"] == "not_in_state"


async def test_programs_are_refused_where_the_host_wants_none(listener: Listener) -> None:
    ada = await hosts(listener.port, programs=False, approve=True)
    robo, answer = await asks(listener.port, ada.code, kind="program")
    assert (answer["code"], await robo.closed()) == ("no_programs", 4507)


async def test_a_locked_room_is_not_on_the_front_page(listener: Listener, store: Store) -> None:
    ada = await hosts(listener.port, public=True)
    assert await store.lists.public() == [ada.code]
    await configure(ada, locked=True)
    assert await store.lists.public() == []
    await configure(ada, locked=False)
    assert await store.lists.public() == [ada.code]


async def test_a_room_with_a_cap_has_room_for_spectators(listener: Listener) -> None:
    ada = await hosts(listener.port, max_players=2)
    await Player.join(listener.port, ada.code, "Bob")
    eve, answer = await asks(listener.port, ada.code)
    assert (answer["code"], await eve.closed()) == ("room_full", 4506)
    _, answer = await asks(listener.port, ada.code, role="spectator")
    assert answer["role"] == "spectator"


async def test_a_ban_holds_for_browser_and_address(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        port = listener.port
        ada = await hosts(port, HOME)
        bob, _ = await asks(port, ada.code, AWAY, browser="b-o-b")
        await ada.ask("kick", seat=bob.seat, ban=True)
        assert await bob.closed() == 4505
        for address, browser in ((AWAY, "new"), (THIRD, "b-o-b")):
            back, answer = await asks(port, ada.code, address, browser=browser)
            assert (answer["code"], await back.closed()) == ("banned", 4505)
        _, answer = await asks(port, ada.code, THIRD, browser="other")
        assert answer["type"] == "joined"


async def test_one_seat_for_each_browser_and_address(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        port = listener.port
        ada = await hosts(port, HOME, "a", one_seat=True)
        for address, browser in ((HOME, "other"), (THIRD, "a")):
            for role in ("player", "spectator"):
                second, answer = await asks(port, ada.code, address, browser=browser, role=role)
                assert (answer["code"], await second.closed()) == ("one_seat", 4507)
        bob, answer = await asks(port, ada.code, AWAY, browser="b")
        assert answer["type"] == "joined"
        await bob.leave()
        assert (await bob.resume(port)).seat == bob.seat


async def test_on_the_loopback_people_are_distinguished_by_browser(listener: Listener) -> None:
    ada = await hosts(listener.port, browser="a", one_seat=True)
    _, answer = await asks(listener.port, ada.code, browser="b")
    assert answer["type"] == "joined"
    _, answer = await asks(listener.port, ada.code, browser="a")
    assert answer["code"] == "one_seat"
    _, answer = await asks(listener.port, ada.code)
    assert answer["type"] == "joined"
    _, answer = await asks(listener.port, ada.code)  # programs without an id are one browser
    assert answer["code"] == "one_seat"


async def test_a_player_who_gave_up_cannot_join_again_to_chase(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        port = listener.port
        ada = await hosts(port, HOME, "a", chasers=True, one_seat=True)
        bob, _ = await asks(port, ada.code, AWAY, browser="b", name="Bob")
        await bob.ask("ready")
        await ada.say("ready")
        await bob.race()
        await bob.ask("forfeit")
        assert (await bob.ask("chase"))["code"] == "not_in_state"
        await bob.ask("leave")
        again, answer = await asks(port, ada.code, THIRD, browser="b", name="Bob")
        assert answer["type"] == "joined"
        assert (await again.ask("chase"))["code"] == "one_seat"


async def test_99_bots_of_an_address_do_not_fill_a_strangers_room(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        ada = await hosts(listener.port, HOME)
        answers = [
            (await asks(listener.port, ada.code, AWAY, name=f"Bot {n}", browser=f"b{n}"))[1]
            for n in range(99)
        ]
        assert [answer["type"] for answer in answers] == ["joined"] * 20 + ["refused"] * 79
        assert {answer["code"] for answer in answers[20:]} == {"too_many_seats"}
        _, answer = await asks(listener.port, ada.code, THIRD, name="Cy")
        assert answer["type"] == "joined"


async def test_a_classroom_with_its_teacher_sits_down(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY, seats_per_address=5) as listener:
        teacher = await hosts(listener.port, HOME)
        for number in range(30):
            name = f"Pupil {number}"
            _, answer = await asks(listener.port, teacher.code, HOME, name=name)
            assert answer["type"] == "joined"


async def test_no_hash_of_anybody_leaves_the_server(serving: Serving, store: Store) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        port = listener.port
        ada = await hosts(port, HOME, "browser-of-ada")
        bob, _ = await asks(port, ada.code, AWAY, browser="browser-of-bob")
        await bob.ask("ready")
        await ada.ask("kick", seat=bob.seat, ban=True)
        await bob.closed()
        stored = present(await store.rooms.read(ada.code))
        doc = json.loads(stored.doc)
        assert len(doc["bans"]) == 2
        seat = doc["seats"][0]
        hidden = {doc["salt"], seat["browser"], *seat["networks"], *doc["bans"]}
        hidden |= {"browser-of-ada", "browser-of-bob", HOME, AWAY}
        heard = json.dumps([*ada.received, *bob.received])
        assert not [each for each in hidden if each in heard]
        assert not [each for each in ("browser-of", HOME, AWAY) if each in stored.doc]


# The chair of the host


async def test_a_host_who_comes_back_hosts_again(serving: Serving) -> None:
    rooms = replace(SOON, grace_ms=0)
    async with serving(rooms=rooms) as one, serving(rooms=rooms) as other:
        ada, bob = await start_race(one.port)
        await ada.leave()
        while bob.room["host"] != bob.seat:
            await bob.next()
        back = await ada.resume(other.port)
        assert back.room["host"] == ada.seat
        while bob.room["host"] != ada.seat:
            await bob.next()
        assert (await bob.ask("abort"))["code"] == "not_host"


# The queue


async def test_newcomers_wait_for_the_host(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada = await hosts(one.port, approve=True)
        eve, joined = await asks(other.port, ada.code)
        shown = joined["room"]
        queued = {"seat": 1, "name": "Eve", "role": "player", "kind": "person"}
        assert shown["waiting"] == [queued]
        assert [seat["name"] for seat in shown["seats"]] == ["Ada"]
        while not ada.room["waiting"]:
            await ada.next()
        assert ada.room["waiting"][0]["name"] == "Eve"
        assert (await eve.ask("admit", seat=1))["code"] == "no_such_seat"
        await ada.say("admit", seat=1)
        while eve.room["waiting"]:
            await eve.next()
        assert [seat["name"] for seat in eve.room["seats"]] == ["Ada", "Eve"]
        assert (await eve.ask("ready"))["room"]["seats"][1]["state"] == "READY"


async def test_waiting_newcomers_receive_and_change_nothing_of_the_room(
    listener: Listener,
) -> None:
    port = listener.port
    ada = await hosts(port, spectate="boards", board_delay_s=0)
    bob = await Player.join(port, ada.code, "Bob")
    await configure(ada, approve=True)
    eve, _ = await asks(port, ada.code)
    await bob.ask("say", text="a secret of ours")
    await bob.ask("ready")
    await ada.say("ready")
    await bob.race()
    await bob.act(bob.table["legal"][0])
    await eve.in_state("RUNNING")
    refused: dict[str, dict[str, Any]] = {
        "watch": {"boards": [0]},
        "say": {"text": "Hello"},
        "chase": {},
        "ready": {},
        "forfeit": {},
    }
    for kind, fields in refused.items():
        code = (await eve.ask(kind, **fields))["code"]
        assert code == ("not_in_state" if kind == "ready" else "no_such_seat")
    await ada.ask("forfeit")
    await bob.ask("forfeit")
    await eve.in_state("FINISHED")
    assert await eve.ask("ping", t=1)
    types = {message["type"] for message in eve.received}
    assert types == {"joined", "room", "refused", "pong"}
    assert {
        seat["name"] for room in eve.received if "room" in room for seat in room["room"]["seats"]
    } == {"Ada"}


async def test_the_host_refuses_a_newcomer(listener: Listener) -> None:
    ada = await hosts(listener.port, approve=True)
    eve, _ = await asks(listener.port, ada.code)
    await ada.ask("kick", seat=1)
    assert await eve.closed() == 4507
    back = await Player.connect(listener.port)
    await back.ask("resume", room=ada.code, seat=1, token=eve.token)
    assert await back.closed() == 4502


async def test_waiting_newcomers_reconnect_and_leave(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada = await hosts(one.port, approve=True)
        eve, _ = await asks(one.port, ada.code)
        await eve.leave()
        back = await eve.resume(other.port)
        assert back.room["waiting"][0]["seat"] == 1
        left = await back.ask("leave")
        assert [seat["name"] for seat in left["room"]["seats"]] == ["Ada"]
        assert await back.closed() == 1000
        while ada.room["waiting"] or not ada.received:
            await ada.next()


async def test_an_heir_admits_newcomers_for_a_host_who_is_gone(serving: Serving) -> None:
    async with serving(rooms=replace(SOON, grace_ms=0)) as listener:
        ada = await hosts(listener.port)
        bob = await Player.join(listener.port, ada.code, "Bob")
        await configure(ada, approve=True)
        await asks(listener.port, ada.code)
        await ada.leave()
        while bob.room["host"] != bob.seat:
            await bob.next()
        await bob.say("admit", seat=2)
        while bob.room["waiting"]:
            await bob.next()
        assert [seat["name"] for seat in bob.room["seats"]] == ["Ada", "Bob", "Eve"]


async def test_rooms_stored_before_there_were_identities_go_on(
    serving: Serving, store: Store
) -> None:
    async with serving() as listener:
        ada = await hosts(listener.port, one_seat=True)
    stored = present(await store.rooms.read(ada.code))
    doc = json.loads(stored.doc)
    for new in ("salt", "bans", "waiting", "past_hosts"):
        del doc[new]
    for new in ("networks", "browser", "kind"):
        del doc["seats"][0][new]
    for new in ("locked", "max_players", "one_seat", "approve", "programs", "cheats"):
        doc["settings"].pop(new, None)
    room = keys.room(ada.code)
    await store.client.call(room, "HSET", room, "doc", json.dumps(doc))
    async with serving() as listener:
        back = await ada.resume(listener.port)
        assert back.room["settings"]["max_players"] == 100
        assert (await configure(back, one_seat=True))["type"] == "room"
        assert (await asks(listener.port, ada.code))[1]["type"] == "joined"

"""New seats whose `joined` is lost: the repeated message takes the same seat.

Regression: a `join` that was repeated after nine seconds of silence made "Bob 2".
"""

import asyncio
from typing import Any

import pytest

from protocol.vocabulary import ATTEMPT_S, CloseCode
from server.rooms.admission import hash_attempt
from server.store import Unreadable
from tests.sessions.clients import BOBS_ADDRESS, FEW, Site
from tests.waiting import until

ATTEMPT = "an-attempt-to-take-a-seat"
BOB = {"name": "Bob", "attempt": ATTEMPT, "browser": "bobs"}


async def lost_and_sent_again(site: Site, kind: str, **fields: Any) -> tuple[dict[str, Any], str]:
    """Lose the result of a message, and repeat it on the same connection and on others.

    Return the latest reply and the token, which all replies share.
    """
    site.lose_next_answer()
    first = await site.ask(kind, **fields)
    assert first.received[0]["code"] == "try_again"
    await first.say(kind, **fields)
    second = await site.ask(kind, at="elsewhere", **fields)
    third = await site.ask(kind, **fields)
    replies = [first.received[1], second.received[0], third.received[0]]
    assert len({(reply["type"], reply["seat"], reply["token"]) for reply in replies}) == 1
    await until(lambda: (first.close_code, second.close_code) == (CloseCode.RESYNC,) * 2)
    assert third.socket.is_open
    return replies[-1], replies[-1]["token"]


@pytest.mark.parametrize("settings", [{}, {"one_seat": True, "approve": True}])
async def test_a_repeated_join_takes_one_seat(site: Site, settings: dict[str, bool]) -> None:
    _, code = await site.open(**settings)
    _, token = await lost_and_sent_again(site, "join", room=code, **BOB)
    assert await site.names(code) == ["Ada", "Bob"]
    back = await site.ask("resume", room=code, seat=1, token=token)
    assert back.received[0]["type"] == "joined"


async def test_a_create_whose_answer_is_lost_opens_one_room(site: Site) -> None:
    joined, token = await lost_and_sent_again(site, "create", **BOB)
    code = joined["room"]["code"]
    assert await site.here.store.open_rooms.count() == 1
    assert await site.names(code) == ["Bob"]
    back = await site.ask("resume", room=code, seat=0, token=token)
    assert back.received[0]["type"] == "joined"


@pytest.mark.parametrize("kind", ["create", "join"])
async def test_an_attempt_that_comes_often_at_once_takes_one_seat(site: Site, kind: str) -> None:
    fields = {**BOB, "room": (await site.open())[1]} if kind == "join" else BOB
    places = ("here", "elsewhere") * 3
    sockets = await asyncio.gather(*(site.ask(kind, at=at, **fields) for at in places))
    joined = [socket.received[0] for socket in sockets if socket.received]
    codes = {reply["room"]["code"] for reply in joined}
    assert {reply["token"] for reply in joined} == {joined[0]["token"]}
    assert [(await site.names(code)).count("Bob") for code in codes] == [1]
    await until(lambda: sum(socket.socket.is_open for socket in sockets) == 1)
    assert {socket.close_code for socket in sockets} == {None, CloseCode.RESYNC}


@pytest.mark.parametrize("kind", ["create", "join"])
async def test_a_repeated_attempt_counts_once_for_its_address(site: Site, kind: str) -> None:
    fields = {**BOB, "room": (await site.open())[1]} if kind == "join" else BOB
    for _ in range(FEW.joins.burst + 2):
        assert (await site.ask(kind, **fields)).types()[0] == "joined"
    others = [{**fields, "attempt": f"{ATTEMPT}-{n}"} for n in range(FEW.joins.burst)]
    types = [(await site.ask(kind, **other)).types()[0] for other in others]
    assert types == ["joined"] * (FEW.joins.burst - 1) + ["refused"]


async def test_only_the_attempt_itself_opens_its_seat(site: Site) -> None:
    host, code = await site.open()
    joined = (await site.ask("join", room=code, **BOB)).received[0]
    await until(lambda: "Bob" in str(host.received))
    assert hash_attempt(ATTEMPT) not in str([joined, host.received])
    assert ATTEMPT not in site.store.rooms[code].doc
    tries = [ATTEMPT[:-1], ATTEMPT + "0", hash_attempt(ATTEMPT), joined["token"], ""]
    for number, attempt in enumerate(tries):
        site.here.join_limits.owe(BOBS_ADDRESS, -1)
        other = await site.ask("join", **{**BOB, "room": code, "attempt": attempt})
        assert other.received[0]["seat"] == number + 2
        assert other.received[0]["token"] != joined["token"]
    _, another = await site.open()
    elsewhere = await site.ask("join", at="elsewhere", room=another, **BOB)
    assert elsewhere.received[0]["seat"] == 1
    guess = await site.ask("resume", room=code, seat=1, token=ATTEMPT)
    assert guess.close_code == CloseCode.BAD_TOKEN


async def test_an_attempt_counts_as_a_new_one_after_a_minute(site: Site) -> None:
    """The store forgets its code then, as the tests of the store show."""
    _, code = await site.open()
    await site.ask("join", room=code, **BOB)
    created = (await site.ask("create", **BOB)).received[0]
    site.store.open_rooms.attempts.clear()
    site.store.clock.shift_ms = ATTEMPT_S * 1_000
    await site.ask("join", at="elsewhere", room=code, **BOB)
    assert await site.names(code) == ["Ada", "Bob", "Bob 2"]
    again = (await site.ask("create", at="elsewhere", **BOB)).received[0]
    assert again["room"]["code"] != created["room"]["code"]


@pytest.mark.parametrize("message", ["leave", "kick"])
async def test_an_attempt_does_not_take_a_seat_that_was_given_up(site: Site, message: str) -> None:
    host, code = await site.open()
    bob = await site.ask("join", room=code, **BOB)
    if message == "leave":
        await bob.say("leave")
    else:
        await host.say("kick", seat=1, ban=True)
    again = await site.ask("join", at="elsewhere", room=code, **BOB)
    reply = again.received[0]
    assert reply.get("seat", reply.get("code")) == {"leave": 2, "kick": "banned"}[message]


async def test_an_opened_room_that_cannot_be_read_is_asked_for_elsewhere(site: Site) -> None:
    created = await site.ask("create", **BOB)
    site.faults.failing[created.received[0]["room"]["code"]] = Unreadable("why")
    again = await site.ask("create", **BOB)
    assert (again.received[0]["code"], again.close_code) == ("try_again", CloseCode.DRAINING)

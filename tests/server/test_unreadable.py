"""A room that this release cannot read, met by real sockets over a real store."""

import json
import operator
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.vocabulary import CloseCode
from server import metrics
from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.store import Store, keys
from server.store.packed_commands import pack
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get
from tests.waiting import until, until_answer

Break = Callable[[Store, str], Awaitable[None]]


OFTEN = LiveTimings(sweep_s=0.02)


async def do(store: Store, key: str, *words: Any) -> Any:
    return await store.client.ask(key, pack(*words))


async def rewrite(store: Store, code: str, **fields: Any) -> None:
    room = keys.room(code)
    doc = json.loads(await do(store, room, "HGET", room, "doc"))
    await do(store, room, "HSET", room, "doc", json.dumps({**doc, **fields}))


async def unknown_state(store: Store, code: str) -> None:
    await rewrite(store, code, state="PAUSED")


async def half_a_document(store: Store, code: str) -> None:
    await do(store, keys.room(code), "HSET", keys.room(code), "doc", '{"code": "7K')


async def no_text(store: Store, code: str) -> None:
    await do(store, keys.room(code), "HSET", keys.room(code), "doc", b"\xff\xff")


async def no_document(store: Store, code: str) -> None:
    await do(store, keys.room(code), "HDEL", keys.room(code), "doc")


async def another_type_of_key(store: Store, code: str) -> None:
    await do(store, keys.room(code), "UNLINK", keys.room(code))
    await do(store, keys.room(code), "SET", keys.room(code), "x")


async def a_seat_without_fields(store: Store, code: str) -> None:
    seat = keys.seat(code, 0)
    await do(store, seat, "HDEL", seat, "id", "n")


BREAKS = [
    unknown_state,
    half_a_document,
    no_text,
    no_document,
    another_type_of_key,
    a_seat_without_fields,
]


async def sent_elsewhere(player: Player, kind: str, **fields: Any) -> None:
    """The command is refused for now, and the socket may come back, here or elsewhere."""
    await player.say(kind, **fields)
    refused = await player.receive("refused", "joined")
    assert (refused["type"], refused["code"]) == ("refused", "try_again")
    assert await player.closed() == CloseCode.DRAINING


def lines_of(logs: list[Any], code: str) -> list[str]:
    return [line["event"] for line in logs if line["log_level"] == "error" and code in str(line)]


@pytest.mark.parametrize("breaks", BREAKS)
async def test_an_unreadable_room_harms_no_other_room(serving: Serving, breaks: Break) -> None:
    with capture_logs() as logs:
        async with serving(live=OFTEN) as server:
            bad = await Player.create(server.port, "Eve", public=True, game="spider-1")
            await bad.say("start")
            await bad.race()
            good = await Player.create(server.port, "Ada", public=True)
            store = server.services.store
            await breaks(store, bad.code)
            await do(store, keys.DEADLINES, "ZADD", keys.DEADLINES, 1, bad.code)
            await do(store, bad.code, "SPUBLISH", keys.channel(bad.code), "room")

            assert await bad.closed() == CloseCode.DRAINING
            for _ in range(3):
                again = await Player.connect(server.port)
                seat = {"room": bad.code, "seat": 0, "token": bad.token}
                await sent_elsewhere(again, "resume", **seat)
            if breaks is not a_seat_without_fields:
                other = await Player.connect(server.port)
                await sent_elsewhere(other, "join", room=bad.code, name="Bob")
                path = f"/api/rooms/{bad.code}/rounds/1"
                assert (await get(server.port, path)).status == 503
                listed = json.loads((await get(server.port, "/api/rooms")).body)
                assert [room["code"] for room in listed["rooms"]] == [good.code]

            # Other rooms are ticked, and the unreadable room is not read every second.
            await good.say("start")
            await good.race()
            await good.leave()
            await dropped(server, good.code)
            assert bad.code not in await store.lists.due(store.clock.now())
            await until(
                lambda: metrics.REGISTRY.get_sample_value("spider_race_rooms_unreadable") == 1
            )
    assert lines_of(logs, bad.code) == ["room cannot be read"]


async def dropped(server: Listener, code: str) -> None:
    await until_answer(
        lambda: server.services.repository.read(code),
        lambda latest: latest.room.seats[0].connection != "on",
    )


async def test_a_seat_that_cannot_be_read_is_logged_too(serving: Serving) -> None:
    with capture_logs() as logs:
        async with serving(live=OFTEN) as server:
            ada = await Player.create(server.port, "Ada")
            await a_seat_without_fields(server.services.store, ada.code)
            for _ in range(2):
                again = await Player.connect(server.port)
                seat = {"room": ada.code, "seat": 0, "token": ada.token}
                await sent_elsewhere(again, "resume", **seat)
            assert (await ada.ask("ready"))["type"] == "room"  # the command needs no seat's record
    assert lines_of(logs, ada.code) == ["room cannot be read"]


async def unknown_action(store: Store, log: str) -> None:
    await do(store, log, "RPUSH", log, b"\xff\xff\x09\x00\x00\x00")


async def another_length(store: Store, log: str) -> None:
    await do(store, log, "RPUSH", log, b"\x01\x80\x09\x00\x00\x00\x00")


@pytest.mark.parametrize("breaks", [unknown_action, another_length])
async def test_a_log_that_cannot_be_played_sends_its_player_elsewhere(
    serving: Serving, breaks: Break
) -> None:
    with capture_logs() as logs:
        async with serving(live=OFTEN) as server:
            ada, bob = await start_race(server.port, spectate="boards", board_delay_s=0)
            await breaks(server.services.store, keys.log(ada.code, 1, 0))
            cy = await Player.join(server.port, ada.code, "Cy", "spectator")
            await cy.say("watch", boards=[0])
            back = await ada.resume(server.port)
            assert await back.closed() == CloseCode.DRAINING
            assert (await bob.act(bob.table["legal"][0]))["type"] == "acted"
            await cy.ask("watch", boards=[1])
    assert lines_of(logs, ada.code) == ["room cannot be read"]


async def test_a_room_is_served_again_when_it_can_be_read(serving: Serving) -> None:
    async with serving(live=OFTEN) as server:
        ada = await Player.create(server.port, "Ada")
        store = server.services.store
        await rewrite(store, ada.code, state="PAUSED")
        await do(store, ada.code, "SPUBLISH", keys.channel(ada.code), "room")
        assert await ada.closed() == CloseCode.DRAINING
        # A disconnect that cannot be reported leaves the room in its process's list.
        mine = keys.process(server.services.hub.process)
        assert await do(store, mine, "SISMEMBER", mine, ada.code) == 1
        await rewrite(store, ada.code, state="LOBBY")
        back = await ada.resume(server.port)
        assert (await back.ask("ready"))["room"]["seats"][0]["state"] == "READY"
        await do(store, keys.DEADLINES, "ZADD", keys.DEADLINES, 1, ada.code)
        await until_answer(store.unreadable.count, operator.not_)

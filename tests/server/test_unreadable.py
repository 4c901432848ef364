"""A room that this release cannot read, met by real sockets over a real store."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from structlog.testing import capture_logs

from protocol.vocabulary import CloseCode
from server import metrics
from server.live.timings import LiveTimings
from server.store import Store, keys
from server.store.packed_commands import pack
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get
from tests.waiting import until, until_answer

OFTEN = LiveTimings(sweep_s=0.02)


async def do(store: Store, key: str, *words: Any) -> Any:
    return await store.client.ask(key, pack(*words))


async def rewrite(store: Store, code: str, **fields: Any) -> None:
    room = keys.room(code)
    doc = json.loads(await do(store, room, "HGET", room, "doc"))
    await do(store, room, "HSET", room, "doc", json.dumps({**doc, **fields}))


async def unknown_state(store: Store, code: str) -> None:
    await rewrite(store, code, state="PAUSED")


async def another_type(store: Store, code: str) -> None:
    await do(store, keys.room(code), "SET", keys.room(code), "x")


BREAKS: list[Callable[[Store, str], Awaitable[None]]] = [another_type, unknown_state]


async def sent_elsewhere(port: int, kind: str, **fields: Any) -> None:
    """The command is refused for now, and the socket may come back, here or elsewhere."""
    player = await Player.connect(port)
    await player.say(kind, **fields)
    refused = await player.receive("refused", "joined")
    assert (refused["type"], refused["code"]) == ("refused", "try_again")
    assert await player.closed() == CloseCode.DRAINING


async def set_aside(store: Store, code: str, number: int) -> None:
    """Wait until a room is not due any more, and so many rooms are counted as unreadable."""
    due, now = store.lists.due, store.clock.now
    await until_answer(lambda: due(now()), lambda codes: code not in codes)
    unreadable = "spider_race_rooms_unreadable"
    await until(lambda: metrics.REGISTRY.get_sample_value(unreadable) == number)


def lines_of(logs: list[Any], code: str) -> list[str]:
    return [line["event"] for line in logs if line["log_level"] == "error" and code in str(line)]


async def test_an_unreadable_room_harms_no_other_room(serving: Serving) -> None:
    async with serving(live=OFTEN) as server:
        port, store = server.port, server.services.store
        (good,) = await start_race(port, players=1, public=True)
        for number, breaks in enumerate(BREAKS, 1):
            with capture_logs() as logs:
                (bad,) = await start_race(port, players=1, public=True, game="spider-1")
                await breaks(store, bad.code)
                await do(store, keys.DEADLINES, "ZADD", keys.DEADLINES, 1, bad.code)
                await do(store, bad.code, "SPUBLISH", keys.channel(bad.code), "room")
                assert await bad.closed() == CloseCode.DRAINING
                for _ in range(2):
                    seat = {"room": bad.code, "seat": 0, "token": bad.token}
                    await sent_elsewhere(port, "resume", **seat)
                await sent_elsewhere(port, "join", room=bad.code, name="Bob")
                path = f"/api/rooms/{bad.code}/rounds/1"
                assert (await get(port, path)).status == 503

                # Other rooms are ticked, and the unreadable room is not read every second.
                await start_race(port, players=1)
                assert (await good.ask("ping", t=1))["type"] == "pong"
                await set_aside(store, bad.code, number)
            assert lines_of(logs, bad.code) == ["room cannot be read"], breaks
        listed = json.loads((await get(port, "/api/rooms")).body)
        assert [room["code"] for room in listed["rooms"]] == [good.code]

        # It is left as it is, and served again when it can be read. A disconnect that cannot be
        # reported leaves the room in its process's list.
        mine = keys.process(server.services.hub.process)
        assert await do(store, mine, "SISMEMBER", mine, bad.code) == 1
        room = keys.room(bad.code)
        assert json.loads(await do(store, room, "HGET", room, "doc"))["state"] == "PAUSED"
        await rewrite(store, bad.code, state="RUNNING")
        back = await bad.resume(port)
        assert (await back.race())["at"] == 0
        await do(store, keys.DEADLINES, "ZADD", keys.DEADLINES, 1, bad.code)
        count = store.unreadable.count
        await until_answer(count, lambda left: left == len(BREAKS) - 1)


async def test_a_log_that_cannot_be_played_sends_its_player_elsewhere(serving: Serving) -> None:
    entries = {
        "an unknown action": b"\xff\xff\x09\x00\x00\x00",
        "another length": b"\x01\x80\x09\x00\x00\x00\x00",
    }
    async with serving(live=OFTEN) as server:
        for entry in entries.values():
            with capture_logs() as logs:
                ada, bob = await start_race(server.port, spectate="boards", board_delay_s=0)
                log = keys.log(ada.code, 1, 0)
                await do(server.services.store, log, "RPUSH", log, entry)
                cy = await Player.join(server.port, ada.code, "Cy", "spectator")
                await cy.say("watch", boards=[0])
                back = await ada.resume(server.port)
                assert await back.closed() == CloseCode.DRAINING
                assert (await bob.act(bob.table["legal"][0]))["type"] == "acted"
                await cy.ask("watch", boards=[1])
            assert lines_of(logs, ada.code) == ["room cannot be read"]

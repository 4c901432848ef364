"""Keys of other types under names of the store, as others on a shared Redis may write them.

The server goes on, is not ready, logs one sentence, and works again without the key.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.http.listener import Listener
from server.live.timings import LIVE_TIMINGS
from server.store import Store
from server.store.keys import TYPES, UNPREFIXED
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import until_status
from tests.servers import AT_ONCE
from tests.waiting import until_answer

QUICK = {
    "live": replace(LIVE_TIMINGS, sweep_s=0.1),
    "store": replace(AT_ONCE, health_s=0.1, sync_s=0.1),
}
WRITES: dict[str, Callable[[str], tuple[str | int, ...]]] = {
    "string": lambda key: ("SET", key, "x"),
    "hash": lambda key: ("HSET", key, "x", "x"),
    "list": lambda key: ("RPUSH", key, "x"),
    "set": lambda key: ("SADD", key, "x"),
    "zset": lambda key: ("ZADD", key, 1, "x"),
    "stream": lambda key: ("XADD", key, "1-0", "x", "x"),
}
"""The commands that write a key of each type."""
WRONG = [
    pytest.param(name, holds, id=f"{name} is a {holds}")
    for name in UNPREFIXED.shared()
    for holds in WRITES
    if holds != TYPES[name]
]


async def put(store: Store, key: str, holds: str) -> None:
    await store.client.call(key, "DEL", key)
    await store.client.call(key, *WRITES[holds](key))


async def plays(port: int) -> None:
    """Open a room, start a race in it, and act."""
    player = await Player.create(port, "Eve", undo="any")
    await player.say("start")
    await player.race()
    assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    await player.leave()


def sentences(logs: Any, event: str, key: str) -> list[Any]:
    return [line for line in logs if line["event"] == event and line.get("key") == key]


@pytest.mark.parametrize(("key", "holds"), WRONG)
async def test_a_key_of_another_type_stops_no_server_and_heals(
    serving: Serving, store: Store, key: str, holds: str
) -> None:
    with capture_logs() as logs:
        async with serving(**QUICK) as listener:
            ada = await Player.create(listener.port, "Ada")
            await until_status(listener.operations_port, 200)
            await put(store, key, holds)
            answer = await until_status(listener.operations_port, 503)
            assert answer.body == f"The key {key} of the store holds another type.\n".encode()
            await asyncio.sleep(listener.services.hub.timings.sweep_s * 1.5)  # one more sweep
            assert (await ada.ask("ping", t=1))["type"] == "pong"
            await store.client.call(key, "DEL", key)
            await until_status(listener.operations_port, 200)
            await plays(listener.port)
            assert (await ada.ask("ready"))["type"] in {"room", "changes"}
    told = "a key of the store holds another type: it must be removed"
    assert [line["holds"] for line in sentences(logs, told, key)] == [holds]
    assert len(sentences(logs, "a key of the store can be used again", key)) == 1
    assert not [line for line in logs if line.get("exc_info")]


@pytest.mark.parametrize("key", UNPREFIXED.shared())
async def test_a_server_starts_beside_a_key_of_another_type(
    serving: Serving, store: Store, key: str
) -> None:
    await put(store, key, "string")
    async with serving(**QUICK) as listener:
        await until_status(listener.operations_port, 503)
        await store.client.call(key, "DEL", key)
        await until_status(listener.operations_port, 200)
        await plays(listener.port)


async def test_the_rooms_of_a_process_may_be_damaged_too(listener: Listener, store: Store) -> None:
    ada = await Player.create(listener.port, "Ada")
    key = UNPREFIXED.process(listener.services.hub.process)
    await put(store, key, "string")
    eve = await Player.connect(listener.port)
    await eve.say("create", name="Eve", settings={})
    assert (await eve.receive("joined", "refused", "error"))["code"] == "try_again"
    await until_status(listener.operations_port, 503)
    await store.client.call(key, "DEL", key)
    await until_status(listener.operations_port, 200)
    await Player.join(listener.port, ada.code, "Bob")


async def test_the_rooms_of_a_dead_process_hold_up_no_other_report(
    serving: Serving, store: Store
) -> None:
    """The connections of another dead process are reported all the same."""
    await put(store, UNPREFIXED.process("broken"), "string")
    await store.processes.beat("broken", 1, [])
    await store.processes.beat("dead", 2, [])
    async with serving():
        await until_answer(
            lambda: store.processes.silent(store.clock.now()), lambda silent: "dead" not in silent
        )
        assert "broken" in await store.processes.silent(store.clock.now() - 60_000)


@pytest.mark.parametrize("part", ["room", "events", "seat", "log"])
async def test_a_damaged_room_is_about_that_room_alone(
    listener: Listener, store: Store, part: str
) -> None:
    ada = await Player.create(listener.port, "Ada", undo="any")
    await ada.say("start")
    await ada.race()
    code = ada.code
    key = {
        "room": UNPREFIXED.room(code),
        "events": UNPREFIXED.events(code),
        "seat": UNPREFIXED.seat(code, 0),
        "log": UNPREFIXED.log(code, 1, 0),
    }[part]
    await put(store, key, "string")
    await plays(listener.port)
    await until_status(listener.operations_port, 200)
    await store.client.call(key, "DEL", key)


async def test_a_clock_of_other_values_is_taken_as_a_new_one(
    serving: Serving, store: Store
) -> None:
    clock = UNPREFIXED.clock
    fields = ("shift", "x", "at", "y", "raw", "z", "by", "somebody")
    await store.client.call(clock, "HSET", clock, *fields)
    async with serving() as listener:
        await until_status(listener.operations_port, 200)
        await plays(listener.port)


@pytest.mark.parametrize("rights", [("-evalsha", "-zrange"), ("-spublish",)])
async def test_a_right_that_is_taken_away_stops_no_server(
    serving: Serving, store: Store, rights: tuple[str, ...]
) -> None:
    with capture_logs() as logs:
        async with serving() as listener:
            ada = await Player.create(listener.port, "Ada")
            await store.client.pipelines[0].call("ACL", "SETUSER", "default", *rights)
            try:
                assert (await ada.ask("ready"))["code"] == "try_again"
                await until_status(listener.operations_port, 503)
            finally:
                await store.client.pipelines[0].call("ACL", "SETUSER", "default", "+@all")
            await until_status(listener.operations_port, 200)
            await plays(listener.port)
    refusals = [line for line in logs if line["event"] == "the store refuses commands"]
    assert len({line["key"] for line in refusals}) == len(refusals) > 0

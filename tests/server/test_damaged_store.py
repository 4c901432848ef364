"""Keys of the store with a wrong type, as other programs on a shared Redis may write them.

The server goes on, is not ready, logs one sentence, and works again without the key.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from server.live.hub import LIVE_TIMINGS
from server.live.timers import Sweeper
from server.store import Store, keys
from server.store.connection import Command, pack
from server.store.keys import TYPES, UNPREFIXED
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import until_status
from tests.servers import AT_ONCE
from tests.waiting import until_answer

QUICK = {
    "live": replace(LIVE_TIMINGS, sweep_s=0.05, beat_s=0.05, silent_ms=1_000),
    "store": replace(AT_ONCE, health_s=0.05, sync_s=0.05),
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
SHARED = UNPREFIXED.shared()
WRONG = dict(zip(SHARED, [*WRITES] * len(SHARED), strict=False))
"""The type to write to each shared key; a key that has this type already becomes a string."""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "REFUSED_FOR_S", 0.2)


async def put(store: Store, key: str, holds: str) -> None:
    await store.client.call("DEL", key)
    await store.client.ask(Command(key, pack(*WRITES[holds](key))))


async def plays(port: int) -> None:
    (player,) = await start_race(port, players=1, undo="any")
    assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    await player.leave()


def lines(logs: Any, event: str, key: str) -> list[Any]:
    return [line for line in logs if line["event"] == event and line.get("key") == key]


async def test_a_key_of_another_type_stops_no_server(serving: Serving, store: Store) -> None:
    """Each key of all rooms is damaged in its turn, the first of them before the start."""
    first = SHARED[0]
    with capture_logs() as logs:
        await put(store, first, "string")
        async with serving(**QUICK) as listener:
            port, operators = listener.port, listener.operations_port
            await until_status(operators, 503)
            await store.client.call("DEL", first)
            await until_status(operators, 200)
            ada, its = await Player.create(port, "Ada"), listener.services
            for key, other in WRONG.items():
                holds = "string" if other == TYPES[key] else other
                del logs[:]
                await put(store, key, holds)
                answer = await until_status(operators, 503)
                text = f"The key {key} of the store holds another type.\n"
                assert answer.body == text.encode()
                await Sweeper(its.repository, its.hub, its.days).sweep()
                assert (await ada.ask("ping", t=1))["type"] == "pong"
                await store.client.call("DEL", key)
                await until_status(operators, 200)
                damaged = "a key of the store holds another type: it must be removed"
                assert [line["holds"] for line in lines(logs, damaged, key)] == [holds]
                assert len(lines(logs, "a key of the store can be used again", key)) == 1
                assert not [line for line in logs if line.get("exc_info")]
            await plays(port)
            assert (await ada.ask("ready"))["type"] in {"room", "changes"}


async def test_the_rooms_of_processes_may_be_damaged_too(serving: Serving, store: Store) -> None:
    """The connections of another dead process are still reported."""
    broken = UNPREFIXED.process("broken")
    await put(store, broken, "string")
    await store.processes.beat("broken", 1, [])
    await store.processes.beat("dead", 2, [])
    async with serving(**QUICK) as listener:
        await until_answer(
            lambda: store.processes.silent(store.clock.now_ms()),
            lambda silent: "dead" not in silent,
        )
        assert "broken" in await store.processes.silent(store.clock.now_ms() - 60_000)
        ada = await Player.create(listener.port, "Ada")
        await store.client.call("DEL", broken)
        key = UNPREFIXED.process(listener.services.hub.process)
        await put(store, key, "string")
        eve = await Player.connect(listener.port)
        await eve.say("create", name="Eve", settings={})
        assert (await eve.receive("joined", "refused", "error"))["code"] == "try_again"
        await until_status(listener.operations_port, 503)
        await store.client.call("DEL", key)
        await until_status(listener.operations_port, 200)
        await Player.join(listener.port, ada.code, "Bob")


async def test_a_damaged_list_of_tables_only_keeps_rooms_from_being_kept(
    serving: Serving, store: Store
) -> None:
    async with serving(**QUICK) as listener:
        players = await start_race(listener.port, players=2)
        kept = UNPREFIXED.kept()
        await put(store, kept, "string")
        assert (await players[0].ask("keep"))["code"] == "try_again"
        for player in players:
            await player.say("forfeit")
        await players[0].in_state("FINISHED")
        await until_status(listener.operations_port, 200)
        await store.client.call("DEL", kept)
        assert (await players[0].ask("keep"))["room"]["kept"]["races"] == 1
        await plays(listener.port)


async def test_a_damaged_room_is_about_that_room_alone(serving: Serving, store: Store) -> None:
    clock = UNPREFIXED.clock  # another program's values count as a new clock
    fields = ("shift", "x", "at", "y", "raw", "z", "by", "somebody")
    await store.client.call("HSET", clock, *fields)
    async with serving(**QUICK) as listener:
        for part in ("room", "events", "seat", "log"):
            (ada,) = await start_race(listener.port, players=1, undo="any")
            key = {
                "room": UNPREFIXED.room(ada.code),
                "events": UNPREFIXED.events(ada.code),
                "seat": UNPREFIXED.seat(ada.code, 0),
                "log": UNPREFIXED.log(ada.code, 1, 0),
            }[part]
            await put(store, key, "string")
            await plays(listener.port)
            await until_status(listener.operations_port, 200)
            await store.client.call("DEL", key)


@pytest.mark.parametrize("rights", [("-evalsha", "-zrange"), ("-spublish",)])
async def test_a_right_that_is_taken_away_stops_no_server(
    serving: Serving, store: Store, rights: tuple[str, ...]
) -> None:
    with capture_logs() as logs:
        async with serving(**QUICK) as listener:
            ada = await Player.create(listener.port, "Ada")
            await store.client.ask_any_master(pack("ACL", "SETUSER", "default", *rights))
            try:
                assert (await ada.ask("ready"))["code"] == "try_again"
                await until_status(listener.operations_port, 503)
            finally:
                await store.client.ask_any_master(pack("ACL", "SETUSER", "default", "+@all"))
            await until_status(listener.operations_port, 200)
            await plays(listener.port)
    refusals = [line for line in logs if line["event"] == "the store refuses commands"]
    assert len({line["key"] for line in refusals}) == len(refusals) > 0

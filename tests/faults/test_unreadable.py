"""The fault of an unreadable record: its effect, and the violations that it detects."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from server.store import keys
from tests.faults.processes import Fleet, fleet
from tests.faults.records import FIELDS, WAYS
from tests.faults.schedule import Fault, FaultKind
from tests.faults.unreadable import Unreadable
from tests.players import Player

pytestmark = pytest.mark.faults


@pytest.fixture
async def servers(tmp_path: Path) -> AsyncIterator[Fleet]:
    async with fleet(tmp_path, 2) as two:
        yield two


def fault(way: int = 0, seconds: float = 0.4) -> Fault:
    return Fault(0.0, FaultKind.UNREADABLE_RECORD, (0, way), seconds)


async def racing(servers: Fleet) -> Player:
    port = servers.servers[0].port
    assert port is not None
    player = await Player.create(port, game="spider-1", time_limit_s=None)
    await player.say("start")
    await player.race()
    return player


async def record(servers: Fleet, code: str) -> list[Any]:
    found: list[Any] = await servers.store.ask(code, "HMGET", keys.room(code), *FIELDS)
    return found


async def back(servers: Fleet, player: Player) -> Player:
    """Return the player, back in the race at the other server."""
    port = servers.servers[1].port
    assert port is not None
    again = await player.resume(port)
    await again.race()
    return again


async def test_a_record_is_unreadable_for_a_while_and_restored(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    for way in range(len(WAYS)):
        before = await record(servers, player.code)
        inflicting = asyncio.create_task(
            unreadable.suffer(fault(way), servers, [player.code, "NOSUCHROOM"])
        )
        while len(unreadable.records) == way:
            await asyncio.sleep(0.01)
        assert await record(servers, player.code) != before
        assert await inflicting
        assert unreadable.oddities == []
        broken = unreadable.records[way]
        assert 0.4 < broken.until - broken.since < 5
        after = await record(servers, player.code)
        assert dict(zip(FIELDS, after, strict=True))["doc"] == broken.was["doc"]
        player = await back(servers, player)
        assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    assert servers.troubles(unreadable.expects) == []


async def test_the_servers_log_an_unreadable_room_as_expected(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    await unreadable.suffer(fault(), servers, [player.code])
    assert len(servers.troubles()) == 2
    assert servers.troubles(unreadable.expects) == []
    unreadable.records[0].ended = unreadable.records[0].began - 60
    assert len(servers.troubles(unreadable.expects)) == 2


async def test_no_record_is_broken_without_a_race(servers: Fleet) -> None:
    port = servers.servers[0].port
    assert port is not None
    player, unreadable = await Player.create(port), Unreadable()
    before = await record(servers, player.code)
    assert not await unreadable.suffer(fault(), servers, [player.code])
    assert await record(servers, player.code) == before
    assert unreadable.records == []


async def test_a_broken_record_that_no_server_has_read_is_not_counted(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    for server in servers.servers:
        await server.end()
    assert not await unreadable.suffer(fault(way=len(WAYS) - 1), servers, [player.code])
    for server in servers.servers:
        await server.start()
    await back(servers, player)


async def test_a_write_to_a_broken_record_is_noticed(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    inflicting = asyncio.create_task(unreadable.suffer(fault(), servers, [player.code]))
    while not unreadable.records:
        await asyncio.sleep(0.01)
    room = keys.room(player.code)
    await servers.store.ask(player.code, "HSET", room, "doc", "mine", "deadline", "7")
    await inflicting
    (text,) = unreadable.oddities
    assert text == f"{player.code} was written while unreadable: deadline, doc"
    assert (await record(servers, player.code))[-1] == "mine"


async def test_a_server_that_serves_an_unreadable_room_is_noticed(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    (port, _) = servers.ports()
    assert not await unreadable._knock(port, player.code)
    (text,) = unreadable.oddities
    assert "joined" in text

"""The fault of an unreadable record: its effect, and the violations that it detects."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
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


class Met(Unreadable):
    """A fault that calls `work` while the record is unreadable, before it knocks at a server."""

    def __init__(self, work: Callable[[], Awaitable[object]]) -> None:
        super().__init__()
        self._work = work

    async def _knock(self, port: int, room: str) -> bool:
        await self._work()
        return await super()._knock(port, room)


async def test_a_record_is_unreadable_for_a_while_and_restored(servers: Fleet) -> None:
    player, found = await racing(servers), list[list[Any]]()

    async def look() -> None:
        found.append(await record(servers, player.code))

    unreadable = Met(look)
    for way in range(len(WAYS)):
        before = await record(servers, player.code)
        found.clear()
        assert await unreadable.suffer(fault(way), servers, [player.code, "NOSUCH0"])
        assert len(found) == 2
        assert before not in found
        assert unreadable.oddities == []
        broken = unreadable.records[way]
        assert broken.until - broken.since > 0.4
        after = dict(zip(FIELDS, await record(servers, player.code), strict=True))
        # A server that reads the room again may note at once that its player was away.
        assert json.loads(after["doc"])["round"] == json.loads(broken.was["doc"])["round"]
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
    player = await racing(servers)
    room = keys.room(player.code)
    written = (player.code, "HSET", room, "doc", "mine", "deadline", "7")
    unreadable = Met(lambda: servers.store.ask(*written))
    await unreadable.suffer(fault(), servers, [player.code])
    (text,) = unreadable.oddities
    assert text == f"{player.code} was written while unreadable: deadline, doc"
    assert (await record(servers, player.code))[-1] == "mine"


async def test_a_server_that_serves_an_unreadable_room_is_noticed(servers: Fleet) -> None:
    player, unreadable = await racing(servers), Unreadable()
    (port, _) = servers.ports()
    assert not await unreadable._knock(port, player.code)
    (text,) = unreadable.oddities
    assert "joined" in text

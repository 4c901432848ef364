"""A killed process cannot report its lost connections; the other processes do so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.faults.processes import Server
from tests.players import Player
from tests.present import present
from tests.servers import start_embedded

pytestmark = [pytest.mark.faults, pytest.mark.timeout(120)]


@dataclass(frozen=True, slots=True)
class TwoServers:
    """Two servers on one Redis; the first one is killed."""

    killed: Server
    ports: tuple[int, int]

    @asynccontextmanager
    async def while_one_is_killed(self) -> AsyncIterator[None]:
        killing = asyncio.create_task(self.killed.kill(away=60))
        yield
        killing.cancel()


@pytest.fixture
async def two(tmp_path: Path) -> AsyncIterator[TwoServers]:
    with start_embedded(tmp_path) as redis:
        servers = [Server(number, "server", redis.url, tmp_path) for number in (1, 2)]
        try:
            for server in servers:
                await server.start()
            first, second = (present(server.port) for server in servers)
            yield TwoServers(servers[0], (first, second))
        finally:
            for server in servers:
                await server.close()


async def test_players_of_a_killed_process_become_disconnected(two: TwoServers) -> None:
    ada = await Player.create(two.ports[0], "Ada")
    bob = await Player.join(two.ports[1], ada.code, "Bob")
    async with two.while_one_is_killed(), asyncio.timeout(60):
        while bob.room["host"] != 1:
            await bob.next(patience_s=60)
        assert bob.room["seats"][0]["connection"] == "gone"


async def test_a_sent_hint_is_counted_after_its_process_is_killed(two: TwoServers) -> None:
    ada = await Player.create(two.ports[0], "Ada", hints=True)
    await ada.say("start")
    await ada.race()
    hint = await ada.ask("hint")
    async with two.while_one_is_killed():
        assert await ada.closed() == 1006
        back = await ada.resume(two.ports[1])
        await back.race()
        assert await back.ask("hint") == hint
        await back.act(hint["action"])
        assert (await back.ask("hint"))["hints"] == hint["hints"] + 1 == 2

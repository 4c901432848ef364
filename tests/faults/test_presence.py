"""A killed process cannot report its lost connections; the other processes do so."""

import asyncio
from pathlib import Path

import pytest

from tests.faults.processes import Server
from tests.players import Player
from tests.servers import start_embedded

pytestmark = [pytest.mark.faults, pytest.mark.timeout(120)]


async def test_players_of_a_killed_process_become_disconnected(tmp_path: Path) -> None:
    redis = start_embedded(tmp_path)
    servers = [Server(number, "server", redis.url, tmp_path) for number in (1, 2)]
    try:
        for server in servers:
            await server.start()
        ports = [server.port for server in servers]
        assert ports[0] is not None
        assert ports[1] is not None
        ada = await Player.create(ports[0], "Ada")
        bob = await Player.join(ports[1], ada.code, "Bob")
        killing = asyncio.create_task(servers[0].kill(away=60))
        async with asyncio.timeout(60):
            while bob.room["host"] != 1:
                await bob.next(patience_s=60)
        assert bob.room["seats"][0]["connection"] == "gone"
        killing.cancel()
    finally:
        for server in servers:
            await server.close()
        redis.stop()


async def test_a_sent_hint_is_counted_after_its_process_is_killed(tmp_path: Path) -> None:
    redis = start_embedded(tmp_path)
    servers = [Server(number, "server", redis.url, tmp_path) for number in (1, 2)]
    try:
        for server in servers:
            await server.start()
        ports = [server.port for server in servers]
        assert ports[0] is not None
        assert ports[1] is not None
        ada = await Player.create(ports[0], "Ada", hints=True)
        await ada.say("start")
        await ada.race()
        hint = await ada.ask("hint")
        killing = asyncio.create_task(servers[0].kill(away=60))
        assert await ada.closed() == 1006
        back = await ada.resume(ports[1])
        await back.race()
        assert await back.ask("hint") == hint
        await back.act(hint["action"])
        assert (await back.ask("hint"))["hints"] == hint["hints"] + 1 == 2
        killing.cancel()
    finally:
        for server in servers:
            await server.close()
        redis.stop()

"""Real processes whose embedded store is killed while people play."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest
import redis

from protocol.vocabulary import MESSAGES_PER_S
from tests.faults.processes import serving
from tests.players import Player
from tests.present import present
from tests.waiting import until

pytestmark = pytest.mark.faults
ENDS = 5


def store_pid(data: Path) -> int | None:
    """Return the process id of the store, if it answers."""
    with (
        suppress(OSError, redis.ConnectionError, redis.BusyLoadingError),
        redis.Redis(unix_socket_path=str(data / "valkey.sock")) as client,
    ):
        return int(client.info("server")["process_id"])
    return None


async def kill_store(data: Path, before: int | None = None) -> int:
    """Kill the store once it is a new process; return its id."""
    await until(lambda: store_pid(data) not in {None, before})
    pid = present(store_pid(data))
    os.kill(pid, signal.SIGKILL)
    return pid


async def acted(player: Player) -> None:
    """Send an act until it is acknowledged, at the rate that a server allows."""
    while (await player.act(player.table["legal"][0]))["type"] != "acted":
        await asyncio.sleep(2 / MESSAGES_PER_S)


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["one", "workers"])
async def test_players_stay_while_a_killed_store_comes_back_until_it_ends_too_often(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    data = tmp_path / "data"
    where = ("--data-dir", str(data), "--store-fsync", "always")
    async with serving(tmp_path / "log", *where, *options, exit_code=2) as server:
        ada = await Player.create(server.port, "Ada", game="spider-1")
        await ada.say("start")
        await ada.race()
        killed = None
        for at in (1, 2):
            await acted(ada)
            assert ada.table["at"] == at
            killed = await kill_store(data, killed)
        await acted(ada)  # on the same socket
        assert ada.table["at"] == 3
        for _ in range(ENDS - 2):
            killed = await kill_store(data, killed)
        assert await ada.closed() == 4001
        assert await server.running.wait() == 2
    started = server.entries("the embedded store ended and is started again")
    assert [line["why"] for line in started] == ["it was killed by signal 9"] * (ENDS - 1)
    (failed,) = server.entries("failed")
    assert failed["why"].startswith(f"The embedded store in {data} was given up")
    assert not [line for line in server.lines() if "Traceback" in line]
    assert len(server.entries("stopped")) == max(1, len(options))

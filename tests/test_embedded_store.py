"""Real processes whose embedded store is killed under them, and what becomes of their players."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import redis

from protocol.vocabulary import MESSAGES_PER_S
from tests.players import Player
from tests.present import present
from tests.test_command import COMMAND
from tests.waiting import until

pytestmark = pytest.mark.faults
PATIENCE_S = 60
ENDS = 5


class Process:
    """A server with a store of its own, and its output for the operator."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, data_dir: Path) -> None:
        self.process = process
        self.port = port
        self.said: list[str] = []
        self._data_dir = data_dir

    async def read(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.said.append(line.decode().rstrip())

    def logged(self, event: str) -> list[dict[str, object]]:
        lines = [json.loads(line) for line in self.said if line.startswith("{")]
        return [line for line in lines if line["event"] == event]

    def store_pid(self) -> int | None:
        """The process of the store, if there is one that answers."""
        with suppress(OSError, redis.ConnectionError, redis.BusyLoadingError):
            where = (self._data_dir / "valkey.where").read_text()
            with redis.Redis(unix_socket_path=where) as client:
                return int(client.info("server")["process_id"])
        return None

    async def kill_store(self, before: int | None = None) -> int:
        """Kill the store, as soon as it is another one than before; return which it was."""
        await until(lambda: self.store_pid() not in {None, before})
        pid = present(self.store_pid())
        os.kill(pid, signal.SIGKILL)
        return pid


@asynccontextmanager
async def serving(data_dir: Path, *options: str) -> AsyncIterator[Process]:
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "--host", "127.0.0.1", "--port", "0", "--data-dir", str(data_dir)),
        *("--log-format", "json", "--store-fsync", "always", *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode()
    server = Process(process, int(address.rstrip("/ \n").rpartition(":")[2]), data_dir)
    reading = asyncio.create_task(server.read())
    try:
        yield server
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        async with asyncio.timeout(PATIENCE_S):
            await process.wait()
            await reading


async def acted(player: Player) -> None:
    """Send one act again until it is acknowledged, as seldom as a server allows for long."""
    async with asyncio.timeout(PATIENCE_S):
        while (await player.act(player.table["legal"][0]))["type"] != "acted":
            await asyncio.sleep(2 / MESSAGES_PER_S)


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["one", "workers"])
async def test_players_stay_where_they_are_while_a_killed_store_comes_back(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    async with serving(tmp_path, *options) as server:
        ada = await Player.create(server.port, "Ada", game="spider-1")
        await ada.say("start")
        await ada.race()
        killed = None
        for at in range(1, 4):
            await acted(ada)
            assert ada.table["at"] == at
            killed = await server.kill_store(killed)
        await acted(ada)  # on the same socket
        assert ada.table["at"] == 4
        started = "the embedded store ended and is started again"
        await until(lambda: len(server.logged(started)) >= 3)
        assert [line["why"] for line in server.logged(started)] == [
            "it was killed by signal 9"
        ] * 3
        await ada.leave()
    assert server.process.returncode == 0


@pytest.mark.parametrize("options", [(), ("--workers", "2")], ids=["one", "workers"])
async def test_a_store_that_ends_again_and_again_ends_its_process(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    async with serving(tmp_path, *options) as server:
        ada = await Player.create(server.port, "Ada")
        killed = None
        for _ in range(ENDS):
            killed = await server.kill_store(killed)
        assert await ada.closed() == 4001
        async with asyncio.timeout(PATIENCE_S):
            assert await server.process.wait() == 2
    assert server.said[-1].startswith(f"spider-race: The embedded store in {tmp_path} was given")
    assert not [line for line in server.said if "Traceback" in line]
    assert len(server.logged("stopped")) == max(1, len(options))
    with pytest.raises(ConnectionRefusedError):
        await Player.connect(server.port)

"""Several processes on one port: what they count, and how they are replaced one by one."""

import asyncio
import json
import os
import re
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server.config import Config
from server.supervisor import supervise
from tests.players import UNCONFIRMED, Player
from tests.server.http import get
from tests.servers import free_ports, start_embedded
from tests.test_command import COMMAND
from tests.waiting import until, until_answer

pytestmark = [pytest.mark.faults, pytest.mark.timeout(180)]
PATIENCE_S = 60


class Supervised:
    """A supervisor with its workers, and what they log."""

    def __init__(self, process: asyncio.subprocess.Process, port: int, operations: int) -> None:
        self.process = process
        self.port = port
        self.operations = operations
        self.log: list[dict[str, object]] = []

    async def read(self) -> None:
        assert self.process.stderr is not None
        async for line in self.process.stderr:
            self.log.append(json.loads(line))

    async def logged(self, event: str, times: int) -> list[dict[str, object]]:
        """Waits until an event has been logged so often."""
        await until(lambda: sum(line["event"] == event for line in self.log) >= times)
        return [line for line in self.log if line["event"] == event]


@asynccontextmanager
async def workers(number: int, data_dir: Path, *options: str) -> AsyncIterator[Supervised]:
    (operations,) = free_ports(1)
    process = await asyncio.create_subprocess_exec(
        *(*COMMAND, "--host", "127.0.0.1", "--port", "0", "--workers", str(number)),
        *("--operations", str(operations)),
        *("--data-dir", str(data_dir), "--log-format", "json", *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode()
        port = int(address.rstrip("/ \n").rpartition(":")[2])
        supervised = Supervised(process, port, operations)
        reading = asyncio.create_task(supervised.read())
        yield supervised
    finally:
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(PATIENCE_S):
                assert await process.wait() == 0
        except TimeoutError:
            process.kill()
            raise
    await reading


async def counted(operations: int, name: str) -> dict[str, float]:
    """The values of a metric, by worker."""
    page = (await get(operations, "/metrics")).body.decode()
    return {
        found[1]: float(found[2])
        for found in re.finditer(rf'^{name}{{worker="(\d+)"}} (\S+)$', page, re.MULTILINE)
    }


async def test_a_scraped_worker_answers_with_the_metrics_of_all(tmp_path: Path) -> None:
    async with workers(3, tmp_path) as supervised:
        port, operations = supervised.port, supervised.operations
        players = [await Player.create(port, f"Player {number}") for number in range(12)]
        sockets = await until_answer(
            lambda: counted(operations, "spider_race_sockets"),
            lambda found: sum(found.values()) == len(players) + 1,  # its own connection too
        )
        assert set(sockets) == {"0", "1", "2"}
        page = (await get(operations, "/metrics")).body.decode()
        assert page.count("# TYPE spider_race_sockets gauge") == 1
        assert re.search(r'spider_race_rooms\{state="LOBBY",worker="\d"\} [1-9]', page)
        for player in players:
            await player.leave()


async def test_replacing_all_workers_interrupts_a_race_only_briefly(tmp_path: Path) -> None:
    async with workers(2, tmp_path) as supervised:
        port = supervised.port
        ada = await Player.create(port, "Ada", game="spider-1", undo="any")
        bob = await Player.join(port, ada.code, "Bob")
        await bob.say("ready")
        await ada.say("ready")
        await asyncio.gather(ada.race(), bob.race())
        over = asyncio.Event()
        racing = [asyncio.create_task(race_on(player, port, over)) for player in (ada, bob)]
        supervised.process.send_signal(signal.SIGHUP)
        replace_workers = await supervised.logged("worker replaced", 2)
        assert (
            len(
                {line["pid"] for line in replace_workers}
                | {line["by"] for line in replace_workers}
            )
            == 4
        )
        over.set()
        both = [await race for race in racing]
        for player, acts, codes in both:
            assert codes == [4001]  # and not once more by the next one that goes
            table = await (await player.resume(port)).race()
            assert table["at"] == acts > 0
        started = [line["pid"] for line in await supervised.logged("worker started", 4)]
        assert len(set(started)) == 4
        assert not [line for line in supervised.log if line["level"] in {"warning", "error"}]


async def test_the_address_is_announced_only_when_a_worker_serves(tmp_path: Path) -> None:
    """On a busy machine it was printed after thirty seconds, and nobody listened there."""
    connected = []

    def connect(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)):
            connected.append(port)
        signal.raise_signal(signal.SIGTERM)

    config = Config(host="127.0.0.1", port=0, workers=2, data_dir=tmp_path)
    async with asyncio.timeout(PATIENCE_S):
        await supervise(config, connect, start_s=0.0, tuning=UNCONFIRMED)
    assert len(connected) == 1


async def test_a_worker_ends_only_when_its_successor_serves(tmp_path: Path) -> None:
    store = start_embedded(tmp_path, fsync="always")
    try:
        async with workers(2, tmp_path, "--redis-url", store.url) as supervised:
            ada = await Player.create(supervised.port, "Ada")
            store.kill()
            supervised.process.send_signal(signal.SIGHUP)  # and nothing new can start
            await supervised.logged("worker not replaced", 2)
            why = [line["why"] for line in await supervised.logged("worker cannot serve", 2)]
            assert all(str(sentence).startswith("No Redis answers at") for sentence in why)
            store.start()
            # On the same socket.
            await until_answer(lambda: ada.ask("ready"), lambda answer: answer["type"] == "room")
            await ada.leave()
    finally:
        store.stop()


async def test_an_interrupt_reaches_the_supervisor_alone(tmp_path: Path) -> None:
    async with workers(2, tmp_path) as supervised:
        ada = await Player.create(supervised.port, "Ada")
        for line in await supervised.logged("worker started", 2):
            os.kill(int(str(line["pid"])), signal.SIGINT)
        for _ in range(3):
            assert (await ada.ask("ready"))["type"] == "room"
        supervised.process.send_signal(signal.SIGINT)
        assert await ada.closed() == 4001
        assert await supervised.process.wait() == 0


async def test_a_port_of_other_workers_is_taken(tmp_path: Path) -> None:
    async with workers(2, tmp_path / "first") as supervised:
        second = await asyncio.create_subprocess_exec(
            *(*COMMAND, "--host", "127.0.0.1", "--port", str(supervised.port)),
            *("--workers", "2", "--data-dir", str(tmp_path / "second")),
            stderr=asyncio.subprocess.PIPE,
        )
        _, output = await asyncio.wait_for(second.communicate(), PATIENCE_S)
        assert second.returncode == 2
        assert f"port {supervised.port}" in output.decode()


async def test_workers_do_not_outlive_their_supervisor_and_the_next_one_has_the_port(
    tmp_path: Path,
) -> None:
    first = await asyncio.create_subprocess_exec(
        *(*COMMAND, "--host", "127.0.0.1", "--port", "0", "--workers", "2"),
        *("--data-dir", str(tmp_path), "--log-format", "json"),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert first.stdout is not None
    assert first.stderr is not None
    port = (await first.stdout.readline()).decode().rstrip("/ \n").rpartition(":")[2]
    ada = await Player.create(int(port), "Ada")
    first.kill()
    assert await ada.closed() == 4001
    # To the end: no process is left that could write to it.
    log = (await asyncio.wait_for(first.stderr.read(), PATIENCE_S)).decode()
    assert log.count('"event": "stopped"') == 2
    async with workers(2, tmp_path, "--port", port) as supervised:
        await (await ada.resume(supervised.port)).leave()


async def race_on(player: Player, port: int, over: asyncio.Event) -> tuple[Player, int, list[int]]:
    """Act without a pause and reconnect when closed; return between two acts when it is over."""
    acts, codes = 0, []
    while not over.is_set():
        action = "undo" if player.table["at"] % 2 else player.table["legal"][0]
        try:
            assert (await player.act(action))["type"] == "acted"
            acts += 1
            await asyncio.sleep(0.1)
        except ConnectionClosed:
            assert player.socket.close_code is not None
            codes.append(player.socket.close_code)
            player = await player.resume(port)
            await player.race()
            # An act in flight may have been stored without a reply.
            assert player.table["at"] in {acts, acts + 1}
            acts = player.table["at"]
    return player, acts, codes

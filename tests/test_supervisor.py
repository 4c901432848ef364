"""Several processes on one port: their metrics, and their replacement one by one."""

import asyncio
import multiprocessing
import os
import pickle
import re
import signal
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from server import supervisor as module
from server.app import TUNING, Tuning
from server.config import MAX_ROOMS, Config
from server.supervisor import run_worker, supervise
from tests.faults.processes import Process, serving
from tests.players import UNCONFIRMED, Player
from tests.server.http import get, until_status
from tests.servers import start_embedded
from tests.test_command import one_sentence
from tests.waiting import until, until_answer

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
TWO = ("--workers", "2")


async def sockets(operations: int) -> dict[str, float]:
    """Return the numbers of sockets by worker, from a scrape of any of them."""
    page = (await get(operations, "/metrics")).body.decode()
    assert page.count("# TYPE spider_race_sockets gauge") == 1
    rows = re.findall(r'^spider_race_sockets{worker="(\d+)"} (\S+)$', page, re.MULTILINE)
    return {worker: float(value) for worker, value in rows}


async def test_workers_share_a_port_and_one_that_is_killed_is_replaced(tmp_path: Path) -> None:
    async with serving(tmp_path / "log", *TWO, "--data-dir", str(tmp_path)) as supervisor:
        workers = [line["pid"] for line in await supervisor.logged("worker started", 2)]
        await supervisor.logged("serving", 2)
        players = [await Player.create(supervisor.port, f"Player {n}") for n in range(8)]
        counted = await until_answer(
            lambda: sockets(supervisor.operations),
            lambda found: len(found) > 1,  # a slow one is left out of a page
        )
        assert set(counted) == {"0", "1"}
        where = ("--data-dir", str(tmp_path / "data"))
        second = Process(tmp_path / "second", *TWO, *where, port=supervisor.port)
        try:
            assert not await second.start()
            assert await second.running.wait() == 2
        finally:
            await second.ended()
        one_sentence("\n".join(second.lines()), f"port {supervisor.port}")
        # A terminal interrupts all processes, but only the supervisor may react.
        for pid in workers:
            os.kill(pid, signal.SIGINT)
        for player in players:
            assert (await player.ask("ready"))["type"] == "room"
        os.kill(workers[0], signal.SIGKILL)
        (dead,) = await supervisor.logged("worker died")
        assert dead["pid"] == workers[0]
        await supervisor.logged("serving", 3)
        await until_status(supervisor.operations, 200)
        kept = [player for player in players if await stays(player)]
        supervisor.send(signal.SIGINT)
        for player in kept:
            assert await player.closed() == 4001
        assert await supervisor.running.wait() == 0


async def stays(player: Player) -> bool:
    """Return whether a player is still connected."""
    with suppress(ConnectionClosed):
        return bool(await player.ask("ping", t=1))
    return False


async def test_replacing_all_workers_interrupts_a_race_only_once(tmp_path: Path) -> None:
    async with serving(tmp_path / "log", *TWO, "--data-dir", str(tmp_path)) as supervisor:
        port = supervisor.port
        await supervisor.logged("serving", 2)
        ada = await Player.create(port, "Ada", game="spider-1", undo="any")
        bob = await Player.join(port, ada.code, "Bob")
        await bob.say("ready")
        await ada.say("ready")
        await asyncio.gather(ada.race(), bob.race())
        over = asyncio.Event()
        racing = [asyncio.create_task(race_on(player, port, over)) for player in (ada, bob)]
        supervisor.send(signal.SIGHUP)
        replaced = await supervisor.logged("worker replaced", 2)
        assert len({line[field] for line in replaced for field in ("pid", "by")}) == 4
        over.set()
        for player, acts, codes in [await race for race in racing]:
            assert codes == [4001]  # and not again when the next worker goes
            table = await (await player.resume(port)).race()
            assert table["at"] == acts > 0
        assert len({line["pid"] for line in await supervisor.logged("worker started", 4)}) == 4
        await supervisor.logged("a process has left", 2)
        assert not [line for line in supervisor.entries() if line["level"] != "info"]


async def race_on(player: Player, port: int, over: asyncio.Event) -> tuple[Player, int, list[int]]:
    """Act without a pause and reconnect when closed; return between two acts when it is over."""
    acts, codes = 0, list[int]()
    while not (over.is_set() and codes):
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


async def test_the_address_is_announced_only_when_a_worker_serves(tmp_path: Path) -> None:
    """Regression: a busy machine printed it after thirty seconds, and nobody listened there."""
    connected = []

    def connect(port: int) -> None:
        with socket.create_connection(("127.0.0.1", port)):
            connected.append(port)
        signal.raise_signal(signal.SIGTERM)

    config = Config(host="127.0.0.1", port=0, workers=2, data_dir=tmp_path)
    await supervise(config, connect, start_s=0.0, tuning=UNCONFIRMED)
    assert len(connected) == 1


async def test_a_worker_ends_only_when_its_successor_serves(tmp_path: Path) -> None:
    with start_embedded(tmp_path, fsync="always") as store:
        async with serving(tmp_path / "log", *TWO, "--redis-url", store.url) as supervisor:
            ada = await Player.create(supervisor.port, "Ada")
            store.kill()
            supervisor.send(signal.SIGHUP)  # and nothing new can start
            await supervisor.logged("worker not replaced", 2)
            for line in supervisor.entries("worker cannot serve"):
                assert line["why"].startswith("No Redis answers at")
            store.start()
            # On the same socket.
            await until_answer(lambda: ada.ask("ready"), lambda answer: answer["type"] == "room")
            await ada.leave()


async def test_workers_end_with_their_supervisor_and_the_next_has_the_port(tmp_path: Path) -> None:
    first = Process(tmp_path / "first", *TWO, "--data-dir", str(tmp_path))
    assert await first.start()
    await first.logged("serving", 2)
    ada = await Player.create(first.port, "Ada")
    first.running.kill()
    assert await ada.closed() == 4001
    options = (*TWO, "--data-dir", str(tmp_path))
    async with serving(tmp_path / "second", *options, port=first.port) as supervisor:
        await (await ada.resume(supervisor.port)).leave()
        await until(lambda: len(first.entries("stopped")) == 2)


def test_a_worker_has_defaults_for_options_that_a_supervisor_of_the_release_before_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[tuple[object, ...]] = []

    async def serve(config: Config, _ready: object, _metrics: object, tuning: Tuning) -> None:
        served.append((config.bots, config.max_rooms, tuning))

    monkeypatch.setattr(module, "set_up_logs", lambda _config: None)
    monkeypatch.setattr(module, "run", asyncio.run)
    monkeypatch.setattr(module, "serve_until_stopped", serve)
    options = Config(bots=7, max_rooms=9)
    del options.__dict__["max_rooms"]
    options.__dict__["gone"] = True
    ready = multiprocessing.get_context("spawn").Event()
    run_worker(options, pickle.loads(pickle.dumps(TUNING)), tmp_path, 0, ready)  # noqa: S301
    ((bots, max_rooms, tuning),) = served
    assert (bots, max_rooms) == (7, MAX_ROOMS)
    assert tuning is TUNING  # sent by its name

"""What an operator sees of a real process: health, readiness and logs."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from protocol.http import FinishedRound
from tests.players import Player
from tests.server.http import get, until_status
from tests.servers import RedisServer, free_ports, start_embedded
from tests.waiting import until_answer

pytestmark = pytest.mark.faults
PATIENCE_S = 30
READY, NOT_READY = 200, 503


@asynccontextmanager
async def serving(url: str, log: Path) -> AsyncIterator[tuple[int, int]]:
    """A process over this Redis that logs all it ever logs; gives its port, and the operators'."""
    (operations,) = free_ports(1)
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "--host", "127.0.0.1", "--port", "0"),
            *("--redis-url", url, "--log-format", "json", "--log-level", "debug"),
            *("--operations", str(operations)),
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
        )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode()
        yield int(address.rstrip("/ \n").rpartition(":")[2]), operations
    finally:
        process.terminate()
        assert await process.wait() == 0


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with start_embedded(tmp_path, fsync="always") as server:
        yield server


async def test_a_process_is_not_ready_while_redis_is_away(
    store: RedisServer, tmp_path: Path
) -> None:
    async with serving(store.url, tmp_path / "log") as (port, operations):
        await until_status(operations, READY)
        ada = await Player.create(port, "Ada")
        store.kill()
        await until_status(operations, NOT_READY)
        await until_status(operations, NOT_READY, "/healthz")
        assert (await ada.ask("ready"))["code"] == "try_again"  # and the socket is kept
        store.start()
        await until_status(operations, READY)
        await until_status(operations, READY, "/healthz")
        await until_answer(lambda: ada.ask("ready"), lambda answer: answer["type"] == "room")
        page = (await get(operations, "/metrics")).body.decode()
        name = "spider_race_store_errors_total "
        (errors,) = [row for row in page.splitlines() if row.startswith(name)]
        assert float(errors.removeprefix(name)) > 0
        await ada.leave()


async def test_a_process_that_starts_before_its_redis_waits_for_it(
    store: RedisServer, tmp_path: Path
) -> None:
    store.kill()
    log = tmp_path / "log"

    async def start_redis() -> None:
        while not log.exists() or "waiting for the store" not in log.read_text():
            await asyncio.sleep(0.05)
        store.start()

    starting = asyncio.create_task(start_redis())
    async with serving(store.url, log) as (_, operations):
        await starting
        await until_status(operations, READY)


async def test_a_redis_that_hangs_is_away_too(store: RedisServer, tmp_path: Path) -> None:
    async with serving(store.url, tmp_path / "log") as (_, operations):
        store.pause()
        await until_status(operations, NOT_READY)
        store.resume()
        await until_status(operations, READY)


async def test_a_process_without_notifications_is_not_healthy(
    store: RedisServer, tmp_path: Path
) -> None:
    async with serving(store.url, tmp_path / "log") as (_, operations):
        await until_status(operations, READY, "/healthz")
        with redis.Redis(unix_socket_path=str(store.socket)) as operator:
            # It may do anything but publish and subscribe.
            operator.execute_command("ACL", "SETUSER", "default", "resetchannels")
            await until_status(operations, NOT_READY, "/healthz")
            await until_status(operations, NOT_READY)  # no room could be opened
            operator.execute_command("ACL", "SETUSER", "default", "allchannels")
        await until_status(operations, READY, "/healthz")
        await until_status(operations, READY)


async def test_a_process_without_rights_to_channels_is_not_ready(
    store: RedisServer, tmp_path: Path
) -> None:
    """Nobody asks for its health, and nobody plays."""
    async with serving(store.url, tmp_path / "log") as (_, operations):
        await until_status(operations, READY)
        with redis.Redis(unix_socket_path=str(store.socket)) as operator:
            operator.execute_command("ACL", "SETUSER", "default", "resetchannels")
            await until_status(operations, NOT_READY)
            operator.execute_command("ACL", "SETUSER", "default", "allchannels")
        await until_status(operations, READY)


async def test_the_log_names_rooms_and_seats_and_no_secret(
    store: RedisServer, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    async with serving(store.url, log) as (port, operations):
        ada = await Player.create(port, "Ada", game="spider-4", undo="any")
        bob = await Player.join(port, ada.code, "Bob")
        await bob.say("ready")
        await ada.say("ready")
        await asyncio.gather(ada.race(), bob.race())
        for _ in range(5):
            await ada.act(ada.table["legal"][0])
        await ada.ask("act", id=99, at=99, action="deal")
        await ada.socket.send("no message")
        await ada.receive("error")
        thief = await Player.connect(port)
        await thief.say("resume", room=ada.code, seat=0, token="a-guess")
        assert await thief.closed() == 4502
        again = await ada.resume(port)
        await again.race()
        store.kill()
        await until_status(operations, NOT_READY)
        store.start()
        await until_status(operations, READY)
        async with asyncio.timeout(PATIENCE_S):
            for player in (again, bob):
                while (await player.ask("forfeit"))["type"] != "room":
                    await asyncio.sleep(0.1)
        await again.in_state("FINISHED")
        answer = await get(port, f"/api/rooms/{ada.code}/rounds/1")
        played = FinishedRound.model_validate_json(answer.body)
        for player in (again, bob):
            await player.leave()
    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]  # one line an event
    told = {(line["event"], line.get("room"), line.get("seat")) for line in lines}
    assert {
        ("room opened", ada.code, None),
        ("seat taken", ada.code, 0),
        ("seat taken", ada.code, 1),
        ("room changed", ada.code, None),
        ("seat left", ada.code, 1),
    } <= told
    states = [line["state"] for line in lines if line["event"] == "room changed"]
    assert states == ["COUNTDOWN", "RUNNING", "FINISHED"]
    assert played.reveal.seed is not None
    assert played.reveal.salt is not None
    for secret in (ada.token, bob.token, "a-guess", played.reveal.seed, played.reveal.salt):
        assert secret not in text
    assert not [card for card in set(played.reveal.deck) if f'"{card}"' in text]


async def test_players_of_a_process_that_stops_are_sent_elsewhere(
    store: RedisServer, tmp_path: Path
) -> None:
    async with serving(store.url, tmp_path / "other") as (other, _):
        async with serving(store.url, tmp_path / "log") as (port, operations):
            racers = [await Player.create(port, "Ada", game="spider-1") for _ in range(12)]
            idle = [await Player.join(port, racers[0].code, "Bob") for _ in range(12)]
            for racer in racers:
                await racer.say("start")
            await asyncio.gather(*(racer.race() for racer in racers))
            acted = [await racer.act(racer.table["legal"][0]) for racer in racers]
            assert {told["at"] for told in acted} == {1}
            for racer in racers:  # in flight when the process gets the signal to stop
                await racer.say("act", id=2, at=1, action=racer.table["legal"][0])
        # It ended with exit code 0, and not before all sockets were closed.
        for player in (*racers, *idle):
            assert await player.closed() == 4001
        for racer in racers:
            answered = [told["at"] for told in racer.received if told["type"] == "acted"]
            table = await (await racer.resume(other)).race()
            assert table["at"] in {answered[-1], 2}
        with pytest.raises(ConnectionRefusedError):
            await get(operations, "/readyz")
    log = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [line["event"] for line in log[-1:]] == ["stopped"]
    assert not [line for line in log if line["level"] in {"warning", "error"}]

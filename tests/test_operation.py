"""Health, readiness and logs of a real process, as an operator sees them."""

import asyncio
import json
import os
import socket
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
import redis

from protocol.http import FinishedRound
from tests.faults.processes import Process, serving
from tests.players import Player
from tests.server.http import get, until_status
from tests.servers import RedisServer, start_embedded
from tests.waiting import until, until_answer

pytestmark = [pytest.mark.faults, pytest.mark.asyncio(loop_scope="module")]
READY, NOT_READY = 200, 503
Served = tuple[RedisServer, Process]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def served(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """A store, and a process on it that logs everything."""
    folder = tmp_path_factory.mktemp("operation")
    with start_embedded(folder, fsync="always") as store:
        options = ("--redis-url", store.url, "--log-level", "debug")
        async with serving(folder / "log", *options) as process:
            yield store, process


def channels(rights: str) -> Callable[[RedisServer], object]:
    """Return a change of the rights of the store's user to channels."""

    def change(store: RedisServer) -> None:
        with redis.Redis(unix_socket_path=str(store.socket)) as operator:
            operator.execute_command("ACL", "SETUSER", "default", rights)

    return change


def events(text: str) -> list[str]:
    """Return the event of each line; every line must be JSON."""
    entries = [json.loads(line) for line in text.splitlines()]
    assert all({"event", "level", "timestamp"} <= entry.keys() for entry in entries)
    return [entry["event"] for entry in entries]


async def run_to_its_end(*options: str) -> tuple[int, list[str], list[str]]:
    """Run a server with logs in JSON; return the exit code and the events of both streams."""
    where = ("--host", "127.0.0.1", "--log-format", "json", *options)
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "server", *where), stdout=PIPE, stderr=PIPE
    )
    assert running.stdout is not None
    first = await running.stdout.readline()
    if first:
        running.terminate()
    rest, log = await running.communicate()
    assert running.returncode is not None
    return running.returncode, events((first + rest).decode()), events(log.decode())


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_every_line_of_both_streams_is_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    monkeypatch.setenv("SPIDER_RACE_DATADIR", "x")
    monkeypatch.setenv("PYTHONWARNINGS", "always")  # which Python writes itself
    options = ("--data-dir", str(tmp_path), "--port", "0", "--workers", workers)
    code, out, log = await run_to_its_end(*options)
    assert (code, out) == (0, ["ready"])
    assert log[:2] == ["starting", "there is no such variable; it is ignored"]
    assert {"serving", "stopped"} <= set(log)


async def test_a_start_that_fails_says_why_in_the_format_of_the_log(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for workers in ("1", "2"):
            options = ("--data-dir", str(tmp_path), "--port", port, "--workers", workers)
            assert await run_to_its_end(*options) == (2, [], ["starting", "failed"])


@pytest.mark.parametrize(
    ("ends", "mends", "paths"),
    [
        (RedisServer.kill, RedisServer.start, ("/readyz", "/healthz")),
        (RedisServer.pause, RedisServer.resume, ("/readyz",)),  # it hangs
        # The process may do anything but publish and subscribe, so no room could be opened.
        (channels("resetchannels"), channels("allchannels"), ("/healthz", "/readyz")),
        # Nobody asks for its health, and nobody plays.
        (channels("resetchannels"), channels("allchannels"), ("/readyz",)),
    ],
    ids=["away", "hangs", "no channels", "no channels, unasked"],
)
async def test_a_process_is_ready_only_while_its_store_does_all_that_it_must(
    served: Served,
    ends: Callable[[RedisServer], object],
    mends: Callable[[RedisServer], object],
    paths: tuple[str, ...],
) -> None:
    store, process = served
    await until_status(process.operations, READY)
    ends(store)
    for path in paths:
        await until_status(process.operations, NOT_READY, path)
    mends(store)
    for path in paths:
        await until_status(process.operations, READY, path)


async def test_a_player_keeps_the_socket_while_the_store_is_away_and_the_errors_are_counted(
    served: Served,
) -> None:
    store, process = served
    ada = await Player.create(process.port, "Ada")
    store.kill()
    await until_status(process.operations, NOT_READY)
    assert (await ada.ask("ready"))["code"] == "try_again"
    store.start()
    await until_answer(lambda: ada.ask("ready"), lambda answer: answer["type"] == "room")
    page = (await get(process.operations, "/metrics")).body.decode()
    name = "spider_race_store_errors_total "
    (errors,) = [row for row in page.splitlines() if row.startswith(name)]
    assert float(errors.removeprefix(name)) > 0
    await ada.leave()


async def test_the_log_names_rooms_and_seats_and_no_secret(served: Served) -> None:
    store, process = served
    port = process.port
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
    await until_status(process.operations, NOT_READY)
    store.start()
    await until_status(process.operations, READY)
    for player in (again, bob):
        while (await player.ask("forfeit"))["type"] != "room":
            await asyncio.sleep(0.1)
    await again.in_state("FINISHED")
    answer = await get(port, f"/api/rooms/{ada.code}/rounds/1")
    played = FinishedRound.model_validate_json(answer.body)
    for player in (again, bob):
        await player.leave()
    # Later entries are about the next player.
    await (await Player.create(port, "Cy")).leave()
    logged = [(line["event"], line.get("seat")) for line in await of_room(process, ada.code)]
    of_seats = {("seat taken", 0), ("seat taken", 1), ("seat left", 1)}
    assert {("room opened", None), ("room changed", None)} | of_seats <= set(logged)
    states = [line["state"] for line in await of_room(process, ada.code) if "state" in line]
    assert states == ["COUNTDOWN", "RUNNING", "FINISHED"]
    assert played.reveal.seed is not None
    assert played.reveal.salt is not None
    text = process.log.read_text()
    assert all(line.startswith("{") for line in process.lines())  # one line an event
    for secret in (ada.token, bob.token, "a-guess", played.reveal.seed, played.reveal.salt):
        assert secret not in text
    assert not [card for card in set(played.reveal.deck) if f'"{card}"' in text]


async def test_a_server_that_stops_in_order_leaves_its_players_to_another(tmp_path: Path) -> None:
    with start_embedded(tmp_path) as store:
        options = ("--redis-url", store.url)
        async with serving(tmp_path / "stays", *options) as stays:
            async with serving(tmp_path / "leaves", *options) as leaves:
                ada = await Player.create(leaves.port, "Ada")
                bob = await Player.join(stays.port, ada.code, "Bob")
            # The first one has ended; Ada has not come back.
            await stays.logged("a process has left")
            with redis.Redis(unix_socket_path=str(store.socket)) as client:
                await until(lambda: client.zcard("processes") == 1)
                assert len(client.keys("process:*")) == 1
            bob = await bob.resume(stays.port)
            connections = [seat["connection"] for seat in bob.room["seats"]]
            assert connections == ["grace", "on"]
            await bob.leave()
            assert not [line for line in stays.entries() if line["level"] != "info"]


async def of_room(process: Process, code: str) -> list[dict[str, object]]:
    """Return the entries about a room after both players have left."""
    return await until_answer(
        lambda: asyncio.to_thread(
            lambda: [line for line in process.entries() if line.get("room") == code]
        ),
        lambda lines: {0, 1} <= {one.get("seat") for one in lines if one["event"] == "seat left"},
    )


async def test_a_log_that_cannot_be_written_ends_no_race(tmp_path: Path) -> None:
    """Regression: the server ended when the disk of its log was full, or its reader was gone."""
    command = (sys.executable, "-m", "server", "--port", "0", "--data-dir", str(tmp_path / "data"))
    full = os.open("/dev/full", os.O_WRONLY)
    running = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=full)
    os.close(full)
    assert running.stdout is not None
    address = (await running.stdout.readline()).decode()
    player = await Player.create(int(address.rstrip("/\n").rpartition(":")[2]), "Ada")
    assert (await player.ask("ready"))["type"] == "room"
    running.terminate()
    await running.stdout.read()
    assert await running.wait() == 0

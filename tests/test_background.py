"""The processes beside a real server: they are started, replaced, and end with it."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from spider_race_client import Race, connect

from protocol.from_client import AddBot
from protocol.http import RoundReview
from protocol.vocabulary import Presence
from server.background import own_address
from server.config import Config
from tests.python_client.races import EASY, begin, first_move, result_of
from tests.server.http import get
from tests.waiting import until, until_answer

pytestmark = [pytest.mark.faults, pytest.mark.timeout(120)]
PATIENCE_S = 40.0
UNHURRIED_S = 180.0
"""For a process of the lowest priority, beside other tests."""


@asynccontextmanager
async def serving(
    directory: Path, *options: str, exit_code: int = 0
) -> AsyncIterator[tuple[asyncio.subprocess.Process, str, Path]]:
    """A server with one computer player at most; gives it, its address and its log."""
    log = directory / "log"
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "--host", "127.0.0.1", "--port", "0"),
            *("--data-dir", str(directory), "--log-format", "json", "--bots", "1", *options),
            stdout=asyncio.subprocess.PIPE,
            stderr=output,
        )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        yield process, line.split()[-1], log
    finally:
        if process.returncode is None:
            process.terminate()
        assert await process.wait() == exit_code


def entries(log: Path, event: str) -> Iterator[dict[str, Any]]:
    """Yield the entries of the log about an event."""
    for line in log.read_text("utf-8").splitlines():
        entry = json.loads(line)
        if entry["event"] == event:
            yield entry


def pids(log: Path) -> list[int]:
    """Return the ids of the processes that were started beside the server."""
    return [entry["pid"] for entry in entries(log, "process started")]


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def moves_of_bot(race: Race, at_least: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await race.wait_until(
            lambda race: any(row.seat and row.moves >= at_least for row in race.standings)
        )


@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_computer_player_goes_on_after_its_process_was_killed(
    tmp_path: Path, workers: str
) -> None:
    async with serving(tmp_path, "--workers", workers) as (server, address, log):
        async with connect(address) as client:
            race = await client.create("Ada")
            await race.command(
                AddBot(level="expert", pace="faster", attempt="first-press-of-add-it")
            )
            await race.ready()
            await moves_of_bot(race, 2)
            (pid,) = pids(log)
            os.kill(pid, signal.SIGKILL)
            await race.wait_until(lambda race: race.room.seats[1].connection is Presence.GRACE)
            async with asyncio.timeout(PATIENCE_S):
                await race.wait_until(lambda race: race.room.seats[1].connection is Presence.ON)
            (row,) = [row for row in race.standings if row.seat]
            await moves_of_bot(race, row.moves + 1)
            await race.leave()
        _, after = pids(log)
        assert [entry["exit_code"] for entry in entries(log, "a process has died")] == [-9]
        server.terminate()
        assert await server.wait() == 0
        await until(lambda: not is_running(after))


async def review_of(address: str, code: str) -> RoundReview:
    """Return the review of the first round of a room."""
    port = urlsplit(address).port
    assert port is not None
    answer = await get(port, f"/api/rooms/{code}/rounds/1/review")
    return RoundReview.model_validate_json(answer.body)


@pytest.mark.timeout(400)
async def test_a_review_is_finished_after_its_process_was_killed(tmp_path: Path) -> None:
    players = 6
    async with serving(tmp_path, "--bots", "0", "--thinkers", "1") as (_, address, log):
        async with connect(address) as client:
            host = await client.create("Player 0", EASY)
            races = [
                host,
                *[await client.join(host.code, f"Player {n}") for n in range(1, players)],
            ]
            await begin(*races)
            for race in races:
                for _ in range(12):
                    await race.act(first_move(race))
                await race.forfeit()
            await result_of(host, 1)
        began = await until_answer(
            lambda: review_of(address, host.code), lambda review: review.games, UNHURRIED_S
        )
        assert began.state == "running"
        (pid,) = pids(log)
        os.kill(pid, signal.SIGKILL)
        done = await until_answer(
            lambda: review_of(address, host.code),
            lambda review: review.state == "done",
            UNHURRIED_S,
        )
        assert [game.seat for game in done.games] == list(range(players))
        assert done.games[: len(began.games)] == began.games
        assert len(pids(log)) == 2


async def test_processes_end_with_a_server_that_is_killed(
    embedded_url: str, tmp_path: Path
) -> None:
    killed = serving(tmp_path, "--redis-url", embedded_url, exit_code=-signal.SIGKILL)
    async with killed as (server, _, log):
        (pid,) = await until(lambda: pids(log))
        server.kill()
        await until(lambda: not is_running(pid))


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("0.0.0.0", "http://127.0.0.1:8000"),  # noqa: S104  # an option that people choose
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("192.0.2.7", "http://192.0.2.7:8000"),
        ("::1", "http://[::1]:8000"),
    ],
)
def test_processes_of_the_machine_reach_the_server(host: str, address: str) -> None:
    assert own_address(Config(host=host, port=8000)) == address

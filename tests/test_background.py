"""The processes beside a real server: they are started, replaced, and end with it."""

import os
import signal
from pathlib import Path

import pytest
from spider_race_client import Race, Refused, connect

from protocol.from_client import AddBot
from protocol.vocabulary import ErrorCode, Presence
from server.background import own_address
from server.config import Config
from tests.faults.processes import serving
from tests.waiting import until


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def moves_of_bot(race: Race, at_least: int) -> int:
    """Wait until the computer player has made some moves; return their number."""
    rows = await race.wait_until(
        lambda race: [row for row in race.standings if row.seat and row.moves >= at_least]
    )
    return rows[0].moves


@pytest.mark.faults
@pytest.mark.timeout(300)
@pytest.mark.parametrize("workers", ["1", "2"])
async def test_a_computer_player_goes_on_after_its_process_was_killed(
    tmp_path: Path, workers: str
) -> None:
    options = ("--data-dir", str(tmp_path), "--bots", "1", "--workers", workers)
    async with serving(tmp_path / "log", *options) as server:
        async with connect(server.address) as client:
            race = await client.create("Ada")
            await race.command(
                AddBot(level="expert", pace="faster", attempt="first-press-of-add-it")
            )
            with pytest.raises(Refused) as refused:
                await race.command(AddBot(level="club", attempt="one-press-too-many-of-add"))
            assert refused.value.code is ErrorCode.BOTS_BUSY
            await race.ready()
            await moves_of_bot(race, 1)
            (started,) = server.entries("process started")
            os.kill(started["pid"], signal.SIGKILL)
            (died,) = await server.logged("a process has died")
            _, after = await server.logged("process started", 2)
            # At most one of the next acts was on its way before.
            await moves_of_bot(race, await moves_of_bot(race, 1) + 2)
            assert race.room.seats[1].connection is Presence.ON
            await race.leave()
        assert died["exit_code"] == -9
        assert await server.ended() == 0
        await until(lambda: not is_running(after["pid"]))


@pytest.mark.faults
async def test_processes_end_with_a_server_that_is_killed(
    embedded_url: str, tmp_path: Path
) -> None:
    options = ("--redis-url", embedded_url, "--bots", "1")
    async with serving(tmp_path / "log", *options, exit_code=-signal.SIGKILL) as server:
        (started,) = await server.logged("process started")
        server.running.kill()
        await until(lambda: not is_running(started["pid"]))


def test_processes_of_the_machine_reach_the_server() -> None:
    for host, address in {
        "0.0.0.0": "http://127.0.0.1:8000",  # noqa: S104  # an option that people choose
        "127.0.0.1": "http://127.0.0.1:8000",
        "192.0.2.7": "http://192.0.2.7:8000",
        "::1": "http://[::1]:8000",
    }.items():
        assert own_address(Config(host=host, port=8000)) == address

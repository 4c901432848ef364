"""Computer players of real servers: they survive the death of a process, not of the server."""

import os
import signal
from pathlib import Path

import pytest
from spider_race_client import Race, Refused, connect

from protocol.from_client import AddBot
from protocol.vocabulary import ErrorCode, Presence
from tests.faults.processes import serving
from tests.servers import is_running
from tests.waiting import until

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]


async def moves_of_bot(race: Race, at_least: int) -> int:
    """Wait until the computer player has made some moves; return their number."""
    rows = await race.wait_until(
        lambda race: [row for row in race.standings if row.seat and row.moves >= at_least]
    )
    return rows[0].moves


async def begin(race: Race) -> None:
    """Add a computer player and start the race."""
    await race.command(AddBot(level="expert", pace="faster", attempt="first-press-of-add-it"))
    with pytest.raises(Refused) as refused:
        await race.command(AddBot(level="club", attempt="one-press-too-many-of-add"))
    assert refused.value.code is ErrorCode.BOTS_BUSY
    await race.ready()
    await moves_of_bot(race, 1)


async def test_a_computer_player_goes_on_after_the_pool_was_killed(tmp_path: Path) -> None:
    options = ("--data-dir", str(tmp_path), "--bots", "1")
    async with serving(tmp_path / "log", *options) as server:
        async with connect(server.address) as client:
            race = await client.create("Ada")
            await begin(race)
            (started,) = server.entries("process started")
            os.kill(started["pid"], signal.SIGKILL)
            await server.logged("the process that computes has died")
            _, after = await server.logged("process started", 2)
            # At most one of the next acts was on its way already.
            await moves_of_bot(race, await moves_of_bot(race, 1) + 2)
            assert race.room.seats[1].connection is Presence.ON
            await race.leave()
        assert await server.ended() == 0
        await until(lambda: not is_running(after["pid"]))


async def test_a_computer_player_goes_on_after_its_server_was_killed(tmp_path: Path) -> None:
    options = ("--data-dir", str(tmp_path), "--bots", "1", "--workers", "2")
    async with serving(tmp_path / "log", *options) as server:
        await server.logged("serving", 2)
        async with connect(server.address) as client:
            race = await client.create("Ada")
            await begin(race)
            moves = await moves_of_bot(race, 1)
            for started in server.entries("worker started"):
                os.kill(started["pid"], signal.SIGKILL)
            await server.logged("worker died", 2)
            await moves_of_bot(race, moves + 4)
            assert race.room.seats[1].connection is Presence.ON
            await race.leave()

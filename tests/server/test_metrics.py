"""Each number that an operator watches moves when it should."""

import asyncio
import time

from server.web.limits import HttpLimits
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get
from tests.waiting import until_answer


class Gauges:
    """The metrics of a server, and their growth: earlier tests of this process are counted too."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._before: dict[str, float] = {}

    async def read(self) -> dict[str, float]:
        page = (await get(self._port, "/metrics")).body.decode()
        rows = [row.rpartition(" ") for row in page.splitlines() if row[:1] != "#"]
        return {name: float(value) for name, _, value in rows}

    async def mark(self) -> None:
        self._before = await self.read()

    async def now(self, name: str) -> float:
        return (await self.read()).get(f"spider_race_{name}", 0.0)

    async def since(self, name: str) -> float:
        """Return how much a number has grown since `mark`."""
        return await self.now(name) - self._before.get(f"spider_race_{name}", 0.0)

    async def reach(self, name: str, value: float) -> None:
        await until_answer(lambda: self.now(name), lambda number: number == value)


async def test_the_numbers_of_a_race_move_when_they_should(serving: Serving) -> None:
    async with serving() as server:
        gauges = Gauges(server.operations_port)
        await gauges.reach("sockets", 1)  # the socket of the request itself
        await gauges.mark()
        ada, bob = await start_race(server.port)
        cy = await Player.create(server.port, "Cy")
        await gauges.reach("sockets", 4)
        await gauges.reach('rooms{state="RUNNING"}', 1)
        await gauges.reach('rooms{state="LOBBY"}', 1)
        assert await gauges.now('rooms{state="COUNTDOWN"}') == 0
        for _ in range(3):
            await ada.act(ada.table["legal"][0])
        await ada.ask("act", id=9, at=99, action="deal")
        await ada.ask("kick", seat=7)
        assert await gauges.since("acts_total") == 3
        for histogram in ("act_seconds", "commit_seconds"):
            assert await gauges.since(f"{histogram}_count") == 3
            assert await gauges.since(f'{histogram}_bucket{{le="+Inf"}}') == 3
            assert await gauges.since(f"{histogram}_sum") > 0
        for code in ("stale", "no_such_seat"):
            assert await gauges.since(f'refusals_total{{code="{code}"}}') == 1
        again = await ada.resume(server.port)
        assert await ada.closed() == 4503
        assert await gauges.since('closes_total{code="4503"}') == 1
        for player in (again, bob):
            await player.ask("forfeit")
        await gauges.reach('rooms{state="FINISHED"}', 1)
        await gauges.reach('rooms{state="RUNNING"}', 0)
        for player in (again, bob, cy):
            await player.leave()
        await gauges.reach("sockets", 1)
        await gauges.reach('rooms{state="FINISHED"}', 0)
        measured = await gauges.read()
        assert measured["process_resident_memory_bytes"] > 1_000_000
        assert measured["process_open_fds"] > 3


async def test_a_blocked_loop_shows_in_the_metrics(serving: Serving) -> None:
    async with serving(http=HttpLimits(check_s=0.05)) as server:
        gauges = Gauges(server.operations_port)
        while await gauges.now("loop_lag_seconds") < 0.1:
            time.sleep(0.2)  # noqa: ASYNC251  # block the loop, as no code should
            await asyncio.sleep(0.01)

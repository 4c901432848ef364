"""Seats and returns of one server process: `python -m tests.bench.bench_return`.

Players take seats in rooms of four whose races begin; then every socket is cut at once, and all
players come back: each opens a socket, resumes its seat and waits for its table. The server has
an embedded store of its own. The load runs in this process, so on two cores the server and its
store share the other one: the CPU time of each is what can be compared between machines.
"""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

import uvloop

from server.websocket.descriptor_limit import raise_descriptor_limit
from tests.bench.meter import Meter, Usage, median_ms
from tests.bench.racers import Racer, hang_up, seat
from tests.bench.subject import MANY_ROOMS, Subject, started

ROOMS_OF = 4
QUIET_S = 1.0
QUIET_SHARE = 0.1
"""A server that uses less of a core than this has nothing left to do."""


@dataclass(frozen=True, slots=True)
class Returns:
    """What it cost to seat players, to cut their sockets, and to bring them back.

    `seated` ends when all players have sat down and are ready. Its CPU time includes the beginning
    of their races, and its seconds do not include the last countdown.
    """

    seated: Usage
    cut: Usage
    resumed: Usage
    settled: Usage
    waits: Sequence[float]

    def __str__(self) -> str:
        return "\n".join(
            (
                _line("seated", self.seated),
                _line("cut", self.cut),
                f"{_line('resumed', self.resumed)}; median {median_ms(self.waits):.0f} ms",
                _line("…settled", self.settled),
            )
        )


def _line(what: str, usage: Usage) -> str:
    return (
        f"{what:8}: {usage.count:6,} in {usage.seconds:5.1f} s, {usage.per_s:6,.0f}/s; "
        f"CPU each {usage.cpu_us / 1e3:.2f} ms, the store's {usage.store_us / 1e3:.2f} ms"
    )


async def returns(players: int, together: int) -> Returns:
    """Measure how players are seated, cut off and brought back."""
    async with started(*MANY_ROOMS) as subject:
        meter, sat_down = Meter(subject), list[float]()
        racers = await seat(
            subject.port,
            players,
            ROOMS_OF,
            when_seated=lambda: sat_down.append(meter.read(players).seconds),
            game="spider-4",
        )
        seated = replace(meter.read(players), seconds=sat_down[0])
        await _quiet(subject)
        meter = Meter(subject)
        hang_up(racers)
        await _quiet(subject)
        cut = meter.read(players)
        meter = Meter(subject)
        for racer in racers:
            racer.latencies = []
        await _some_at_once(racers, together)
        resumed = meter.read(players)
        waits = [wait for racer in racers for wait in racer.latencies]
        await _quiet(subject)
        settled = meter.read(players)
        hang_up(racers)
        return Returns(seated, cut, resumed, settled, waits)


async def _some_at_once(racers: Sequence[Racer], together: int) -> None:
    waiting = iter(racers)

    async def one_after_another() -> None:
        for racer in waiting:
            await racer.resume()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(together):
            tasks.create_task(one_after_another())


async def _quiet(subject: Subject) -> None:
    """Wait until the server has nothing left to do."""
    while True:
        before = subject.cpu_s()
        await asyncio.sleep(QUIET_S)
        if subject.cpu_s() - before < QUIET_S * QUIET_SHARE:
            return


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, default=10_000)
    options.add_argument("--together", type=int, default=2_000, help="that come back at once")
    given = options.parse_args()
    raise_descriptor_limit()
    print(uvloop.run(returns(given.players, given.together)), flush=True)


if __name__ == "__main__":
    main()

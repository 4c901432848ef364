"""Seats and returns of one server process: `python -m tests.bench.bench_return`.

Players take seats in rooms of four whose races begin; then every socket is cut at once, and all
players come back: each opens a socket, resumes its seat and waits for its table. The server has
an embedded store of its own. The load runs in this process, so on two cores the server and its
store share the other one: the CPU time of each is what can be compared between machines.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence

import uvloop

from tests.bench.racers import Racer, seat
from tests.bench.subject import Subject, started

ROOMS_OF = 4
QUIET_S = 1.0
QUIET_SHARE = 0.1
"""A server that uses less of a core than this has nothing left to do."""
RELAXED = ("--max-rooms", "1000000", "--rooms-per-address", "1000000")


class Meter:
    """What the server and its store use from now on."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._cpu, self._store = subject.cpu_s(), subject.store_s()
        self._begun = time.perf_counter()

    def read(self, what: str, count: int) -> str:
        """Return one line of figures about `count` of something."""
        took = time.perf_counter() - self._begun
        cpu = (self._subject.cpu_s() - self._cpu) / count * 1e3
        store = (self._subject.store_s() - self._store) / count * 1e3
        return (
            f"{what}: {count:6,} in {took:5.1f} s, {count / took:6,.0f}/s; "
            f"CPU each {cpu:.2f} ms, the store's {store:.2f} ms"
        )


async def run(players: int, together: int) -> None:
    """Seat, cut and bring back players, and print what each step took."""
    async with started(*RELAXED) as subject:
        meter = Meter(subject)
        racers = await seat(subject.port, players, ROOMS_OF, game="spider-4")
        print(meter.read("seated  ", len(racers)), flush=True)
        await _quiet(subject)
        meter = Meter(subject)
        for racer in racers:
            racer.socket.transport.abort()
        await _quiet(subject)
        print(meter.read("cut     ", len(racers)), flush=True)
        meter = Meter(subject)
        for racer in racers:
            racer.latencies = []
        await _some_at_once(racers, together)
        line = meter.read("resumed ", len(racers))
        waits = [wait for racer in racers for wait in racer.latencies]
        print(f"{line}; median {statistics.median(waits) * 1e3:.0f} ms", flush=True)
        await _quiet(subject)
        print(meter.read("…settled", len(racers)), flush=True)
        for racer in racers:
            racer.socket.transport.abort()


async def _some_at_once(racers: Sequence[Racer], together: int) -> None:
    waiting = iter(racers)

    async def one_after_another() -> None:
        for racer in waiting:
            await racer.resume()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(together):
            tasks.create_task(one_after_another())


async def _quiet(subject: Subject) -> None:
    """Wait until the server has done what it was asked for."""
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
    uvloop.run(run(given.players, given.together))


if __name__ == "__main__":
    main()

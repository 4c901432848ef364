"""Acts a second of one server process, and what each costs it, beside a bare echo.

`python -m tests.bench.bench_server [--players 40 400] [--seconds 10] [--rooms-of 4]
[--every S]` starts a server and an embedded store of its own, and prints acts/s, latency, the
server's CPU an act and the bytes of text that a player receives for it; `--every 1` has each
player act once a second.
The load runs in this process, so that on two cores the server and its store have one of them.
"""

import argparse
import asyncio
import statistics
import time
from pathlib import Path

import uvloop

from tests.bench.lean import Lean
from tests.bench.racers import play, seat, stroll
from tests.bench.subject import Subject, launch, started, stop

ACT = b'{"type":"act","id":100,"at":100,"action":"t3x1-t7"}'


class Meter:
    """What happens from now on, and what it costs a process."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._cpu, self._kernel = subject.cpu_s(), subject.kernel_s()
        self._bytes = Lean.received_bytes
        self._begun = time.perf_counter()

    def read(self, latencies: list[float]) -> str:
        """One line of figures about what took so long."""
        took, done = time.perf_counter() - self._begun, len(latencies)
        cpu = (self._subject.cpu_s() - self._cpu) / done * 1e6
        kernel = (self._subject.kernel_s() - self._kernel) / done * 1e6
        return (
            f"{done / took:7,.0f}/s, {cpu:4.0f} µs CPU each, the kernel's {kernel:3.0f}; "
            f"median {statistics.median(latencies) * 1e3:.1f} ms, "
            f"p99 {statistics.quantiles(latencies, n=100)[98] * 1e3:.1f} ms, "
            f"{(Lean.received_bytes - self._bytes) / done:,.0f} bytes received for each"
        )


async def echo(players: int, seconds: float) -> str:
    """What a bare echo of an act costs the machine."""
    subject = await launch("tests.bench.echo", Path())
    try:
        latencies: list[float] = []
        until = time.perf_counter() + seconds

        async def talk() -> None:
            answer = asyncio.Event()
            socket = await Lean.connect(subject.port, lambda _: answer.set())
            while time.perf_counter() < until:
                asked = time.perf_counter()
                socket.send(ACT)
                await answer.wait()
                answer.clear()
                latencies.append(time.perf_counter() - asked)
            socket.transport.abort()

        meter = Meter(subject)
        await asyncio.gather(*(talk() for _ in range(players)))
        return meter.read(latencies)
    finally:
        await stop(subject)


async def acts(players: int, rooms_of: int, seconds: float, every: float) -> str:
    """What an act costs the server: one after the other, or one `every` so many seconds."""
    async with started() as subject:
        racers = await seat(subject.port, players, rooms_of, game="spider-4", undo="any")
        meter = Meter(subject)
        before = sum(racer.received for racer in racers)
        latencies = await (stroll(racers, seconds, every) if every else play(racers, seconds))
        received = (sum(racer.received for racer in racers) - before) / len(latencies)
        line = f"{meter.read(latencies)}; {received:,.0f} bytes received each"
        for racer in racers:
            racer.socket.transport.abort()
        return line


async def run(players: list[int], rooms_of: int, seconds: float, every: float) -> None:
    """One run, printed."""
    for number in players:
        print(f"{number:4} echoes:           {await echo(number, seconds / 2)}", flush=True)
        line = await acts(number, rooms_of, seconds, every)
        print(f"{number:4} racers, rooms of {rooms_of}: {line}", flush=True)


def main() -> None:
    """Reads the options and runs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, nargs="*", default=[40, 400])
    options.add_argument("--rooms-of", type=int, default=4)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--every", type=float, default=0, help="seconds between acts of a player")
    given = options.parse_args()
    uvloop.run(run(given.players, given.rooms_of, given.seconds, given.every))


if __name__ == "__main__":
    main()

"""Acts per second of one server process, and the CPU time of each, beside a bare echo.

`python -m tests.bench.bench_server [--players 40 400] [--seconds 10] [--rooms-of 4]
[--every S]` starts a server with an embedded store, and prints acts per second, the server's CPU
time per act, the latency, and the bytes that a player receives for each act. With `--every 1`
each player acts once a second. The load runs in this process, so that on two cores the server and
its store share the other one.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import uvloop

from tests.bench.meter import Meter, Usage, median_ms, p99_ms
from tests.bench.racers import Echoer, Player, hang_up, play, seat, stroll
from tests.bench.subject import HERE, Code, Subject, launch, started, stop


@dataclass(frozen=True, slots=True)
class Load:
    """The acts or echoes of some players, and what they cost the server."""

    players: int
    every: float
    """Seconds between the acts of a player; 0 if they act as fast as the replies come."""
    usage: Usage
    latencies: Sequence[float]

    def __str__(self) -> str:
        usage = self.usage
        return (
            f"{usage.per_s:7,.0f}/s, {usage.cpu_us:4.0f} µs CPU each, "
            f"the kernel's {usage.kernel_us:3.0f}, the store's {usage.store_us:3.0f}; "
            f"median {median_ms(self.latencies):.1f} ms, p99 {p99_ms(self.latencies):.1f} ms, "
            f"{usage.bytes_each:,.0f} bytes received for each"
        )


async def echoes(players: int, seconds: float, every: float = 0) -> Load:
    """Measure a bare echo of an act, as fast as it goes or once `every` so many seconds."""
    subject = await launch("tests.bench.echo", Path())
    try:
        echoers = [Echoer() for _ in range(players)]
        for echoer in echoers:
            await echoer.enter(subject.port)
        load = await _measure(subject, echoers, seconds, every)
        hang_up(echoers)
        return load
    finally:
        await stop(subject)


async def acts(
    players: int,
    seconds: float,
    every: float = 0,
    rooms_of: int = 4,
    options: Sequence[str] = (),
    code: Code = HERE,
) -> Load:
    """Measure acts, as fast as they go or once `every` so many seconds of each player.

    `options` are those of the server, and `code` is what it runs.
    """
    async with started(*options, code=code) as subject:
        racers = await seat(subject.port, players, rooms_of, game="spider-4", undo="any")
        load = await _measure(subject, racers, seconds, every)
        hang_up(racers)
        return load


async def _measure(
    subject: Subject, players: Sequence[Player], seconds: float, every: float
) -> Load:
    meter = Meter(subject)
    playing = stroll(players, seconds, every) if every else play(players, seconds)
    latencies = await playing
    return Load(len(players), every, meter.read(len(latencies)), latencies)


async def run(players: Sequence[int], rooms_of: int, seconds: float, every: float) -> None:
    """Print a line for the echoes and a line for the acts of each number of players."""
    for number in players:
        echoed = await echoes(number, seconds / 2, every)
        print(f"{number:4} echoes:           {echoed}", flush=True)
        acted = await acts(number, seconds, every, rooms_of)
        print(f"{number:4} racers, rooms of {rooms_of}: {acted}", flush=True)


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--players", type=int, nargs="*", default=[40, 400])
    options.add_argument("--rooms-of", type=int, default=4)
    options.add_argument("--seconds", type=float, default=10)
    options.add_argument("--every", type=float, default=0, help="seconds between acts of a player")
    given = options.parse_args()
    uvloop.run(run(given.players, given.rooms_of, given.seconds, given.every))


if __name__ == "__main__":
    main()

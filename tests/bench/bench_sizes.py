"""What must not make a server slower or larger: rooms, long games, players, reconnects, workers.

`python -m tests.bench.bench_sizes [WHAT ...]` measures one after the other, each on a server and
a store of its own: memory, redis, rooms, length, resume, kill, workers, fsync; all by default.
Costs are the server's CPU time, which other work on the machine changes least.
"""

import argparse
import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvloop
from redis import Redis

from server.websocket.descriptor_limit import raise_descriptor_limit
from tests.bench.bench_server import Load, acts
from tests.bench.meter import Meter, median_ms, p99_ms
from tests.bench.racers import Echoer, Racer, hang_up, play_to, seat
from tests.bench.subject import MANY_ROOMS, Subject, launch, start, started, stop

ROOMS_OF = 4
FEW_ROOMS = 10
REST_S = 2.0
IDLE_S = 5.0
SETTINGS: dict[str, Any] = {"game": "spider-4", "undo": "any"}
ENTRY_BYTES = 6
WARM_ACTS = 10


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a server for each connected player, and of a bare echo for each socket."""

    players: int
    acts: int
    kib: float
    echo_kib: float

    def __str__(self) -> str:
        return (
            f"{self.kib:.1f} KiB a player, of {self.players:,} who have made {self.acts} acts "
            f"each; a socket of the bare echo {self.echo_kib:.1f} KiB"
        )


async def memory(players: int = 1_000, acts: int = 100) -> Memory:
    """Measure memory: of players with their games, and of bare sockets."""
    async with started() as subject:
        # What is made once is not counted.
        hang_up(await seat(subject.port, 40, ROOMS_OF, **SETTINGS))
        await asyncio.sleep(REST_S)
        before = subject.memory_kib()
        racers = await seat(subject.port, players, ROOMS_OF, **SETTINGS)
        await play_to(racers, acts)
        await asyncio.sleep(REST_S)
        kib = (subject.memory_kib() - before) / players
        hang_up(racers)
    return Memory(players, acts, kib, await _echo_kib(players))


async def _echo_kib(sockets: int) -> float:
    subject = await launch("tests.bench.echo", Path())
    try:
        echoers = [Echoer() for _ in range(sockets)]
        await echoers[0].enter(subject.port)
        before = subject.memory_kib()
        for echoer in echoers[1:]:
            await echoer.enter(subject.port)
        kib = (subject.memory_kib() - before) / sockets
        hang_up(echoers)
        return kib
    finally:
        await stop(subject)


@dataclass(frozen=True, slots=True)
class Stored:
    """The memory of the store for a player, and the bytes of the player's log in it."""

    acts: int
    bytes_each: float
    log_bytes: int

    def __str__(self) -> str:
        return (
            f"{self.bytes_each / 1024:.1f} KiB of Redis a player, {self.acts} acts each, "
            f"whose log alone has {self.log_bytes / 1024:.1f} KiB"
        )


async def redis(players: int = 100, acts: int = 300) -> Stored:
    """Measure the store's memory for everything under the keys of rooms."""
    async with started() as subject:
        await play_to(await seat(subject.port, players, ROOMS_OF, **SETTINGS), acts)
        with Redis(unix_socket_path=str(subject.data_dir / "valkey.sock")) as store:
            used = sum(store.memory_usage(key, samples=0) for key in store.scan_iter("{*"))
        return Stored(acts, used / players, acts * ENTRY_BYTES)


@dataclass(frozen=True, slots=True)
class Rooms:
    """The server's CPU time of an act in few rooms and in many, and of each idle room."""

    idle: int
    few_us: float
    many_us: float
    """Without the CPU time that the idle rooms took meanwhile."""
    idle_us: float
    """For each idle room and second."""

    def __str__(self) -> str:
        return (
            f"{self.few_us:.0f} µs an act in {FEW_ROOMS} rooms, {self.many_us:.0f} µs with "
            f"{self.idle:,} more open; an idle room takes {self.idle_us:.0f} µs a second"
        )


async def rooms(idle: int = 9_990, acts: int = 500) -> Rooms:
    """Measure acts in a few rooms, alone and beside rooms in which nobody acts."""
    async with started(*MANY_ROOMS) as subject:
        racers = await seat(subject.port, FEW_ROOMS * ROOMS_OF, ROOMS_OF, **SETTINGS)
        await play_to(racers, WARM_ACTS)
        few_us = await _cost(subject, racers, WARM_ACTS + acts)
        others = await seat(subject.port, idle, 1, **SETTINGS)
        await asyncio.sleep(REST_S)
        meter = Meter(subject)
        await asyncio.sleep(IDLE_S)
        idle_share = meter.read(idle).cpu_s / IDLE_S
        meter = Meter(subject)
        usage = meter.read(len(await play_to(racers, WARM_ACTS + 2 * acts)))
        many_us = usage.cpu_us - idle_share * usage.seconds / usage.count * 1e6
        hang_up([*racers, *others])
        return Rooms(idle, few_us, many_us, idle_share / idle * 1e6)


@dataclass(frozen=True, slots=True)
class Length:
    """The server's CPU time of an act early and late in a game."""

    early: int
    early_us: float
    late: int
    late_us: float

    def __str__(self) -> str:
        return (
            f"{self.early_us:.0f} µs an act from the {self.early}th on, "
            f"{self.late_us:.0f} µs from the {self.late}th on"
        )


async def length(late: int = 600, acts: int = 150) -> Length:
    """Measure acts early and late in a game."""
    async with started() as subject:
        racers = await seat(subject.port, 100, ROOMS_OF, **SETTINGS)
        await play_to(racers, WARM_ACTS)
        early_us = await _cost(subject, racers, WARM_ACTS + acts)
        await play_to(racers, late)
        late_us = await _cost(subject, racers, late + acts)
        hang_up(racers)
        return Length(WARM_ACTS, early_us, late, late_us)


async def _cost(subject: Subject, racers: Sequence[Racer], at: int) -> float:
    """Return the server's CPU time an act, in microseconds, until so many are in each log."""
    meter = Meter(subject)
    return meter.read(len(await play_to(racers, at))).cpu_us


@dataclass(frozen=True, slots=True)
class Resumes:
    """Seconds from connecting to the table, and from connecting to the first echo."""

    acts: int
    waits: Sequence[float]
    echo_waits: Sequence[float]

    def __str__(self) -> str:
        return (
            f"median {median_ms(self.waits):.1f} ms, p99 {p99_ms(self.waits):.1f} ms, "
            f"{self.acts} acts each; a first echo after {median_ms(self.echo_waits):.1f} ms, "
            f"p99 {p99_ms(self.echo_waits):.1f} ms"
        )


async def resume(times: int = 300, acts: int = 500) -> Resumes:
    """Measure resumes, one after the other, and as many connections to a bare echo."""
    async with started() as subject:
        racers = await seat(subject.port, 100, ROOMS_OF, **SETTINGS)
        await play_to(racers, acts)
        for racer in racers:
            racer.latencies = []
        for number in range(times):
            await racers[number % len(racers)].resume()
        waits = [wait for racer in racers for wait in racer.latencies]
        hang_up(racers)
    return Resumes(acts, waits, await _echo_waits(times))


async def _echo_waits(times: int) -> list[float]:
    subject = await launch("tests.bench.echo", Path())
    try:
        waits = []
        for _ in range(times):
            began = time.perf_counter()
            echoer = Echoer()
            await echoer.enter(subject.port)
            echoed = asyncio.Event()
            echoer.answered = echoed.set
            echoer.act()
            await echoed.wait()
            waits.append(time.perf_counter() - began)
            hang_up([echoer])
        return waits
    finally:
        await stop(subject)


@dataclass(frozen=True, slots=True)
class Killed:
    """Seconds from a SIGKILL until all players are at their tables again."""

    waits: Sequence[float]
    seating_s: float
    restarted_s: float
    cpu_ms: float

    @property
    def longest_s(self) -> float:
        return max(self.waits)

    def __str__(self) -> str:
        half = sorted(self.waits)[len(self.waits) // 2]
        return (
            f"{len(self.waits):,} sockets in {self.longest_s:.1f} s, half of them in {half:.1f}, "
            f"the new server listens after {self.restarted_s:.1f} s; {self.cpu_ms:.1f} ms of CPU "
            f"each; they were seated in {self.seating_s:.1f} s"
        )


async def kill(players: int = 2_000) -> Killed:
    """Measure from a SIGKILL until all players are at their tables, with the page's backoff."""
    with TemporaryDirectory() as made:
        subject = await start(Path(made))
        began = time.perf_counter()
        racers = await seat(subject.port, players, ROOMS_OF, **SETTINGS)
        seating_s = time.perf_counter() - began
        began = time.perf_counter()
        subject.process.kill()
        back = asyncio.gather(*(_come_back(racer, began) for racer in racers))
        await subject.process.wait()
        subject = await start(Path(made), port=subject.port)
        restarted_s = time.perf_counter() - began
        waits = await back
        cpu_ms = subject.cpu_s() / players * 1e3
        hang_up(racers)
        await stop(subject)
        return Killed(waits, seating_s, restarted_s, cpu_ms)


async def _come_back(racer: Racer, began: float) -> float:
    """Reconnect as the page does, at once and then with full jitter; return how long it took."""
    await racer.socket.closed.wait()
    ceiling = 0.5
    while True:
        try:
            await racer.resume()
        except OSError:
            await asyncio.sleep(random.uniform(0, ceiling))
            ceiling = min(30.0, 2 * ceiling)
        else:
            return time.perf_counter() - began


@dataclass(frozen=True, slots=True)
class Workers:
    """The same acts with one worker and with two."""

    one: Load
    two: Load

    def __str__(self) -> str:
        return "; ".join(
            f"{number}: {load.usage.per_s:,.0f} acts/s at {load.usage.cpu_us:.0f} µs each"
            for number, load in ((1, self.one), (2, self.two))
        )


async def workers(players: int = 200, seconds: float = 8.0) -> Workers:
    """Measure one and two workers; for acts per second, load and store need their own cores."""
    one = await acts(players, seconds, options=("--workers", "1"))
    return Workers(one, await acts(players, seconds, options=("--workers", "2")))


@dataclass(frozen=True, slots=True)
class Fsync:
    """Acts that are on disk within a second of their reply, or before it."""

    closed: Mapping[str, Load]
    paced: Mapping[str, Load]

    def __str__(self) -> str:
        lines = [
            f"{mode}: {load.usage.per_s:,.0f} acts/s of {load.players} players, {_waits(load)}; "
            f"{self.paced[mode].players:,} who act once a second, {_waits(self.paced[mode])}"
            for mode, load in self.closed.items()
        ]
        share = self.closed["always"].usage.per_s / self.closed["everysec"].usage.per_s
        return f"{'; '.join(lines)}; always does {share:.0%} of the acts"


def _waits(load: Load) -> str:
    return f"median {median_ms(load.latencies):.1f} ms, p99 {p99_ms(load.latencies):.1f} ms"


async def fsync(players: int = 200, seconds: float = 5.0, walkers: int = 1_000) -> Fsync:
    """Measure what it costs to have each act on disk before its reply."""
    closed, paced = {}, {}
    for mode in ("everysec", "always"):
        options = ("--store-fsync", mode)
        closed[mode] = await acts(players, seconds, options=options)
        paced[mode] = await acts(walkers, 2 * seconds, every=1, options=options)
    return Fsync(closed, paced)


MEASURES: dict[str, Callable[[], Awaitable[object]]] = {
    "memory": memory,
    "redis": redis,
    "rooms": rooms,
    "length": length,
    "resume": resume,
    "kill": kill,
    "workers": workers,
    "fsync": fsync,
}


async def _measure(name: str) -> object:
    return await MEASURES[name]()


def main() -> None:
    """Read the options and run."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("what", nargs="*", help=", ".join(MEASURES))
    raise_descriptor_limit()
    for name in options.parse_args().what or MEASURES:
        print(f"{name:8} {uvloop.run(_measure(name))}", flush=True)


if __name__ == "__main__":
    main()

"""What a server does not get slower or bigger by: rooms, long games, players, their coming back.

`python -m tests.bench.bench_sizes [WHAT ...]` measures one after the other, each on a server and
a store of its own: memory, redis, rooms, length, resume, kill, workers, fsync; all by default.
Costs are the server's CPU time, which a busy machine changes least.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop
from redis import Redis

from server.websocket.file_limit import raise_file_limit
from tests.bench.racers import Racer, play, play_to, seat, stroll
from tests.bench.subject import Subject, start, started, stop

ROOMS_OF = 4
REST_S = 2.0
SETTINGS = {"game": "spider-4", "undo": "any"}


async def memory(players: int = 1_000) -> str:
    """Of the process, a connected player and the game of a hundred acts; none at all before."""
    async with started() as subject:
        await hang_up(await seat(subject.port, 40, ROOMS_OF, **SETTINGS))  # what is made once
        await asyncio.sleep(REST_S)
        before = subject.memory_kib()
        await play_to(await seat(subject.port, players, ROOMS_OF, **SETTINGS), 100)
        await asyncio.sleep(REST_S)
        each = (subject.memory_kib() - before) / players
        return f"{each:.1f} KiB a player, of {players:,} who have made 100 acts each"


async def redis(players: int = 100, acts: int = 300) -> str:
    """Of the store, everything under the rooms' keys."""
    async with started() as subject:
        await play_to(await seat(subject.port, players, ROOMS_OF, **SETTINGS), acts)
        with Redis(unix_socket_path=str(subject.data_dir / "valkey.sock")) as store:
            used = sum(store.memory_usage(key, samples=0) for key in store.scan_iter("{*"))
        return f"{used / 1024 / players:.1f} KiB of Redis a player, {acts} acts each"


async def cost(subject: Subject, racers: Sequence[Racer], at: int) -> float:
    """Microseconds of CPU an act, until so many are in each log."""
    before = subject.cpu_s()
    done = len(await play_to(racers, at))
    return (subject.cpu_s() - before) / done * 1e6


async def rooms(idle: int = 990) -> str:
    """Of an act of 40 players in 10 rooms, alone and beside others who think."""
    async with started() as subject:
        racers = await seat(subject.port, 40, ROOMS_OF, **SETTINGS)
        alone = await cost(subject, racers, 500)
        await seat(subject.port, idle, 1, **SETTINGS)
        await asyncio.sleep(REST_S)
        beside = await cost(subject, racers, 1_000)
        return f"{alone:.0f} µs an act in 10 rooms, {beside:.0f} µs with {idle} more open"


async def length() -> str:
    """Of an act early and late in a game."""
    async with started() as subject:
        racers = await seat(subject.port, 100, ROOMS_OF, **SETTINGS)
        await play_to(racers, 10)
        early = await cost(subject, racers, 160)
        await play_to(racers, 600)
        late = await cost(subject, racers, 750)
        return f"{early:.0f} µs an act from the 10th on, {late:.0f} µs from the 600th on"


async def resume(times: int = 300, acts: int = 500) -> str:
    """From the connecting to the table, one after the other."""
    async with started() as subject:
        racers = await seat(subject.port, 100, ROOMS_OF, **SETTINGS)
        await play_to(racers, acts)
        for racer in racers:
            racer.latencies = []
        for number in range(times):
            await racers[number % len(racers)].resume()
        took = [latency * 1e3 for racer in racers for latency in racer.latencies]
        p99 = statistics.quantiles(took, n=100)[98]
        return f"median {statistics.median(took):.1f} ms, p99 {p99:.1f} ms, {acts} acts each"


async def kill(players: int = 2_000) -> str:
    """From a SIGKILL until everybody sits at their table again, with the page's backoff."""
    with TemporaryDirectory() as made:
        subject = await start(Path(made))
        racers = await seat(subject.port, players, ROOMS_OF, **SETTINGS)
        begun = time.perf_counter()
        subject.process.kill()
        back = asyncio.gather(*(come_back(racer, begun) for racer in racers))
        await subject.process.wait()
        subject = await start(Path(made), port=subject.port)
        again = time.perf_counter() - begun
        took = sorted(await back)
        cpu = subject.cpu_s() / players * 1e3
        await stop(subject)
        return (
            f"{players:,} sockets in {took[-1]:.1f} s, half of them in {took[players // 2]:.1f}, "
            f"the server there again after {again:.1f} s; {cpu:.1f} ms of CPU each"
        )


async def come_back(racer: Racer, begun: float) -> float:
    """As the page does: at once, then with full jitter; returns how long it took."""
    await racer.socket.closed.wait()
    ceiling = 0.5
    while True:
        try:
            await racer.resume()
        except OSError:
            await asyncio.sleep(random.uniform(0, ceiling))
            ceiling = min(30.0, 2 * ceiling)
        else:
            return time.perf_counter() - begun


async def workers(players: int = 200, seconds: float = 8.0) -> str:
    """Acts a second of one and of two; the load and the store need cores of their own."""
    told: list[str] = []
    for number in (1, 2):
        async with started("--workers", str(number)) as subject:
            racers = await seat(subject.port, players, ROOMS_OF, **SETTINGS)
            before = subject.cpu_s()
            done = len(await play(racers, seconds))
            cpu = (subject.cpu_s() - before) / done * 1e6
            told.append(f"{number}: {done / seconds:,.0f} acts/s at {cpu:.0f} µs each")
    return "; ".join(told)


async def fsync(players: int = 200, seconds: float = 5.0, walkers: int = 1_000) -> str:
    """Of having each act on disk before its answer, beside having it there within a second."""
    told: list[str] = []
    rates: list[float] = []
    for mode in ("everysec", "always"):
        async with started("--store-fsync", mode) as subject:
            latencies = await play(
                await seat(subject.port, players, ROOMS_OF, **SETTINGS), seconds
            )
        rates.append(len(latencies) / seconds)
        async with started("--store-fsync", mode) as subject:
            paced = await stroll(
                await seat(subject.port, walkers, ROOMS_OF, **SETTINGS), 2 * seconds
            )
        told.append(
            f"{mode}: {rates[-1]:,.0f} acts/s of {players} players, {percentiles(latencies)}; "
            f"{walkers:,} who act once a second, {percentiles(paced)}"
        )
    return f"{'; '.join(told)}; always does {rates[1] / rates[0]:.0%} of the acts"


def percentiles(latencies: Sequence[float]) -> str:
    """The median and the 99th percentile."""
    p99 = statistics.quantiles(latencies, n=100)[98]
    return f"median {statistics.median(latencies) * 1e3:.1f} ms, p99 {p99 * 1e3:.1f} ms"


async def hang_up(racers: Sequence[Racer]) -> None:
    """Everybody goes."""
    for racer in racers:
        racer.socket.transport.abort()


MEASURES = {
    measure.__name__: measure
    for measure in (memory, redis, rooms, length, resume, kill, workers, fsync)
}


def main() -> None:
    """Reads the options and runs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("what", nargs="*", help=", ".join(MEASURES))
    raise_file_limit()
    for name in options.parse_args().what or MEASURES:
        print(f"{name:8} {uvloop.run(MEASURES[name]())}", flush=True)


if __name__ == "__main__":
    main()

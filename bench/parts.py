"""The parts of the benchmark: each returns its figures for the table."""

import asyncio
import statistics
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import uvloop
from redis import Redis

from bench import load, page, peers
from bench.figures import Figure, LeftOut
from bench.load import Echoer, Load, Racer, hang_up, median_ms, p99_ms, play_to, seat
from bench.subject import MANY_ROOMS, Meter, Subject, launch, start, started, stop
from server.games.deals import new_game, replay, secret_deck
from server.games.hints import find_hint
from server.games.rules import Rules

LIMIT_S = 300.0
ROOMS_OF = 4
FEW_ROOMS, IDLE_ROOMS = 10, 9_990
REST_S, IDLE_S = 2.0, 5.0
WARM_ACTS = 10
ENTRY_BYTES = 6
SETTINGS: dict[str, Any] = {"game": "spider-4", "undo": "any"}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scale:
    """How much to measure, and for how long."""

    seconds: float
    page_is_short: bool
    repetitions: int
    """Of the peers; the table has their medians."""
    peers: Path
    peers_work: Path


def _run(measuring: Coroutine[Any, Any, T]) -> T:
    """Run a measurement.

    Raises:
        LeftOut: It takes too long: the machine is busy, or a server or a player has failed.
    """
    try:
        return uvloop.run(asyncio.wait_for(measuring, LIMIT_S))
    except TimeoutError:
        raise LeftOut(f"not measured in {LIMIT_S:.0f} s") from None


def rules(_scale: Scale) -> list[Figure]:
    """Measure an act with the legal list after it, and a replay."""
    row, times = partial(Figure, "rules"), list[float]()
    spider, deck = Rules("spider-4", undo="any"), secret_deck("spider-4", bytes(16))
    game = new_game(spider, deck)
    while game.at < 500 and game.outcome is None:
        action = find_hint(game) if game.at % 3 else game.legal_actions()[-1]
        began = time.perf_counter()
        game.apply(action or game.legal_actions()[-1])
        game.legal_actions()
        times.append(time.perf_counter() - began)
    log = list(game.log)
    loops = [_seconds(lambda: [None for _ in range(100)]) for _ in range(1_000)]
    replayed = min(_seconds(lambda: replay(spider, deck, log)) for _ in range(10))
    one_us, loop_us = statistics.median(times) * 1e6, statistics.median(loops) * 1e6
    slow = "the same acts one by one"
    return [
        row("act and legal list, median", one_us, "µs", "a loop over 100 numbers", loop_us),
        row(f"replay of {len(log)} acts", replayed * 1e3, "ms", slow, sum(times) * 1e3),
    ]


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _beside_echo(players: int, seconds: float, every: float = 0) -> list[Figure]:
    """Measure players who act as fast as replies arrive, or once every `every` seconds."""
    echoed: Load = _run(load.echoes(players, seconds, every))
    acted: Load = _run(load.acts(players, seconds, every))
    how = f"one act in {every:g} s" if every else "as fast as replies come"
    row = partial(Figure, f"{players:,} players, {how}")
    act, echo = acted.usage, echoed.usage
    rates = [] if every else [row("acts", act.per_s, "/s", "echoes", echo.per_s)]
    return [
        *rates,
        row("CPU of an act", act.cpu_us, "µs", "of a bare echo", echo.cpu_us),
        row("kernel's part of it", act.kernel_us, "µs", "of a bare echo's", echo.kernel_us),
        row("the store's CPU of an act", act.store_us, "µs", "the server's", act.cpu_us),
        row("bytes received for an act", act.bytes_each, "B", "for an echo", echo.bytes_each),
        row("act, p99", p99_ms(acted.latencies), "ms", "echo, p99", p99_ms(echoed.latencies)),
    ]


async def _memory(players: int, acts: int) -> list[Figure]:
    """Measure the memory of server and store for each player."""
    async with started() as subject:
        # Exclude everything that is allocated only once.
        hang_up(await seat(subject.port, 40, ROOMS_OF, **SETTINGS))
        await asyncio.sleep(REST_S)
        before = subject.memory_kib()
        racers = await seat(subject.port, players, ROOMS_OF, **SETTINGS)
        await play_to(racers, acts)
        await asyncio.sleep(REST_S)
        kib = (subject.memory_kib() - before) / players
        with Redis(unix_socket_path=str(subject.data_dir / "valkey.sock")) as store:
            used = sum(store.memory_usage(key, samples=0) for key in store.scan_iter("{*"))
        hang_up(racers)
    echo = await launch("bench.echo", Path())
    try:
        echoers = [Echoer() for _ in range(players)]
        before = echo.memory_kib()
        for echoer in echoers:
            await echoer.enter(echo.port)
        echo_kib = (echo.memory_kib() - before) / players
        hang_up(echoers)
    finally:
        await stop(echo)
    row, log_kib = partial(Figure, "memory"), acts * ENTRY_BYTES / 1024
    what = f"of the server for a player with {acts} acts"
    return [
        row(what, kib, "KiB", "for a socket of the bare echo", echo_kib),
        row("of the store for that", used / players / 1024, "KiB", "the log itself", log_kib),
    ]


async def _rooms(acts: int) -> list[Figure]:
    """Measure acts in a few rooms, alone and with many idle rooms."""
    async with started(*MANY_ROOMS) as subject:
        racers = await seat(subject.port, FEW_ROOMS * ROOMS_OF, ROOMS_OF, **SETTINGS)
        await play_to(racers, WARM_ACTS)
        few_us = await _cost_us(subject, racers, WARM_ACTS + acts)
        others = await seat(subject.port, IDLE_ROOMS, 1, **SETTINGS)
        await asyncio.sleep(REST_S)
        meter = Meter(subject)
        await asyncio.sleep(IDLE_S)
        idle_share = meter.read(IDLE_ROOMS).cpu_s / IDLE_S
        meter = Meter(subject)
        usage = meter.read(len(await play_to(racers, WARM_ACTS + 2 * acts)))
        many_us = usage.cpu_us - idle_share * usage.seconds / usage.count * 1e6
        hang_up([*racers, *others])
    row, what = partial(Figure, "flat"), f"CPU of an act beside {IDLE_ROOMS:,} idle rooms"
    idle_us, act = idle_share / IDLE_ROOMS * 1e6, "of an act in few rooms"
    return [
        row(what, many_us, "µs", "without them", few_us),
        row("CPU of an idle room for a second", idle_us, "µs", act, few_us),
    ]


async def _length(late: int, acts: int) -> list[Figure]:
    """Measure acts early and late in a game, and then the return to these games."""
    async with started() as subject:
        racers = await seat(subject.port, 100, ROOMS_OF, **SETTINGS)
        await play_to(racers, WARM_ACTS)
        early_us = await _cost_us(subject, racers, WARM_ACTS + acts)
        await play_to(racers, late)
        late_us = await _cost_us(subject, racers, late + acts)
        for racer in racers:
            racer.latencies = []
            await racer.resume()
        waits = [wait for racer in racers for wait in racer.latencies]
        hang_up(racers)
    what = f"to the table of a game of {late + acts} acts, p99"
    return [
        Figure("length", f"act from the {late}th on", late_us, "µs", "from the 10th on", early_us),
        Figure("resume", what, p99_ms(waits), "ms", "median", median_ms(waits)),
    ]


async def _cost_us(subject: Subject, racers: Sequence[Racer], at: int) -> float:
    """Return the server's CPU time for an act, playing until each log has `at` entries."""
    meter = Meter(subject)
    return meter.read(len(await play_to(racers, at))).cpu_us


async def _back(players: int) -> list[Figure]:
    """Measure the time until all players have their tables again after a SIGKILL."""
    async with started(*MANY_ROOMS) as made:
        began = time.perf_counter()
        racers = await seat(made.port, players, ROOMS_OF, **SETTINGS)
        seating_s = time.perf_counter() - began
        began = time.perf_counter()
        made.process.kill()
        returning = asyncio.gather(*(racer.come_back() for racer in racers))
        await made.process.wait()
        again = await start(made.data_dir, *MANY_ROOMS, port=made.port)
        await returning
        longest_s = time.perf_counter() - began
        hang_up(racers)
        await stop(again)
    what = f"kill -9, until all {players:,} have their tables"
    return [Figure("back", what, longest_s, "s", "to seat them", seating_s)]


def workers(scale: Scale) -> list[Figure]:
    """Measure the same acts with one worker and with two, on the same cores."""
    one, two = (
        _run(load.acts(200, scale.seconds, options=("--workers", number))).usage
        for number in ("1", "2")
    )
    row = partial(Figure, "two workers")
    return [
        row("CPU of an act, both together", two.cpu_us, "µs", "one worker", one.cpu_us),
        row("acts, all on the same cores", two.per_s, "/s", "one worker", one.per_s),
    ]


PARTS: Mapping[str, Callable[[Scale], list[Figure]]] = {
    "rules": rules,
    "acts-40": lambda scale: _beside_echo(40, scale.seconds),
    "acts-400": lambda scale: _beside_echo(400, scale.seconds),
    "pace": lambda scale: _beside_echo(1_000, 2 * scale.seconds, every=1),
    "memory": lambda _: _run(_memory(players=1_000, acts=100)),
    "rooms": lambda _: _run(_rooms(acts=500)),
    "length": lambda _: _run(_length(late=600, acts=150)),
    "back": lambda _: _run(_back(players=2_000)),
    "workers": workers,
    "page": lambda scale: page.measure(short=scale.page_is_short),
    "peers": lambda it: peers.measure_all(it.peers, it.peers_work, it.seconds, it.repetitions),
}

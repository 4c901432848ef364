"""The parts of the benchmark: each measures something, and returns figures for the table."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import uvloop

from tests.bench import (
    bench_deploy,
    bench_engine,
    bench_engines,
    bench_page,
    bench_peers,
    bench_return,
)
from tests.bench import bench_server as server
from tests.bench import bench_sizes as sizes
from tests.bench.bench_deploy import Deploy
from tests.bench.bench_engine import Cost
from tests.bench.bench_page import PageCosts
from tests.bench.bench_peers import COMPILED, ECHO, OURS, Cell
from tests.bench.bench_return import Returns
from tests.bench.bench_server import Load
from tests.bench.bench_sizes import Killed, Length, Memory, Resumes, Rooms, Stored, Workers
from tests.bench.figures import Figure, LeftOut
from tests.bench.meter import median_ms, p99_ms

LIMIT_S = 300.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Scale:
    """How much is measured, and for how long."""

    seconds: float
    page_is_short: bool
    peers: Path
    peers_work: Path


def _run(measuring: Coroutine[Any, Any, T]) -> T:
    """Run a measurement.

    Raises:
        LeftOut: It does not end: the machine is too busy, or a server or a player has failed.
    """
    try:
        return uvloop.run(asyncio.wait_for(measuring, LIMIT_S))
    except TimeoutError:
        raise LeftOut(f"not measured in {LIMIT_S:.0f} s") from None


def engine(_scale: Scale) -> list[Figure]:
    return engine_figures(bench_engine.measure("spider-4"), bench_engine.yardstick() * 1e6)


def engine_figures(cost: Cost, yardstick_us: float) -> list[Figure]:
    row = partial(Figure, "rules")
    one_by_one_ms = cost.median_us * cost.replayed / 1e3
    return [
        row(
            f"act and legal list, {cost.game}, median",
            *(cost.median_us, "µs", "a loop over 100 numbers", yardstick_us),
        ),
        row(
            f"replay of {cost.replayed} acts",
            *(cost.replay_ms, "ms", "the acts with their lists", one_by_one_ms),
        ),
    ]


def acts_40(scale: Scale) -> list[Figure]:
    return _closed(40, scale.seconds)


def acts_400(scale: Scale) -> list[Figure]:
    return _closed(400, scale.seconds)


def _closed(players: int, seconds: float) -> list[Figure]:
    echoed = _run(server.echoes(players, seconds))
    return load_figures(_run(server.acts(players, seconds)), echoed)


def load_figures(acted: Load, echoed: Load) -> list[Figure]:
    how = f"one act in {acted.every:g} s" if acted.every else "as fast as replies come"
    row = partial(Figure, f"{acted.players:,} players, {how}")
    act, echo = acted.usage, echoed.usage
    rates = [] if acted.every else [row("acts", act.per_s, "/s", "echoes", echo.per_s)]
    return [
        *rates,
        row("CPU of an act", act.cpu_us, "µs", "of a bare echo", echo.cpu_us),
        row("kernel's part of it", act.kernel_us, "µs", "of a bare echo's", echo.kernel_us),
        row("the store's CPU of an act", act.store_us, "µs", "the server's", act.cpu_us),
        row("bytes received for an act", act.bytes_each, "B", "for an echo", echo.bytes_each),
        row("act, p99", p99_ms(acted.latencies), "ms", "echo, p99", p99_ms(echoed.latencies)),
    ]


def pace(scale: Scale) -> list[Figure]:
    """Measure 1,000 players who act once a second, as people do."""
    players, seconds = 1_000, 2 * scale.seconds
    echoed = _run(server.echoes(players, seconds, every=1))
    acted = _run(server.acts(players, seconds, every=1))
    return load_figures(acted, echoed)


def thinking(scale: Scale) -> list[Figure]:
    """Measure 400 players who act once a second while the solver works as hard as it can."""
    players, seconds = 400, 3 * scale.seconds
    alone = _run(server.acts(players, seconds, every=1))
    beside = _run(server.acts(players, seconds, every=1, options=("--thinkers", "1")))
    return thinking_figures(beside, alone)


def thinking_figures(beside: Load, alone: Load) -> list[Figure]:
    row = partial(Figure, f"the solver at work, {beside.players:,} players, one act in 1 s")
    return [
        row("CPU of an act", beside.usage.cpu_us, "µs", "without it", alone.usage.cpu_us),
        row(
            "act, median",
            median_ms(beside.latencies),
            "ms",
            "without it",
            median_ms(alone.latencies),
        ),
        row("act, p99", p99_ms(beside.latencies), "ms", "without it", p99_ms(alone.latencies)),
    ]


def memory(_scale: Scale) -> list[Figure]:
    return memory_figures(_run(sizes.memory()), _run(sizes.redis()))


def memory_figures(memory: Memory, stored: Stored) -> list[Figure]:
    row = partial(Figure, "memory")
    return [
        row(
            f"of the server for a player with {memory.acts} acts",
            *(memory.kib, "KiB", "for a socket of the bare echo", memory.echo_kib),
        ),
        row(
            f"of the store for a player with {stored.acts} acts",
            *(stored.bytes_each / 1024, "KiB", "the log itself", stored.log_bytes / 1024),
        ),
    ]


def rooms(_scale: Scale) -> list[Figure]:
    return rooms_figures(_run(sizes.rooms()))


def rooms_figures(rooms: Rooms) -> list[Figure]:
    row = partial(Figure, "flat")
    return [
        row(
            f"CPU of an act beside {rooms.idle:,} idle rooms",
            *(rooms.many_us, "µs", "without them", rooms.few_us),
        ),
        row(
            "CPU of an idle room for a second",
            *(rooms.idle_us, "µs", "of an act in few rooms", rooms.few_us),
        ),
    ]


def length(_scale: Scale) -> list[Figure]:
    return length_figures(_run(sizes.length()))


def length_figures(length: Length) -> list[Figure]:
    return [
        Figure(
            "flat",
            f"CPU of an act from the {length.late}th on",
            *(length.late_us, "µs", f"from the {length.early}th on", length.early_us),
        )
    ]


def resume(_scale: Scale) -> list[Figure]:
    return resume_figures(_run(sizes.resume()))


def resume_figures(resumes: Resumes) -> list[Figure]:
    return [
        Figure(
            "coming back",
            f"resume of a game of {resumes.acts} acts, p99",
            *(p99_ms(resumes.waits), "ms"),
            *("connection and first echo, p99", p99_ms(resumes.echo_waits)),
        )
    ]


def back(_scale: Scale) -> list[Figure]:
    """Measure 2,000 players back after their sockets are cut, and after the server is killed."""
    players = 2_000
    cut = _run(bench_return.returns(players, players))
    return back_figures(cut, _run(sizes.kill(players)))


def back_figures(cut: Returns, killed: Killed) -> list[Figure]:
    row = partial(Figure, "coming back")
    all_cut, all_killed = f"{cut.resumed.count:,} sockets cut", f"{len(killed.waits):,} players"
    return [
        row(
            f"{all_cut}, until all tables are there",
            *(cut.resumed.seconds, "s", "to seat them", cut.seated.seconds),
        ),
        row(
            f"{all_cut}, CPU each",
            *(cut.resumed.cpu_us / 1e3, "ms", "to seat one", cut.seated.cpu_us / 1e3),
        ),
        row(
            f"kill -9, until all {all_killed} have their tables",
            *(killed.longest_s, "s", "to seat them", killed.seating_s),
        ),
    ]


def workers(scale: Scale) -> list[Figure]:
    return workers_figures(_run(sizes.workers(seconds=scale.seconds)))


def workers_figures(workers: Workers) -> list[Figure]:
    row = partial(Figure, "two workers")
    one, two = workers.one.usage, workers.two.usage
    return [
        row("CPU of an act, both together", two.cpu_us, "µs", "one worker", one.cpu_us),
        row("acts, all on the same cores", two.per_s, "/s", "one worker", one.per_s),
    ]


def deploy(scale: Scale) -> list[Figure]:
    """Measure a deploy of two workers under 400 players who act once a second."""
    return deploy_figures(_run(bench_deploy.deploy(400, 2, 5 + 3 * scale.seconds)))


def deploy_figures(deploy: Deploy) -> list[Figure]:
    return [
        Figure(
            "deploy",
            "longest wait for an act while workers are replaced",
            *(max(deploy.after), "s", "before", max(deploy.before)),
        )
    ]


def page(scale: Scale) -> list[Figure]:
    return page_figures(bench_page.measure(short=scale.page_is_short))


def engines(_scale: Scale) -> list[Figure]:
    return [
        Figure("engines", f"a drag in {drag.engine}", drag.card, "frames/s", "a box", drag.box)
        for drag in _run(bench_engines.measure())
    ]


def page_figures(costs: PageCosts) -> list[Figure]:
    row = partial(Figure, "page")
    cold, drags, wall = costs.cold, costs.drags, costs.wall
    return [
        row(
            f"first visit, {cold.files} files",
            *(cold.gzipped / 1024, "KiB", "before compression", cold.plain / 1024),
        ),
        row("ready on a slow phone", cold.ready_s, "s", "on the second visit", cold.again_s),
        row(
            "main thread for a frame of a drag",
            *(drags.desk.moving_ms, "ms", "a box on an empty page", drags.box.moving_ms),
        ),
        row(
            "frames of a drag on a slow phone",
            *(drags.slow.fps, "/s", "a box on an empty page", drags.box.fps),
        ),
        row(
            f"main thread for an update of one of {wall.boards} boards, slow phone",
            *(wall.update_ms, "ms", "a frame of a drag there", drags.slow.moving_ms),
        ),
    ]


def peers(scale: Scale) -> list[Figure]:
    """Measure this server and its peers with the peers' load generator.

    Raises:
        LeftOut: The peers' folder is not there, or does not work here.
    """
    return peers_figures(bench_peers.measure_all(scale.peers, scale.peers_work, scale.seconds))


def peers_figures(cells: Sequence[Cell]) -> list[Figure]:
    figures: list[Figure] = []
    by_load: dict[tuple[str, int], dict[str, Cell]] = {}
    for cell in cells:
        by_load.setdefault((cell.mode, cell.players), {})[cell.peer] = cell
    for found in by_load.values():
        figures += _beside_peers(found)
    return figures


def _beside_peers(cells: Mapping[str, Cell]) -> Iterator[Figure]:
    """Yield the figures of one load beside those of each peer; the echo server has only a CPU."""
    ours, compiled = cells[OURS], cells.get(COMPILED)
    rate = "one act in 1 s" if ours.mode == "open" else "as fast as replies come"
    row = partial(Figure, f"peers, {ours.players:,} players, {rate}")
    races = [cell for name, cell in cells.items() if name not in {OURS, COMPILED, ECHO}]
    for peer in (*races, *(cells[name] for name in cells if name == ECHO)):
        yield row("CPU of an act", ours.cpu_us, "µs", peer.peer, peer.cpu_us)
        if compiled is not None:
            yield row("CPU of an act, compiled", compiled.cpu_us, "µs", peer.peer, peer.cpu_us)
    for peer in races:
        yield row("the store's CPU of an act", ours.store_us, "µs", peer.peer, peer.store_us)
    for peer in races:
        sent = ours.bytes_each, "B", peer.peer, peer.bytes_each
        yield row("bytes received for an act", *sent)
    if ours.mode == "closed":
        yield from _rates(row, ours, compiled, races)
    else:
        yield from _waits_and_memory(row, ours, races)


def _rates(
    row: Callable[..., Figure], ours: Cell, compiled: Cell | None, races: Sequence[Cell]
) -> Iterator[Figure]:
    """Yield the acts of players who act as fast as the replies come."""
    for peer in races:
        yield row("acts", ours.acts_per_s, "/s", peer.peer, peer.acts_per_s)
        if compiled is not None:
            yield row("acts, compiled", compiled.acts_per_s, "/s", peer.peer, peer.acts_per_s)


def _waits_and_memory(
    row: Callable[..., Figure], ours: Cell, races: Sequence[Cell]
) -> Iterator[Figure]:
    """Yield what players who act at people's pace wait for and take."""
    for peer in races:
        yield row("act, p99", ours.p99_ms, "ms", peer.peer, peer.p99_ms)
    for peer in races:
        if ours.board_p99_ms is not None and peer.board_p99_ms is not None:
            late = ours.board_p99_ms, "ms", peer.peer, peer.board_p99_ms
            yield row("leaderboard after an act, p99", *late)
    for peer in races:
        yield row("memory a player", ours.kib_each, "KiB", peer.peer, peer.kib_each)


PARTS: Mapping[str, Callable[[Scale], list[Figure]]] = {
    "rules": engine,
    "acts-40": acts_40,
    "acts-400": acts_400,
    "pace": pace,
    "thinking": thinking,
    "memory": memory,
    "rooms": rooms,
    "length": length,
    "resume": resume,
    "back": back,
    "workers": workers,
    "deploy": deploy,
    "page": page,
    "engines": engines,
    "peers": peers,
}

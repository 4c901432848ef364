"""The metrics of this process and of the workers that share its port, for Prometheus.

Each worker counts for itself, and the system chooses the worker that a scrape of the shared port
reaches. So every worker also answers at a Unix socket, in a directory that only the workers know,
and the scraped worker reads the samples of all others. Counters carry the label `worker`: the
counters of a restarted worker begin at 0.
"""

import asyncio
import json
import os
from collections import Counter as Multiset
from collections.abc import Callable, Iterable
from itertools import accumulate
from pathlib import Path
from platform import python_version
from typing import Any

import structlog
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Info,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from protocol.vocabulary import CloseCode, ErrorCode, RoomState
from server import __version__
from server.act_times import ACT_SECONDS, BOUNDS, COMMIT_SECONDS

TIMEOUT_S = 2.0  # the time for another worker's answer
MAX_ANSWER_BYTES = 4 * 1024 * 1024

log = structlog.get_logger()

REGISTRY = CollectorRegistry()
Info("spider_race_build", "The version that runs", registry=REGISTRY).info(
    {"version": __version__, "python": python_version()}
)
ProcessCollector(registry=REGISTRY)  # memory, file descriptors and CPU time, where there is /proc


def _counter(name: str, about: str, **labels: Iterable[object]) -> Counter:
    """Return a counter; one with a label has a sample of each value from the start.

    Prometheus sees no growth from nothing to the first event, so an alert would miss it.
    """
    counter = Counter(name, about, labels, registry=REGISTRY)
    for values in labels.values():
        for value in values:
            counter.labels(value)
    return counter


def _gauge(name: str, about: str) -> Gauge:
    return Gauge(name, about, registry=REGISTRY)


refusals = _counter("spider_race_refusals", "Commands that were refused", code=ErrorCode)
skips = _counter(
    "spider_race_fanout_skips", "Standings and boards that were not sent because a socket was slow"
)
closes = _counter("spider_race_closes", "Sockets that the server closed", code=map(int, CloseCode))
store_errors = _counter(
    "spider_race_store_errors", "Commands that Redis did not answer, or refused"
)
clock_steps = _counter(
    "spider_race_clock_steps", "Steps of the store's clock that were noticed and undone"
)
rooms_open = _gauge(
    "spider_race_rooms_open", "Open rooms in the store, which all processes share; see --max-rooms"
)
rooms_unreadable = _gauge(
    "spider_race_rooms_unreadable", "Rooms that were set aside because a process cannot read them"
)
store_fill = _gauge(
    "spider_race_store_fill_ratio",
    "Memory in use as a share of its limit, of the fullest master; 0 without a limit",
)
store_full = _gauge(
    "spider_race_store_full", "Masters that get no new rooms because their memory is nearly full"
)
store_failing = _gauge(
    "spider_race_store_failing",
    "Masters that refuse every change because they cannot write to their disk",
)
replay_seconds = _counter(
    "spider_race_replay_seconds",
    "Time for replaying logs and for writing the replays, by purpose",
    what=("table", "board", "whole", "text", "course", "replay", "proof", "picture", "win"),
)
turned_away = _counter(
    "spider_race_turned_away",
    "Requests and connections that were refused, by the limit that they exceeded",
    limit=("players", "unread", "work", "requests", "connections", "descriptors"),
)
handshakes_refused = _counter(
    "spider_race_handshakes_refused",
    "Handshakes of websockets that were refused, by what they lacked",
    missing=("HTTP/1.1", "Upgrade", "Connection", "Origin"),
)
loop_lag = _gauge(
    "spider_race_loop_lag_seconds", "Delay of the event loop at its last measurement"
)


class ActTimes(Collector):
    """The number of acts, and how long each of them took."""

    def collect(self) -> Iterable[CounterMetricFamily | HistogramMetricFamily]:
        """Yield the counter and the histograms."""
        yield CounterMetricFamily(
            "spider_race_acts", "Acts that were stored and acknowledged", sum(ACT_SECONDS.buckets)
        )
        for name, about, seconds in (
            ("act", "From the judging of an act to its reply", ACT_SECONDS),
            ("commit", "From the queueing of an act for the store to its answer", COMMIT_SECONDS),
        ):
            bounds = [*map(floatToGoString, BOUNDS), "+Inf"]
            buckets = list(zip(bounds, map(float, accumulate(seconds.buckets)), strict=True))
            yield HistogramMetricFamily(f"spider_race_{name}_seconds", about, buckets, seconds.sum)


class ProcessGauges(Collector):
    """Gauges of this process: its open sockets, and the rooms of these sockets by state."""

    def __init__(self, sockets: Callable[[], int], states: Callable[[], Iterable[str]]) -> None:
        self._count_sockets = sockets
        self._list_room_states = states

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield the gauges."""
        sockets = GaugeMetricFamily("spider_race_sockets", "Open connections")
        sockets.add_metric([], self._count_sockets())
        yield sockets
        rooms = GaugeMetricFamily(
            "spider_race_rooms", "Rooms with a seat that is connected here", labels=["state"]
        )
        counts = Multiset(self._list_room_states())
        for state in RoomState:
            rooms.add_metric([state.value], counts[state])
        yield rooms


REGISTRY.register(ActTimes())


async def exposition() -> bytes:
    """Return all metrics in Prometheus's text format."""
    return generate_latest(REGISTRY)


def _plain_samples() -> list[Any]:
    """Return all metrics as plain values for another worker: name, help, type, samples."""
    return [
        [
            metric.name,
            metric.documentation,
            metric.type,
            [[sample.name, sample.labels, sample.value] for sample in metric.samples],
        ]
        for metric in REGISTRY.collect()
    ]


class WorkerMetrics:
    """The metrics of the workers of one port; those silent for `timeout_s` are skipped."""

    def __init__(self, directory: Path, number: int, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._here = directory / f"{number}.{os.getpid()}"
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Answer requests of other workers from now on.

        Raises:
            OSError: the directory is not there.
        """
        for before in self._here.parent.glob(f"{_worker(self._here)}.*"):
            before.unlink(missing_ok=True)  # its worker has ended or is about to
        self._server = await asyncio.start_unix_server(
            _send_samples, self._here, limit=MAX_ANSWER_BYTES
        )

    async def close(self) -> None:
        """Stop answering."""
        assert self._server is not None, "it was opened"
        self._server.close()
        self._here.unlink(missing_ok=True)

    async def exposition(self) -> bytes:
        """Return the metrics of all workers in Prometheus's text format."""
        others = [path for path in self._here.parent.iterdir() if path != self._here]
        answers = await asyncio.gather(*(_fetch_samples(path, self._timeout_s) for path in others))
        counts = {_worker(path): counted for path, counted in zip(others, answers, strict=True)}
        counts[_worker(self._here)] = _plain_samples()
        return generate_latest(_Merged(counts))


class _Merged(Collector):
    """The metrics of several workers, each metric under its own name."""

    def __init__(self, counts: dict[str, list[Any]]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        found: dict[str, Metric] = {}
        for worker, counted in sorted(self._counts.items()):
            for name, about, metric_type, samples in counted:
                metric = found.setdefault(name, Metric(name, about, metric_type))
                for sample, labels, value in samples:
                    metric.add_sample(sample, {**labels, "worker": worker}, value)
        return found.values()


def _worker(path: Path) -> str:
    return path.name.partition(".")[0]


async def _send_samples(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(json.dumps(_plain_samples()).encode())
    writer.close()


async def _fetch_samples(path: Path, timeout_s: float) -> list[Any]:
    """Return the samples of another worker, or none if it does not answer."""
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await asyncio.open_unix_connection(path, limit=MAX_ANSWER_BYTES)
            try:
                samples: list[Any] = json.loads(await reader.read())
            finally:
                writer.close()
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        log.warning("a worker does not say what it counted", worker=path.name, error=str(error))
        return []
    return samples

"""The metrics of this process and of the workers that share its port, for Prometheus.

The system decides which worker a scrape of the shared port reaches. So every worker also listens
on a Unix socket, in a directory that only the workers know, and the scraped worker collects the
samples of all others. All samples carry the label `worker`: each worker counts from 0.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, nullcontext
from functools import partial
from itertools import accumulate
from pathlib import Path
from platform import python_version
from typing import Any, TypeAlias, TypeVar

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Info, ProcessCollector
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import generate_latest
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from protocol.vocabulary import CloseCode, ErrorCode, RoomState
from server import version
from server.act_times import ACT_SECONDS, BOUNDS, COMMIT_SECONDS

TIMEOUT_S = 2.0  # leave out a worker that takes longer to send its samples
MAX_REPLY_BYTES = 4 * 1024 * 1024

log = structlog.get_logger()
Kind = TypeVar("Kind", Counter, Gauge)
Scrape: TypeAlias = Callable[[], Awaitable[bytes]]

REGISTRY = CollectorRegistry()
Info("spider_race_build", "The version that runs", registry=REGISTRY).info(
    {"version": version(), "python": python_version()}
)
ProcessCollector(registry=REGISTRY)  # memory, file descriptors and CPU time; it needs /proc


def _add(kind: type[Kind], name: str, about: str, **labels: Iterable[object]) -> Kind:
    """Register a metric; `labels` has at most one label, with all values that it can have.

    Each value starts at 0. Otherwise Prometheus would not see its first event as an increase.
    """
    metric = kind(name, about, labels, "spider_race", registry=REGISTRY)
    for values in labels.values():
        for value in values:
            metric.labels(value)
    return metric


refusals = _add(Counter, "refusals", "Commands that were refused", code=ErrorCode)
skips = _add(Counter, "fanout_skips", "Standings and boards that were not sent to a slow socket")
closes = _add(Counter, "closes", "Sockets that the server closed", code=map(int, CloseCode))
store_errors = _add(Counter, "store_errors", "Commands that Redis did not answer, or refused")
clock_steps = _add(Counter, "clock_steps", "Steps of the store's clock that were undone")
rooms_open = _add(Gauge, "rooms_open", "Open rooms in the store, see --max-rooms")
tables_kept = _add(Gauge, "tables_kept", "Kept tables in the store, see --kept-tables")
rooms_unreadable = _add(Gauge, "rooms_unreadable", "Rooms that were set aside as unreadable")
store_fill = _add(Gauge, "store_fill_ratio", "Used share of the fullest master's memory")
store_full = _add(Gauge, "store_full", "Masters that get no new rooms, with nearly full memory")
store_failing = _add(Gauge, "store_failing", "Masters that cannot write to their disk")
replay_seconds = _add(
    Counter,
    "replay_seconds",
    "Time for replaying logs and writing the replays, by purpose",
    what=(
        *("table", "board", "whole", "text", "course", "replay", "proof", "picture", "win"),
        *("history", "csv"),
    ),
)
turned_away = _add(
    Counter,
    "turned_away",
    "Requests and connections that were refused, by the limit",
    limit=("players", "unread", "work", "requests", "connections", "descriptors"),
)
handshakes_refused = _add(
    Counter,
    "handshakes_refused",
    "Handshakes of websockets that were refused, by the lack",
    missing=("HTTP/1.1", "Upgrade", "Connection", "Origin"),
)
loop_lag = _add(Gauge, "loop_lag_seconds", "Delay of the event loop at its last measurement")
sockets = _add(Gauge, "sockets", "Open connections")
rooms = _add(Gauge, "rooms", "Rooms with a seat that is connected here", state=RoomState)


def watch(count_sockets: Callable[[], int], room_states: Callable[[], list[str]]) -> None:
    """Have each scrape call these functions for the number of sockets and the rooms' states."""
    sockets.set_function(count_sockets)
    for state in RoomState:
        rooms.labels(state).set_function(partial(lambda it: room_states().count(it), state))


class ActTimes(Collector):
    """The number of acts, and how long they took."""

    def collect(self) -> Iterable[CounterMetricFamily | HistogramMetricFamily]:
        """Yield the number of acts, and the histograms of their times."""
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


REGISTRY.register(ActTimes())


async def exposition() -> bytes:
    """Return all metrics in Prometheus's text format."""
    return generate_latest(REGISTRY)


ALONE = nullcontext(exposition)  # stands in for `among_workers` where one process serves alone


def _samples() -> list[Any]:
    """Return each metric's name, help text, type and samples, for another worker's `_Merged`."""
    return [[it.name, it.documentation, it.type, it.samples] for it in REGISTRY.collect()]


@asynccontextmanager
async def among_workers(directory: Path, number: int) -> AsyncIterator[Scrape]:
    """Serve this worker's samples to the others; yield a function that returns the samples of all.

    `directory` has the sockets of all workers, and `number` is this worker's. Workers that do not
    answer are left out. Raises OSError if there is no such directory.
    """
    here = directory / f"{number}.{os.getpid()}"
    for earlier in directory.glob(f"{number}.*"):  # noqa: ASYNC240  # a few names
        earlier.unlink(missing_ok=True)  # its worker has ended, or is about to
    server = await asyncio.start_unix_server(_send_samples, here, limit=MAX_REPLY_BYTES)

    async def exposition_of_all() -> bytes:
        others = [path for path in directory.iterdir() if path != here]  # noqa: ASYNC240  # a few
        fetched = await asyncio.gather(*map(_fetch_samples, others))
        # The stem of a socket's name is the worker's number.
        samples = {path.stem: each for path, each in zip(others, fetched, strict=True)}
        return generate_latest(_Merged({**samples, here.stem: _samples()}))

    try:
        yield exposition_of_all
    finally:
        server.close()
        here.unlink(missing_ok=True)


class _Merged(Collector):
    """The metrics of several workers, each with its own label `worker`."""

    def __init__(self, samples_by_worker: dict[str, list[Any]]) -> None:
        self._samples_by_worker = samples_by_worker

    def collect(self) -> Iterable[Metric]:
        found: dict[str, Metric] = {}
        for worker, its_samples in sorted(self._samples_by_worker.items()):
            for name, about, metric_type, samples in its_samples:
                metric = found.setdefault(name, Metric(name, about, metric_type))
                for full_name, labels, value, *_ in samples:
                    metric.add_sample(full_name, {**labels, "worker": worker}, value)
        return found.values()


async def _send_samples(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(json.dumps(_samples()).encode())
    writer.close()


async def _fetch_samples(path: Path) -> list[Any]:
    """Return the samples of the worker that listens at `path`; empty if it does not answer."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            reader, writer = await asyncio.open_unix_connection(path, limit=MAX_REPLY_BYTES)
            try:
                return list(json.loads(await reader.read()))
            finally:
                writer.close()
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        log.warning("a worker does not say what it counted", worker=path.name, error=str(error))
        return []

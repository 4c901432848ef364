"""The metrics of all workers of one port, merged by the worker that answers the scrape.

Each worker counts for itself, and the system chooses the worker that a scrape of the shared port
reaches. So every worker also answers at a Unix socket, in a directory that only the workers know,
and the scraped worker reads the samples of all others. Counters carry the label `worker`: the
counters of a restarted worker begin at 0.
"""

import asyncio
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import structlog
from prometheus_client import generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from server import metrics

TIMEOUT_S = 2.0
MAX_ANSWER_BYTES = 4 * 1024 * 1024

log = structlog.get_logger()


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
        counts[_worker(self._here)] = metrics.plain_samples()
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
    writer.write(json.dumps(metrics.plain_samples()).encode())
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

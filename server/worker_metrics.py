"""What the workers of one port have counted, told by whichever of them is asked.

Each counts for itself, and nobody knows whom a scrape of the shared port will reach. So every
worker answers at a Unix socket too, in a directory that only they know, and the one that is
asked asks the others. Counters carry the label `worker`: one that is restarted begins at 0.
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

PATIENCE_S = 2.0
LONGEST = 4 * 1024 * 1024

log = structlog.get_logger()


class WorkerMetrics:
    """The workers of one port, of which this process is one."""

    def __init__(self, directory: Path, number: int) -> None:
        self._here = directory / f"{number}.{os.getpid()}"
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Answers the others from now on.

        Raises:
            OSError: the directory is not there.
        """
        for before in self._here.parent.glob(f"{_worker(self._here)}.*"):
            before.unlink(missing_ok=True)  # this one takes its place, dead or about to leave
        self._server = await asyncio.start_unix_server(_tell, self._here, limit=LONGEST)

    async def close(self) -> None:
        """Answers no more."""
        assert self._server is not None, "it was opened"
        self._server.close()
        self._here.unlink(missing_ok=True)

    async def page(self) -> bytes:
        """What all have counted, in Prometheus's text format; who does not answer is left out."""
        others = [path for path in self._here.parent.iterdir() if path != self._here]
        told = await asyncio.gather(*(_ask(path) for path in others))
        counts = {_worker(path): counted for path, counted in zip(others, told, strict=True)}
        counts[_worker(self._here)] = metrics.counted()
        return generate_latest(_Together(counts))


class _Together(Collector):
    """The counts of several workers under one name each."""

    def __init__(self, counts: dict[str, list[Any]]) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        found: dict[str, Metric] = {}
        for worker, counted in sorted(self._counts.items()):
            for name, about, kind, samples in counted:
                metric = found.setdefault(name, Metric(name, about, kind))
                for sample, labels, value in samples:
                    metric.add_sample(sample, {**labels, "worker": worker}, value)
        return found.values()


def _worker(path: Path) -> str:
    return path.name.partition(".")[0]


async def _tell(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(json.dumps(metrics.counted()).encode())
    writer.close()


async def _ask(path: Path) -> list[Any]:
    try:
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST)
            try:
                told: list[Any] = json.loads(await reader.read())
            finally:
                writer.close()
    except (OSError, ValueError) as error:  # TimeoutError is an OSError
        log.warning("a worker does not say what it counted", worker=path.name, error=str(error))
        return []
    return told

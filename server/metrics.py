"""What an operator watches, in Prometheus's terms.

Each process counts for itself; see siblings.py for those that share a port.
"""

from collections import Counter as Tally
from collections.abc import Callable, Iterable
from typing import Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)  # memory, file descriptors and CPU time, where there is /proc
_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

acts = Counter("spider_race_acts", "Acts that were stored and acknowledged", registry=REGISTRY)
refusals = Counter(
    "spider_race_refusals", "Commands that were refused", ["code"], registry=REGISTRY
)
act_seconds = Histogram(
    "spider_race_act_seconds",
    "From the judging of an act to its reply",
    buckets=_FAST,
    registry=REGISTRY,
)
commit_seconds = Histogram(
    "spider_race_commit_seconds",
    "From the queueing of an act for the store to its answer",
    buckets=_FAST,
    registry=REGISTRY,
)
skips = Counter(
    "spider_race_fanout_skips",
    "Standings or boards that a slow socket was spared",
    registry=REGISTRY,
)
closes = Counter(
    "spider_race_closes", "Sockets that the server closed", ["code"], registry=REGISTRY
)
store_errors = Counter(
    "spider_race_store_errors",
    "Commands that Redis did not answer, or refused",
    registry=REGISTRY,
)
loop_lag = Gauge(
    "spider_race_loop_lag_seconds",
    "How late the event loop was, the last time it was looked at",
    registry=REGISTRY,
)


class Here(Collector):
    """What is connected to this process: sockets, and the rooms they sit in, by state."""

    def __init__(self, sockets: Callable[[], int], states: Callable[[], Iterable[str]]) -> None:
        self._sockets = sockets
        self._states = states

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """The gauges of now."""
        sockets = GaugeMetricFamily("spider_race_sockets", "Open connections")
        sockets.add_metric([], self._sockets())
        yield sockets
        rooms = GaugeMetricFamily(
            "spider_race_rooms", "Rooms that somebody here sits in", labels=["state"]
        )
        for state, number in Tally(self._states()).items():
            rooms.add_metric([state], number)
        yield rooms


async def page() -> bytes:
    """All of it, in Prometheus's text format."""
    return generate_latest(REGISTRY)


def counted() -> list[Any]:
    """All of it as plain values, for another process: name, help, type, samples."""
    return [
        [
            metric.name,
            metric.documentation,
            metric.type,
            [[sample.name, sample.labels, sample.value] for sample in metric.samples],
        ]
        for metric in REGISTRY.collect()
    ]

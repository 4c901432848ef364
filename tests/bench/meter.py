"""The use of CPU time, and the bytes received, while a server does something."""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.bench.lean import Lean
from tests.bench.subject import Subject


@dataclass(frozen=True, slots=True)
class Usage:
    """What a server and its store used while it did something `count` times."""

    count: int
    seconds: float
    cpu_s: float
    kernel_s: float
    store_s: float
    received: int
    """Bytes that all clients of this process received, with the heads of frames."""

    @property
    def per_s(self) -> float:
        return self.count / self.seconds

    @property
    def cpu_us(self) -> float:
        """The server's CPU time each, in microseconds."""
        return self.cpu_s / self.count * 1e6

    @property
    def kernel_us(self) -> float:
        return self.kernel_s / self.count * 1e6

    @property
    def store_us(self) -> float:
        return self.store_s / self.count * 1e6

    @property
    def bytes_each(self) -> float:
        return self.received / self.count


class Meter:
    """Measures what a server uses from now on."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._cpu, self._kernel = subject.cpu_s(), subject.kernel_s()
        self._store = subject.store_s()
        self._received = Lean.received_bytes
        self._began = time.perf_counter()

    def read(self, count: int) -> Usage:
        """Return what was used, for `count` of something."""
        return Usage(
            count=count,
            seconds=time.perf_counter() - self._began,
            cpu_s=self._subject.cpu_s() - self._cpu,
            kernel_s=self._subject.kernel_s() - self._kernel,
            store_s=self._subject.store_s() - self._store,
            received=Lean.received_bytes - self._received,
        )


def median_ms(latencies: Sequence[float]) -> float:
    """Return the median of seconds, in milliseconds."""
    return statistics.median(latencies) * 1e3


def p99_ms(latencies: Sequence[float]) -> float:
    """Return the 99th percentile of seconds, in milliseconds."""
    return statistics.quantiles(latencies, n=100)[98] * 1e3

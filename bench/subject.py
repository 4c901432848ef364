"""The measured server, and the CPU time, memory and bytes that it uses."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TICKS_PER_S = 100


@dataclass(frozen=True, slots=True)
class Code:
    """The code to measure: a Python, and the folder to run it in."""

    python: str
    folder: Path | None


HERE = Code(sys.executable, None)
"""The sources of this checkout."""
MANY_ROOMS = ("--max-rooms", "1000000", "--rooms-per-address", "1000000")
"""Options for more rooms than one address may usually open."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A process that listens on a port of the loopback."""

    process: asyncio.subprocess.Process
    port: int
    data_dir: Path

    def cpu_s(self) -> float:
        """Return the CPU time of the process and its workers, with the kernel's part."""
        return sum(self._cpu_s())

    def kernel_s(self) -> float:
        """Return the kernel's part of that."""
        return self._cpu_s()[1]

    def store_s(self) -> float:
        """Return the CPU time of its embedded store, with the kernel's part."""
        return sum(_cpu_s(pid for pid in self._children() if _is_store(pid)))

    def _cpu_s(self) -> tuple[float, float]:
        serving = (pid for pid in self._children() if not _is_store(pid) and not _is_nice(pid))
        return _cpu_s([self.process.pid, *serving])

    def _children(self) -> list[int]:
        path = f"task/{self.process.pid}/children"
        return list(map(int, read(self.process.pid, path).split()))

    def memory_kib(self) -> int:
        """Return the resident memory of the process."""
        status = read(self.process.pid, "status").splitlines()
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def _is_store(pid: int) -> bool:
    return "valkey" in read(pid, "comm")


def _is_nice(pid: int) -> bool:
    """Return whether a process has a low priority, like the computing process."""
    return int(read(pid, "stat").rpartition(")")[2].split()[16]) > os.nice(0)


def _cpu_s(pids: Iterable[int]) -> tuple[float, float]:
    """Return the CPU time of processes, in the program and in the kernel."""
    all_fields = [read(pid, "stat").rpartition(")")[2].split() for pid in pids]
    user = sum(int(fields[11]) for fields in all_fields) / TICKS_PER_S
    return user, sum(int(fields[12]) for fields in all_fields) / TICKS_PER_S


def read(pid: int, name: str) -> str:
    """Return a file of the kernel about a process."""
    return Path(f"/proc/{pid}/{name}").read_text(encoding="ascii")


class Received:
    """The bytes received by all sockets of this process."""

    bytes = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a server and its store used for `count` acts or echoes."""

    count: int
    seconds: float
    cpu_s: float
    kernel_s: float
    store_s: float
    received: float

    @property
    def per_s(self) -> float:
        return self.count / self.seconds

    @property
    def cpu_us(self) -> float:
        """The server's CPU time for each, in microseconds."""
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
        self._before = self._now()

    def _now(self) -> tuple[float, float, float, float, int]:
        subject = self._subject
        used = subject.cpu_s(), subject.kernel_s(), subject.store_s()
        return (time.perf_counter(), *used, Received.bytes)

    def read(self, count: int) -> Usage:
        """Return the usage since the start, for `count` acts or echoes."""
        seconds, cpu_s, kernel_s, store_s, received = (
            now - before for before, now in zip(self._before, self._now(), strict=True)
        )
        return Usage(count, seconds, cpu_s, kernel_s, store_s, received)


@asynccontextmanager
async def started(*options: str, code: Code = HERE) -> AsyncIterator[Subject]:
    """Run a server with its own store until the end of the block."""
    with TemporaryDirectory() as made:
        server = await start(Path(made), *options, code=code)
        try:
            yield server
        finally:
            await stop(server)


async def start(data_dir: Path, *options: str, port: int = 0, code: Code = HERE) -> Subject:
    """Start a server with a store in `data_dir`."""
    return await launch(
        "bench.unlimited", data_dir,
        "--port", str(port), "--data-dir", str(data_dir), "--log-level", "warning", *options,
        code=code,
    )  # fmt: skip


async def launch(module: str, data_dir: Path, *options: str, code: Code = HERE) -> Subject:
    """Start a program of this project that prints its address."""
    process = await asyncio.create_subprocess_exec(
        *(code.python, "-m", module, "--host", "127.0.0.1", *options),
        stdout=asyncio.subprocess.PIPE,
        cwd=code.folder,
    )
    assert process.stdout is not None
    line = (await process.stdout.readline()).decode()
    return Subject(process, int(line.rstrip("/\n").rpartition(":")[2]), data_dir)


async def stop(subject: Subject) -> None:
    """Terminate a program, and wait for its end."""
    if subject.process.returncode is None:
        subject.process.terminate()
    await subject.process.wait()

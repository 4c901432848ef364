"""The process that is measured, and what it has used."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TICKS_PER_S = 100


@dataclass(frozen=True, slots=True)
class Subject:
    """A process that listens on a port of the loopback."""

    process: asyncio.subprocess.Process
    port: int
    data_dir: Path

    @property
    def pid(self) -> int:
        """Its number."""
        return self.process.pid

    def cpu_s(self) -> float:
        """The CPU time that it has used: its own, the kernel's for it, not its children's."""
        fields = self._read("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS_PER_S

    def memory_kib(self) -> int:
        """What it holds of the machine's memory."""
        found = [line for line in self._read("status").splitlines() if line.startswith("VmRSS")]
        return int(found[0].split()[1])

    def _read(self, name: str) -> str:
        return Path(f"/proc/{self.pid}/{name}").read_text(encoding="ascii")


@asynccontextmanager
async def started(module: str = "tests.bench.unlimited", *options: str) -> AsyncIterator[Subject]:
    """A program of ours, until the end of the block; a server keeps its store for itself."""
    with TemporaryDirectory() as made:
        if module != "tests.bench.echo":
            options = (*options, "--data-dir", made, "--log-level", "warning")
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", module, "--host", "127.0.0.1", "--port", "0", *options),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            yield Subject(process, int(line.rstrip("/\n").rpartition(":")[2]), Path(made))
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()

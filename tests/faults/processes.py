"""Server processes that a test starts, watches by their logs, and ends."""

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.faults.stores import Alone, Masters, Store
from tests.servers import Cluster
from tests.waiting import until

FENCED = "server"
TRACKER = "resource_tracker"  # part of Python's two lines about the semaphores of a killed process
UNFENCED = "tests.faults.unfenced"
RETRY_S = 0.3
NO_STORE = 2  # the exit code of a server that finds no Redis


class Process:
    """One process of the server at a port that the system chooses; its log is a file."""

    def __init__(
        self,
        log: Path,
        *options: str,
        module: str = FENCED,
        code: Path | None = None,
        port: int = 0,
    ) -> None:
        self.log = log
        self.port = port
        self.running: asyncio.subprocess.Process
        address = ("--host", "127.0.0.1", "--port", str(port))
        self._command = (sys.executable, "-m", module, *address, "--log-format", "json", *options)
        self._code = code  # the directory of another release's code; None for this release

    async def start(self) -> bool:
        """Start it and wait until it serves; return False if it ends before."""
        with self.log.open("ab") as output:
            self.running = await asyncio.create_subprocess_exec(
                *self._command, stdout=asyncio.subprocess.PIPE, stderr=output, cwd=self._code
            )
        assert self.running.stdout is not None
        line = (await self.running.stdout.readline()).decode()
        address = re.search(r"http://[^/]*:(\d+)/", line)  # no JSON in older releases
        if address is not None:
            self.port = int(address[1])
        return address is not None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def operations(self) -> int:
        """The port of the operators, which the server has chosen."""
        return int(self.entries("serving")[-1]["operations"])

    def send(self, number: signal.Signals) -> None:
        self.running.send_signal(number)

    def lines(self) -> list[str]:
        """Return all lines that the process has written to standard error."""
        text = self.log.read_text(encoding="utf-8", errors="replace")
        return text[: text.rfind("\n") + 1].splitlines()

    def entries(self, event: str | None = None) -> list[dict[str, Any]]:
        """Return the entries of the log, or those about one event."""
        found = [json.loads(line) for line in self.lines() if line.startswith("{")]
        return [entry for entry in found if event in {None, entry["event"]}]

    async def logged(self, event: str, times: int = 1) -> list[dict[str, Any]]:
        """Wait until an event has been logged so often; return its entries."""
        return await until(lambda: found if len(found := self.entries(event)) >= times else [])

    async def ended(self) -> int:
        """Tell the process to end, if it still runs; return its exit code."""
        with suppress(ProcessLookupError):
            self.running.terminate()
        return await self.running.wait()


@asynccontextmanager
async def serving(
    log: Path, *options: str, exit_code: int = 0, code: Path | None = None, port: int = 0
) -> AsyncIterator[Process]:
    """Run a server until the block ends; it must end with this code."""
    process = Process(log, *options, code=code, port=port)
    try:
        assert await process.start(), process.lines()
        yield process
    finally:
        ended = await process.ended()
    assert ended == exit_code


class Server(Process):
    """A server that is started again when it ends; its port is another one then."""

    def __init__(self, number: int, module: str, url: str, directory: Path) -> None:
        options = ("--redis-url", url, "--log-level", "warning")
        super().__init__(directory / f"server-{number}.log", *options, module=module)
        self.is_up = False
        self.troubles: list[str] = []
        self._busy = asyncio.Lock()

    async def start(self) -> bool:
        """Start the server, repeatedly while Redis is away, as a supervisor would."""
        while not await super().start():
            if (code := await self.running.wait()) != NO_STORE:
                self.troubles.append(f"{self.log.name}: no start, exit code {code}")
            await asyncio.sleep(RETRY_S)
        self.is_up = True
        return True

    async def replace(self, away_s: float, *, killed: bool) -> None:
        """Kill the server, or stop it by SIGTERM; start another one after a while."""
        async with self._busy:
            await (self.end() if killed else self._stop())
            await asyncio.sleep(away_s)
            await self.start()

    async def end(self) -> None:
        """Kill the server for good."""
        self.is_up = False
        self.running.kill()
        await self.running.wait()

    async def stall(self, seconds: float) -> None:
        """Suspend the server for some seconds, with all its sockets open."""
        async with self._busy:
            self.send(signal.SIGSTOP)
            try:
                await asyncio.sleep(seconds)
            finally:
                self.send(signal.SIGCONT)

    async def close(self) -> None:
        async with self._busy:
            if self.is_up:
                await self._stop()

    async def _stop(self) -> None:
        self.is_up = False
        if (code := await self.ended()) != 0:
            self.troubles.append(f"{self.log.name}: stopped with exit code {code}")

    def errors(self) -> list[str]:
        """Return the errors in the log, and lines that are not entries."""
        found = []
        for line in self.lines():
            try:
                entry = json.loads(line)
                # No Redis, and so no start.
                has_failed = entry["event"] == "failed" and "why" in entry
                bad = entry["level"] in {"error", "critical"} and not has_failed
            except (ValueError, TypeError, KeyError):
                bad = TRACKER not in line
            if bad:
                found.append(f"{self.log.name}: {line}")
        return found


class Fleet:
    def __init__(self, store: Store, servers: list[Server]) -> None:
        self.servers = servers
        self.store = store

    def ports(self) -> list[int]:
        return [server.port for server in self.servers if server.is_up]

    def troubles(self) -> list[str]:
        return [text for each in self.servers for text in (*each.troubles, *each.errors())]


@asynccontextmanager
async def fleet(
    directory: Path, servers: int, module: str = FENCED, *, clustered: bool = False
) -> AsyncIterator[Fleet]:
    """Run `servers` servers on a cluster, or on a Redis that syncs every write to disk."""
    data = directory / "redis"
    data.mkdir(mode=0o700)
    store: Store = Masters(Cluster(data)) if clustered else Alone(data)
    try:
        all_ = Fleet(store, [Server(i, module, store.url, directory) for i in range(servers)])
        try:
            await asyncio.gather(*(server.start() for server in all_.servers))
            yield all_
        finally:
            await asyncio.gather(*(server.close() for server in all_.servers))
    finally:
        await store.stop()

"""The processes that suffer faults: servers on one Redis, which the run starts and ends."""

import asyncio
import json
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.faults.stores import Alone, Masters, Store
from tests.servers import Cluster

FENCED = "server"
UNFENCED = "tests.faults.unfenced"
START_SECONDS = 60.0
STOP_SECONDS = 20.0
RETRY_SECONDS = 0.3
Expected = Callable[[dict[str, Any]], bool]
"""Return whether an error in a log is expected."""
NO_STORE = 2  # the exit code of a server that finds no Redis


class Server:
    """One slot for a server process; a process that ends is replaced."""

    def __init__(
        self, number: int, module: str, url: str, directory: Path, code: Path | None = None
    ) -> None:
        self.port: int | None = None
        self.troubles: list[str] = []
        self.log = directory / f"server-{number}.log"
        self._number = number
        self._code = code  # the directory of another release's code; None for this release
        options = ("--host", "127.0.0.1", "--port", "0", "--redis-url", url)
        logs = ("--log-format", "json", "--log-level", "warning")
        self._module, self._options = module, (*options, *logs)
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()

    @property
    def is_last_release(self) -> bool:
        """Whether the last release serves in place of this one."""
        return self._code is not None

    async def start(self) -> None:
        """Start the server, repeatedly while Redis is away, as a supervisor would."""
        async with asyncio.timeout(START_SECONDS):
            while not await self._started():
                await asyncio.sleep(RETRY_SECONDS)

    async def _started(self) -> bool:
        module = self._module if self._code is None else FENCED
        command = (sys.executable, "-m", module, *self._options)
        with self.log.open("ab") as output:
            self._process = process = await asyncio.create_subprocess_exec(
                *command, stdout=asyncio.subprocess.PIPE, stderr=output, cwd=self._code
            )
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        if "http://" in line:
            self.port = int(line.rsplit(":", 1)[1].strip(" /\n"))
            return True
        code = await process.wait()
        if code != NO_STORE:
            self.troubles.append(f"server {self._number} did not start: exit code {code}")
        return False

    async def kill(self, away: float) -> None:
        """Kill the server, and start another one after `away` seconds."""
        async with self._busy:
            assert self._process is not None
            self.port = None
            self._process.kill()
            await self._process.wait()
            await asyncio.sleep(away)
            await self.start()

    async def end(self) -> None:
        """Kill the server for good."""
        async with self._busy:
            assert self._process is not None
            self.port = None
            self._process.kill()
            await self._process.wait()

    async def terminate(self, away: float) -> None:
        """Stop the server by SIGTERM, and start another one after `away` seconds."""
        async with self._busy:
            await self._stop()
            await asyncio.sleep(away)
            await self.start()

    async def stall(self, seconds: float) -> None:
        """Suspend the server for some seconds, with all its sockets open."""
        async with self._busy:
            assert self._process is not None
            self.pause()
            try:
                await asyncio.sleep(seconds)
            finally:
                self.resume()

    @asynccontextmanager
    async def replaced(self, code: Path) -> AsyncIterator[None]:
        """Replace the server by that of another release, whose code is in a directory."""
        async with self._busy:
            await self._exchange(code)
            try:
                yield
            finally:
                await self._exchange(None)

    async def _exchange(self, code: Path | None) -> None:
        await self._stop()
        self._code = code
        await self.start()

    def pause(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    async def close(self) -> None:
        async with self._busy:
            if self._process is not None and self._process.returncode is None:
                await self._stop()

    async def _stop(self) -> None:
        assert self._process is not None
        self.port = None
        self._process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                code = await self._process.wait()
        except TimeoutError:
            self.troubles.append(f"server {self._number} did not stop within {STOP_SECONDS:.0f} s")
            self._process.kill()
            await self._process.wait()
            return
        if code != 0:
            self.troubles.append(f"server {self._number} stopped with exit code {code}")

    def errors(self, expected: Expected = lambda _: False) -> list[str]:
        """Return the unexpected errors in the server's log, and lines that are no log entries."""
        found = []
        for line in self.log.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                entry = json.loads(line)
                bad = entry["level"] in {"error", "critical"} and not expected(entry)
            except (ValueError, TypeError, KeyError):
                bad = not line.startswith("spider-race: ")  # no Redis, and so no start
            if bad:
                found.append(f"{self.log.name}: {line}")
        return found


class Fleet:
    """All servers and their store."""

    def __init__(self, store: "Store", servers: list[Server]) -> None:
        self.servers = servers
        self.store = store

    def ports(self, *, of_last_release: bool = True) -> list[int]:
        """Return the ports of running servers, those of the last release only if wanted."""
        servers = (one for one in self.servers if of_last_release or not one.is_last_release)
        return [server.port for server in servers if server.port is not None]

    def is_last_release(self, port: int) -> bool:
        """Return whether the last release serves at a port."""
        return any(server.is_last_release for server in self.servers if server.port == port)

    def troubles(self, expected: Expected = lambda _: False) -> list[str]:
        """Return the problems of all servers, without errors for which `expected` is true."""
        return [
            trouble
            for server in self.servers
            for trouble in (*server.troubles, *server.errors(expected))
        ]


@asynccontextmanager
async def fleet(
    directory: Path, servers: int, module: str = FENCED, *, clustered: bool = False
) -> AsyncIterator[Fleet]:
    """Run `servers` servers on a cluster, or on a Redis that syncs every write to disk."""
    data = directory / "redis"
    data.mkdir(mode=0o700)
    store: Store = Masters(Cluster(data)) if clustered else await Alone.open(data)
    try:
        all_ = Fleet(store, [Server(i, module, store.url, directory) for i in range(servers)])
        try:
            await asyncio.gather(*(server.start() for server in all_.servers))
            yield all_
        finally:
            await asyncio.gather(*(server.close() for server in all_.servers))
    finally:
        await store.stop()

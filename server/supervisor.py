"""Several processes on one port, over one store; none of them owns a room."""

import asyncio
import contextlib
import gc
import multiprocessing
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import structlog

from server.app import open_store, serve_until_told
from server.config import Config
from server.http.sockets import bind, bind_operations
from server.logs import set_up_logs
from server.store import StoreTooOld, StoreUnusable
from server.worker_metrics import WorkerMetrics

RESTART_S = 1.0
START_S = 30.0
LOOK_S = 0.05
LEAVE_S = 2.0
YOUNG = (20_000, 20, 20)
"""How many new objects there are before the collector looks for circles among them."""
STOP_S = 15.0

log = structlog.get_logger()


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs `work` on the fastest event loop there is."""
    # What the imports made stays, and circles are few: an act leaves none behind. By Python's own
    # measure the collector takes a tenth of the time under load, 60 ms at a stretch.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415  # not to be had on Windows

        uvloop.run(work)


def work(config: Config, directory: Path, number: int, ready: Event) -> None:
    """One worker process, from start to end."""
    set_up_logs(config)
    worker_metrics = WorkerMetrics(directory, number)
    try:
        run(serve_until_told(config, lambda _listener: ready.set(), worker_metrics))
    except (StoreTooOld, StoreUnusable) as error:
        log.error("worker cannot serve", why=str(error))  # noqa: TRY400  # whose fault is plain
        sys.exit(1)


class Worker:
    """A process at the port, in a place that is filled again whenever it is emptied."""

    def __init__(self, config: Config, directory: Path, number: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._given = (config, directory, number)
        self._ready = context.Event()
        self.process = context.Process(target=work, args=(*self._given, self._ready))
        with _uninterrupted():
            self.process.start()
        log.info("worker started", pid=self.process.pid)

    def kept(self) -> "Worker":
        """This one, or another in its place if it has died."""
        if self.process.is_alive():
            return self
        log.warning("worker died", pid=self.process.pid, exit_code=self.process.exitcode)
        return Worker(*self._given)

    async def successor(self) -> "Worker | None":
        """Start another one for this place, which serves beside this one; None if it fails."""
        other = Worker(*self._given)
        if await other.serves():
            return other
        log.error("worker not replaced", pid=self.process.pid)
        await asyncio.to_thread(end, [other.process])
        return None

    async def serves(self) -> bool:
        """Waits until it does; False if it does not come to that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(START_S):
                while self.process.is_alive() and not self._ready.is_set():  # noqa: ASYNC110  # another process's event
                    await asyncio.sleep(LOOK_S)
        return self._ready.is_set()


async def renewed(workers: Sequence[Worker], stop: asyncio.Event) -> list[Worker]:
    """Start a successor for each worker, then end all that have one, together.

    So all old ones stop listening before any of them sends its players away, and nobody comes
    from one old worker to another. Once `stop` is set no more are started.
    """
    places = [(worker, None if stop.is_set() else await worker.successor()) for worker in workers]
    await asyncio.to_thread(end, [old.process for old, new in places if new is not None])
    for old, new in places:
        if new is not None:
            log.info("worker replaced", pid=old.process.pid, by=new.process.pid)
    return [old if new is None else new for old, new in places]


@contextlib.contextmanager
def _uninterrupted() -> Iterator[None]:
    """What starts meanwhile never hears Ctrl-C, which is for the supervisor; that hears it after.

    A terminal tells it to all, and a worker that is still being imported would print a traceback.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end(processes: Sequence[SpawnProcess]) -> None:
    """Tells processes to stop, and waits until they have."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(STOP_S)
        if process.is_alive():
            process.kill()


def _name(listening_socket: socket.socket) -> str:
    """Return `host:port` of a socket."""
    host, port, *_ = listening_socket.getsockname()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def _listening_socket(config: Config) -> socket.socket:
    """The port's place-holder; workers whose supervisor was killed get a moment to leave it.

    Raises:
        OSError: the address cannot be listened on.
    """
    loop = asyncio.get_running_loop()
    give_up = loop.time() + LEAVE_S
    while True:
        try:
            return bind(config, listening=False)
        except OSError:
            if loop.time() > give_up:
                raise
        await asyncio.sleep(LOOK_S)


async def supervise(config: Config, ready: Callable[[int], None]) -> None:
    """Keeps `config.workers` processes at work until SIGTERM or SIGINT; one that dies is replaced.

    SIGHUP replaces all by processes that read code and page anew. The store, if it is the embedded
    one, is this process's: it starts it again when it ends, and ends the workers when that is of
    no use any more.

    Raises:
        OSError: the address cannot be listened on.
        StoreUnusable, StoreTooOld: the store cannot be used, in one clear sentence.
    """
    stop, renew = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGHUP, renew.set)
    async with open_store(config, stop) as store:
        # The workers share the port with this socket, which never listens: it only keeps the
        # port ours, and says which it is when any would do.
        with contextlib.ExitStack() as held:
            listening_socket = held.enter_context(await _listening_socket(config))
            port = int(listening_socket.getsockname()[1])
            operators = held.enter_context(bind_operations(config, port, listening=False))
            made = held.enter_context(tempfile.TemporaryDirectory())
            theirs = config.model_copy(
                update={
                    "redis_url": store.url,
                    "port": port,
                    "operations": _name(operators),
                }
            )
            workers = [Worker(theirs, Path(made), number) for number in range(config.workers)]
            await asyncio.gather(*(worker.serves() for worker in workers))
            ready(port)
            while not stop.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), RESTART_S)
                if renew.is_set():
                    renew.clear()
                    workers = await renewed(workers, stop)
                elif not stop.is_set():
                    workers = [worker.kept() for worker in workers]
            await asyncio.to_thread(end, [worker.process for worker in workers])

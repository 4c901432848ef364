"""Several processes on one port, over one store; none of them owns a room."""

import asyncio
import contextlib
import multiprocessing
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.context import SpawnProcess
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import structlog

from server.app import serve_until_told
from server.config import Config
from server.logs import set_up_logs
from server.net.listener import bind
from server.siblings import Siblings
from server.store import Store

RESTART_S = 1.0
START_S = 30.0
STOP_S = 15.0

log = structlog.get_logger()


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs `work` on the fastest event loop there is."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415  # not to be had on Windows

        uvloop.run(work)


def work(config: Config, directory: Path, number: int, ready: Event) -> None:
    """One worker process, from start to end."""
    set_up_logs(config)
    run(serve_until_told(config, lambda _listener: ready.set(), Siblings(directory, number)))


class Worker:
    """A place at the port, and the process that fills it."""

    def __init__(self, config: Config, directory: Path, number: int) -> None:
        self._config = config
        self._directory = directory
        self._number = number
        self.start()

    def start(self) -> None:
        """Starts a process here, in place of none or of one that is to go."""
        context = multiprocessing.get_context("spawn")
        self.ready = context.Event()
        arguments = (self._config, self._directory, self._number, self.ready)
        self.process = context.Process(target=work, args=arguments)
        self.process.start()
        log.info("worker started", pid=self.process.pid)

    def keep(self) -> None:
        """Starts another if the process has died."""
        if not self.process.is_alive():
            log.warning("worker died", pid=self.process.pid, exit_code=self.process.exitcode)
            self.start()

    async def renew(self) -> None:
        """Has another process take this place, which is there before this one goes."""
        old = self.process
        self.start()
        if not await asyncio.to_thread(self.ready.wait, START_S):
            log.warning("worker is slow to start", pid=self.process.pid)
        await asyncio.to_thread(end, [old])
        log.info("worker replaced", pid=old.pid, by=self.process.pid)


def end(processes: Sequence[SpawnProcess]) -> None:
    """Tells processes to stop, and waits until they have."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(STOP_S)
        if process.is_alive():
            process.kill()


async def supervise(config: Config, ready: Callable[[int], None]) -> None:
    """Keeps `config.workers` processes at work until SIGTERM or SIGINT; one that dies is replaced.

    SIGHUP replaces all, one after the other, by processes that read code and page anew. The
    store, if it is the embedded one, is this process's.

    Raises:
        OSError: the address cannot be listened on.
        StoreUnusable, StoreTooOld: the store cannot be used, in one clear sentence.
    """
    stop, renew = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    loop.add_signal_handler(signal.SIGHUP, renew.set)
    store = await Store.open(config.redis_url, config.data_dir)
    try:
        # The workers share the port with this socket, which never listens: it only keeps the
        # port ours, and says which it is when any would do.
        with bind(config, listening=False) as door, tempfile.TemporaryDirectory() as made:
            port = int(door.getsockname()[1])
            theirs = config.model_copy(update={"redis_url": store.url, "port": port})
            workers = [Worker(theirs, Path(made), number) for number in range(config.workers)]
            ready(port)
            while not stop.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), RESTART_S)
                for worker in workers:
                    if renew.is_set() and not stop.is_set():
                        await worker.renew()
                    elif not stop.is_set():
                        worker.keep()
                renew.clear()
            await asyncio.to_thread(end, [worker.process for worker in workers])
    finally:
        await store.close()

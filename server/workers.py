"""Several processes on one port, over one store; none of them owns a room."""

import asyncio
import contextlib
import multiprocessing
import signal
import sys
from collections.abc import Callable, Coroutine
from multiprocessing.context import SpawnProcess
from typing import Any

import structlog

from server.app import serve_until_told
from server.config import Config
from server.logs import set_up_logs
from server.net.listener import bind
from server.store import Store

RESTART_S = 1.0
STOP_S = 15.0

log = structlog.get_logger()


def run(work: Coroutine[Any, Any, None]) -> None:
    """Runs `work` on the fastest event loop there is."""
    if sys.platform == "win32":
        asyncio.run(work)
    else:
        import uvloop  # noqa: PLC0415  # not to be had on Windows

        uvloop.run(work)


def work(config: Config) -> None:
    """One worker process, from start to end."""
    set_up_logs(config)
    run(serve_until_told(config, lambda _listener: None))


async def supervise(config: Config, ready: Callable[[int], None]) -> None:
    """Keeps `config.workers` processes at work until SIGTERM or SIGINT; one that dies is replaced.

    The store, if it is the embedded one, is this process's.

    Raises:
        OSError: the address cannot be listened on.
        StoreUnusable, StoreTooOld: the store cannot be used, in one clear sentence.
    """
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    store = await Store.open(config.redis_url, config.data_dir)
    try:
        # The workers share the port with this socket, which never listens: it only keeps the
        # port ours, and says which it is when any would do.
        with bind(config, listening=False) as door:
            port = int(door.getsockname()[1])
            theirs = config.model_copy(update={"redis_url": store.url, "port": port})
            workers = [_start(theirs) for _ in range(config.workers)]
            ready(port)
            while not stop.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), RESTART_S)
                workers = [_kept(worker, theirs, stop) for worker in workers]
            await asyncio.to_thread(_stop, workers)
    finally:
        await store.close()


def _start(config: Config) -> SpawnProcess:
    worker = multiprocessing.get_context("spawn").Process(target=work, args=(config,))
    worker.start()
    log.info("worker started", pid=worker.pid)
    return worker


def _kept(worker: SpawnProcess, config: Config, stop: asyncio.Event) -> SpawnProcess:
    if worker.is_alive() or stop.is_set():
        return worker
    log.warning("worker died", pid=worker.pid, exit_code=worker.exitcode)
    return _start(config)


def _stop(workers: list[SpawnProcess]) -> None:
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join(STOP_S)
        if worker.is_alive():
            worker.kill()

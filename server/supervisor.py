"""The supervisor of several worker processes on one port, over one store."""

import asyncio
import contextlib
import gc
import multiprocessing
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import structlog

from server.app import TUNING, Stop, Tuning, open_store, serve_until_stopped
from server.config import Config, set_up_logs
from server.metrics import among_workers
from server.store import StoreTooOld, StoreUnusable
from server.thinking.pool import uninterrupted
from server.web.addresses import bind, bind_operations

RESTART_S = 1.0  # look for dead workers this often
START_S = 30.0  # a worker may take this long to start
POLL_S = 0.05  # check this often whether a starting worker is ready
STOP_S = 15.0  # time from SIGTERM to SIGKILL
GC_THRESHOLDS = (20_000, 1, 200)
"""When the garbage collector runs: after this many new objects, and the two older generations
after this many collections of the next younger one."""

log = structlog.get_logger()


def run(main: Coroutine[Any, Any, None]) -> None:
    """Run `main` until it returns or raises `Stop`; use uvloop where it exists."""
    # The collector finds little: imported objects stay for good, and an act leaves no cycles. With
    # Python's default thresholds it takes a tenth of CPU time under load, 60 ms at a stretch.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    with contextlib.suppress(Stop):
        if sys.platform == "win32":
            asyncio.run(main)
        else:
            import uvloop  # noqa: PLC0415  # missing on Windows

            uvloop.run(main)


def run_worker(
    options: Config, tuning: Tuning, directory: Path, number: int, ready: Event
) -> None:
    """Run a worker process: serve until it is stopped, and set `ready` when clients can connect.

    `directory` has the sockets for the metrics of all workers; `number` is this worker's. After an
    upgrade the supervisor is still the old release, whose `options` may have other fields.
    """
    set_up_logs(options)
    metrics = among_workers(directory, number)
    try:
        config = Config(**{name: value for name, value in options if name in Config.model_fields})
        run(serve_until_stopped(config, lambda _listener: ready.set(), metrics, tuning))
    except (StoreTooOld, StoreUnusable) as error:
        log.error("worker cannot serve", why=str(error))  # noqa: TRY400  # the message names the cause
        sys.exit(1)
    except Exception:  # multiprocessing would print it in its own format
        log.critical("worker failed", exc_info=True)
        sys.exit(1)


class Worker:
    """A worker process, started at once. `arguments` go to `run_worker`, besides `ready`."""

    def __init__(self, *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._arguments, self.ready = arguments, context.Event()  # set once it serves
        self.process = context.Process(target=run_worker, args=(*arguments, self.ready))
        with uninterrupted():
            self.process.start()
        log.info("worker started", pid=self.process.pid)

    def replace_if_dead(self) -> "Worker":
        """Return this worker, or a new one with the same arguments if its process has died."""
        if self.process.is_alive():
            return self
        log.warning("worker died", pid=self.process.pid, exit_code=self.process.exitcode)
        return Worker(*self._arguments)

    async def start_successor(self) -> "Worker":
        """Start a worker to replace this one; return the new one, or this one if that fails."""
        successor = Worker(*self._arguments)
        if await successor.wait_until_ready():
            return successor
        log.error("worker not replaced", pid=self.process.pid)
        await asyncio.to_thread(stop_workers, [successor])
        return self

    async def wait_until_ready(self, start_s: float = START_S) -> bool:
        """Wait until the worker serves; return False if it ends first, or after `start_s`."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(start_s):
                while self.process.is_alive() and not self.ready.is_set():  # noqa: ASYNC110  # another process's event
                    await asyncio.sleep(POLL_S)
        return self.ready.is_set()


async def replace_workers(workers: Sequence[Worker], stop: asyncio.Event) -> list[Worker]:
    """Start a successor for each worker, then stop the replaced workers; return those that run.

    All replaced workers stop listening before any of them closes its connections, so no client
    reconnects to another one of them. Once `stop` is set, no more successors are started.
    """
    running = [each if stop.is_set() else await each.start_successor() for each in workers]
    pairs = [(old, new) for old, new in zip(workers, running, strict=True) if old is not new]
    await asyncio.to_thread(stop_workers, [old for old, _ in pairs])
    for old, new in pairs:
        log.info("worker replaced", pid=old.process.pid, by=new.process.pid)
    return running


def stop_workers(workers: Sequence[Worker]) -> None:
    """Terminate the workers and wait for them; kill any that takes longer than `STOP_S`."""
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(STOP_S)
        if worker.process.is_alive():
            worker.process.kill()


async def supervise(
    config: Config, ready: Callable[[int], None], start_s: float = START_S, tuning: Tuning = TUNING
) -> None:
    """Keep `config.workers` processes running until SIGTERM or SIGINT; replace those that die.

    `ready` is called with the port once all workers serve, or after `start_s` once any does. On
    SIGHUP all workers are replaced with processes that load the code and the client's files again.
    An embedded store belongs to this process, which restarts it when it dies, and stops the
    workers if that fails. Raises the same errors as `serve`.
    """
    stop, renew, loop = asyncio.Event(), asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stop.set)
    loop.add_signal_handler(signal.SIGINT, stop.set)
    loop.add_signal_handler(signal.SIGHUP, renew.set)
    async with open_store(config, stop, tuning) as store:
        # This socket never listens. It reserves the port that the workers share, and has its
        # number if the system chooses one.
        with (
            bind(config, listening=False) as reserved,
            bind_operations(config, reserved.getsockname()[1], listening=False) as operators,
            tempfile.TemporaryDirectory() as directory,
        ):
            port = int(reserved.getsockname()[1])
            host, operators_port, *_ = operators.getsockname()
            changes = {
                "redis_url": store.url,
                "port": port,
                "operations": f"{f'[{host}]' if ':' in host else host}:{operators_port}",
                "store_wait": 0,  # this process has waited, and restarts workers that fail
            }
            options, sockets = config.model_copy(update=changes), Path(directory)
            workers = [Worker(options, tuning, sockets, each) for each in range(config.workers)]
            await asyncio.gather(*(worker.wait_until_ready(start_s) for worker in workers))
            announced = False
            while not stop.is_set():
                serving = (each.ready.is_set() and each.process.is_alive() for each in workers)
                if not announced and any(serving):
                    announced = True
                    ready(port)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), RESTART_S)
                if renew.is_set():
                    renew.clear()
                    workers = await replace_workers(workers, stop)
                elif not stop.is_set():
                    workers = [worker.replace_if_dead() for worker in workers]
            await asyncio.to_thread(stop_workers, workers)

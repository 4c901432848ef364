"""The process of computer players, beside those that serve players.

It leaves the processors to others, and is started again when it has died. It ends with the
process that has started it.
"""

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

from server.bots.bots import Bots
from server.child_processes import end, uninterrupted
from server.config import Config
from server.logs import set_up_logs
from server.store import Store, StoreTooOld, StoreUnusable
from server.web.addresses import EVERYWHERE

LOOK_S: Final = 1.0
"""The time between two looks for processes that have died."""
SHORTEST_LIFE_S: Final = 10.0
"""The time between two starts of one process, at least."""
NICENESS_OF_BOTS: Final = 10
log = structlog.get_logger()


class Background:
    """The background processes of one server. `config` has the url of its store and its port."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._targets: dict[str, Callable[[Config], None]] = {}
        if config.bots:
            self._targets["computer players"] = run_bots
        self._processes: dict[str, multiprocessing.context.SpawnProcess] = {}
        self._started_at: dict[str, float] = {}

    async def keep(self) -> None:
        """Keep the processes running until cancelled, then end them."""
        try:
            while True:
                self.look()
                await asyncio.sleep(LOOK_S)
        finally:
            await asyncio.to_thread(end, list(self._processes.values()))

    async def renew(self) -> None:
        """Replace the processes by ones that load the code anew; their work goes on there."""
        replaced, self._processes = list(self._processes.values()), {}
        self.look()
        await asyncio.to_thread(end, replaced)

    def look(self) -> None:
        """Start each process that does not run, unless it was started a moment ago."""
        now = asyncio.get_running_loop().time()
        for name, target in self._targets.items():
            process = self._processes.get(name)
            if process is not None and process.is_alive():
                continue
            if process is not None and now < self._started_at[name] + SHORTEST_LIFE_S:
                continue
            if process is not None:
                log.warning("a process has died", name=name, exit_code=process.exitcode)
            self._started_at[name] = now
            self._processes[name] = self._start(name, target)

    def _start(
        self, name: str, target: Callable[[Config], None]
    ) -> multiprocessing.context.SpawnProcess:
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=target, args=(self._config,), daemon=True)
        with uninterrupted():
            process.start()
        log.info("process started", name=name, pid=process.pid)
        return process


def run_bots(config: Config) -> None:
    """Run the process of computer players, from start to end."""
    _lower_priority(NICENESS_OF_BOTS)
    _run(config, lambda store: Bots(store.jobs, lambda: own_address(config), config.bots).run())


def own_address(config: Config) -> str:
    """Return the address at which processes of this machine reach the server."""
    host = "127.0.0.1" if config.host in {*EVERYWHERE, "localhost"} else config.host
    return f"http://[{host}]:{config.port}" if ":" in host else f"http://{host}:{config.port}"


def _lower_priority(niceness: int) -> None:
    if hasattr(os, "nice"):  # not on Windows
        os.nice(niceness)


def _run(config: Config, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    set_up_logs(config)
    with contextlib.suppress(
        StoreUnusable, StoreTooOld
    ):  # the server says so, and starts it again
        asyncio.run(_until_stopped(config, work))


async def _until_stopped(
    config: Config, work: Callable[[Store], Coroutine[Any, Any, None]]
) -> None:
    """Do the work over the store until SIGTERM, or until the server's process has ended."""
    store = await Store.open(config.redis_url, config.data_dir, prefix=config.redis_prefix)
    try:
        async with asyncio.TaskGroup() as tasks:
            beside = [
                tasks.create_task(store.keep(), name="store"),
                tasks.create_task(store.clock.keep(), name="clock"),
            ]
            working = tasks.create_task(work(store), name="work")
            loop = asyncio.get_running_loop()
            server = multiprocessing.parent_process()
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(signal.SIGTERM, working.cancel)
                if server is not None:
                    loop.add_reader(server.sentinel, working.cancel)
            await asyncio.wait([working])
            for task in beside:
                task.cancel()
    finally:
        await store.close()

"""The composition root: what serves, put together, from start to orderly end."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable

import structlog

from server import metrics
from server.config import Config
from server.net.listener import Listener, bind
from server.rooms.book import Book
from server.rooms.clock import Clock
from server.rooms.hub import Hub
from server.rooms.presence import keep_alive
from server.rooms.sweep import sweep
from server.sessions.services import Services
from server.siblings import Siblings
from server.store import Store

DRAIN_S = 2.0

log = structlog.get_logger()


class Stop(Exception):  # noqa: N818  # not an error: it ends the task group
    """The server is done."""


async def serve(
    config: Config,
    stop: asyncio.Event,
    ready: Callable[[Listener], None],
    siblings: Siblings | None = None,
) -> None:
    """Serves until `stop` is set, then lets everybody go; `ready` is told the open listener.

    `siblings` are the workers with whom it shares the port, if there are any.

    Raises:
        OSError: the address cannot be listened on.
        StoreUnusable, StoreTooOld: the store cannot be used, in one clear sentence.
    """
    store = await Store.open(config.redis_url, config.data_dir)
    try:
        door = bind(config)
        clock = Clock(store)
        await clock.sync()
        async with asyncio.TaskGroup() as tasks:
            book = Book(store)
            hub = Hub(book, clock, tasks)
            scrape = metrics.page if siblings is None else siblings.page
            listener = Listener(config, Services(book, hub), scrape)
            await listener.open(door)
            if siblings is not None:
                await siblings.open()
            here = listener.count()
            metrics.REGISTRY.register(here)
            tasks.create_task(clock.keep(), name="clock")
            tasks.create_task(listener.watch(), name="watch")
            tasks.create_task(sweep(book, hub), name="sweep")
            tasks.create_task(keep_alive(store, hub), name="presence")
            log.info("serving", port=listener.port)
            ready(listener)
            await stop.wait()
            log.info("draining", connections=len(listener.connections))
            await listener.drain(DRAIN_S)
            metrics.REGISTRY.unregister(here)
            if siblings is not None:
                await siblings.close()
            raise Stop  # noqa: TRY301  # it is how a task group is told to end
    except* Stop:
        log.info("stopped")
    finally:
        await store.close()


async def serve_until_told(
    config: Config, ready: Callable[[Listener], None], siblings: Siblings | None = None
) -> None:
    """Serves until SIGTERM or SIGINT. Raises what `serve` raises."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop.set)
    await serve(config, stop, ready, siblings)


def addresses(port: int) -> list[str]:
    """Where the server can be reached: from this machine, and from the same network."""
    found = [f"http://localhost:{port}/"]
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: connecting a datagram socket only asks which address would be used.
        probe.connect(("192.0.2.1", 9))
        address = probe.getsockname()[0]
        if not address.startswith("127."):
            found.append(f"http://{address}:{port}/")
    return found

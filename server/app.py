"""The composition root: build the parts of the server, run them, and stop them in order."""

import asyncio
import contextlib
import multiprocessing
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import structlog

from server import version
from server.bots.seated_bots import SeatedBots
from server.config import Config
from server.live.days import DayRaces
from server.live.hub import LIVE_TIMINGS, Hub, LiveTimings, draw_entropy
from server.live.quotas import ROOM_LIMITS, RoomLimits
from server.live.repository import Repository
from server.live.room import LiveRooms
from server.live.timers import Heartbeats, leave, sweep
from server.live.unreadable import report_old_races
from server.live.work import SLICE_S, LongWork
from server.metrics import ALONE, Scrape, watch
from server.rooms.deals import Entropy
from server.rooms.events import ROOM_TIMINGS, RoomTimings
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.services import Services, Thinking
from server.store import STORE_TIMINGS, Store, StoreNotReady, StoreTimings, StoreUnusable
from server.thinking.choices import Choices
from server.thinking.day_games import DayGames
from server.thinking.deals import WinnableDeals
from server.thinking.labels import Labeller
from server.thinking.pool import Pool
from server.thinking.reviews import Reviewer
from server.web.addresses import EVERYWHERE, LOOPBACK, bind, bind_operations, lan_address
from server.web.limits import HTTP_LIMITS, WEBSOCKET_LIMITS, HttpLimits, WebsocketLimits
from server.web.listener import Listener

DRAIN_S = 8.0  # closing connections for longer could be cut short by a supervisor or container
STORE_PAUSE_S = 1.0  # between two attempts to open a store that does not answer yet
STORE_LOG_S = 10.0  # between two log lines about these attempts

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tuning:
    """The limits and timings of all parts of the server, its source of deals, and its store."""

    rooms: RoomTimings = ROOM_TIMINGS
    live: LiveTimings = LIVE_TIMINGS
    sessions: SessionLimits = SESSION_LIMITS
    websocket: WebsocketLimits = WEBSOCKET_LIMITS
    http: HttpLimits = HTTP_LIMITS
    store: StoreTimings = STORE_TIMINGS
    limits: RoomLimits = ROOM_LIMITS  # without its quotas, which are options
    slice_s: float = SLICE_S  # of long work, between two turns of the event loop
    draw_entropy: Callable[[], Entropy] = draw_entropy
    open_store: Callable[..., Awaitable[Store]] = Store.open

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        """Pickle `TUNING` by name, since workers of another release have other limits."""
        return "TUNING" if self is TUNING else object.__reduce_ex__(self, protocol)


TUNING = Tuning()


class Stop(Exception):  # noqa: N818  # not an error: it ends the task group
    """Raised to end the task group once all connections are closed, or to give up a start."""


async def _wait_for_store(config: Config, stop: asyncio.Event, tuning: Tuning) -> Store:
    """Open the store, trying again for up to `config.store_wait` seconds while it does not answer.

    Raises StoreUnusable or StoreTooOld if it cannot be used, and Stop once `stop` is set.
    """
    loop = asyncio.get_running_loop()
    started_s = next_log_s = loop.time()
    while True:
        try:
            return await tuning.open_store(
                config.redis_url,
                config.data_dir,
                memory=config.store_memory,
                fsync=config.store_fsync,
                timings=tuning.store,
                prefix=config.redis_prefix,
            )
        except StoreNotReady as error:
            now_s = loop.time()
            left_s = started_s + config.store_wait - now_s
            if left_s <= 0 and not config.store_wait:
                raise
            if left_s <= 0:
                waited = f"the server has waited {now_s - started_s:.0f} s for it."
                raise StoreUnusable(f"{str(error).rstrip('.')}; {waited}") from error
            if now_s >= next_log_s:
                next_log_s = now_s + STORE_LOG_S
                log.warning("waiting for the store", why=str(error), for_at_most_s=round(left_s))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), min(left_s, STORE_PAUSE_S))
        if stop.is_set():
            raise Stop


@contextlib.asynccontextmanager
async def open_store(
    config: Config, stop: asyncio.Event, tuning: Tuning = TUNING
) -> AsyncIterator[Store]:
    """Open the store, and keep an embedded one running until the block ends.

    If the store cannot be kept running, set `stop` and raise the error at the end of the block.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used; the error says why in a sentence.
        Stop: `stop` was set while the store did not answer yet.
    """
    store = await _wait_for_store(config, stop, tuning)
    try:
        keeping = asyncio.create_task(store.keep(), name="store")
        keeping.add_done_callback(lambda _: stop.set())
        try:
            yield store
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])
        if not keeping.cancelled():
            keeping.result()  # raises the error that ended it
    finally:
        await store.close()


async def serve(
    config: Config,
    stop: asyncio.Event,
    ready: Callable[[Listener], None],
    metrics: contextlib.AbstractAsyncContextManager[Scrape] = ALONE,
    tuning: Tuning = TUNING,
) -> None:
    """Serve until `stop` is set, then close all connections.

    `ready` is called once, when the server accepts connections. `metrics` yields the function that
    answers a scrape: `ALONE` for this process only, `among_workers` for all on the same port.
    Raises OSError if the server cannot listen on the address, and the errors of `open_store`.
    """
    async with open_store(config, stop, tuning) as store, metrics as scrape:
        with (
            bind(config) as players,
            bind_operations(config, players.getsockname()[1]) as operators,
        ):
            await store.health.refresh()
            try:
                async with asyncio.TaskGroup() as tasks:
                    services, bots = _put_together(store, config, tasks, tuning)
                    listener = Listener(config, services, scrape, tuning.http, tuning.websocket)
                    await listener.open(players, operators)
                    watch(lambda: len(listener.connections), services.hub.states)
                    tasks.create_task(listener.watch(), name="watch")
                    tasks.create_task(listener.keep_bans(), name="bans")
                    ports = {"port": listener.port, "operations": listener.operations_port}
                    # After a SIGHUP, workers may run another version.
                    log.info("serving", version=version(), **ports)
                    ready(listener)
                    await stop.wait()
                    log.info("draining", connections=len(listener.connections))
                    await bots.hand_over()
                    await listener.drain(DRAIN_S)
                    raise Stop  # noqa: TRY301  # the way to end a task group
            except* Stop:
                await leave(store.processes, services.hub)
                log.info("stopped")
            except* Exception:
                log.critical("a task has died", exc_info=True)
                raise


def _put_together(
    store: Store, config: Config, tasks: asyncio.TaskGroup, tuning: Tuning
) -> tuple[Services, SeatedBots]:
    """Build the services that players use over this store, and start all background work."""
    rooms, long_work = LiveRooms(store.pubsub.is_subscribed), LongWork(slice_s=tuning.slice_s)
    limits = replace(
        tuning.limits,
        rooms=config.max_rooms,
        rooms_per_address=config.rooms_per_address,
        bots=config.bots,
        kept_tables=config.kept_tables,
        kept_per_address=config.kept_per_address,
    )
    timings = replace(tuning.rooms, kept_days=config.kept_days)
    repository = Repository(store, limits, timings, rooms=rooms, long_work=long_work)
    sessions = replace(tuning.sessions, seats_per_address=config.seats_per_address)
    pool = Pool()
    thinking = build_thinking(pool, store, long_work, tasks) if config.thinkers else None
    take_deal = None if thinking is None else thinking.deals.take
    hub = Hub(repository, rooms, tasks, tuning.live, tuning.draw_entropy, take_deal)
    days = DayRaces(
        repository,
        None if thinking is None else thinking.deals.of_day,
        hub.spawn,
        None if thinking is None else thinking.day_games.request,
    )
    repository.on_outbox = days.deliver_soon
    services = Services(
        repository, hub, sessions, long_work, guesses=store.guesses, thinking=thinking, days=days
    )
    bots = seat_bots(services, pool, tasks, config.bots)
    for name, work in {
        "computing": pool.keep(),
        "clock": store.clock.keep(),
        "sweep": sweep(repository, hub, days),
        "deals of the next days": days.keep(tuning.live),
        "presence": Heartbeats(store.processes, hub, services.adopt_bots).keep(),
        "places of computer players": repository.quotas.keep_bots(rooms),
        "store health": store.health.watch(),
        "old races": report_old_races(store),
    }.items():
        tasks.create_task(work, name=name)
    return services, bots


def build_thinking(
    pool: Pool, store: Store, long_work: LongWork, tasks: asyncio.TaskGroup
) -> Thinking:
    """Build what uses `pool`: winnable deals, labels, reviews, and computer players' day games."""
    return Thinking(
        WinnableDeals(pool, long_work, tasks),
        Labeller(pool, store.deal_labels, store.guards, tasks),
        Reviewer(pool, store.reviews, store.logs, store.guards, tasks),
        DayGames(pool, store.days, store.guards, tasks),
    )


def seat_bots(services: Services, pool: Pool, tasks: asyncio.TaskGroup, limit: int) -> SeatedBots:
    """Return this process's computer players: at most `limit`, including adopted ones."""
    bots = SeatedBots(services, Choices(pool), tasks, limit)
    services.adopt_bots = bots.adopt if limit else None
    return bots


async def serve_until_stopped(
    config: Config,
    ready: Callable[[Listener], None],
    metrics: contextlib.AbstractAsyncContextManager[Scrape] = ALONE,
    tuning: Tuning = TUNING,
) -> None:
    """Serve until SIGTERM, SIGINT, SIGHUP (a closed terminal), or until the supervisor ends.

    The other arguments are as for `serve`.
    """
    stop, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop.set)
    # Under `nohup`, which ignores SIGHUP, the server outlives its terminal.
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        loop.add_signal_handler(signal.SIGHUP, _hang_up, stop)
    if (supervisor := multiprocessing.parent_process()) is not None:
        # This worker loses its store with its supervisor. It must then free the port for the
        # workers of the next supervisor.
        loop.add_reader(supervisor.sentinel, _supervisor_ended, supervisor.sentinel, stop)
    await serve(config, stop, ready, metrics, tuning)


def _hang_up(stop: asyncio.Event) -> None:
    """Stop on SIGHUP; only a supervisor replaces its workers instead."""
    if multiprocessing.parent_process() is None:
        log.info("SIGHUP ends a server with one worker: start it again")
    stop.set()


def _supervisor_ended(sentinel: int, stop: asyncio.Event) -> None:
    """Stop this worker, since its supervisor has ended: its `sentinel` has become readable."""
    asyncio.get_running_loop().remove_reader(sentinel)
    log.warning("the supervisor is gone")
    stop.set()


def addresses(config: Config, port: int) -> list[str]:
    """Return a server's URLs: first the one for this machine, then the ones for others."""
    here = "localhost"
    elsewhere = [] if config.public_url is None else [f"{config.public_url}/"]
    if config.host not in LOOPBACK | EVERYWHERE:
        here = f"[{config.host}]" if ":" in config.host else config.host
    elif config.host in EVERYWHERE and not elsewhere and (address := lan_address()) is not None:
        elsewhere = [f"http://{address}:{port}/"]
    return [f"http://{here}:{port}/", *elsewhere]

"""Processes tell that they are alive; of one that is silent, the others tell what it cannot."""

import asyncio

import structlog

from server.rooms.events import Die
from server.rooms.hub import Hub
from server.rooms.refusal import Refusal
from server.store import Store, StoreAway

BEAT_S = 3.0
SILENT_MS = 10_000

log = structlog.get_logger()


async def keep_alive(store: Store, hub: Hub) -> None:
    """Says that this process is alive, and looks for those that are not, for ever.

    Who has not been heard of itself, because it hung or the store was away, does not judge
    others: they may have been silent for the same reason.
    """
    now = asyncio.get_running_loop().time
    steady_since = last = now()
    while True:
        try:
            await store.beat(hub.process, await store.now(), hub.codes())
            if now() - last > SILENT_MS / 2_000:
                steady_since = now()
            last = now()
            if last - steady_since > SILENT_MS / 1_000:
                for process in await store.silent(await store.now() - SILENT_MS):
                    await _tell_of(store, hub, process)
        except StoreAway as error:
            log.warning("the store is away", why=str(error))
            steady_since = now()
        except Exception:
            log.exception("presence failed")
        await asyncio.sleep(BEAT_S)


async def _tell_of(store: Store, hub: Hub, process: str) -> None:
    """Drops everybody who sat at a dead process; any process may, any number of times."""
    log.warning("a process is silent", process=process)
    for code in await store.rooms_of(process):
        try:
            await hub.apply(code, Die(process, await store.now()))
            await hub.tick(code)  # it may have left a game that is over and not told
        except Refusal:
            continue  # closed since
    await store.bury(process)

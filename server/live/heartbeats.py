"""Processes tell that they are alive; of one that is silent, the others tell what it cannot."""

import asyncio

import structlog

from server.live.hub import Hub
from server.rooms.events import ProcessDied
from server.rooms.refusal import Refusal
from server.store import Store, StoreAway, Unreadable

BEAT_S = 3.0
SILENT_MS = 10_000
AGAIN_S = 60.0
"""After so long a room is tried again of which a silent process's end could not be told."""

log = structlog.get_logger()


async def keep_alive(store: Store, hub: Hub) -> None:
    """Says that this process is alive, and looks for those that are not, for ever.

    Who has not been heard of itself, because it hung or the store was away, does not judge
    others: they may have been silent for the same reason.
    """
    now = asyncio.get_running_loop().time
    steady_since = last = now()
    left: dict[str, float] = {}
    while True:
        try:
            await store.beat(hub.process, await store.now(), hub.codes())
            if now() - last > SILENT_MS / 2_000:
                steady_since = now()
            last = now()
            if last - steady_since > SILENT_MS / 1_000:
                silent = await store.silent(await store.now() - SILENT_MS)
                left = {process: again for process, again in left.items() if process in silent}
                for process in silent:
                    if now() < left.get(process, 0):
                        continue
                    first = process not in left
                    if first:
                        log.warning("a process is silent", process=process)
                    if await _tell_of(store, hub, process, first=first):
                        await store.forget_process(process)
                    else:
                        left[process] = now() + AGAIN_S
        except StoreAway as error:
            log.warning("the store is away", why=str(error))
            steady_since = now()
        except Exception:
            log.exception("presence failed")
        await asyncio.sleep(BEAT_S)


async def _tell_of(store: Store, hub: Hub, process: str, *, first: bool) -> bool:
    """Drops everybody who sat at a dead process; any process may, any number of times.

    False if there is a room of which it cannot be told now. That stays the dead one's, for a
    process that can read it.
    """
    all_told = True
    for code in await store.rooms_of(process):
        try:
            await hub.apply(code, ProcessDied(process, await store.now()))
            await hub.tick(code)  # it may have left a game that is over and not told
        except Refusal:
            pass  # closed since
        except StoreAway:
            raise
        except Exception as error:
            if first and not isinstance(error, Unreadable):
                log.exception("presence failed", room=code)
            all_told = False
            continue
        await store.drop_room(process, code)
    return all_told

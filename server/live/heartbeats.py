"""Heartbeats of processes; the living processes report the death of a silent one to its rooms."""

import asyncio

import structlog

from server.live.hub import Hub
from server.rooms.events import ProcessDied
from server.rooms.refusal import Refusal
from server.store import Store, StoreAway, Unreadable

BEAT_S = 3.0
SILENT_MS = 10_000
RETRY_S = 60.0
"""Interval between attempts to report a dead process to rooms that cannot be read."""

log = structlog.get_logger()


async def keep_alive(store: Store, hub: Hub) -> None:
    """Send heartbeats and report silent processes, for ever.

    A process that was itself silent, because it hung or the store was away, judges no other
    process for a while: the others may have been silent for the same reason.
    """
    now = asyncio.get_running_loop().time
    steady_since = last = now()
    retry_at: dict[str, float] = {}
    while True:
        try:
            await store.beat(hub.process, await store.now(), hub.codes())
            if now() - last > SILENT_MS / 2_000:
                steady_since = now()
            last = now()
            if last - steady_since > SILENT_MS / 1_000:
                silent = await store.silent(await store.now() - SILENT_MS)
                retry_at = {process: at for process, at in retry_at.items() if process in silent}
                for process in silent:
                    if now() < retry_at.get(process, 0):
                        continue
                    first = process not in retry_at
                    if first:
                        log.warning("a process is silent", process=process)
                    if await _report_death(store, hub, process, first=first):
                        await store.forget_process(process)
                    else:
                        retry_at[process] = now() + RETRY_S
        except StoreAway as error:
            log.warning("the store is away", why=str(error))
            steady_since = now()
        except Exception:
            log.exception("presence failed")
        await asyncio.sleep(BEAT_S)


async def _report_death(store: Store, hub: Hub, process: str, *, first: bool) -> bool:
    """Report a dead process to its rooms; any process may do so, any number of times.

    Return False if a room could not be changed now: it stays in the dead process's list, for a
    process that can read it.
    """
    complete = True
    for code in await store.rooms_of(process):
        try:
            await hub.apply(code, ProcessDied(process, await store.now()))
            await hub.tick(code)  # the process may have died before reporting the end of a game
        except Refusal:
            pass  # closed since
        except StoreAway:
            raise
        except Exception as error:
            if first and not isinstance(error, Unreadable):
                log.exception("presence failed", room=code)
            complete = False
            continue
        await store.drop_room(process, code)
    return complete

"""The sweep: rooms whose deadline has passed get the current time.

Each room is handled by itself, so a room that fails blocks no other one. A room that cannot be
read is set aside and retried less and less often.
"""

import asyncio

import structlog

from server import metrics
from server.live.hub import Hub
from server.live.outage_log import OutageLog
from server.live.repository import Repository
from server.rooms.events import Refusal
from server.store import StoreAway, Unreadable

LATE_MS = 2_000
"""Age of a deadline at which the store's list must have lost it, or the store is away."""

log = structlog.get_logger()


async def sweep(repository: Repository, hub: Hub) -> None:
    """Apply the current time to rooms whose deadline has passed, for ever.

    Every process sweeps: the result is the same whichever process applies it, and how often.
    """
    sweeper = Sweeper(repository, hub)
    while True:
        hub.refresh()
        await sweeper.sweep()
        await asyncio.sleep(hub.timings.sweep_s)


class Sweeper:
    """The sweep of one process."""

    def __init__(self, repository: Repository, hub: Hub) -> None:
        self._repository = repository
        self._hub = hub
        self._stuck: set[str] = set()  # rooms whose failure is logged already
        self._ticked: set[str] = set()
        self._set_aside = 0
        self._away: StoreAway | None = None
        self._outage = OutageLog()

    async def sweep(self) -> None:
        """Tick each room that is due, and the rooms here whose deadline the store has lost."""
        store, self._away = self._repository.store, None
        due: list[str] = []
        try:
            due = await store.lists.due(store.clock.now())
            self._set_aside = await store.unreadable.count()
            metrics.rooms_unreadable.set(self._set_aside)
            metrics.rooms_open.set(await store.open_rooms.count())
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed")
        # A failover of a cluster may lose deadlines; processes with subscribers still have them.
        overdue = self._hub.rooms.overdue(self._hub.clock.now() - LATE_MS)
        async with asyncio.TaskGroup() as ticks:
            for code in dict.fromkeys((*overdue, *due)):
                ticks.create_task(self._tick(code), name="tick")
        self._ticked = set(due)
        if self._away is None:
            self._outage.log_back()
        else:
            self._outage.log_away(self._away)

    async def _tick(self, code: str) -> None:
        """Tick a room; set one aside that cannot be moved on, and correct wrong deadlines."""
        store = self._repository.store
        try:
            try:
                await self._hub.tick(code)
            except Refusal:  # closed, or gone with its time to live
                await store.lists.correct(code)
            except Unreadable:
                await store.unreadable.postpone(code)
                return
            except StoreAway:
                raise
            except Exception:
                if code not in self._stuck:
                    self._stuck.add(code)
                    log.exception("room cannot be moved on", room=code)
                await store.unreadable.postpone(code)
                return
            self._stuck.discard(code)
            if self._set_aside:
                await store.unreadable.readmit(code)
            if code in self._ticked:  # due again after a tick: the list has a wrong deadline
                await store.lists.correct(code)
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed", room=code)

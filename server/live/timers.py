"""Time, as it changes rooms.

Each room is looked at by itself: one that cannot be moved on, for whatever reason, holds up no
other. One that cannot be read is set aside, so that it comes up less and less often.
"""

import asyncio

import structlog

from server import metrics
from server.live.hub import Hub
from server.live.repository import Repository
from server.rooms.refusal import Refusal
from server.store import StoreAway, Unreadable

SWEEP_S = 1.0
LATE_MS = 2_000
"""A deadline past for so long is missing from the store's list, or the list is away."""

log = structlog.get_logger()


async def sweep(repository: Repository, hub: Hub) -> None:
    """Lets time change the rooms whose deadline has come, for ever.

    Every process does this: what time changes is the same whoever does it, and how often.
    """
    sweeper = Sweeper(repository, hub)
    while True:
        hub.refresh()
        await sweeper.sweep()
        await asyncio.sleep(SWEEP_S)


class Sweeper:
    """One process's looks at the rooms that are due."""

    def __init__(self, repository: Repository, hub: Hub) -> None:
        self._repository = repository
        self._hub = hub
        self._stuck: set[str] = set()  # rooms that fail for a reason that is logged already
        self._ticked: set[str] = set()
        self._set_aside = 0
        self._away: StoreAway | None = None

    async def sweep(self) -> None:
        """Looks at each room that is due, and at those here whose deadline the store has lost."""
        store, self._away = self._repository.store, None
        due: list[str] = []
        try:
            due = await store.due(await store.now())
            self._set_aside = await store.unreadable()
            metrics.rooms_unreadable.set(self._set_aside)
            metrics.rooms_open.set(await store.opened())
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed")
        # A failover of a cluster may take deadlines back; whoever sits there knows them.
        overdue = self._hub.overdue(self._hub.clock.now() - LATE_MS)
        async with asyncio.TaskGroup() as looks:
            for code in dict.fromkeys((*overdue, *due)):
                looks.create_task(self._look_at(code), name="tick")
        self._ticked = set(due)
        if self._away is not None:
            log.warning("the store is away", why=str(self._away))

    async def _look_at(self, code: str) -> None:
        store = self._repository.store
        try:
            try:
                await self._hub.tick(code)
            except Refusal:  # closed, or gone with its time to live
                await store.forget_deadline(code)
            except Unreadable:
                await store.postpone(code)
                return
            except StoreAway:
                raise
            except Exception:
                if code not in self._stuck:
                    self._stuck.add(code)
                    log.exception("room cannot be moved on", room=code)
                await store.postpone(code)
                return
            self._stuck.discard(code)
            if self._set_aside:
                await store.readmit(code)
            if code in self._ticked:  # a second ago too: the list names it too early
                await store.forget_deadline(code)
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed", room=code)

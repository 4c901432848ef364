"""Work that rooms ask for, as labels and reviews: each is done once, by one process at a time.

1. The store has a guard for each, a key with an expiry, which the process that does the work
   renews. If that process dies, the next question begins the work anew elsewhere.
2. Of the rooms of one address, and of all rooms together, few have work that waits here. A further
   one is refused, and may ask again.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from server.store import Guards, StoreAway

MOST_WAITING: Final = 200
"""The works of a kind that wait here, of all rooms together."""
GUARDED_S: Final = 30
"""The seconds for which a guard holds that is not renewed."""
RENEW_S: Final = 10.0

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Work:
    """A work under way, with the hashed networks of the rooms' owner that it counts for."""

    task: asyncio.Task[None]
    networks: Collection[str]


class AskedWork:
    """The works of one kind in this process, each in a task of its own."""

    def __init__(
        self,
        guards: Guards,
        tasks: asyncio.TaskGroup,
        of_address: int,
        most: int = MOST_WAITING,
    ) -> None:
        """Let `of_address` works of the rooms of one address wait, and `most` in all."""
        self._guards = guards
        self._tasks = tasks
        self._of_address = of_address
        self._most = most
        self._works: dict[str, _Work] = {}
        self._name = secrets.token_hex(8)

    async def begin(
        self,
        name: str,
        networks: Mapping[str, int],
        do: Callable[[], Awaitable[None]],
        may_begin: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Begin a work, unless a process does it already; return whether one does now.

        It counts for these networks, which have shares of the limit. `may_begin` charges it.

        Raises:
            StoreAway: the store does not answer.
        """
        if name in self._works:
            return True
        if not self._has_place(networks):
            return False
        if not await self._guards.claim(name, self._name, GUARDED_S):
            return True
        if not (self._has_place(networks) and may_begin()):
            await self._guards.release(name, self._name)
            return False
        task = self._tasks.create_task(self._do(name, do), name=name)
        self._works[name] = _Work(task, tuple(networks))
        return True

    def drop(self, name: str) -> None:
        """Stop a work, if it is under way here."""
        if name in self._works:
            self._works[name].task.cancel()

    def _has_place(self, networks: Mapping[str, int]) -> bool:
        waiting = Counter(each for work in self._works.values() for each in work.networks)
        return len(self._works) < self._most and all(
            waiting[network] < self._of_address * share for network, share in networks.items()
        )

    async def _do(self, name: str, do: Callable[[], Awaitable[None]]) -> None:
        """Do a work with its guard; errors are logged."""
        renewing = asyncio.create_task(self._renew(name))
        try:
            await do()
        except StoreAway:
            pass  # whoever asks next begins it anew
        except Exception as error:  # noqa: BLE001  # what it says may quote a record
            log.warning("a room's work has failed", work=name, why=type(error).__name__)
        finally:
            del self._works[name]
            renewing.cancel()
            with contextlib.suppress(StoreAway):  # it expires
                await self._guards.release(name, self._name)

    async def _renew(self, name: str) -> None:
        """Renew a guard again and again; stop the work if another process has it."""
        while True:
            await asyncio.sleep(RENEW_S)
            with contextlib.suppress(StoreAway):  # the next renewal may succeed
                if not await self._guards.renew(name, self._name, GUARDED_S):
                    self.drop(name)
                    return

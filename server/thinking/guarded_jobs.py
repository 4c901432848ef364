"""Jobs that only one process does at a time, such as the label or the review that a room wants.

1. The process that does a job holds its *guard*, a key in the store that expires soon, and renews
   it. If the process dies, the next request starts the job again elsewhere.
2. Jobs are limited in number, for the rooms of one address and for all rooms together. Beyond
   these limits they are refused, and may be requested again later.
"""

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

import structlog

from server.store import Guards, StoreAway

MAX_JOBS: Final = 200  # of one kind at a time in this process, for all rooms together
GUARDED_S: Final = 30  # a guard expires this many seconds after it was last renewed
RENEW_S: Final = 10.0  # how often it is renewed

log = structlog.get_logger()


class GuardedJobs:
    """The jobs of one kind in this process, each in a task of its own."""

    def __init__(self, guards: Guards, tasks: asyncio.TaskGroup, max_per_address: int) -> None:
        """Accept at most `max_per_address` jobs at a time for the rooms of one address."""
        self._guards, self._tasks, self._max_per_address = guards, tasks, max_per_address
        self._running: dict[str, tuple[asyncio.Task[None], Collection[str]]] = {}
        """The running jobs, each with the hashed networks whose limits it counts towards."""
        self._holder = secrets.token_hex(8)  # names this process in its guards

    async def start(
        self,
        name: str,
        shares: Mapping[str, int],
        work: Callable[[], Awaitable[None]],
        charge: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Start a job unless some process is doing it; return whether one is doing it now.

        The job does `work`. It counts towards the limit of each network in `shares`: a network
        with a share of 4 may have four times as many jobs as an address. `charge` is called before
        the job starts here. It returns False beyond a limit of its own, and then the job does not
        start. Raises StoreAway.
        """
        if name in self._running:
            return True
        if not self._may_add(shares):
            return False
        if not await self._guards.claim(name, self._holder, GUARDED_S):
            return True  # another process is doing it
        if not (self._may_add(shares) and charge()):  # other jobs may have started meanwhile
            await self._guards.release(name, self._holder)
            return False
        task = self._tasks.create_task(self._run(name, work), name=name)
        self._running[name] = task, tuple(shares)
        task.add_done_callback(lambda _: self._running.pop(name))
        return True

    def stop(self, name: str) -> None:
        """Stop a job if it is running here."""
        if name in self._running:
            self._running[name][0].cancel()

    def _may_add(self, shares: Mapping[str, int]) -> bool:
        """Return whether the limits allow one more job for these networks."""
        limit, running = self._max_per_address, self._running.values()
        jobs = Counter(network for _, networks in running for network in networks)
        is_within_limits = all(jobs[network] < limit * share for network, share in shares.items())
        return is_within_limits and len(running) < MAX_JOBS

    async def _run(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run a job while holding its guard, and log its errors."""
        renewing = asyncio.create_task(self._renew(name))
        try:
            await work()
        except StoreAway:
            pass  # the next request starts the job again
        except Exception as error:  # noqa: BLE001  # its text may quote a record
            log.warning("a room's work has failed", work=name, why=type(error).__name__)
        finally:
            renewing.cancel()
            with contextlib.suppress(StoreAway):  # the guard expires
                await self._guards.release(name, self._holder)

    async def _renew(self, name: str) -> None:
        """Keep renewing the guard of a job; stop the job if another process holds the guard."""
        while True:
            await asyncio.sleep(RENEW_S)
            with contextlib.suppress(StoreAway):  # the next renewal may succeed
                if not await self._guards.renew(name, self._holder, GUARDED_S):
                    self.stop(name)
                    return

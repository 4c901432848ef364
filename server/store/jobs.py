"""Jobs for processes that serve no players: a queue for each kind.

1. A queue is a stream with one consumer group. Each job is held by one taker, which renews its
   hold; a job whose taker has been silent is taken by another one. A taker that was silent itself
   may get its own job again.
2. A job has a key. A second job with the same key is not added while the key is known, so a
   repeated request makes no second job.
3. A job that nobody has taken by its deadline is removed. One that was taken has no deadline.
4. Each taker that gets a job is a try. The count goes back to none when the taker says that the
   job does well, so that a process that dies is no fault of each of its jobs.
5. A queue may have shares: of those who add jobs, nobody fills it for the others.
6. A master that dies may lose jobs that were just added, and may give a finished one again. So
   what a job does must be harmless the second time, and may not be needed by a race.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from server.store.clock import RedisClock
from server.store.cluster import ClusterClient
from server.store.connection import Word
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import Job, Queued
from server.store.scripts import ADD_JOB, HOLD_JOB, TAKE_JOB

MOST_JOBS = 1_000
"""The jobs of a kind that a queue holds."""

NO_SHARES: Final[Mapping[str, int]] = MappingProxyType({})
KNOWN_MS = 10 * 60_000
"""Time after its deadline during which the key of a job is known."""


@dataclass(eq=False)
class RedisJobs:
    """The queues; see `interfaces.Jobs`. Every method may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys
    _clock: RedisClock

    async def add(
        self,
        kind: str,
        key: str,
        body: str,
        *,
        deadline_ms: int,
        most: int = MOST_JOBS,
        shares: Mapping[str, int] = NO_SHARES,
    ) -> Queued:
        """Queue a job, unless the queue or a share is full or the key is known.

        It must be taken before `deadline_ms`, in ms since 1970. `shares` are words in the body,
        such as networks, each with the most jobs that may have it.
        """
        queue, known = self._keys.jobs(kind)
        now = self._clock.now()
        until = max(now, deadline_ms) + KNOWN_MS
        words: list[Word] = [key, body, deadline_ms, now, most, until, TTL_SECONDS]
        words += [word for share in shares.items() for word in share]
        return Queued(await self._client.ask(queue, ADD_JOB.command((queue, known), *words)))

    async def take(
        self, kind: str, taker: str, *, idle_ms: int, most_tries: int | None = None
    ) -> Job | None:
        """Return a job that nobody holds, or whose taker was silent for `idle_ms`, or None.

        The latter was tried `most_tries` times at most, if that is given. It may be one that the
        taker holds already, which is no further try: the taker goes on with it.
        """
        queue, _ = self._keys.jobs(kind)
        tries = "" if most_tries is None else most_tries
        words = taker, idle_ms, self._clock.now(), TTL_SECONDS, tries
        reply = await self._client.ask(queue, TAKE_JOB.command((queue,), *words))
        if reply is None:
            return None
        number, fields, tried = reply
        key, body, deadline = (field.decode() for field in fields[1::2])
        return Job(kind, number.decode(), key, body, int(deadline), taker, int(tried))

    async def keep(self, job: Job) -> bool:
        """Renew the hold of a job; return False if another taker has it, or if it is finished."""
        return await self._hold(job, "keep")

    async def reset(self, job: Job) -> bool:
        """Renew the hold of a job that does well, and forget its tries; return as `keep`."""
        return await self._hold(job, "reset")

    async def release(self, job: Job) -> bool:
        """Give a job back, for another taker to have it at once; it does not count as a try."""
        return await self._hold(job, "release")

    async def finish(self, job: Job) -> bool:
        """Remove a job; return False if its taker does not hold it any more."""
        return await self._hold(job, "finish")

    async def count(self, kind: str) -> int:
        """Return the number of jobs of a kind that are not finished."""
        queue, _ = self._keys.jobs(kind)
        return int(await self._client.call(queue, "XLEN", queue))

    async def _hold(self, job: Job, action: str) -> bool:
        queue, _ = self._keys.jobs(job.kind)
        command = HOLD_JOB.command((queue,), job.taker, job.id, action)
        return bool(await self._client.ask(queue, command))

"""The computer players of one process: it takes their jobs, and holds their seats as clients.

1. A job is a seat with its token. The process renews its hold of each job; when the process dies,
   another one takes the job and the seat, and the game goes on.
2. A process that is told to end gives its jobs back, so that another one has them at once.
3. A process that was suspended may get a job again that it holds; its player goes on.
4. A try is a stay of a player that comes to its first choice, but not beyond. A job that has
   failed with several processes is given up, and its seat is left.
5. A job that was tried before begins while no other player is at its first choice. So if it ends
   the process, that is no try of another job.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog
from pydantic import ValidationError
from spider_race_client import RaceError, Refused, connect

from server.bot_job import JOB, BotJob
from server.bots.bot_player import BotPlayer
from server.bots.thinking_thread import ThinkingThread
from server.store import Job, Jobs, StoreAway

MOST_TRIES: Final = 3
"""The processes with which a job may fail."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class BotTimings:
    """Times of the process, in seconds."""

    poll_s: float = 0.25
    """Between two looks for jobs."""
    keep_s: float = 2.0
    """Between two renewals of the holds."""
    silent_s: float = 6.0
    """After which another process takes the jobs of one that is silent."""
    doubt_s: float = 10.0
    """After which a job that has ended no process does well, even if its player waits."""

    tempo: float = 1.0
    """The seconds that a second of a player's pace takes."""


BOT_TIMINGS = BotTimings()


@dataclass(eq=False, slots=True)
class _Held:
    """A job that this process holds."""

    job: Job
    doubted_until: float
    """The time of the event loop."""
    is_well: bool = False
    """Whether its player waits for a race or has made a choice, so that it counts as no try."""
    task: asyncio.Task[None] | None = None

    @property
    def is_doubtful(self) -> bool:
        """Whether the job may have ended a process before, and may do so again."""
        return self.job.tries > 1 and not self.is_well


class Bots:
    """The computer players of this process. `locate` returns the address of a server."""

    def __init__(
        self,
        jobs: Jobs,
        locate: Callable[[], str],
        most: int,
        timings: BotTimings = BOT_TIMINGS,
    ) -> None:
        self._jobs = jobs
        self._locate = locate
        self._most = most
        self._timings = timings
        self._name = secrets.token_hex(8)
        self._thread = ThinkingThread()
        self._held: dict[str, _Held] = {}  # by the id of the job

    async def run(self) -> None:
        """Take jobs and play, until cancelled; then give all jobs back."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep_jobs())
                while True:
                    await self._take(tasks)
        finally:
            self._thread.close()
            for held in list(self._held.values()):
                await self._quietly(self._jobs.release, held.job)

    async def _take(self, tasks: asyncio.TaskGroup) -> None:
        """Take a job, or wait for a moment if there is none."""
        job: Job | None = None
        players = self._held.values()
        if len(players) < self._most and not any(held.is_doubtful for held in players):
            most_tries = None if all(held.is_well for held in players) else 0
            idle_ms = round(self._timings.silent_s * 1_000)
            with contextlib.suppress(StoreAway):  # it comes back
                job = await self._jobs.take(
                    JOB, self._name, idle_ms=idle_ms, most_tries=most_tries
                )
        if job is None or job.id in self._held:
            await asyncio.sleep(self._timings.poll_s)
            return
        now = asyncio.get_running_loop().time()
        held = self._held[job.id] = _Held(job, now + self._timings.doubt_s)
        held.task = tasks.create_task(self._play(held), name=f"computer player {job.key}")

    async def _play(self, held: _Held) -> None:
        """Play a job to its end; an error ends this player alone."""
        job = held.job
        try:
            await self._hold_seat(held)
        except asyncio.CancelledError:
            raise
        except (RaceError, ValidationError, OSError) as error:
            log.info("a computer player has ended", job=job.key, why=str(error))
        except Exception:
            log.exception("a computer player failed", job=job.key)
        await self._quietly(self._jobs.finish, job)  # held until then, so that it begins no player
        if self._held.get(job.id) is held:
            del self._held[job.id]

    async def _hold_seat(self, held: _Held) -> None:
        """Take the seat of a job, and play until the room has no place for it."""
        job = held.job
        seat = BotJob.model_validate_json(job.body)
        async with connect(self._locate) as client:
            race = await client.resume(seat.room, seat.seat, seat.token)
            if job.tries > MOST_TRIES:
                log.error("a computer player is given up", job=job.key, tries=job.tries)
                if not seat.stand_in:  # whose seat is that of its owner
                    with contextlib.suppress(Refused):  # it has no game
                        await race.forfeit()  # so it stops with its place
                    await race.leave()
                return
            player = BotPlayer(
                seat, race, self._thread, lambda: self._does_well(held), self._timings.tempo
            )
            await player.play()

    async def _does_well(self, held: _Held) -> None:
        """Forget the tries of a job whose player does well."""
        if not held.is_well:
            with contextlib.suppress(StoreAway):  # it is asked again
                held.is_well = await self._jobs.reset(held.job)

    async def _keep_jobs(self) -> None:
        """Renew the holds; a player whose job another process has taken ends."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(self._timings.keep_s)
            for held in list(self._held.values()):
                if loop.time() >= held.doubted_until:
                    await self._does_well(held)
                try:
                    is_held = await self._jobs.keep(held.job)
                except StoreAway:
                    break
                if not is_held and self._held.get(held.job.id) is held:
                    del self._held[held.job.id]
                    assert held.task is not None, "its player has begun"
                    held.task.cancel()

    async def _quietly(self, change: Callable[[Job], Awaitable[object]], job: Job) -> None:
        """Change a job; without the store its hold expires."""
        with contextlib.suppress(StoreAway):
            await change(job)

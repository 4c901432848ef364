"""The reviews of finished rounds: until when a win was known to each player.

1. The process that ends a round queues a job. A thinking process takes it once the round is over,
   and holds several: it reviews a game of each in turn, so that a large round delays no other.
2. The review of a game is kept as soon as it is made, and the first one stays. Equal games have
   equal reviews. So when a process dies, the next one goes on with the games that are missing.
3. A round has a budget. The games for which none is left are not reviewed.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from server.games.actions import Action
from server.games.errors import GameError
from server.games.game import Game
from server.rooms.record import Round
from server.rooms.reviews import JOB, ReviewJob, SeatReview, games_to_review, seat_review
from server.rooms.rounds import deal_game
from server.rooms.valid_records import InvalidRecord, parse_record
from server.rooms.winnable_deals import unpack_line
from server.solver.reviews import BUDGETS, Budgets, review
from server.solver.solve import solve_from
from server.solver.verdicts import Verdict
from server.store import Job, Jobs, LogRecord, Logs, Reviews, Rooms, StoreAway, Unreadable
from server.thinking.precedence import Precedence

log = structlog.get_logger()

MOST_TRIES: Final = 3
"""The processes with which a job may fail."""
LONGEST_LINE: Final = 1_000
"""The acts of a line that is kept; a longer one counts as unknown."""


@dataclass(frozen=True, slots=True)
class Reviewing:
    """How rounds are reviewed."""

    budgets: Budgets = BUDGETS
    """The positions that are judged for a game."""
    most: int = 30_000_000
    """The positions that are judged for a round before no further game is begun."""
    held: int = 8
    """The rounds that a process reviews in turn."""
    poll_s: float = 0.5
    """The time between two looks for jobs."""
    keep_s: float = 5.0
    """The time between two renewals of the holds."""
    silent_s: float = 15.0
    """The time after which another process takes the jobs of one that is silent."""


REVIEWING: Final = Reviewing()


@dataclass(eq=False, slots=True)
class _Held:
    """A job that this process holds, and the positions that it has judged for it."""

    job: Job
    judged: int = 0


@dataclass(frozen=True, slots=True)
class _Finished:
    """A round that is over, with the seat whose game is next; None if all are reviewed."""

    played: Round
    seat: int | None = None


class Reviewer:
    """The reviewer of one process."""

    def __init__(
        self,
        jobs: Jobs,
        rooms: Rooms,
        logs: Logs,
        reviews: Reviews,
        reviewing: Reviewing = REVIEWING,
        precedence: Precedence | None = None,
    ) -> None:
        self._jobs = jobs
        self._rooms = rooms
        self._logs = logs
        self._reviews = reviews
        self._reviewing = reviewing
        self._precedence = precedence or Precedence()
        self._name = secrets.token_hex(8)
        self._held: list[_Held] = []
        self._is_stopped = False

    @property
    def is_busy(self) -> bool:
        """Whether there are rounds to review."""
        return bool(self._held)

    async def run(self) -> None:
        """Review rounds until cancelled; then stop the search and give all jobs back."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep_jobs())
                tasks.create_task(self._take_jobs())
                while True:
                    await self._review_next()
        finally:
            self._is_stopped = True
            for held in self._held:
                await self._quietly(self._jobs.release, held.job)

    async def _take_jobs(self) -> None:
        """Take jobs as long as this process may hold more, also while it searches."""
        idle_ms = round(self._reviewing.silent_s * 1_000)
        while True:
            job: Job | None = None
            if len(self._held) < self._reviewing.held:
                with contextlib.suppress(StoreAway):  # it comes back
                    job = await self._jobs.take(JOB, self._name, idle_ms=idle_ms)
            # This process gets a job of its own again if it was suspended: it goes on with that.
            if job is None or any(held.job.id == job.id for held in self._held):
                await asyncio.sleep(self._reviewing.poll_s)
            else:
                self._held.append(_Held(job))

    async def _keep_jobs(self) -> None:
        """Renew the holds, and drop the jobs that another process has taken."""
        while True:
            await asyncio.sleep(self._reviewing.keep_s)
            for held in self._held[:]:
                try:
                    if not await self._jobs.keep(held.job):
                        self._drop(held)
                except StoreAway:
                    break

    async def _review_next(self) -> None:
        """Review a game of the round for which the least was done, or wait for a moment."""
        if not self._held:
            await asyncio.sleep(self._reviewing.poll_s)
            return
        held = min(self._held, key=lambda each: each.judged)
        try:
            is_over = not await self._review_game(held)
        except StoreAway:
            await asyncio.sleep(self._reviewing.poll_s)
            return
        except (Unreadable, InvalidRecord, GameError, ValueError, LookupError) as error:
            # What the error says may quote the record.
            log.warning("a round cannot be reviewed", job=held.job.key, why=type(error).__name__)
            is_over = True
        if is_over:
            self._drop(held)
            await self._quietly(self._jobs.finish, held.job)

    async def _review_game(self, held: _Held) -> bool:
        """Review the next game of a round; return False if there was none."""
        job = ReviewJob.model_validate_json(held.job.body)
        found = await self._find(job, gives_up=held.job.tries > MOST_TRIES)
        if found is None:
            return False
        played, seat = found.played, found.seat
        if seat is None:
            await self._reviews.finish(job.room, job.n, played.t0)
            return False
        await self._reviews.begin(job.room, job.n, played.t0)
        entries = await self._logs.read(job.room, job.n, seat)
        made = await self._precedence.run(self._review, played, seat, entries)
        if not self._is_stopped:
            text = made.model_dump_json()
            await self._reviews.keep(job.room, job.n, played.t0, seat, text)
            await self._jobs.reset(held.job)  # what was made does not fail with a later process
        held.judged += max(1, made.children)
        return True

    async def _find(self, job: ReviewJob, *, gives_up: bool) -> _Finished | None:
        """Return a round that is over with its next game; None if there is nothing to do.

        A round that `gives_up` has no next game.
        """
        stored = await self._rooms.read(job.room)
        room = None if stored is None else parse_record(job.room, stored.doc)
        rounds = () if room is None else room.rounds
        played = next((each for each in rounds if each.n == job.n and each.has_logs), None)
        if played is None:
            return None
        known = await self._reviews.read(job.room, job.n, played.t0)
        if known.is_done:
            return None
        judged = sum(
            SeatReview.model_validate_json(text).children for text in known.texts.values()
        )
        missing = [seat for seat in games_to_review(played) if seat not in known.texts]
        if gives_up:
            log.error("a review is given up", room=job.room, round=job.n, games=len(missing))
        if gives_up or judged >= self._reviewing.most or not missing:
            return _Finished(played)
        return _Finished(played, missing[0])

    def _review(self, played: Round, seat: int, entries: list[LogRecord]) -> SeatReview:
        """Review one game; it runs in a thread."""
        reviewed = review(
            deal_game(played),
            [Action(entry.action) for entry in entries],
            self._solve,
            known=unpack_line(played.deal.line),
            budgets=self._reviewing.budgets,
        )
        times = [entry.ms for entry in entries]
        return seat_review(reviewed, times, played.late_ms.get(seat, 0))

    def _should_stop(self) -> bool:
        """Return whether a search is to end, after rooms that wait have been served."""
        self._precedence.let_pass()
        return self._is_stopped

    def _solve(self, game: Game, budget: int) -> Verdict:
        try:
            verdict = solve_from(game, budget=budget, should_stop=self._should_stop)
        except MemoryError:
            log.warning("a search has used up the memory", game=game.rules.game)
            return Verdict("unknown", (), budget)
        is_kept = len(verdict.line) <= LONGEST_LINE
        return verdict if is_kept else Verdict("unknown", (), verdict.children)

    def _drop(self, held: _Held) -> None:
        """Hold a job no more, unless that is done already."""
        with contextlib.suppress(ValueError):
            self._held.remove(held)

    async def _quietly(self, change: Callable[[Job], Awaitable[object]], job: Job) -> None:
        """Change a job; without the store its hold expires."""
        with contextlib.suppress(StoreAway):
            await change(job)

"""The labels of numbered deals: whether they can be won, as far as a search can tell.

1. A server queues a deal that a room is about to play. A deal is searched once, and only while
   that room asks for no other one.
2. A label is kept even if nothing is found, so that nobody searches again.
3. A process that dies leaves its job to another one. A second label is the same as the first.
"""

import asyncio
import contextlib
import secrets
from dataclasses import dataclass
from typing import Final

import structlog
from pydantic import ValidationError

from protocol.vocabulary import DealLabel
from server.games.deals import numbered_deck
from server.games.errors import GameError
from server.rooms.deal_labels import JOB, LABELS, LabelJob
from server.solver.solve import solve
from server.store import DealLabels, Job, Jobs, StoreAway
from server.thinking.precedence import Precedence

log = structlog.get_logger()

MOST_TRIES: Final = 3
"""The processes with which a search may fail."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How deals are searched."""

    budget: int = 2_000_000
    """The positions that are judged before a deal stays unknown."""
    poll_s: float = 0.5
    """The time between two looks for jobs."""
    look_s: float = 0.5
    """The time between two looks whether the room still asks for the deal."""
    keep_s: float = 5.0
    """The time between two renewals of the hold."""
    silent_s: float = 30.0
    """The time after which another process takes the job of one that is silent."""


LABELLING: Final = Labelling()


class Labeller:
    """The searches of one process, one after the other."""

    def __init__(
        self,
        jobs: Jobs,
        labels: DealLabels,
        labelling: Labelling = LABELLING,
        precedence: Precedence | None = None,
    ) -> None:
        self._jobs = jobs
        self._labels = labels
        self._labelling = labelling
        self._precedence = precedence or Precedence()
        self._name = secrets.token_hex(8)
        self._job: Job | None = None
        self._is_dropped = False  # whether nobody asks for the present deal any more
        self._is_stopped = False

    @property
    def is_busy(self) -> bool:
        """Whether a deal is searched."""
        return self._job is not None

    async def run(self) -> None:
        """Search deals until cancelled; then stop the search and give its job back."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep_job())
                while True:
                    await self._search_next()
        finally:
            self._is_stopped = True
            if self._job is not None:
                with contextlib.suppress(StoreAway):  # its hold expires
                    await self._jobs.release(self._job)

    async def _keep_job(self) -> None:
        """Renew the hold of the present job again and again, so that no other process takes it."""
        while True:
            await asyncio.sleep(self._labelling.keep_s)
            if self._job is not None:
                with contextlib.suppress(StoreAway):  # the next renewal may succeed
                    await self._jobs.keep(self._job)

    async def _search_next(self) -> None:
        """Take a job and find its label, or wait for a moment."""
        idle_ms = round(self._labelling.silent_s * 1_000)
        try:
            self._job = await self._jobs.take(JOB, self._name, idle_ms=idle_ms)
            if self._job is not None:
                await self._label(self._job)
                self._job = None
                return
        except StoreAway:
            self._job = None  # another process takes it once this one has been silent
        await asyncio.sleep(self._labelling.poll_s)

    async def _label(self, job: Job) -> None:
        """Search the deal of a job, and keep its label; after too many tries it stays unknown.

        A deal that is labelled by now is not searched, and neither is one that nobody asks for.
        """
        try:
            deal = LabelJob.model_validate_json(job.body)
        except ValidationError:
            log.warning("a deal cannot be read", job=job.key)
        else:
            known = await self._labels.read(deal.key)
            if known.label is None and await self._is_asked(deal, lately=True):
                label: DealLabel | None = "unknown"
                if job.tries <= MOST_TRIES:
                    label = await self._search_while_asked(deal)
                if label is not None:
                    await self._labels.keep(deal.key, label)
        await self._jobs.finish(job)

    async def _is_asked(self, deal: LabelJob, *, lately: bool = False) -> bool:
        """Return whether the room of a job still asks for its deal."""
        return await self._labels.is_asked(deal.key, deal.room, lately=lately)

    async def _search_while_asked(self, deal: LabelJob) -> DealLabel | None:
        """Return the label of a deal; None if its room asks for another one meanwhile."""
        self._is_dropped = False
        async with asyncio.TaskGroup() as tasks:
            looking = tasks.create_task(self._look_for_question(deal))
            label = await self._precedence.run(self._search, deal)
            looking.cancel()
        return None if self._is_dropped else label

    async def _look_for_question(self, deal: LabelJob) -> None:
        """Drop the search of a deal once its room asks for another one."""
        while not self._is_dropped:
            await asyncio.sleep(self._labelling.look_s)
            with contextlib.suppress(StoreAway):  # looked again when it is back
                self._is_dropped = not await self._is_asked(deal)

    def _search(self, deal: LabelJob) -> DealLabel:
        """Return the label of a deal; it runs in a thread."""
        try:
            deck = numbered_deck(deal.game, deal.number)
            verdict = solve(
                deal.rules,
                deck,
                budget=self._labelling.budget,
                should_stop=self._should_stop,
            )
        except (GameError, MemoryError) as error:
            log.warning("a deal cannot be searched", deal=deal.key, why=type(error).__name__)
            return "unknown"
        return LABELS[verdict.kind]

    def _should_stop(self) -> bool:
        """Return whether a search is to end, after rooms that wait have been served."""
        self._precedence.let_pass()
        return self._is_stopped or self._is_dropped

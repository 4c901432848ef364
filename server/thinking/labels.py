"""The labels of numbered deals, which say whether a deal can be won.

1. A deal is searched when a room that is about to play it asks for its label.
2. Each room waits for one deal only. When it asks for another one, the first search stops, unless
   another room waits for it too.
3. The label is stored even if the search finds nothing, so that nobody repeats it for a while.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from protocol.vocabulary import DealLabel
from server.games.deals import new_game, numbered_deck
from server.games.errors import GameError
from server.rooms.deals import LABELS, LabelledDeal
from server.solver.beam import ShouldStop
from server.solver.solve import solve
from server.store import DealLabels, Guards
from server.thinking.guarded_jobs import GuardedJobs
from server.thinking.pool import GivenUp, Pool, Urgency

BUDGET: Final = 2_000_000  # positions to judge before the label is "unknown"
LABELS_PER_ADDRESS: Final = 4  # how many deals the rooms of one address may wait for at a time
MAX_ROOMS: Final = 10_000  # remember the latest requests of this many rooms


class Labeller:
    """Find the labels of numbered deals for the rooms of one process."""

    def __init__(
        self, pool: Pool, labels: DealLabels, guards: Guards, tasks: asyncio.TaskGroup
    ) -> None:
        self._pool, self._labels = pool, labels
        self._jobs = GuardedJobs(guards, tasks, LABELS_PER_ADDRESS)
        self._requested: OrderedDict[str, str] = OrderedDict()  # by room: its latest deal's key

    async def request(
        self,
        deal: LabelledDeal,
        room: str,
        shares: Mapping[str, int],
        charge: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Start to find out for a room whether a deal can be won, which is the deal's label.

        Return whether some process is doing so now. For `shares` and `charge` see
        `GuardedJobs.start`.
        """
        previous = self._requested.pop(room, "")
        self._requested[room] = deal.key
        if len(self._requested) > MAX_ROOMS:
            self._requested.popitem(last=False)
        if previous not in self._requested.values():  # no other room waits for that deal
            self._jobs.stop(f"label {previous}")
        job = f"label {deal.key}"
        return await self._jobs.start(job, shares, lambda: self._label(deal), charge)

    async def _label(self, deal: LabelledDeal) -> None:
        """Search a deal and store its label, unless it has one."""
        if await self._labels.read(deal.key) is not None:
            return
        try:
            label = await self._pool.search(find_label, deal, BUDGET, urgency=Urgency.LABEL)
        except GivenUp:
            label = "unknown"
        await self._labels.keep(deal.key, label)


def find_label(deal: LabelledDeal, budget: int, should_stop: ShouldStop) -> DealLabel:
    """Return a deal's label, judging at most `budget` positions; runs in the pool's process."""
    try:
        deck = numbered_deck(deal.rules.game, deal.number)
        verdict = solve(new_game(deal.rules, deck), budget=budget, should_stop=should_stop)
    except (GameError, MemoryError):
        return "unknown"
    return LABELS[verdict.kind]

"""The labels of numbered deals: whether they can be won, as far as a search can tell.

1. A deal is searched when a room that is about to play it asks. A room asks for one deal at a
   time: once it asks for another one, the search of the earlier one is stopped.
2. A label is kept even if nothing is found, so that nobody searches again for a while.
3. A search does not begin if nobody has asked for a minute.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final

from protocol.vocabulary import DealLabel
from server.games.deals import numbered_deck
from server.games.errors import GameError
from server.rooms.deals import LABELS, LabelledDeal
from server.solver.beam import ShouldStop
from server.solver.solve import solve
from server.store import DealLabels, Guards
from server.thinking.asked_work import AskedWork
from server.thinking.pool import GivenUp, Pool, Urgency

BUDGET: Final = 2_000_000
"""The positions that are judged before a deal stays unknown."""
ASKED_S: Final = 60.0
"""The time after the latest question for which a room counts as asking."""
MOST_OF_ADDRESS: Final = 4
"""The deals of the rooms of one address that wait for their labels at a time."""
MOST_ROOMS: Final = 10_000
"""The rooms whose latest questions are known."""


class Labeller:
    """The searches of one process. `budget` is that of a deal, in positions."""

    def __init__(
        self,
        pool: Pool,
        labels: DealLabels,
        guards: Guards,
        tasks: asyncio.TaskGroup,
        budget: int = BUDGET,
    ) -> None:
        self._pool = pool
        self._labels = labels
        self._works = AskedWork(guards, tasks, MOST_OF_ADDRESS)
        self._budget = budget
        self._now = asyncio.get_running_loop().time
        self._asked: OrderedDict[str, tuple[str, float]] = OrderedDict()
        """The deal for which each room has last asked, and when."""

    async def ask(
        self,
        deal: LabelledDeal,
        room: str,
        networks: Mapping[str, int],
        may_search: Callable[[], bool] = lambda: True,
    ) -> bool:
        """Search a deal that has no label for a room, once; return whether it is searched.

        It counts for the `networks` of the room, with their shares. `may_search` charges a search.

        Raises:
            StoreAway: the store does not answer.
        """
        before, _ = self._asked.pop(room, ("", 0.0))
        self._asked[room] = deal.key, self._now()
        if len(self._asked) > MOST_ROOMS:
            self._asked.popitem(last=False)
        if before and before != deal.key and not self._is_asked(before):
            self._works.drop(_name(before))
        return await self._works.begin(
            _name(deal.key), networks, lambda: self._label(deal), may_search
        )

    async def _label(self, deal: LabelledDeal) -> None:
        """Search a deal and keep its label, unless that is done or nobody asks any more."""
        if await self._labels.read(deal.key) is not None or not self._is_asked(deal.key):
            return
        try:
            label = await self._pool.search(find_label, deal, self._budget, urgency=Urgency.LABEL)
        except GivenUp:
            label = "unknown"
        await self._labels.keep(deal.key, label)

    def _is_asked(self, key: str) -> bool:
        """Return whether a room has asked for the label of a deal a short time ago."""
        since = self._now() - ASKED_S
        return any(asked == key and at > since for asked, at in self._asked.values())


def _name(key: str) -> str:
    return f"label {key}"


def find_label(deal: LabelledDeal, budget: int, should_stop: ShouldStop) -> DealLabel:
    """Return the label of a deal; it runs in the process of the pool."""
    try:
        deck = numbered_deck(deal.game, deal.number)
        verdict = solve(deal.rules, deck, budget=budget, should_stop=should_stop)
    except (GameError, MemoryError):
        return "unknown"
    return LABELS[verdict.kind]

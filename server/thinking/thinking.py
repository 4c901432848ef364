"""The work of a thinking process: labels, reviews of finished rounds, and winnable deals."""

import asyncio

from server.store import Store
from server.thinking.labeller import Labeller
from server.thinking.pool_filler import PoolFiller
from server.thinking.precedence import Precedence
from server.thinking.reviewer import Reviewer


async def think(store: Store) -> None:
    """Work until cancelled.

    Rooms that wait for a deal are served first. Players wait for labels and reviews, so pools are
    filled last.
    """
    precedence = Precedence()
    labeller = Labeller(store.jobs, store.deal_labels, precedence=precedence)
    reviewer = Reviewer(store.jobs, store.rooms, store.logs, store.reviews, precedence=precedence)
    filler = PoolFiller(
        store.deal_pools,
        store.clock,
        has_better=lambda: reviewer.is_busy or labeller.is_busy,
        precedence=precedence,
    )
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(labeller.run())
        tasks.create_task(reviewer.run())
        tasks.create_task(filler.run())

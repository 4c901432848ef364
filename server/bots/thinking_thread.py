"""The thread in which the computer players of a process choose their acts, one after the other."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from server.games.actions import Action
from server.solver.players import Player
from server.solver.visible_table import VisibleTable

MOST_WAITING = 3
"""Choices that wait for the thread; with more of them players only look at plans."""


class ThinkingThread:
    """The thread; the event loop goes on meanwhile."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "thinking")
        self._waiting = 0

    async def choose(
        self, player: Player, table: VisibleTable, legal: Sequence[Action], *, hurry: bool
    ) -> Action | None:
        """Return the choice of a player, who is in a `hurry` also if many others wait."""
        hurry = hurry or self._waiting >= MOST_WAITING
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(
                self._thread, lambda: player.choose(table, legal, hurry=hurry)
            )
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the thread after the choice that it makes at present."""
        self._thread.shutdown(wait=False, cancel_futures=True)

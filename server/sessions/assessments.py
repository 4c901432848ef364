"""What is known about the rest of games: the searches of one process, for players who ask.

1. A search is charged before it runs: to the seat, which has few, and to the process, which spends
   a small share of its time on all of them. Beyond that nothing is known.
2. Searches run one after the other, in slices between the acts of all players. They are small:
   `docs/decisions/small_searches_beside_the_acts.md`.
3. A search looks only at what the player sees (`solver/endings.py`, `solver/dead_ends.py`).
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final, NamedTuple

from protocol.vocabulary import Outlook
from server.games.actions import DEAL, Action
from server.games.game import Game
from server.live.long_work import LongWork
from server.networks import named_network
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import RateLimit, RateLimits
from server.solver.dead_ends import DeadEndSearch
from server.solver.endings import EndingSearch


class Assessment(NamedTuple):
    """What is known about the rest of a game."""

    outlook: Outlook
    line: tuple[Action, ...] = ()  # the actions that win, if the outlook is `WON`
    gain: int = 0  # the points that moves can still add, if it is `DEAD`


OPEN: Final = Assessment(Outlook.OPEN)
"""Nothing is known."""


class Assessments:
    """The searches of one process. `monotonic` returns seconds and never runs backwards."""

    def __init__(
        self,
        long_work: LongWork,
        limits: SessionLimits,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._long_work = long_work
        self._of_seats = RateLimits(*limits.searches, monotonic, named_network)
        self._search_ms = RateLimit(*limits.search_ms, monotonic)
        self._most_waiting = limits.waiting_searches
        self._waiting = 0
        self._turn = asyncio.Lock()

    async def find(self, seat_name: str, game: Game, *, autoplay: bool) -> Assessment:
        """Return what is known about a game, which nobody else may change meanwhile.

        Without `autoplay` no line is searched. Cancelling ends the search.
        """
        if DEAL in game.legal_actions() or self._waiting >= self._most_waiting:
            return OPEN
        if not self._of_seats.take(seat_name):
            return OPEN
        self._waiting += 1
        try:
            async with self._turn:
                return await self._search(game, autoplay=autoplay)
        finally:
            self._waiting -= 1

    async def _search(self, game: Game, *, autoplay: bool) -> Assessment:
        """Search for a win with all cards in view, and then whether the game is dead."""
        ending, dead_end = EndingSearch(game), DeadEndSearch(game)
        if autoplay and self._search_ms.may():
            spent = await self._long_work.in_background(ending.steps())
            self._search_ms.owe(1_000 * spent)
        if ending.line:
            return Assessment(Outlook.WON, ending.line)
        if self._search_ms.may():
            spent = await self._long_work.in_background(dead_end.steps())
            self._search_ms.owe(1_000 * spent)
        return Assessment(Outlook.DEAD, gain=dead_end.gain) if dead_end.is_dead else OPEN

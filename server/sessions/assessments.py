"""What is known about the rest of games: the searches of one process, for players who ask.

1. A search is charged to the seat, which has few, and to the process, which spends a small share
   of its time on all of them. An address has a part of that share. Beyond it nothing is searched.
2. A game that is to end as a dead one is always searched. Beyond the address's part it waits.
3. Searches run one after the other, in slices between the acts of all players; addresses take
   turns. They are small: `docs/decisions/small_searches_beside_the_acts.md`.
4. A search looks only at what the player sees (`solver/endings.py`).
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from protocol.vocabulary import Outlook
from server.games.actions import DEAL, Action
from server.games.game import Game
from server.live.keyed_locks import KeyedLocks
from server.live.long_work import LongWork
from server.networks import is_loopback, named_network, networks_of
from server.sessions.limits import RateLimit, RateLimits, SessionLimits
from server.solver.endings import DeadEndSearch, EndingSearch


class Assessment(NamedTuple):
    """What is known about the rest of a game."""

    outlook: Outlook
    line: tuple[Action, ...] = ()  # the actions that win, if the outlook is `WON`
    gain: int = 0  # the points that moves can still add, if it is `DEAD`


OPEN: Final = Assessment(Outlook.OPEN)
"""Nothing is known."""
UNSEARCHED: Final = Assessment(Outlook.OPEN)
"""Nothing is known, since nothing was searched: the next question may be answered."""


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
        self._ms_of_addresses = RateLimits(*limits.search_ms_of_address, monotonic)
        self._most_waiting = limits.waiting_searches
        self._waiting: Counter[str] = Counter()
        self._turn = asyncio.Lock()
        # One search of an address waits for its turn at a time.
        self._turns_of_addresses = KeyedLocks(patience_s=None)

    async def find(
        self,
        seat_name: str,
        game: Game,
        *,
        autoplay: bool,
        address: str = "",
        always: bool = False,
    ) -> Assessment:
        """Return what is known about a game, which nobody else may change meanwhile.

        Without `autoplay` no line is searched. The search is charged to the seat and the
        `address`; beyond their limits the result is `UNSEARCHED`, unless the game is `always` to
        be searched. Cancelling ends the search.
        """
        if DEAL in game.legal_actions():
            return OPEN
        address = networks_of(address)[0].name
        if not always:
            if self._waiting[address] >= self._most_waiting:
                return UNSEARCHED
            if not self._of_seats.take(seat_name):
                return UNSEARCHED
        self._waiting[address] += 1
        try:
            async with self._turns_of_addresses.of(address):
                if always and not is_loopback(address):
                    await asyncio.sleep(self._ms_of_addresses.wait_s(address))
                async with self._turn:
                    return await self._search(game, address, autoplay=autoplay, always=always)
        finally:
            self._waiting[address] -= 1
            if not self._waiting[address]:
                del self._waiting[address]

    async def _search(
        self, game: Game, address: str, *, autoplay: bool, always: bool
    ) -> Assessment:
        """Search for a win with all cards in view, and then whether the game is dead."""
        ending, dead_end = EndingSearch(game), DeadEndSearch(game)
        if autoplay:
            if not always and not self._may(address):
                return UNSEARCHED
            await self._run(ending.steps(), address)
        if ending.line:
            return Assessment(Outlook.WON, ending.line)
        if not always and not self._may(address):
            return UNSEARCHED
        await self._run(dead_end.steps(), address)
        return Assessment(Outlook.DEAD, gain=dead_end.gain) if dead_end.is_dead else OPEN

    def _may(self, address: str) -> bool:
        """Return whether the process and the address have time for a search."""
        of_address = is_loopback(address) or self._ms_of_addresses.may(address)
        return of_address and self._search_ms.may()

    async def _run(self, steps: Iterator[None], address: str) -> None:
        """Take the steps of a search, and charge their time."""
        spent_ms = 1_000 * await self._long_work.in_background(steps)
        self._search_ms.owe(spent_ms)
        if not is_loopback(address):
            self._ms_of_addresses.owe(address, spent_ms)

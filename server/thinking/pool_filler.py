"""The filling of the pools with winnable deals, when nothing else is to do.

1. A seed is drawn from the system's source of randomness, and its deal is solved. A deal that
   needs a wide search is not dropped before that, so the pools are not made of easy ones.
2. The engine replays the line before the deal is stored.
3. Pools of which deals were wanted lately come first, but not to the last deal before the others
   have any.
4. While the process has something better to do, only those are filled, and only to a few deals.
5. Rooms that wait for an empty pool come before all else. They get the first deals that a short
   search wins. What it does not win is kept, and searched on when nobody waits.
"""

import asyncio
import contextlib
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from protocol.vocabulary import SEED_BYTES, Outcome
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.rooms.winnable_deals import POOLS, WinnableDeal
from server.solver.solve import solve
from server.solver.verdicts import ShouldStop
from server.store import Clock, DealPools, PoolLevel, StoreAway
from server.thinking.precedence import Precedence

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Filling:
    """How full the pools are kept, and how far the search for a win goes."""

    wanted: int = 100
    """The deals of a pool that was asked lately, and of that of new rooms."""
    others: int = 8
    """The deals of every other pool."""
    first: int = 8
    """The deals of a wanted pool that come before the first ones of the others."""
    few: int = 2
    """The deals of every other pool that come before the last ones of a wanted pool."""
    busy: int = 8
    """The deals of a wanted pool while the process has something better to do."""
    lately_ms: int = 24 * 3_600_000
    """The time for which a pool counts as asked lately."""
    budget: int = 4_000_000
    """The positions that are judged before a deal is dropped."""
    short_budget: int = 20_000
    """The positions that are judged of a deal for which a room waits."""
    postponed: int = 1_000
    """The deals of a pool that a short search has not won, and that are kept for later."""
    look_s: float = 1.0
    """The time between two looks at the pools while nothing is to do."""
    look_for_rooms_s: float = 0.2
    """The time between two looks for rooms that wait."""


FILLING: Final = Filling()
OF_NEW_ROOMS: Final = "spider-1:left4:strict"
"""The pool of rooms whose settings nobody has changed."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What a search has found."""

    deal: WinnableDeal | None
    is_open: bool
    """Whether a longer search may find a win."""


class PoolFiller:
    """The filler of one process."""

    def __init__(
        self,
        pools: DealPools,
        clock: Clock,
        filling: Filling = FILLING,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        has_better: Callable[[], bool] = lambda: False,
        precedence: Precedence | None = None,
    ) -> None:
        self._pools = pools
        self._clock = clock
        self._filling = filling
        self._draw_seed = draw_seed
        self._has_better = has_better
        self._precedence = precedence or Precedence()
        self._postponed: dict[str, deque[bytes]] = {name: deque() for name in POOLS}
        self._hopeless: set[str] = set()  # pools of games of which no deal could be solved
        self._is_stopped = False

    async def run(self) -> None:
        """Fill the pools until cancelled; a search that runs then is stopped."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._show_presence())
                tasks.create_task(self._serve_rooms())
                while True:
                    await self._fill()
        finally:
            self._is_stopped = True
            self._precedence.end()

    async def _show_presence(self) -> None:
        """Show rooms again and again that this process fills the pools."""
        while True:
            with contextlib.suppress(StoreAway):  # shown when it is back
                await self._pools.show_filler()
            await asyncio.sleep(self._filling.look_s)

    async def _serve_rooms(self) -> None:
        """Solve deals for rooms that wait, pool after pool, as long as there are any."""
        while True:
            names: list[str] = []
            try:
                waited_for = await self._pools.waited_for(list(POOLS))
                names = [name for name in waited_for if name not in self._hopeless]
                if names:
                    self._precedence.begin()
                for name in names:
                    await self._solve_for_room(name)
            except StoreAway:
                names = []  # looked for again when it is back
            if not names:
                self._precedence.end()
                await asyncio.sleep(self._filling.look_for_rooms_s)

    async def _solve_for_room(self, name: str) -> None:
        """Search a new deal of a pool for a short time; postpone it if that is not enough."""
        postponed, budget = self._postponed[name], self._filling.short_budget
        if len(postponed) < self._filling.postponed:
            seed = self._draw_seed()
        else:
            seed, budget = postponed.popleft(), self._filling.budget
        found = await asyncio.to_thread(self._solve, name, seed, budget, lambda: self._is_stopped)
        if found.deal is not None:
            await self._put(found.deal)
        elif found.is_open and budget < self._filling.budget:
            postponed.append(seed)

    async def _fill(self) -> None:
        """Solve a deal for the pool that needs it most, or wait for a moment."""
        try:
            name = self._neediest(await self._pools.levels(list(POOLS)))
            if name is not None:
                postponed = self._postponed[name]
                seed = postponed.popleft() if postponed else self._draw_seed()
                found = await self._precedence.run(
                    self._solve, name, seed, self._filling.budget, self._should_stop
                )
                if found.deal is not None:
                    await self._put(found.deal)
                return
        except StoreAway:
            pass  # the pools are filled when it is back
        await asyncio.sleep(self._filling.look_s)

    async def _put(self, deal: WinnableDeal) -> None:
        """Store a deal, unless its pool is full."""
        await self._pools.put(deal.pool, deal.as_text(), most=self._filling.wanted)

    def _neediest(self, levels: Mapping[str, PoolLevel]) -> str | None:
        """Return the pool that comes next; None if all have enough."""
        since = self._clock.now() - self._filling.lately_ms
        has_better, filling = self._has_better(), self._filling
        found: list[tuple[int, float, str]] = []
        for name, level in levels.items():
            is_wanted = level.wanted_ms > since or name == OF_NEW_ROOMS
            most = filling.wanted if is_wanted else filling.others
            if has_better:
                most = min(most, filling.busy) if is_wanted else 0
            if level.deals >= most or name in self._hopeless:
                continue
            has_few = level.deals >= (filling.first if is_wanted else filling.few)
            found.append((2 * has_few + (not is_wanted), level.deals / most, name))
        return min(found)[-1] if found else None

    def _should_stop(self) -> bool:
        """Return whether a search is to end, after rooms that wait have been served."""
        self._precedence.let_pass()
        return self._is_stopped

    def _solve(self, name: str, seed: bytes, budget: int, should_stop: ShouldStop) -> _Found:
        """Search a deal of a pool; it runs in a thread."""
        rules = POOLS[name]
        deck = secret_deck(rules.game, seed)
        try:
            verdict = solve(rules, deck, budget=budget, should_stop=should_stop)
        except MemoryError:
            log.warning("a search has used up the memory", pool=name)
            return _Found(None, is_open=False)
        if verdict.kind != "won":
            if not verdict.children and not self._is_stopped:
                self._hopeless.add(name)
            return _Found(None, is_open=verdict.kind == "unknown")
        assert replay(rules, deck, verdict.line).outcome is Outcome.WON, "the line wins"
        return _Found(WinnableDeal(name, seed, verdict.line), is_open=False)

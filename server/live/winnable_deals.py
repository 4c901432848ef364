"""The winnable deals that this process has taken for its rooms, before their rounds begin.

1. A deal is taken from its pool before the command that may begin a round, one for each room. It
   stays that room's until a round is played with it. If the process dies first, nobody gets it.
2. Its line is replayed by the rules of the room before it is used.
3. While a pool is empty, a room waits if somebody fills the pool or is about to, and longest
   before the command that begins the round. Then it plays any secret deal.
4. All players of a room wait together: the wait begins with the first of their commands. What they
   have waited before the round could begin does not shorten the wait before it begins.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import structlog

from protocol.settings import Settings
from protocol.vocabulary import Outcome
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.errors import GameError
from server.live.keyed_locks import KeyedLocks
from server.live.long_work import LongWork
from server.rooms.record import Round
from server.rooms.rounds import rules_of
from server.rooms.winnable_deals import WinnableDeal, pool_of
from server.solver.lines import steps
from server.store import DealPools, StoreAway, TakenDeal

MOST_READY: Final = 2_000
"""The deals that wait for their rounds; beyond it the oldest ones are given up."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PoolWait:
    """How long a room waits for a deal, in seconds."""

    early_s: float = 1.5
    """The longest wait for an empty pool that somebody fills, before the round can begin."""
    most_s: float = 6.0
    """The longest one before the round begins: clients give up a silent server after nine."""
    again_s: float = 10.0
    """The time after a wait that was in vain in which the room does not wait again."""
    poll_s: float = 0.1
    """The time between two looks into it."""
    starting_s: float = 60.0
    """The time in which a thinking process starts with its server, also on a busy machine."""


POOL_WAIT = PoolWait()


class WinnableDeals:
    """The deals by room and pool."""

    def __init__(
        self,
        pools: DealPools,
        long_work: LongWork,
        wait: PoolWait = POOL_WAIT,
        *,
        has_thinkers: bool = False,
    ) -> None:
        """Take deals from pools; a server that `has_thinkers` starts those now that fill them."""
        now = asyncio.get_running_loop().time()
        self._starts_until = now + wait.starting_s if has_thinkers else 0.0
        self._pools = pools
        self._long_work = long_work
        self._wait = wait
        self._locks = KeyedLocks(patience_s=wait.most_s + wait.early_s)
        self._ready: OrderedDict[tuple[str, str], WinnableDeal] = OrderedDict()
        self._waits_since: OrderedDict[tuple[str, str, bool], float] = OrderedDict()

    async def prepare(self, code: str, settings: Settings, *, begins: bool = True) -> None:
        """Take a deal for the next round of a room, if it wants one and there is one.

        A command that `begins` the round waits longest for it.
        """
        pool = pool_of(settings)
        if pool is None:
            return
        async with self._locks.of(code):
            if (code, pool) in self._ready:
                return
            deal = await self._take(pool, settings, self._give_up_at(code, pool, begins=begins))
        if deal is not None:
            for either in (False, True):
                self._waits_since.pop((code, pool, either), None)
            self._ready[code, pool] = deal
            if len(self._ready) > MOST_READY:
                self._ready.popitem(last=False)

    def _give_up_at(self, code: str, pool: str, *, begins: bool) -> float:
        """Return the time of the loop until which a room waits for a deal of an empty pool."""
        now, wait = asyncio.get_running_loop().time(), self._wait
        since = self._waits_since.pop((code, pool, begins), now)
        if now > since + wait.most_s + wait.again_s:
            since = now
        self._waits_since[code, pool, begins] = since
        if len(self._waits_since) > MOST_READY:
            self._waits_since.popitem(last=False)
        return since + (wait.most_s if begins else wait.early_s)

    def ready_deal(self, code: str, settings: Settings) -> WinnableDeal | None:
        """Return the deal for the next round of a room, if it wants one and there is one."""
        pool = pool_of(settings)
        return None if pool is None else self._ready.get((code, pool))

    def forget(self, code: str, played: Round | None) -> None:
        """Forget the deal that a room plays: it is never given again."""
        pool = None if played is None else pool_of(played.settings)
        if played is None or pool is None:
            return
        deal = self._ready.get((code, pool))
        if deal is not None and deal.seed.hex() == played.deal.seed:
            del self._ready[code, pool]

    def give_up(self, code: str, settings: Settings) -> None:
        """Forget the deal of a room that may have been played: the store has not said so."""
        pool = pool_of(settings)
        if pool is not None:
            self._ready.pop((code, pool), None)

    async def _take(self, pool: str, settings: Settings, give_up_at: float) -> WinnableDeal | None:
        """Return a deal from a pool; wait until `give_up_at` if the pool is being filled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                taken = await self._pools.take(pool)
            except StoreAway:
                return None
            if taken.deal is not None:
                deal = await self._checked(pool, taken.deal, settings)
                if deal is not None:
                    return deal
            elif not self._helps_to_wait(taken) or loop.time() >= give_up_at:
                return None
            else:
                await asyncio.sleep(self._wait.poll_s)

    def _helps_to_wait(self, taken: TakenDeal) -> bool:
        """Return whether an empty pool is filled, or will be in a moment."""
        return taken.is_filled or asyncio.get_running_loop().time() < self._starts_until

    async def _checked(self, pool: str, text: str, settings: Settings) -> WinnableDeal | None:
        """Return a deal whose line wins by the rules of the room; None if it does not."""
        try:
            deal = WinnableDeal.parse(pool, text)
            game = new_game(rules_of(settings), secret_deck(settings.game, deal.seed))
            await self._long_work.run(steps(game, deal.line))
        except (ValueError, GameError):
            log.exception("a deal of a pool cannot be read", pool=pool)
            return None
        if game.outcome is not Outcome.WON:
            log.error("a deal of a pool is not won by its line", pool=pool)
            return None
        return WinnableDeal(pool, deal.seed, game.log)

"""The winnable deals that this process finds for its rooms, before their rounds start.

1. Deals of each kind are found ahead of time: one for each room in its lobby or in the round
   before, and a few more. Each seed comes from the system's random source and is searched until a
   win is found or the budget is spent: no deal is dropped because it is not easy.
2. A room may want a deal of one *degree* of difficulty, so a few deals of each are kept ready.
3. A command that starts a round takes a deal or waits for one. So does the next window of a match:
   a round that each player starts at a time of their own. While a room waits, each seed gets only
   the budget that suffices for the room's degree, or for two of three deals if it has none.
   Seeds that need more are kept for a longer search later.
4. Deals of other degrees that are found along the way are kept. After the wait, the room takes one
   of those. Without one, it plays any secret deal, which perhaps cannot be won.
5. A deal is only in the memory of this process and is taken once, even if the command fails.
"""

import asyncio
import contextlib
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import structlog

from protocol.settings import Settings
from protocol.vocabulary import DEGREES, SEED_BYTES, DayGameId, Degree, Outcome, RoomState
from server.games.deals import new_game, secret_deck
from server.live.work import LongWork
from server.rooms.days import settings_of_day
from server.rooms.deals import WinnableDeal, deal_kind_of
from server.rooms.record import Room, open_games
from server.rooms.settings import rules_of
from server.solver.deal_kinds import DEAL_KINDS, Found, find_win, max_judged
from server.solver.solve import steps
from server.thinking.pool import GivenUp, Pool, Urgency

MAX_ROOMS: Final = 500
"""Find deals ahead for this many rooms; beyond that, the rooms that asked first lose theirs."""
MAX_READY: Final = 100  # keep this many deals of each kind and degree
MAX_HARD: Final = 1_000  # keep this many seeds of each kind that need a long search
MAX_SEEDS: Final = 100  # search this many seeds for one deal; most of them can be won
MAX_WAIT_S: Final = 6.0  # a room waits this long: clients reconnect after 9 s of silence
BUDGET: Final = 4_000_000  # positions to judge before a deal is dropped
AHEAD: Final = 2
"""Once a room has asked for a kind of deal, keep this many spare ones of each degree, for rooms
whose game starts at once, such as practice."""

log = structlog.get_logger()


class Wish(NamedTuple):
    """What a room wants of its deal."""

    kind: str
    degree: Degree | None  # None means any degree

    def is_served_by(self, other: "Wish | WinnableDeal") -> bool:
        """Return whether this wish is served by this deal, or by any deal for another wish."""
        return self.kind == other.kind and self.degree in (None, other.degree)


class WinnableDeals:
    """Find winnable deals for the rooms of this process, and keep `ahead` spare ones per degree.

    `draw_seed` returns a random seed for a new deal.
    """

    def __init__(
        self,
        pool: Pool,
        long_work: LongWork,
        tasks: asyncio.TaskGroup,
        ahead: int = AHEAD,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self._pool, self._long_work, self._tasks = pool, long_work, tasks
        self._ahead, self._draw_seed = ahead, draw_seed
        # By kind: deals found, seeds that need a long search, and the task that finds more deals.
        self._ready: dict[str, deque[WinnableDeal]] = {kind: deque() for kind in DEAL_KINDS}
        self._hard_seeds = {kind: deque[bytes](maxlen=MAX_HARD) for kind in DEAL_KINDS}
        self._filling: dict[str, asyncio.Task[None]] = {}
        self._expected: OrderedDict[str, Wish] = OrderedDict()  # for the next round, by room
        self._wished: dict[Wish, None] = {}  # all wishes to keep deals ready for, in order

    def expect(self, room: Room, charge: Callable[[], bool] = lambda: True) -> None:
        """Start to find a deal for a room's next round, if the room wants a winnable one.

        If a search is needed, `charge` charges it to the host's address, or returns False beyond
        a limit. Then nothing is searched, and the room waits for its deal when the round starts.
        """
        wish = _wish_of(room.settings) if _plays_on(room) else None
        if self._expected.get(room.code) == wish:
            return
        self._expected.pop(room.code, None)
        if wish is None:
            return
        has_spare = self._count_ready(wish) > self._count_expected(wish)
        if not (has_spare or charge()):
            return
        self._expected[room.code] = wish
        if len(self._expected) > MAX_ROOMS:
            self._expected.popitem(last=False)
        self._find_ahead(wish)

    async def take(
        self, code: str, settings: Settings, *, is_awaited: bool = True
    ) -> WinnableDeal | None:
        """Return a deal for the room `code`, or None if it needs none or none is found.

        If nobody waits for it (`is_awaited` is false), the search may take long; others go first.
        """
        if (wish := _wish_of(settings)) is None:
            return None
        self._expected.pop(code, None)
        if not self._count_ready(wish):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(MAX_WAIT_S if is_awaited else None):
                    await self._find(wish, is_awaited=is_awaited)
        any_degree = Wish(wish.kind, degree=None)  # better than a deal that perhaps has no win
        deal = self._take_ready(wish) or self._take_ready(any_degree)
        self._find_ahead(wish)
        return None if deal is None else await self._as_played(deal, settings)

    async def of_day(self, game: DayGameId, *, is_awaited: bool) -> WinnableDeal | None:
        """Return a deal for one of the games of today's race, or None if none is found now."""
        return await self.take("", settings_of_day(game), is_awaited=is_awaited)

    def _count_expected(self, wish: Wish) -> int:
        """Return how many rooms expect a deal that would serve this wish."""
        return sum(wish.is_served_by(each) for each in self._expected.values())

    def _count_ready(self, wish: Wish) -> int:
        """Return how many of the deals found so far serve this wish."""
        return sum(wish.is_served_by(each) for each in self._ready[wish.kind])

    def _take_ready(self, wish: Wish) -> WinnableDeal | None:
        """Remove and return the oldest ready deal that serves this wish, if any."""
        ready = self._ready[wish.kind]
        deal = next((each for each in ready if wish.is_served_by(each)), None)
        if deal is not None:
            ready.remove(deal)
        return deal

    def _find_ahead(self, wish: Wish) -> None:
        """Start to find deals for a wish and a few of each degree, unless a task already does."""
        kind = wish.kind
        self._wished |= dict.fromkeys([wish, *(Wish(kind, degree) for degree in DEGREES)])
        filling = self._filling.get(kind)
        if filling is None or filling.done():
            self._filling[kind] = self._tasks.create_task(self._fill(kind), name="deals ahead")

    async def _fill(self, kind: str) -> None:
        """Find deals of a kind until enough are ready for each wish."""
        while missing := [
            each for each in self._wished if each.kind == kind and self._lacks(each)
        ]:
            if not await self._find(missing[0]):
                return  # the next call of `_find_ahead` starts again

    def _lacks(self, wish: Wish) -> bool:
        """Return whether too few deals are ready for this wish."""
        needed = min(MAX_READY, self._count_expected(wish) + self._ahead)
        return self._count_ready(wish) < needed

    async def _find(self, wish: Wish, *, is_awaited: bool = False) -> bool:
        """Find a deal of the wish's kind and keep it; return whether there is one now.

        A deal of that kind may be easier or harder than wished. If somebody waits (`is_awaited`),
        go on until one serves the wish, whichever task finds it.
        """
        try:
            for _ in range(MAX_SEEDS):
                found = await self._search_seed(wish, is_awaited=is_awaited)
                if found.line is not None:
                    self._keep(WinnableDeal(wish.kind, found.seed, found.line, found.degree))
                    if not is_awaited:
                        return True
                if found.is_unsearched:  # then other seeds would not be searched either
                    return False
                if is_awaited and self._count_ready(wish):
                    return True
        except GivenUp:
            pass
        except Exception:
            log.exception("a deal cannot be searched", pool=wish.kind)
        return False

    def _keep(self, deal: WinnableDeal) -> None:
        """Keep a deal ready, unless enough of its degree are."""
        if self._count_ready(Wish(deal.kind, deal.degree)) < MAX_READY:
            self._ready[deal.kind].append(deal)

    async def _search_seed(self, wish: Wish, *, is_awaited: bool) -> Found:
        """Search the deal of one seed for a win, within the budget of this wish.

        A seed that needs a longer search is kept until a wish has the full budget.
        """
        hard_seeds, budget = self._hard_seeds[wish.kind], self._budget(wish, is_awaited=is_awaited)
        is_full = budget == BUDGET
        seed = hard_seeds.popleft() if hard_seeds and is_full else self._draw_seed()
        urgency = Urgency.AWAITED_DEAL if is_awaited else Urgency.DEAL
        try:
            found = await self._pool.search(find_win, wish.kind, seed, budget, urgency=urgency)
        except asyncio.CancelledError:
            hard_seeds.append(seed)  # its search was cut short, and is repeated later
            raise
        if found.is_open and not is_full:
            hard_seeds.append(seed)
        return found

    def _budget(self, wish: Wish, *, is_awaited: bool) -> int:
        """Return how many positions to judge; for a wish of any degree, fewer if it is awaited."""
        kind, degree = wish
        limit = max_judged(kind, degree or ("middle" if is_awaited else "hard"))
        return min(limit or BUDGET, BUDGET)

    async def _as_played(self, deal: WinnableDeal, settings: Settings) -> WinnableDeal | None:
        """Return the deal with its line as played by the room's rules; None if it does not win."""
        game = new_game(rules_of(settings), secret_deck(settings.game, deal.seed))
        await self._long_work.run(steps(game, deal.line))
        if game.outcome is not Outcome.WON:
            log.error("a deal is not won by its line", pool=deal.kind)
            return None
        return replace(deal, line=game.log)


def _wish_of(settings: Settings) -> Wish | None:
    """Return what a room wants of its deal, or None if it wants no winnable secret deal."""
    kind = deal_kind_of(settings)
    return None if kind is None else Wish(kind, settings.degree)


def _plays_on(room: Room) -> bool:
    """Return whether a room is in its lobby, or its match has another game after this one."""
    running = 0 if room.state is RoomState.FINISHED else 1  # a running game counts as open
    return room.state is RoomState.LOBBY or len(open_games(room)) > running

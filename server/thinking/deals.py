"""The winnable deals that this process finds for its rooms, before their rounds start.

1. Deals of each kind are found ahead of time: one for each room in its lobby or in the round
   before, and a few more. Each seed comes from the system's random source and is searched until a
   win is found or the budget is spent: no deal is dropped because it is not easy.
2. A command that starts a round takes a deal or waits for one, and so does the next window of a
   match. While a room waits, each seed is searched only as far as deals of its degree need, or
   two of three deals if it wants no degree. Seeds that need more are searched later, for others.
3. A room may want a deal of one degree. A few deals of each degree are kept ready. Deals of other
   degrees that are found along the way are kept; after the wait, the room takes one of those.
4. If no deal is found in time, the room plays any secret deal, which perhaps cannot be won.
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
"""Find deals ahead for this many rooms; the rooms that asked first lose their place."""
MAX_READY: Final = 100  # deals to find ahead, of each kind and degree
MAX_HARD: Final = 1_000  # seeds to keep that need a long search, of each kind
MAX_SEEDS: Final = 100  # seeds to search for one deal; most of them can be won
MAX_WAIT_S: Final = 6.0  # a room waits this long; clients give up a silent server after nine
BUDGET: Final = 4_000_000  # positions to judge before a deal is dropped
AHEAD: Final = 2
"""Deals of each degree to keep ready once a room has asked for their kind, for games that start
with their rooms, such as practice."""

log = structlog.get_logger()


class Wish(NamedTuple):
    """The deal that a room wants."""

    kind: str
    degree: Degree | None  # None means any degree

    def is_served_by(self, other: "Wish | WinnableDeal") -> bool:
        """Return whether a deal serves this wish, or any deal for the other wish would."""
        return self.kind == other.kind and self.degree in (None, other.degree)


class WinnableDeals:
    """Find the winnable deals of this process, and keep `ahead` more than its rooms expect.

    `draw_seed` returns the seed of a new deal.
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
        self._ready: dict[str, deque[WinnableDeal]] = {kind: deque() for kind in DEAL_KINDS}
        self._hard: dict[str, deque[bytes]] = {  # seeds that need a long search, by kind
            kind: deque(maxlen=MAX_HARD) for kind in DEAL_KINDS
        }
        self._expected: OrderedDict[str, Wish] = OrderedDict()  # for the next round, by room
        self._wished: dict[Wish, None] = {}  # the wishes of rooms so far, in their order
        self._filling: dict[str, asyncio.Task[None]] = {}  # find deals ahead, by kind

    def expect(self, room: Room, charge: Callable[[], bool] = lambda: True) -> None:
        """Start finding a deal for the next round of a room, if it wants one.

        `charge` charges a search to the host's address. If it returns False, over the limit,
        nothing is searched, and the room waits for its deal when it starts.
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

        A search that nobody awaits (`is_awaited`) takes as long as it needs; others go first.
        """
        if (wish := _wish_of(settings)) is None:
            return None
        self._expected.pop(code, None)
        if not self._count_ready(wish):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(MAX_WAIT_S if is_awaited else None):
                    await self._find(wish, is_awaited=is_awaited)
        any_degree = Wish(wish.kind, degree=None)  # better than a deal that may not be winnable
        deal = self._take_ready(wish) or self._take_ready(any_degree)
        self._find_ahead(wish)
        return None if deal is None else await self._as_played(deal, settings)

    async def of_day(self, game: DayGameId, *, is_awaited: bool) -> WinnableDeal | None:
        """Return a deal for a game of a day, or None if none is found now."""
        return await self.take("", settings_of_day(game), is_awaited=is_awaited)

    def _count_expected(self, wish: Wish) -> int:
        """Return how many rooms expect a deal that would serve this wish."""
        return sum(wish.is_served_by(each) for each in self._expected.values())

    def _count_ready(self, wish: Wish) -> int:
        return sum(wish.is_served_by(each) for each in self._ready[wish.kind])

    def _take_ready(self, wish: Wish) -> WinnableDeal | None:
        """Remove and return the first ready deal that serves a wish."""
        ready = self._ready[wish.kind]
        deal = next((each for each in ready if wish.is_served_by(each)), None)
        if deal is not None:
            ready.remove(deal)
        return deal

    def _find_ahead(self, wish: Wish) -> None:
        """Start finding deals of the wish's kind ahead of time, unless a task already does."""
        kind = wish.kind
        self._wished |= dict.fromkeys([wish, *(Wish(kind, degree) for degree in DEGREES)])
        filling = self._filling.get(kind)
        if filling is None or filling.done():
            self._filling[kind] = self._tasks.create_task(self._fill(kind), name="deals ahead")

    async def _fill(self, kind: str) -> None:
        """Find deals of a kind until enough are ready for the rooms that expect them."""
        while missing := [
            each for each in self._wished if each.kind == kind and self._lacks(each)
        ]:
            if not await self._find(missing[0]):
                return  # the next round starts the search again

    def _lacks(self, wish: Wish) -> bool:
        """Return whether too few deals for this wish are ready."""
        needed = min(MAX_READY, self._count_expected(wish) + self._ahead)
        return self._count_ready(wish) < needed

    async def _find(self, wish: Wish, *, is_awaited: bool = False) -> bool:
        """Find and keep a deal of the wish's kind; if it `is_awaited`, one that serves the wish.

        Another task may find the awaited deal. Return False if none is found or the search fails.
        """
        try:
            for _ in range(MAX_SEEDS):
                found = await self._search_seed(wish, is_awaited=is_awaited)
                if found.line is not None:
                    self._keep(WinnableDeal(wish.kind, found.seed, found.line, found.degree))
                if found.is_hopeless:
                    return False
                has_deal = self._count_ready(wish) > 0 if is_awaited else found.line is not None
                if has_deal:
                    return True
        except GivenUp:
            pass
        except Exception:
            log.exception("a deal cannot be searched", pool=wish.kind)
        return False

    def _keep(self, deal: WinnableDeal) -> None:
        """Keep a deal ready, unless there are many of its degree."""
        if self._count_ready(Wish(deal.kind, deal.degree)) < MAX_READY:
            self._ready[deal.kind].append(deal)

    async def _search_seed(self, wish: Wish, *, is_awaited: bool) -> Found:
        """Search for a win of one seed's deal, as far as this wish needs.

        Keep a seed that needs more for a search of another wish.
        """
        hard, budget = self._hard[wish.kind], self._budget(wish, is_awaited=is_awaited)
        is_long = budget == BUDGET
        seed = hard.popleft() if hard and is_long else self._draw_seed()
        urgency = Urgency.AWAITED_DEAL if is_awaited else Urgency.DEAL
        try:
            found = await self._pool.search(find_win, wish.kind, seed, budget, urgency=urgency)
        except asyncio.CancelledError:
            hard.append(seed)
            raise
        if found.is_open and not is_long:
            hard.append(seed)
        return found

    def _budget(self, wish: Wish, *, is_awaited: bool) -> int:
        """Return how many positions to judge; for a wish of any degree, fewer if it is awaited."""
        kind, degree = wish
        limit = max_judged(kind, degree or ("middle" if is_awaited else "hard"))
        return min(limit or BUDGET, BUDGET)

    async def _as_played(self, deal: WinnableDeal, settings: Settings) -> WinnableDeal | None:
        """Return a deal with its line replayed by the room's rules; None if that does not win."""
        game = new_game(rules_of(settings), secret_deck(settings.game, deal.seed))
        await self._long_work.run(steps(game, deal.line))
        if game.outcome is not Outcome.WON:
            log.error("a deal is not won by its line", pool=deal.kind)
            return None
        return replace(deal, line=game.log)


def _wish_of(settings: Settings) -> Wish | None:
    """Return the deal that a room wants for its round, or None if any deal will do."""
    kind = deal_kind_of(settings)
    return None if kind is None else Wish(kind, settings.degree)


def _plays_on(room: Room) -> bool:
    """Return whether a room is in its lobby, or its match has another game after this one."""
    under_way = 0 if room.state is RoomState.FINISHED else 1  # still one of the open games
    return room.state is RoomState.LOBBY or len(open_games(room)) > under_way

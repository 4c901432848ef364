"""The winnable deals that this process finds for its rooms, before their rounds begin.

1. Deals of each kind are found ahead: one for each room that is in its lobby, or that plays the
   round before, and a few more. Each seed is drawn from the system's source of randomness, and
   searched until a win is found or the budget is spent: no deal is dropped because it is not easy.
2. A command that begins a round takes a deal, or waits for one, and so does the next window of a
   match. Then each seed is searched only as far as deals of the degree are won; without a degree,
   as far as two of three deals are. Seeds that need more are searched later, for other rooms.
3. A room may want a deal of one degree, and a few of each degree are kept ready. Deals of other
   degrees that are found meanwhile are kept, and after the wait the room takes one of these.
4. After the wait without any deal the room plays any secret deal, and nobody knows whether it can
   be won.
5. A deal lies in the memory of this process alone, and is taken once, whatever becomes of the
   command.
"""

import asyncio
import contextlib
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import structlog

from protocol.settings import Settings
from protocol.vocabulary import DEGREES, SEED_BYTES, DayGameId, Degree, Outcome, RoomState
from server.games.deals import new_game, secret_deck
from server.live.work import LongWork
from server.rooms.days import settings_of_day
from server.rooms.deals import WinnableDeal, deal_kind_of
from server.rooms.record import Room, open_games
from server.rooms.settings import rules_of
from server.solver.deal_kinds import DEAL_KINDS, Found, find_win, most_children
from server.solver.solve import steps
from server.thinking.pool import GivenUp, Pool, Urgency

MOST_ROOMS: Final = 500
"""The rooms for which deals are found ahead; beyond it the first ones wait until they begin."""
MOST_READY: Final = 100  # deals of a kind and a degree that are found ahead
MOST_HARD: Final = 1_000  # seeds of a kind that only a long search may win, and that are kept
MOST_SEEDS: Final = 100  # seeds that are searched for one deal; few are not won

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DealWait:
    """How long a room waits for a deal, in seconds, and how far the search for a win goes."""

    most_s: float = 6.0  # clients give up a silent server after nine
    budget: int = 4_000_000  # positions that are judged before a deal is dropped
    ahead: int = 2
    """Deals of a kind and a degree that are ready, once a room has asked for the kind, for games
    that begin with their rooms, as practice does."""


DEAL_WAIT: Final = DealWait()

Wish = tuple[str, Degree | None]
"""A kind, and the degree that a room wants; None for any."""


class WinnableDeals:
    """The deals of this process by kind. `draw_seed` returns that of a new deal."""

    def __init__(
        self,
        pool: Pool,
        long_work: LongWork,
        tasks: asyncio.TaskGroup,
        wait: DealWait = DEAL_WAIT,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self._pool, self._long_work, self._tasks = pool, long_work, tasks
        self._wait, self._draw_seed = wait, draw_seed
        self._ready: dict[str, deque[WinnableDeal]] = {name: deque() for name in DEAL_KINDS}
        self._hard: dict[str, deque[bytes]] = {
            name: deque(maxlen=MOST_HARD) for name in DEAL_KINDS
        }
        self._expected: OrderedDict[str, Wish] = OrderedDict()  # for the next round, by room
        self._wished: dict[Wish, None] = {}  # what rooms have asked for, in this order
        self._filling: dict[str, asyncio.Task[None]] = {}  # they find deals of a kind ahead

    def expect(self, room: Room, may_search: Callable[[], bool] = lambda: True) -> None:
        """Find a deal for the next round of a room, if it wants one.

        `may_search` charges a search to the address. A room that may not waits for its deal.
        """
        wish = _wish_of(room.settings) if _plays_on(room) else None
        if self._expected.get(room.code) == wish:
            return
        self._expected.pop(room.code, None)
        if wish is None:
            return
        if self._count_ready(wish) <= self._count_expected(wish) and not may_search():
            return
        self._expected[room.code] = wish
        if len(self._expected) > MOST_ROOMS:
            self._expected.popitem(last=False)
        self._find_ahead(wish)

    async def take(
        self, code: str, settings: Settings, *, is_awaited: bool = True
    ) -> WinnableDeal | None:
        """Return a deal for a round that is to begin; None if it needs none, or none is found.

        If nobody waits for it, the search takes as long as it needs and lets others go first.
        """
        wish = _wish_of(settings)
        if wish is None:
            return None
        self._expected.pop(code, None)
        if not self._count_ready(wish):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._wait.most_s if is_awaited else None):
                    await self._find(wish, is_awaited=is_awaited)
        deal = self._take_ready(wish) or self._take_ready((wish[0], None))
        self._find_ahead(wish)
        return None if deal is None else await self._as_played(deal, settings)

    async def of_day(self, game: DayGameId, *, is_awaited: bool) -> WinnableDeal | None:
        """Return a deal for a game of a day; None if none is found now."""
        return await self.take("", settings_of_day(game), is_awaited=is_awaited)

    def _count_expected(self, wish: Wish) -> int:
        return sum(_serves(wish, each) for each in self._expected.values())

    def _count_ready(self, wish: Wish) -> int:
        return sum(_serves(wish, (each.kind, each.degree)) for each in self._ready[wish[0]])

    def _take_ready(self, wish: Wish) -> WinnableDeal | None:
        """Return the first deal that serves a wish and take it off those that are ready."""
        ready = self._ready[wish[0]]
        deal = next((each for each in ready if _serves(wish, (each.kind, each.degree))), None)
        if deal is not None:
            ready.remove(deal)
        return deal

    def _find_ahead(self, wish: Wish) -> None:
        """Begin to find the deals of a kind for the next rounds, unless that is under way."""
        name = wish[0]
        self._wished |= dict.fromkeys([wish, *((name, degree) for degree in DEGREES)])
        filling = self._filling.get(name)
        if filling is None or filling.done():
            self._filling[name] = self._tasks.create_task(self._fill(name), name="deals ahead")

    async def _fill(self, name: str) -> None:
        """Find deals of a kind, until one is ready for each room that expects one, and `ahead`."""
        while missing := [each for each in self._wished if each[0] == name and self._lacks(each)]:
            if not await self._find(missing[0]):
                return  # the next round begins anew

    def _lacks(self, wish: Wish) -> bool:
        needed = min(MOST_READY, self._count_expected(wish) + self._wait.ahead)
        return self._count_ready(wish) < needed

    async def _find(self, wish: Wish, *, is_awaited: bool = False) -> bool:
        """Find a deal of a kind; if it `is_awaited`, one that serves the wish.

        An awaited one may be found meanwhile. Return False if none is found, or if the search
        fails.
        """
        name = wish[0]
        try:
            for _ in range(MOST_SEEDS):
                found = await self._search_seed(wish, is_awaited=is_awaited)
                if found.line is not None:
                    self._keep(WinnableDeal(name, found.seed, found.line, found.degree))
                if found.is_hopeless:
                    return False
                is_won = found.line is not None
                if self._count_ready(wish) > 0 if is_awaited else is_won:
                    return True
        except GivenUp:
            pass
        except Exception:
            log.exception("a deal cannot be searched", pool=name)
        return False

    def _keep(self, deal: WinnableDeal) -> None:
        """Keep a deal that is ready, unless there are many of its degree."""
        if self._count_ready((deal.kind, deal.degree)) < MOST_READY:
            self._ready[deal.kind].append(deal)

    async def _search_seed(self, wish: Wish, *, is_awaited: bool) -> Found:
        """Search one seed, as far as a deal that serves the wish may need."""
        name = wish[0]
        hard, budget = self._hard[name], self._budget(wish, is_awaited=is_awaited)
        is_long = budget == self._wait.budget
        seed = hard.popleft() if hard and is_long else self._draw_seed()
        urgency = Urgency.AWAITED_DEAL if is_awaited else Urgency.DEAL
        try:
            found = await self._pool.search(find_win, name, seed, budget, urgency=urgency)
        except asyncio.CancelledError:
            hard.append(seed)
            raise
        if found.is_open and not is_long:
            hard.append(seed)
        return found

    def _budget(self, wish: Wish, *, is_awaited: bool) -> int:
        """Return the positions to judge: those within which deals of the degree are won."""
        name, degree = wish
        limit = most_children(name, degree or ("middle" if is_awaited else "hard"))
        return min(limit or self._wait.budget, self._wait.budget)

    async def _as_played(self, deal: WinnableDeal, settings: Settings) -> WinnableDeal | None:
        """Return a deal whose line wins by the rules of the room; None if it does not."""
        game = new_game(rules_of(settings), secret_deck(settings.game, deal.seed))
        await self._long_work.run(steps(game, deal.line))
        if game.outcome is not Outcome.WON:
            log.error("a deal is not won by its line", pool=deal.kind)
            return None
        return replace(deal, line=game.log)


def _wish_of(settings: Settings) -> Wish | None:
    """Return what a room wants for its round; None if a win need not be known."""
    name = deal_kind_of(settings)
    return None if name is None else (name, settings.degree)


def _serves(wish: Wish, other: Wish) -> bool:
    """Return whether a deal of another wish is one that this wish asks for."""
    name, degree = wish
    return name == other[0] and degree in (None, other[1])


def _plays_on(room: Room) -> bool:
    """Return whether a room is in its lobby, or its match has a game after the present one."""
    present = 0 if room.state is RoomState.FINISHED else 1
    return room.state is RoomState.LOBBY or len(open_games(room)) > present

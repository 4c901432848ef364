"""The winnable deals that this process finds for its rooms, before their rounds begin.

1. A deal is searched for while the room is in its lobby, and while it plays the round before. Each
   seed is drawn from the system's source of randomness, and searched until a win is found or the
   budget is spent: no deal is dropped because it is not easy.
2. A command that may begin a round waits for the deal. Then many seeds are searched for a short
   time each as well. Those that need more are searched later, for other rooms.
3. After the wait the room plays any secret deal, and nobody knows whether it can be won.
4. All players of a room wait together: the wait begins with the first of their commands. What they
   have waited before the round could begin does not shorten the wait before it begins.
5. A deal lies in the memory of this process alone. It is that room's until a round is played with
   it. Another room gets it only if it was part of no command.
"""

import asyncio
import secrets
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from protocol.settings import Settings
from protocol.vocabulary import SEED_BYTES, Outcome, RoomState
from server.games.actions import Action
from server.games.deals import new_game, secret_deck
from server.live.work import LongWork
from server.rooms.deals import POOLS, WinnableDeal, pool_of
from server.rooms.record import Room, Round, open_games
from server.rooms.settings import rules_of
from server.solver.beam import ShouldStop
from server.solver.solve import solve, steps
from server.thinking.pool import GivenUp, Pool, Urgency

MOST_READY: Final = 2_000
"""The deals that wait for their rounds; beyond it the oldest ones are given up."""
MOST_SEARCHES: Final = 500
"""The rooms whose deals are searched for at a time; others wait until they begin."""
MOST_SPARE: Final = 8
"""The deals of a kind that a room did not need, and that are kept for another one."""
MOST_HARD: Final = 1_000
"""The seeds of a kind that a short search has not won, and that are kept for a long one."""
MOST_SEEDS: Final = 100
"""The seeds that are searched for one deal; few are not won."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DealWait:
    """How long a room waits for a deal, in seconds, and how far the search for a win goes."""

    early_s: float = 1.5
    """The longest wait before the round can begin."""
    most_s: float = 6.0
    """The longest one before the round begins: clients give up a silent server after nine."""
    again_s: float = 10.0
    """The time after a wait that was in vain in which the room does not wait again."""
    budget: int = 4_000_000
    """The positions that are judged before a deal is dropped."""
    short_budget: int = 20_000
    """The positions that are judged of a deal for which a room waits."""
    ahead: int = 2
    """The deals of a kind that are found for the next rooms, once a room has asked for one. So a
    game that begins with its room, as practice does, need not wait."""


DEAL_WAIT: Final = DealWait()


@dataclass(eq=False, slots=True)
class _Search:
    """The search for a deal of a room."""

    name: str
    """The kind of the deal: see `pool_of`."""
    is_awaited: bool
    task: asyncio.Task[None] = field(init=False)


class WinnableDeals:
    """The deals of this process by room. `draw_seed` returns the seed of a new deal."""

    def __init__(
        self,
        pool: Pool,
        long_work: LongWork,
        tasks: asyncio.TaskGroup,
        wait: DealWait = DEAL_WAIT,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self._pool = pool
        self._long_work = long_work
        self._tasks = tasks
        self._wait = wait
        self._draw_seed = draw_seed
        self._ready: OrderedDict[str, WinnableDeal] = OrderedDict()
        self._used: set[str] = set()  # the rooms whose ready deals were part of a command
        self._spare: dict[str, list[WinnableDeal]] = {name: [] for name in POOLS}
        self._hard: dict[str, deque[bytes]] = {name: deque(maxlen=MOST_HARD) for name in POOLS}
        """The seeds that a short search has not won."""
        self._searches: dict[str, _Search] = {}
        self._ahead: set[str] = set()  # the kinds of which deals are found for the next rooms
        self._waits_since: OrderedDict[tuple[str, str, bool], float] = OrderedDict()

    def expect(self, room: Room, may_search: Callable[[], bool] = lambda: True) -> None:
        """Search for a deal for the next round of a room, if it wants one and has none.

        What was searched for earlier settings of the room is stopped. `may_search` charges a
        search to the address. A room that may not begins to search when its round begins.
        """
        code, name = room.code, pool_of(room.settings)
        search, deal = self._searches.get(code), self._ready.get(code)
        if search is not None and search.name != name:
            self._stop(code, search)
            search = None
        if deal is not None and deal.pool != name:
            self._drop(code, is_spared=True)
            deal = None
        if name is None or deal is not None or search is not None or not _plays_on(room):
            return
        if self._spare[name]:
            self._take_spare(code, name)
        elif len(self._searches) < MOST_SEARCHES and may_search():
            self._begin(code, name)

    async def prepare(
        self, code: str, settings: Settings, *, begins: bool = True
    ) -> WinnableDeal | None:
        """Return the deal for the next round of a room, if it wants one; wait until it is found.

        A command that `begins` the round waits longest for it. The deal is part of the command
        from now on: the caller calls `forget` or `give_up` after it.
        """
        name = pool_of(settings)
        if name is None:
            return None
        if not self._has(code, name) and self._spare[name]:
            self._take_spare(code, name)
        if not self._has(code, name):
            await self._wait_for(code, name, self._give_up_at(code, name, begins=begins))
        if not self._has(code, name):
            return None
        for either in (False, True):
            self._waits_since.pop((code, name, either), None)
        self._used.add(code)
        return await self._as_played(self._ready[code], settings)

    def forget(self, code: str, played: Round | None) -> None:
        """Forget the deal that a room plays: it is never given again."""
        deal = self._ready.get(code)
        if deal is not None and played is not None and deal.seed.hex() == played.deal.seed:
            self._drop(code)

    def give_up(self, code: str) -> None:
        """Forget the deal of a room that may have been played: the store has not said so."""
        self._drop(code)

    def _has(self, code: str, name: str) -> bool:
        """Return whether a room has a deal of this kind."""
        return code in self._ready and self._ready[code].pool == name

    async def _wait_for(self, code: str, name: str, give_up_at: float) -> None:
        """Wait until a deal is found for a room, or until a time of the loop."""
        search = self._searches.get(code)
        if search is None or search.name != name or not search.is_awaited:
            if search is not None:
                self._stop(code, search)
            search = self._begin(code, name, is_awaited=True)
        left_s = give_up_at - asyncio.get_running_loop().time()
        await asyncio.wait([search.task], timeout=max(0.0, left_s))
        search.is_awaited = False  # if it goes on, that is for the round after

    def _give_up_at(self, code: str, name: str, *, begins: bool) -> float:
        """Return the time of the loop until which a room waits for a deal."""
        now, wait = asyncio.get_running_loop().time(), self._wait
        since = self._waits_since.pop((code, name, begins), now)
        if now > since + wait.most_s + wait.again_s:
            since = now
        self._waits_since[code, name, begins] = since
        if len(self._waits_since) > MOST_READY:
            self._waits_since.popitem(last=False)
        return since + (wait.most_s if begins else wait.early_s)

    def _begin(self, code: str, name: str, *, is_awaited: bool = False) -> _Search:
        """Begin to search for a deal of a room."""
        search = self._searches[code] = _Search(name, is_awaited)
        search.task = self._tasks.create_task(self._find(code, search), name="deal of a room")
        return search

    def _stop(self, code: str, search: _Search) -> None:
        """Stop the search for a deal of a room."""
        search.task.cancel()
        del self._searches[code]

    async def _find(self, code: str, search: _Search) -> None:
        """Find a deal of a room, and keep it for the room."""
        try:
            for _ in range(MOST_SEEDS):
                found = await self._search_seed(search)
                if found.line is not None:
                    self._keep(code, WinnableDeal(search.name, found.seed, found.line))
                    self._tasks.create_task(self._find_ahead(search.name), name="deals ahead")
                if found.line is not None or found.is_hopeless:
                    return
        except GivenUp:
            pass  # the next command begins another search
        except Exception:
            log.exception("a deal cannot be searched", pool=search.name)
        finally:
            if self._searches.get(code) is search:
                del self._searches[code]

    async def _find_ahead(self, name: str) -> None:
        """Find the deals of a kind for the next rooms, unless there are enough."""
        if name in self._ahead:
            return
        self._ahead.add(name)
        try:
            for _ in range(MOST_SEEDS):
                if len(self._spare[name]) >= self._wait.ahead:
                    return
                found = await self._search_seed(_Search(name, is_awaited=False))
                if found.line is not None:
                    self._spare[name].append(WinnableDeal(name, found.seed, found.line))
        except GivenUp:
            pass  # the next room begins anew
        except Exception:
            log.exception("a deal cannot be searched", pool=name)
        finally:
            self._ahead.discard(name)

    async def _search_seed(self, search: _Search) -> "Found":
        """Search one seed: for a short time while the room waits, else to the end."""
        wait, hard = self._wait, self._hard[search.name]
        is_short = search.is_awaited
        seed = hard.popleft() if hard and not is_short else self._draw_seed()
        budget = wait.short_budget if is_short else wait.budget
        urgency = Urgency.AWAITED_DEAL if is_short else Urgency.DEAL
        try:
            found = await self._pool.search(find_win, search.name, seed, budget, urgency=urgency)
        except asyncio.CancelledError:
            hard.append(seed)
            raise
        if found.is_open and is_short:
            hard.append(seed)
        return found

    def _take_spare(self, code: str, name: str) -> None:
        """Give a room a deal that was found before it asked, and find another one."""
        self._keep(code, self._spare[name].pop())
        self._tasks.create_task(self._find_ahead(name), name="deals ahead")

    def _keep(self, code: str, deal: WinnableDeal) -> None:
        """Keep a deal for the next round of a room."""
        self._drop(code, is_spared=True)
        self._ready[code] = deal
        if len(self._ready) > MOST_READY:
            self._drop(next(iter(self._ready)))

    def _drop(self, code: str, *, is_spared: bool = False) -> None:
        """Take its deal from a room; one that `is_spared` is for another room if nobody has it."""
        deal = self._ready.pop(code, None)
        if deal is not None and is_spared and code not in self._used:
            spare = self._spare[deal.pool]
            if len(spare) < MOST_SPARE:
                spare.append(deal)
        self._used.discard(code)

    async def _as_played(self, deal: WinnableDeal, settings: Settings) -> WinnableDeal | None:
        """Return a deal whose line wins by the rules of the room; None if it does not."""
        game = new_game(rules_of(settings), secret_deck(settings.game, deal.seed))
        await self._long_work.run(steps(game, deal.line))
        if game.outcome is not Outcome.WON:
            log.error("a deal is not won by its line", pool=deal.pool)
            return None
        return WinnableDeal(deal.pool, deal.seed, game.log)


def _plays_on(room: Room) -> bool:
    """Return whether a room is in its lobby, or its match has a game after the present one."""
    if room.state is RoomState.LOBBY:
        return True
    is_over = room.state is RoomState.FINISHED
    return len(open_games(room)) > (0 if is_over else 1)


# What follows runs in the process of the pool.


@dataclass(frozen=True, slots=True)
class Found:
    """What the search of one seed has found."""

    seed: bytes
    line: tuple[Action, ...] | None
    is_open: bool = False
    """Whether a longer search may find a win."""
    is_hopeless: bool = False
    """Whether no seed of this kind can be searched."""


def find_win(name: str, seed: bytes, budget: int, should_stop: ShouldStop) -> Found:
    """Search for a win of a deal of this kind."""
    rules = POOLS[name]
    deck = secret_deck(rules.game, seed)
    try:
        verdict = solve(rules, deck, budget=budget, should_stop=should_stop)
    except MemoryError:
        return Found(seed, None)
    if verdict.kind == "won":
        return Found(seed, verdict.line)
    return Found(seed, None, verdict.kind == "unknown", not verdict.children)

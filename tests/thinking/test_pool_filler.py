"""The filling of the pools: which one comes next, and what becomes of a search."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import pytest
import structlog

from server.games.cards import Card
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.rooms.winnable_deals import POOLS, WinnableDeal
from server.solver.solve import solve
from server.solver.verdicts import Verdict
from server.store import StoreAway
from server.store.deal_pools import ALIVE_MS
from server.thinking import pool_filler as module
from server.thinking.pool_filler import OF_NEW_ROOMS, Filling, PoolFiller
from server.thinking.precedence import Precedence
from tests.thinking.processes import EndlessSearch, NotedPrecedence, at_work
from tests.world.store import EPOCH_MS, MemoryStore

EASY = [name for name in POOLS if name.startswith("spider-1:")]
WAITED_FOR, OTHER = "spider-1:spread:strict", "spiderette-1:left4:strict"
FEW = Filling(wanted=3, others=0, busy=1, budget=200_000)
SEEDS = [number.to_bytes(16, "big") for number in (1, 2, 4)]
"""The seeds of easy deals, as winners of the search know them."""
SHORT = 1_000


@cache
def solved(rules: Rules, deck: tuple[Card, ...]) -> Verdict:
    return solve(rules, deck, budget=200_000)


class Fillers:
    """A store, its filler, and the searches, of which those with a small budget find nothing."""

    def __init__(
        self,
        monkeypatch: pytest.MonkeyPatch,
        how: Filling = FEW,
        wins_from: int = 0,
        **chosen: Any,
    ) -> None:
        self.store = MemoryStore()
        self.connection = self.store.connect()
        self.faults = self.connection.faults
        self.precedence = NotedPrecedence()
        self.searched: list[tuple[bytes, int]] = []
        self.wins_from = wins_from
        self.failing = 0  # so many of the next searches use up the memory
        monkeypatch.setattr(module, "solve", self._solve)
        seeds = itertools.cycle(SEEDS)
        pools, clock = self.connection.deal_pools, self.store.clock
        more: dict[str, Any] = {"precedence": self.precedence, "draw_seed": lambda: next(seeds)}
        more |= chosen
        self.filler = PoolFiller(pools, clock, how, **more)

    def _solve(self, rules: Rules, deck: Sequence[Card], *, budget: int, **_: Any) -> Verdict:
        self.precedence.asked.append(f"search {budget}")
        self.searched.append((bytes(deck), budget))
        if self.failing:
            self.failing -= 1
            raise MemoryError
        if rules.game not in {"spider-1", "spiderette-1"}:
            return Verdict("unwinnable", (), 0)  # so the game is never tried again
        is_won = budget >= self.wins_from
        return solved(rules, tuple(deck)) if is_won else Verdict("unknown", (), budget)

    def deals(self, name: str = OF_NEW_ROOMS) -> int:
        return len(self.store.deal_pools.get(name, []))

    def order(self) -> list[str]:
        """Return the pools in the order in which they got deals."""
        return [given[0] for call, given in self.faults.given if call == "deal_pools.put"]


Filled = Callable[..., Fillers]


@pytest.fixture
def filled(monkeypatch: pytest.MonkeyPatch) -> Filled:
    return partial(Fillers, monkeypatch)


async def test_the_pool_of_new_rooms_is_filled_and_others_if_wanted(filled: Filled) -> None:
    here = filled(replace(FEW, lately_ms=60_000))
    async with at_work(here.filler):
        await asyncio.sleep(2)
        assert (here.deals(), here.deals(OTHER)) == (3, 0)
        await here.store.deal_pools.take(OTHER)
        await asyncio.sleep(3)
        assert here.deals(OTHER) == 3
        await asyncio.sleep(ALIVE_MS / 1_000)
        for name in (OF_NEW_ROOMS, OTHER):
            taken = await here.store.deal_pools.take(name)
            assert taken.is_filled
            deal = WinnableDeal.parse(name, taken.deal or "")
            deck = secret_deck(POOLS[name].game, deal.seed)
            assert replay(POOLS[name], deck, deal.line).outcome == "won"
        searches = len(here.searched)
        await asyncio.sleep(62)
        assert (here.deals(), here.deals(OTHER), len(here.searched)) == (3, 3, searches + 2)
        here.store.deal_pools[OTHER].pop()  # it was wanted too long ago
        await asyncio.sleep(5)
        assert here.deals(OTHER) == 2


def test_the_seeds_of_two_processes_differ() -> None:
    stores = MemoryStore().connect(), MemoryStore().connect()
    fillers = [PoolFiller(each.deal_pools, each.clock) for each in stores]
    seeds = {filler._draw_seed() for filler in fillers for _ in range(50)}  # what it draws from
    assert len(seeds) == 100


async def test_every_pool_has_some_deals_before_one_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first rooms of a game found its pool empty while another one was filled to the top."""
    monkeypatch.setattr(module, "POOLS", {name: POOLS[name] for name in EASY})
    here = Fillers(monkeypatch, Filling(wanted=9, others=5, first=3, few=1))
    async with at_work(here.filler):
        await asyncio.sleep(60)
    order = here.order()
    assert order[:3] == [OF_NEW_ROOMS] * 3
    assert set(order[3:6]) == set(EASY) - {OF_NEW_ROOMS}
    assert order[6:12] == [OF_NEW_ROOMS] * 6
    assert {name: here.deals(name) for name in EASY} == {
        name: 9 if name == OF_NEW_ROOMS else 5 for name in EASY
    }


async def test_wanted_pools_alone_get_deals_while_there_is_better_to_do(filled: Filled) -> None:
    is_busy = [True]
    here = filled(replace(FEW, others=1), has_better=lambda: bool(is_busy))
    async with at_work(here.filler):
        await asyncio.sleep(20)
        assert set(here.order()) == {OF_NEW_ROOMS}
        assert here.deals() == 1
        is_busy.pop()
        await asyncio.sleep(20)
        assert (here.deals(), here.deals(OTHER)) == (3, 1)


async def test_a_search_without_memory_or_the_store_ends_no_process(filled: Filled) -> None:
    here = filled()
    here.failing = 1
    calls = ("put", "levels", "waited_for", "show_filler")
    here.faults.failing = {f"deal_pools.{name}": StoreAway() for name in calls}
    with structlog.testing.capture_logs() as logged:
        async with at_work(here.filler):
            for name in reversed(calls):
                await asyncio.sleep(5)
                assert here.deals() == 0
                del here.faults.failing[f"deal_pools.{name}"]
            await here.store.deal_pools.take(WAITED_FOR)
            await asyncio.sleep(10)
            assert (here.deals(), here.deals(WAITED_FOR)) == (3, 3)
    assert [entry["event"] for entry in logged] == ["a search has used up the memory"]


async def test_a_room_that_waits_is_served_first_by_a_short_search(filled: Filled) -> None:
    """No deal is dropped because it is not easy."""
    how = replace(FEW, short_budget=SHORT, postponed=4)
    here = filled(how, wins_from=SHORT)
    async with at_work(here.filler):
        await asyncio.sleep(5)
        here.precedence.asked.clear()
        await here.store.deal_pools.take(WAITED_FOR)
        await asyncio.sleep(how.look_for_rooms_s)
        asked = here.precedence.asked
        first = asked.index("begin")
        assert asked[first : first + 2] == ["begin", f"search {SHORT}"]
        await asyncio.sleep(5)
        assert asked[-1] == "end"
    assert here.precedence.asked[-1] == "end"
    # A deal that a short search does not win is searched on later, and with none in between.
    here = filled(how, wins_from=how.budget)
    async with at_work(here.filler):
        await asyncio.sleep(5)
        here.searched.clear()
        await here.store.deal_pools.take(WAITED_FOR)
        await asyncio.sleep(30)
    short = [deck for deck, budget in here.searched if budget == SHORT]
    long = [deck for deck, budget in here.searched if budget == how.budget]
    assert len(short) > 0
    assert short[0] in long
    assert here.deals(WAITED_FOR) == 3


def test_a_long_search_pauses_for_a_room_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """In real threads. Regression: four million positions were judged before it was served."""
    how = Filling(budget=1, short_budget=2, look_s=0.001, look_for_rooms_s=0.001)

    async def fill_in_threads() -> None:
        searching, put = EndlessSearch(), asyncio.Event()
        here = Fillers(monkeypatch, how, precedence=Precedence())
        search = here._solve

        def some(rules: Rules, deck: Sequence[Card], *, budget: int, should_stop: Any) -> Verdict:
            if budget == how.budget:
                searching(should_stop)
                return Verdict("unknown", (), budget)
            return search(rules, deck, budget=budget)

        async def noted(method: Any, *given: Any, **named: Any) -> Any:
            put.set()
            return await method(*given, **named)

        monkeypatch.setattr(module, "solve", some)
        # A room counts as waiting for a second; on a busy machine it may take longer to be seen.
        monkeypatch.setattr(here.store.clock, "now", lambda: EPOCH_MS)
        here.faults.hooks["deal_pools.put"] = noted
        async with at_work(here.filler):
            await searching.began()
            await here.store.deal_pools.take(WAITED_FOR)
            await put.wait()
        await searching.ended()
        assert here.order()[0] == WAITED_FOR

    asyncio.run(fill_in_threads())

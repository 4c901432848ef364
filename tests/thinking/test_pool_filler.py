"""The filling of the pools, over a real store."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import structlog

from server.games.cards import Card
from server.games.catalogue import replay
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.rooms.winnable_deals import POOLS, WinnableDeal
from server.solver import solve as solver
from server.solver.verdicts import Verdict
from server.store import PoolLevel, Store, StoreAway
from server.thinking import pool_filler
from server.thinking.pool_filler import OF_NEW_ROOMS, Filling, PoolFiller
from tests.waiting import until_answer

QUICK = Filling(wanted=3, others=0, busy=1, budget=200_000, look_s=0.01, look_for_rooms_s=0.01)


@asynccontextmanager
async def filling(filler: PoolFiller) -> AsyncIterator[None]:
    task = asyncio.create_task(filler.run())
    try:
        yield
        assert not task.done()
    finally:
        task.cancel()
        await asyncio.wait([task])


async def deals_in(store: Store, name: str) -> int:
    return (await store.deal_pools.levels([name]))[name].deals


async def test_the_pool_of_new_rooms_is_filled_and_others_when_they_are_wanted(
    store: Store,
) -> None:
    async with filling(PoolFiller(store.deal_pools, store.clock, QUICK)):
        await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 3)
        wanted = "spiderette-1:left4:strict"
        assert await deals_in(store, wanted) == 0
        await store.deal_pools.take(wanted)
        await until_answer(lambda: deals_in(store, wanted), lambda deals: deals == 3)
        for name in (OF_NEW_ROOMS, wanted):
            taken = await store.deal_pools.take(name)
            assert taken.is_filled
            deal = WinnableDeal.parse(name, taken.deal or "")
            deck = secret_deck(POOLS[name].game, deal.seed)
            assert replay(POOLS[name], deck, deal.line).outcome == "won"


async def test_two_processes_fill_a_pool_with_different_deals(store: Store) -> None:
    many = Filling(wanted=12, others=0, look_s=0.01)
    first, second = (PoolFiller(store.deal_pools, store.clock, many) for _ in range(2))
    async with filling(first), filling(second):
        await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 12)
    taken = [(await store.deal_pools.take(OF_NEW_ROOMS)).deal for _ in range(12)]
    assert len(set(taken)) == 12


async def test_a_search_without_memory_ends_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = [True]

    def first_fails(*given: object, **named: object) -> object:
        if failed:
            failed.pop()
            raise MemoryError
        return solver.solve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(pool_filler, "solve", first_fails)
    with structlog.testing.capture_logs() as logged:
        async with filling(PoolFiller(store.deal_pools, store.clock, QUICK)):
            await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 3)
    assert [entry["event"] for entry in logged] == ["a search has used up the memory"]


async def test_a_store_that_is_away_is_waited_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, away = store.deal_pools.put, [True] * 3

    async def put_later(name: str, deal: str, *, most: int) -> bool:
        if away:
            away.pop()
            raise StoreAway
        return await put(name, deal, most=most)

    monkeypatch.setattr(store.deal_pools, "put", put_later)
    async with filling(PoolFiller(store.deal_pools, store.clock, QUICK)):
        await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 3)


async def test_a_search_ends_with_its_process(store: Store) -> None:
    long = Filling(budget=10**12, wanted=0, others=1, look_s=0.01)
    filler = PoolFiller(store.deal_pools, store.clock, long)
    async with asyncio.timeout(20):
        async with filling(filler):
            await asyncio.sleep(0.2)


async def test_wanted_pools_alone_get_a_few_deals_while_there_is_better_to_do(
    store: Store,
) -> None:
    is_busy = [True]
    filler = PoolFiller(store.deal_pools, store.clock, QUICK, has_better=lambda: bool(is_busy))
    async with filling(filler):
        await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 1)
        await asyncio.sleep(0.2)
        assert await deals_in(store, OF_NEW_ROOMS) == 1
        is_busy.pop()
        await until_answer(lambda: deals_in(store, OF_NEW_ROOMS), lambda deals: deals == 3)


async def test_every_pool_has_some_deals_before_one_has_all(store: Store) -> None:
    """The first rooms of a game found its pool empty while another one was filled to the top."""
    easy = [name for name in POOLS if name.startswith("spider-1:")]
    how = Filling(wanted=9, others=5, first=3, few=1, look_s=0.01)
    filler = PoolFiller(store.deal_pools, store.clock, how)
    order: list[str] = []
    levels = dict.fromkeys(easy, 0)
    while True:
        shown = {name: PoolLevel(deals, 0) for name, deals in levels.items()}
        name = filler._neediest(shown)  # its order, without its searches
        if name is None:
            break
        levels[name] += 1
        order.append(name)
    assert order[:3] == [OF_NEW_ROOMS] * 3
    assert set(order[3:6]) == set(easy) - {OF_NEW_ROOMS}
    assert order[6:12] == [OF_NEW_ROOMS] * 6
    assert levels == {name: 9 if name == OF_NEW_ROOMS else 5 for name in easy}


SHORT = 1_000
WAITED_FOR = "spider-1:spread:strict"


def searches(monkeypatch: pytest.MonkeyPatch, wins_from: int) -> list[tuple[bytes, int]]:
    """Record the deck and the budget of each search.

    One with a smaller budget than `wins_from` finds nothing: a `SHORT` one at once, any other one
    after its time.
    """
    recorded: list[tuple[bytes, int]] = []

    def search(rules: Rules, deck: Sequence[Card], **how: Any) -> Verdict:
        budget = how["budget"]
        recorded.append((bytes(deck), budget))
        if budget >= wins_from:
            return solver.solve(rules, deck, budget=200_000)
        while budget != SHORT and not how["should_stop"]():
            time.sleep(0.001)
        return Verdict("unknown", (), budget)

    monkeypatch.setattr(pool_filler, "solve", search)
    return recorded


async def test_a_room_that_waits_is_served_while_a_long_search_pauses(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search of up to four million positions ended first, and the room played any deal."""
    how = replace(QUICK, budget=1, short_budget=200_000)
    searched = searches(monkeypatch, wins_from=how.short_budget)
    async with filling(PoolFiller(store.deal_pools, store.clock, how)):
        await until_answer(lambda: asyncio.sleep(0, searched), bool)  # it never ends
        await store.deal_pools.take(WAITED_FOR)
        await until_answer(lambda: deals_in(store, WAITED_FOR), bool)
    assert searched[0][1] == how.budget


async def test_a_deal_that_a_short_search_does_not_win_is_searched_on_later(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No deal is dropped because it is not easy."""
    how = replace(QUICK, short_budget=SHORT, postponed=4)
    searched = searches(monkeypatch, wins_from=how.budget)
    async with filling(PoolFiller(store.deal_pools, store.clock, how)):
        await store.deal_pools.take(WAITED_FOR)
        await until_answer(lambda: deals_in(store, WAITED_FOR), lambda deals: deals == 3)
    short = [deck for deck, budget in searched if budget == SHORT]
    long = [deck for deck, budget in searched if budget == how.budget]
    assert len(short) >= how.postponed
    assert short[0] in long


async def test_rooms_are_served_again_once_the_store_is_back(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, away = store.deal_pools.waited_for, [True] * 3

    async def ask_later(names: Sequence[str]) -> list[str]:
        if away:
            away.pop()
            raise StoreAway
        return await ask(names)

    monkeypatch.setattr(store.deal_pools, "waited_for", ask_later)
    async with filling(PoolFiller(store.deal_pools, store.clock, QUICK)):
        await until_answer(lambda: asyncio.sleep(0, away), lambda away: not away)
        await store.deal_pools.take(WAITED_FOR)
        await until_answer(lambda: deals_in(store, WAITED_FOR), bool)

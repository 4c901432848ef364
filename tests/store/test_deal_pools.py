"""Pools of deals: each deal is given once, whatever happens to the store."""

import asyncio
from pathlib import Path

import pytest

from server.store import Store
from server.store.deal_pools import DROPPED, WAITS_MS
from tests.servers import RedisServer, opened

MANY = 1_000


async def fill(store: Store, count: int) -> None:
    for number in range(count):
        assert await store.deal_pools.put("spider-1", f"deal {number}", most=MANY)


async def test_a_deal_is_given_once_and_an_empty_pool_says_whether_it_is_filled(
    store: Store,
) -> None:
    pools = store.deal_pools
    taken = await pools.take("spider-1")
    assert (taken.deal, taken.is_filled) == (None, False)
    level = (await pools.levels(["spider-1"]))["spider-1"]
    assert level.deals == 0
    assert level.wanted_ms > 0
    await pools.show_filler()
    await fill(store, 2)
    assert [(await pools.take("spider-1")).deal for _ in range(3)] == ["deal 0", "deal 1", None]
    assert (await pools.take("spider-1")).is_filled
    assert (await pools.take("spider-4")).deal is None


async def test_an_empty_pool_that_was_just_asked_is_waited_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = store.deal_pools
    await fill(store, 1)
    assert (await pools.take("spider-1")).deal is not None
    assert await pools.waited_for(["spider-1", "spider-4"]) == []
    await pools.take("spider-4")
    assert await pools.waited_for(["spider-1", "spider-4"]) == ["spider-4"]
    now = store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + WAITS_MS + 1_000)
    assert await pools.waited_for(["spider-1", "spider-4"]) == []


async def test_no_two_rooms_get_the_same_deal(store: Store) -> None:
    await fill(store, 40)
    taken = await asyncio.gather(*(store.deal_pools.take("spider-1") for _ in range(50)))
    deals = [each.deal for each in taken if each.deal is not None]
    assert len(deals) == len(set(deals)) == 40


async def test_a_full_pool_takes_no_more(store: Store) -> None:
    assert await store.deal_pools.put("spider-1", "a", most=1)
    assert not await store.deal_pools.put("spider-1", "b", most=1)
    levels = await store.deal_pools.levels(["spider-1", "spider-4"])
    assert [(levels[name].deals, levels[name].wanted_ms) for name in levels] == [(1, 0), (0, 0)]


async def test_a_store_that_was_restarted_gives_no_deal_that_it_may_have_given(
    server: RedisServer, tmp_path: Path
) -> None:
    async with opened(server.url, tmp_path) as store:
        await fill(store, DROPPED + 3)
        assert (await store.deal_pools.take("spider-1")).deal == "deal 0"
    server.kill()
    server.start()
    async with opened(server.url, tmp_path) as store:
        after = [(await store.deal_pools.take("spider-1")).deal for _ in range(3)]
    assert after == [f"deal {DROPPED + 1}", f"deal {DROPPED + 2}", None]

"""Pools and labels of deals, which are made by processes that serve no players."""

import asyncio
from pathlib import Path

import pytest

from server.store import Store
from server.store.deal_labels import ASKED_MS
from server.store.deal_pools import DROPPED, WAITS_MS
from tests.servers import RedisServer, opened

MANY = 1_000


async def fill(store: Store, count: int) -> None:
    for number in range(count):
        assert await store.deal_pools.put("spider-1", f"deal {number}", most=MANY)


async def test_no_two_rooms_get_the_same_deal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = store.deal_pools
    await fill(store, 40)
    taken = await asyncio.gather(*(pools.take("spider-1") for _ in range(41)))
    wanted = sorted(f"deal {number}" for number in range(40))
    assert sorted(f"{each.deal}" for each in taken) == sorted([*wanted, "None"])
    assert await pools.waited_for(["spider-1"]) == ["spider-1"]
    now = store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + WAITS_MS + 1_000)
    assert await pools.waited_for(["spider-1"]) == []


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


async def test_there_are_no_more_labels_than_so_many(store: Store) -> None:
    labels = store.deal_labels
    for number in range(12):
        await labels.keep(f"deal {number}", "unknown", most=5)
        assert (await labels.read(f"deal {number}")).label == "unknown"
    known = [await labels.read(f"deal {number}") for number in range(12)]
    assert sum(each.label is not None for each in known) == 5


async def test_each_room_asks_for_a_label_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = store.deal_labels
    for room, since, deal in (("A", 700, "24"), ("B", 900, "24"), ("A", 800, "25")):
        await labels.ask(f"deal {deal}", room, since)
    now = store.clock.now()
    for later_ms, asked_since in ((0, 900), (ASKED_MS + 1_000, None)):
        monkeypatch.setattr(store.clock, "now", lambda ms=later_ms: now + ms)
        assert (await labels.read("deal 24", "B")).asked_since == asked_since
        lately = await labels.is_asked("deal 24", "B", lately=True)
        assert lately is (asked_since is not None)
    assert await labels.is_asked("deal 24", "B", lately=False)

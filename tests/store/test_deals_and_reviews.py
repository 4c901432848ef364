"""Pools and labels of deals, and reviews of rounds: made by processes that serve no players."""

import asyncio
from pathlib import Path

import pytest

from server.store import KnownLabel, Store, StoredReview, keys
from server.store.deal_labels import ASKED_MS
from server.store.deal_pools import DROPPED, WAITS_MS
from tests.servers import RedisServer, opened
from tests.store.rooms_and_acts import CODE, change, everywhere, start_race

MANY = 1_000
T0 = 1_790_000_000_000


async def fill(store: Store, count: int) -> None:
    for number in range(count):
        assert await store.deal_pools.put("spider-1", f"deal {number}", most=MANY)


@everywhere
async def test_no_two_rooms_get_the_same_deal(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools, names = store.deal_pools, ["spider-1", "spider-4"]
    await fill(store, 40)
    assert not await pools.put("spider-1", "too many", most=40)
    full = (await pools.levels(names))["spider-1"]
    assert (full.deals, full.wanted_ms) == (40, 0)
    taken = await asyncio.gather(*(pools.take("spider-1") for _ in range(40)))
    assert sorted({f"{each.deal}" for each in taken}) == sorted(f"deal {n}" for n in range(40))
    assert await pools.waited_for(names) == []
    # An empty pool says whether it is filled, and is waited for, for a while.
    none = await pools.take("spider-1")
    assert (none.deal, none.is_filled) == (None, False)
    levels = await pools.levels(names)
    assert [(levels[name].deals, levels[name].wanted_ms > 0) for name in names] == [
        (0, True),
        (0, False),
    ]
    assert await pools.waited_for(names) == ["spider-1"]
    await pools.show_filler()
    assert (await pools.take("spider-1")).is_filled
    now = store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + WAITS_MS + 1_000)
    assert await pools.waited_for(names) == []


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


@everywhere
async def test_there_are_no_more_labels_than_so_many(store: Store) -> None:
    labels = store.deal_labels
    assert await labels.read("deal 24") == KnownLabel(None, is_sought=False)
    await store.deal_pools.show_filler()  # a process that makes labels, too
    assert await labels.read("deal 24") == KnownLabel(None, is_sought=True)
    for number in range(12):
        await labels.keep(f"deal {number}", "unknown", most=5)
        assert (await labels.read(f"deal {number}")).label == "unknown"
    known = [await labels.read(f"deal {number}") for number in range(12)]
    assert sum(each.label is not None for each in known) == 5


async def test_a_room_asks_for_one_label_at_a_time_and_for_a_while(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = store.deal_labels
    assert (await labels.read("deal 24", "A")).asked_since is None
    assert not await labels.is_asked("deal 24", "A", lately=False)
    await labels.ask("deal 24", "A", 700)
    await labels.ask("deal 24", "B", 900)
    assert (await labels.read("deal 24", "A")).asked_since == 700
    assert await labels.is_asked("deal 24", "A", lately=True)
    await labels.ask("deal 25", "A", 800)
    assert (await labels.read("deal 24", "A")).asked_since is None
    assert not await labels.is_asked("deal 24", "A", lately=False)
    assert await labels.is_asked("deal 24", "B", lately=True)
    now = store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + ASKED_MS + 1_000)
    assert (await labels.read("deal 24", "B")).asked_since is None
    assert not await labels.is_asked("deal 24", "B", lately=True)
    assert await labels.is_asked("deal 24", "B", lately=False)


@everywhere
async def test_a_review_is_kept_text_by_text(store: Store) -> None:
    reviews, key = store.reviews, keys.UNPREFIXED.review(CODE, 1)
    assert not await reviews.begin(CODE, 1, T0)  # a room that is gone gets no review
    assert not await reviews.keep(CODE, 1, T0, 7, "text")
    assert not await reviews.finish(CODE, 1, T0)
    assert not await store.client.call(key, "EXISTS", key)
    await start_race(store)
    assert await reviews.read(CODE, 1, T0) == StoredReview()
    assert await reviews.begin(CODE, 1, T0)
    assert await reviews.read(CODE, 1, T0) == StoredReview(has_begun=True)
    assert 0 < await store.client.call(key, "TTL", key) <= keys.TTL_SECONDS
    assert await reviews.keep(CODE, 1, T0, 7, "first")
    assert await reviews.keep(CODE, 1, T0, 7, "second")
    assert await reviews.keep(CODE, 1, T0, 8, "other")
    kept = await reviews.read(CODE, 1, T0)
    assert kept == StoredReview(has_begun=True, is_done=False, texts={7: "first", 8: "other"})
    assert await reviews.finish(CODE, 1, T0)
    assert (await reviews.read(CODE, 1, T0)).is_done
    assert not (await reviews.read(CODE, 2, T0)).has_begun
    # The review of an earlier room with this code is none.
    assert await reviews.read(CODE, 1, T0 + 5) == StoredReview()
    await reviews.keep(CODE, 1, T0 + 5, 8, "later")
    assert (await reviews.read(CODE, 1, T0 + 5)).texts == {8: "later"}
    assert await reviews.read(CODE, 1, T0) == StoredReview()


@pytest.mark.parametrize("way", ["room", "round"])
async def test_a_review_goes_with_its_room_or_its_round(store: Store, way: str) -> None:
    await store.rooms.create(CODE, change())
    for n in (1, 2):
        await store.reviews.keep(CODE, n, T0, 7, "text")
    if way == "room":
        assert await store.rooms.delete(CODE, 9, 2)
    else:
        await store.rooms.drop(CODE, [], [], [1])
    left = [(await store.reviews.read(CODE, n, T0)).has_begun for n in (1, 2)]
    assert left == [False, way == "round"]

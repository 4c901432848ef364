"""Reviews: kept beside the logs of their round, each text once, and removed with them."""

import pytest

from server.store import Store, StoredReview, keys
from tests.store.rooms_and_acts import CODE, change, start_race

T0 = 1_790_000_000_000


async def exists(store: Store, n: int) -> bool:
    key = keys.UNPREFIXED.review(CODE, n)
    return bool(await store.client.call(key, "EXISTS", key))


async def test_a_review_is_kept_text_by_text(store: Store) -> None:
    await start_race(store)
    assert await store.reviews.read(CODE, 1, T0) == StoredReview()
    assert await store.reviews.begin(CODE, 1, T0)
    assert await store.reviews.read(CODE, 1, T0) == StoredReview(has_begun=True)
    assert await store.reviews.keep(CODE, 1, T0, 7, "first")
    assert await store.reviews.keep(CODE, 1, T0, 7, "second")
    assert await store.reviews.keep(CODE, 1, T0, 8, "other")
    kept = await store.reviews.read(CODE, 1, T0)
    assert kept == StoredReview(has_begun=True, is_done=False, texts={7: "first", 8: "other"})
    assert await store.reviews.finish(CODE, 1, T0)
    assert (await store.reviews.read(CODE, 1, T0)).is_done
    assert not (await store.reviews.read(CODE, 2, T0)).has_begun


async def test_a_room_that_is_gone_gets_no_review(store: Store) -> None:
    assert not await store.reviews.begin(CODE, 1, T0)
    assert not await store.reviews.keep(CODE, 1, T0, 7, "text")
    assert not await store.reviews.finish(CODE, 1, T0)
    assert not await exists(store, 1)


async def test_the_review_of_an_earlier_room_with_this_code_is_none(store: Store) -> None:
    await start_race(store)
    await store.reviews.keep(CODE, 1, T0, 7, "earlier")
    assert await store.reviews.read(CODE, 1, T0 + 5) == StoredReview()
    await store.reviews.keep(CODE, 1, T0 + 5, 8, "later")
    assert (await store.reviews.read(CODE, 1, T0 + 5)).texts == {8: "later"}
    assert await store.reviews.read(CODE, 1, T0) == StoredReview()


@pytest.mark.parametrize("way", ["room", "round"])
async def test_a_review_goes_with_its_room_or_its_round(store: Store, way: str) -> None:
    await start_race(store)
    for n in (1, 2):
        await store.reviews.keep(CODE, n, T0, 7, "text")
    if way == "room":
        assert await store.rooms.delete(CODE, 9, 2)
    else:
        await store.rooms.drop(CODE, [], [], [1])
    assert not await exists(store, 1)
    assert await exists(store, 2) == (way == "round")


async def test_a_review_expires(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.reviews.begin(CODE, 1, T0)
    key = keys.UNPREFIXED.review(CODE, 1)
    assert 0 < await store.client.call(key, "TTL", key) <= keys.TTL_SECONDS

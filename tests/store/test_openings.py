import asyncio

import pytest

from server.store import Quota, Store, keys, openings
from tests.store.races import CODE, change

HERE, AROUND = Quota("here", 2), Quota("around", 4)
OTHERS = [f"000000000{number}" for number in range(10)]


async def opened(store: Store, code: str, *quotas: Quota) -> Quota | None:
    """Opens a room, if the quotas allow it."""
    full = await store.claim(code, quotas)
    if full is None:
        assert await store.create(code, change())
    return full


async def long_ago(store: Store, network: str) -> None:
    """As if the rooms had been counted an hour ago."""
    key = keys.opened(network)
    for code in await store._client.call(key, "ZRANGE", key, 0, -1):
        await store._client.call(key, "ZINCRBY", key, -3_600_000, code)


async def test_so_many_rooms_are_counted_and_no_more(store: Store) -> None:
    assert [await opened(store, code, HERE) for code in OTHERS[:3]] == [None, None, HERE]
    assert await store.opened("here") == 2
    assert await store.opened() == 0
    await store.release(OTHERS[0], ["here"])
    assert await opened(store, OTHERS[2], HERE) is None


async def test_a_room_that_is_refused_is_counted_nowhere(store: Store) -> None:
    for code in OTHERS[:2]:
        await opened(store, code, AROUND, HERE)
    assert await opened(store, OTHERS[2], AROUND, HERE) == HERE
    assert (await store.opened("around"), await store.opened("here")) == (2, 2)
    elsewhere = Quota("elsewhere", 2)
    assert await opened(store, OTHERS[2], AROUND, elsewhere) is None
    assert await opened(store, OTHERS[3], AROUND, elsewhere) is None
    assert await opened(store, OTHERS[4], AROUND, elsewhere) == AROUND


async def test_a_room_that_is_counted_already_is_never_refused(store: Store) -> None:
    for code in OTHERS[:2]:
        await opened(store, code, HERE)
    assert await store.claim(OTHERS[0], [HERE]) is None
    assert await store.opened("here") == 2


async def test_many_at_once_are_as_many_as_may_be(store: Store) -> None:
    full = await asyncio.gather(*(opened(store, code, HERE) for code in OTHERS))
    assert full.count(None) == 2
    assert await store.opened("here") == 2


async def test_rooms_that_are_gone_make_place_before_anybody_is_refused(store: Store) -> None:
    """Whoever made them may have been killed before it could say that they are closed."""
    for code in OTHERS[:2]:
        await opened(store, code, HERE)
    await long_ago(store, "here")
    await store.delete(OTHERS[0], 0, 0)
    assert await opened(store, OTHERS[2], HERE) is None
    assert await opened(store, OTHERS[3], HERE) == HERE


async def test_a_room_that_is_about_to_be_made_keeps_its_place(store: Store) -> None:
    assert await store.claim(OTHERS[0], [HERE]) is None
    assert await store.claim(OTHERS[1], [HERE]) is None
    assert await store.claim(OTHERS[2], [HERE]) == HERE
    await long_ago(store, "here")
    assert await store.claim(OTHERS[2], [HERE]) is None


async def test_a_list_that_was_lost_is_filled_again(store: Store) -> None:
    await opened(store, CODE, HERE)
    key = keys.opened("here")
    await store._client.call(key, "UNLINK", key)
    await store.renew(CODE, ["here", ""])
    assert (await store.opened("here"), await store.opened()) == (1, 1)


async def test_what_is_never_renewed_goes_by_itself(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in OTHERS[:2]:
        await opened(store, code, HERE)
    now = store.clock.now
    week = keys.TTL_SECONDS * 1_000
    monkeypatch.setattr(store.clock, "now", lambda: now() + week + 1_000)
    assert await store.opened("here") == 0
    assert await store.claim(OTHERS[2], [HERE]) is None
    ttl = await store._client.call(keys.opened("here"), "TTL", keys.opened("here"))
    assert 0 < ttl <= keys.TTL_SECONDS


async def test_of_a_long_list_some_are_looked_at_each_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openings, "CHECKED", 2)
    many = Quota("many", len(OTHERS))
    for code in OTHERS:
        assert await store.claim(code, [many]) is None
    await long_ago(store, "many")
    assert await opened(store, CODE, many) is None
    assert await store.opened("many") == len(OTHERS) - 2 + 1

import asyncio

import pytest

from server.store import Quota, Store, keys
from tests.store.rooms_and_acts import CODE, change

HERE, AROUND = Quota("here", 2), Quota("around", 4)
CODES = [f"000000000{number}" for number in range(10)]


async def opened(store: Store, code: str, *quotas: Quota) -> Quota | None:
    """Open a room if the quotas allow it; return the full quota otherwise."""
    full = await store.open_rooms.claim(code, quotas)
    if full is None:
        assert await store.rooms.create(code, change())
    return full


async def count_long_ago(store: Store, network: str) -> None:
    """Change the list as if its rooms had been counted an hour ago."""
    key = keys.opened(network)
    for code in await store.client.call(key, "ZRANGE", key, 0, -1):
        await store.client.call(key, "ZINCRBY", key, -3_600_000, code)


async def test_a_full_quota_refuses_the_next_room(store: Store) -> None:
    # The quota of this network is two rooms; the refusal of the third names it.
    assert [await opened(store, code, HERE) for code in CODES[:3]] == [None, None, HERE]
    assert await store.open_rooms.count("here") == 2
    assert await store.open_rooms.count() == 0  # the list of all rooms has a quota of its own
    await store.open_rooms.release(CODES[0], ["here"])
    assert await opened(store, CODES[2], HERE) is None


async def test_a_refused_room_is_counted_under_no_quota(store: Store) -> None:
    for code in CODES[:2]:
        await opened(store, code, AROUND, HERE)
    assert await opened(store, CODES[2], AROUND, HERE) == HERE
    assert (await store.open_rooms.count("around"), await store.open_rooms.count("here")) == (2, 2)
    elsewhere = Quota("elsewhere", 2)
    assert await opened(store, CODES[2], AROUND, elsewhere) is None
    assert await opened(store, CODES[3], AROUND, elsewhere) is None
    assert await opened(store, CODES[4], AROUND, elsewhere) == AROUND


async def test_a_counted_room_is_never_refused(store: Store) -> None:
    for code in CODES[:2]:
        await opened(store, code, HERE)
    assert await store.open_rooms.claim(CODES[0], [HERE]) is None
    assert await store.open_rooms.count("here") == 2


async def test_concurrent_claims_respect_the_quota(store: Store) -> None:
    full = await asyncio.gather(*(opened(store, code, HERE) for code in CODES))
    assert full.count(None) == 2
    assert await store.open_rooms.count("here") == 2


async def test_deleted_rooms_leave_a_full_list_before_a_room_is_refused(store: Store) -> None:
    """The process that closed the rooms may have been killed before it released them."""
    for code in CODES[:2]:
        await opened(store, code, HERE)
    await count_long_ago(store, "here")
    await store.rooms.delete(CODES[0], 0, 0)
    assert await opened(store, CODES[2], HERE) is None
    assert await opened(store, CODES[3], HERE) == HERE


async def test_a_room_that_is_about_to_be_created_stays_counted(store: Store) -> None:
    assert await store.open_rooms.claim(CODES[0], [HERE]) is None
    assert await store.open_rooms.claim(CODES[1], [HERE]) is None
    assert await store.open_rooms.claim(CODES[2], [HERE]) == HERE
    await count_long_ago(store, "here")
    assert await store.open_rooms.claim(CODES[2], [HERE]) is None


async def test_a_lost_list_is_filled_again(store: Store) -> None:
    await opened(store, CODE, HERE)
    key = keys.opened("here")
    await store.client.call(key, "UNLINK", key)
    await store.open_rooms.renew(CODE, ["here", ""])
    assert (await store.open_rooms.count("here"), await store.open_rooms.count()) == (1, 1)


async def test_a_count_that_is_not_renewed_expires(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for code in CODES[:2]:
        await opened(store, code, HERE)
    now = store.clock.now
    week = keys.TTL_SECONDS * 1_000
    monkeypatch.setattr(store.clock, "now", lambda: now() + week + 1_000)
    assert await store.open_rooms.count("here") == 0
    assert await store.open_rooms.claim(CODES[2], [HERE]) is None
    ttl = await store.client.call(keys.opened("here"), "TTL", keys.opened("here"))
    assert 0 < ttl <= keys.TTL_SECONDS


async def test_a_part_of_a_long_list_is_checked_each_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.open_rooms.SAMPLE_SIZE", 2)
    many = Quota("many", len(CODES))
    for code in CODES:
        assert await store.open_rooms.claim(code, [many]) is None
    await count_long_ago(store, "many")
    assert await opened(store, CODE, many) is None
    assert await store.open_rooms.count("many") == len(CODES) - 2 + 1

"""Rooms: expiry, the events and lists that are kept, and logs that are dropped."""

import asyncio

import pytest

from protocol.vocabulary import ATTEMPT_S
from server.store import Store, keys
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    start_race,
    up_to,
)


@everywhere
async def test_every_key_expires_and_a_deleted_room_leaves_none(store: Store) -> None:
    await start_race(store)
    listed = change(public=True, deadline=5, process="east")
    await store.rooms.change(CODE, 1, listed)
    await committed(store, act())
    assert await store.reviews.begin(CODE, 1, 1)
    # Those of a process with very many rooms are written in parts.
    many = [f"{number:010}" for number in range(2_500)]
    await store.processes.beat("east", store.clock.now_ms(), many)
    assert sorted(await store.processes.rooms_of("east")) == sorted([*many, CODE])
    await store.open_rooms.keep_code("of Ada", CODE)
    await store.lists.due(store.clock.now_ms())  # as every process does once a second
    for key in [key for found in await ask_every_master(store, "KEYS", "*") for key in found]:
        assert 0 < await store.client.call("TTL", key.decode()) <= keys.TTL_SECONDS
    attempt = keys.UNPREFIXED.attempt("of Ada")
    assert 0 < await store.client.call("PTTL", attempt) <= ATTEMPT_S * 1_000
    await store.rooms.delete(CODE, up_to(4, 2))
    assert not any(await ask_every_master(store, "KEYS", "{*"))


async def test_the_latest_of_many_events_are_kept(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await asyncio.gather(*(store.rooms.append(CODE, "said") for _ in range(400)))
    kept = [v for v, _ in await store.rooms.events(CODE, 0)]
    assert 128 <= len(kept) < 400
    assert kept == list(range(kept[0], 402))


async def test_a_slow_change_does_not_overwrite_the_lists_of_a_later_change(store: Store) -> None:
    """Two processes change a room in turn, and the first writes the lists after the second."""
    await store.rooms.create(CODE, change())
    await store.rooms.change(CODE, 1, change(deadline=1000, public=True))
    await store.lists.write(CODE, v=1, deadline=5000, public=False)
    assert await store.lists.due(1000) == [CODE]
    assert await store.lists.public() == [CODE]


async def test_rooms_whose_keys_have_expired_are_not_public(store: Store) -> None:
    await store.client.call("ZADD", keys.UNPREFIXED.public, 1, "OLD")
    assert await store.lists.public() == []
    await store.rooms.create(CODE, change(public=True))
    await store.lists.due(store.clock.now_ms())
    assert await store.client.call("ZCARD", keys.UNPREFIXED.public) == 1
    await store.client.call("SET", keys.UNPREFIXED.room(CODE), "of another program")
    assert await store.lists.rows([CODE]) == [None]


async def test_logs_are_dropped_in_parts(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.store.rooms.PART", 2)
    await start_race(store)
    await committed(store, act())
    dropped = [(2, 1), (3, 1), (3, 2)]
    for n, seat in dropped:
        log = keys.UNPREFIXED.log(CODE, n, seat)
        await store.client.call("RPUSH", log, "", "an act")
    counted = [await store.rooms.count_acts(CODE, n, [1, 2]) for n in (2, 3)]
    await store.rooms.drop(CODE, ([], dropped, []))
    left = [await store.rooms.count_acts(CODE, n, [1, 2]) for n in (2, 3)]
    assert (counted, left) == ([1, 2], [0, 0])
    assert len(await store.logs.read(CODE, 1, SEAT)) == 1
    await store.rooms.drop(CODE, ([], [], []))


async def test_things_beside_a_room_live_on_when_renewed(store: Store) -> None:
    await start_race(store)
    seat, log = keys.UNPREFIXED.seat(CODE, SEAT), keys.UNPREFIXED.log(CODE, 1, 1)
    await store.client.call("RPUSH", log, "", "an act")
    for key in (seat, log):
        await store.client.call("EXPIRE", key, 60)
    await store.rooms.renew(CODE, ([SEAT], [(1, 1)], [1]))
    for key in (seat, log):
        assert await store.client.call("TTL", key) > keys.TTL_SECONDS - 60

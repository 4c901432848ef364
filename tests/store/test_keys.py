"""The names of keys, and installations with prefixes of their own on one Redis."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import Notification, Quota, Store, StoredRoom
from server.store.keys import Keys, belongs_to_room
from server.store.slots import slot_of
from tests.servers import opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    hint,
)
from tests.waiting import until

PREFIX = "race-1:"


@pytest.mark.parametrize("prefix", ["", "race-1:"])
def test_the_type_of_every_key_that_belongs_to_no_room_is_known(prefix: str) -> None:
    keys = Keys(prefix)
    named = [keys.opened("here"), keys.guesses("here"), keys.process("east")]
    named += [keys.attempt("of here"), *keys.jobs("bot"), *keys.pool("spider-1")]
    named += [keys.labels(), keys.asked_labels()]
    for key in (*keys.shared(), *named):
        assert not belongs_to_room(key)
        assert keys.type_of(key) in {"hash", "list", "set", "stream", "string", "zset"}
    assert keys.type_of(f"{prefix}of another program") is None


@pytest.mark.parametrize("prefix", ["", "race-1:"])
def test_the_keys_of_a_room_are_found_by_their_pattern(prefix: str) -> None:
    keys, other = Keys(prefix), Keys("other:")
    assert keys.parse(keys.room(CODE)) == (CODE, "room", ())
    assert keys.parse(keys.events(CODE)) == (CODE, "events", ())
    assert keys.parse(keys.seat(CODE, 7)) == (CODE, "seat", (7,))
    assert keys.parse(keys.review(CODE, 2)) == (CODE, "review", (2,))
    assert keys.parse(keys.log(CODE, 2, 7)) == (CODE, "log", (2, 7))
    for name in (
        *(other.room(CODE), keys.clock, keys.channel(CODE), keys.seat(CODE, 7) + "x"),
        keys.staged(CODE, keys.room(CODE)),
    ):
        assert keys.parse(name) is None


@pytest.fixture
async def other(store: Store, tmp_path: Path) -> AsyncIterator[Store]:
    """Yield another installation on the Redis of `store`, which has no prefix."""
    async with opened(store.url, tmp_path, prefix=PREFIX) as other:
        yield other


def test_the_keys_of_a_room_share_a_slot_whatever_the_prefix() -> None:
    for prefix in ("", PREFIX, "a/b.c-d_e:"):
        keys = Keys(prefix)
        names = {keys.room(CODE), keys.events(CODE), keys.seat(CODE, 1), keys.log(CODE, 1, 1)}
        assert {slot_of(name) for name in (*names, keys.channel(CODE))} == {slot_of(CODE)}
        assert all(name.startswith(prefix) for name in names)


async def use(store: Store, doc: str) -> None:
    """Use everything that the store has keys for."""
    now = store.clock.now()
    assert await store.open_rooms.claim(CODE, [Quota("", 1), Quota("here", 1)]) is None
    running = change(doc=doc, state="RUNNING", t0=now, deadline=now, public=True, process="east")
    assert await store.rooms.create(CODE, running)
    seat = Keys(store.keys.prefix).seat(CODE, SEAT)
    await store.client.call(seat, "HSET", seat, "gen", 1, "id", 0, "n", 0, "gained_ms", 0)
    assert isinstance((await committed(store, act(), hint()))[0], int)
    await store.rooms.append(CODE, doc)
    await store.unreadable.set_aside(CODE)
    await store.processes.beat("east", now, [CODE])
    assert await store.guesses.take({"here": 1}, 1, 0.001) == 0
    assert await store.attempts.code("of Ada", CODE) == CODE


@everywhere
async def test_two_installations_on_one_redis_do_not_meet(store: Store, other: Store) -> None:
    notified: list[object] = []
    await other.pubsub.subscribe(CODE, notified.append)
    await use(store, "ours")
    await store.pubsub.probe()
    await other.pubsub.probe()
    assert notified == []
    assert await other.rooms.read(CODE) is None
    assert await other.lists.due(other.clock.now()) == []
    assert await other.lists.public() == []
    assert await other.processes.silent(other.clock.now() + 1) == []
    assert await other.unreadable.count() == 0
    assert await other.open_rooms.count() == 0
    before = await names(store)
    await use(other, "theirs")
    await until(lambda: Notification.ROOM in notified)
    assert await store.rooms.read(CODE) == StoredRoom(2, "ours")
    assert await other.rooms.read(CODE) == StoredRoom(2, "theirs")
    added = await names(store) - before
    assert {name.removeprefix(PREFIX) for name in added} == {
        name for name in before if name != Keys(PREFIX).clock
    }
    assert all(name.startswith(PREFIX) for name in added)
    assert await other.rooms.delete(CODE, SEAT, 1)
    assert await store.rooms.read(CODE) == StoredRoom(2, "ours")


async def test_installations_have_clocks_of_their_own(store: Store, other: Store) -> None:
    clocks = [Keys().clock, Keys(PREFIX).clock]
    await asyncio.gather(store.clock.compare(), other.clock.compare())
    found = [await store.client.call(clock, "HGET", clock, "by") for clock in clocks]
    assert None not in found
    assert found[0] != found[1]


async def names(store: Store) -> set[str]:
    """Return the names of all keys but those of probes, which are gone in a moment."""
    replies = await ask_every_master(store, "KEYS", "*")
    return {key.decode() for keys in replies for key in keys if b"probe" not in key}

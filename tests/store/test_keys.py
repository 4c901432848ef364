"""The names of keys, and installations with different prefixes on one Redis."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.store import NewSeat, Store, StoredRoom
from server.store.cluster import slot_of
from server.store.counts import TAKEN
from server.store.keys import Keys
from tests.present import present
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
    take_as,
    up_to,
)
from tests.waiting import until

PREFIX = "race-1:"


@pytest.mark.parametrize("prefix", ["", PREFIX, "a/b.c-d_e:"])
def test_every_key_is_known_by_its_name(prefix: str) -> None:
    keys = Keys(prefix)
    named = [keys.opened("here"), keys.guesses("here"), keys.process("east")]
    named += [keys.attempt("of here"), keys.label("deal"), keys.guard("work"), keys.bans]
    for key in (*keys.shared(), *named):
        assert "{" not in key
        assert keys.type_of(key) in {"hash", "list", "set", "stream", "string", "zset"}
    assert keys.type_of(f"{prefix}of another program") is None
    of_a_room = [keys.room(CODE), keys.events(CODE), keys.seat(CODE, 7)]
    of_a_room += [keys.review(CODE, 2), keys.log(CODE, 2, 7)]
    for name in of_a_room:
        assert "{" in name
        assert name.startswith(prefix)
    assert {slot_of(name) for name in (*of_a_room, keys.channel(CODE))} == {slot_of(CODE)}


@pytest.fixture
async def other(store: Store, tmp_path: Path) -> AsyncIterator[Store]:
    """Yield another installation on the Redis of `store`, which has no prefix."""
    async with opened(store.url, tmp_path, prefix=PREFIX) as other:
        yield other


async def use(store: Store, doc: str) -> None:
    """Write keys of a room, the lists of rooms, and keys of networks and processes."""
    now = store.clock.now_ms()
    assert await store.open_rooms.claim(CODE, {"": 1, "here": 1}) is None
    seated = change(seat=NewSeat(SEAT, doc), begins=[SEAT])
    running = replace(seated, doc=doc, deadline=now, public=True, process="east")
    assert await store.rooms.create(CODE, running)
    generation = present(await store.seats.take(CODE, SEAT)).generation
    stored, _ = await committed(store, act(generation=generation), hint(generation=generation))
    assert isinstance(stored, int)
    await take_as(store, 7)
    await store.rooms.append(CODE, doc)
    await store.lists.set_aside(CODE)
    await store.processes.beat("east", now, [CODE])
    assert await store.guesses.take({"here": 1}, 1, 0.001) == TAKEN
    assert await store.open_rooms.keep_code("of Ada", CODE) == CODE


@everywhere
async def test_two_installations_on_one_redis_do_not_interfere(store: Store, other: Store) -> None:
    notified: list[object] = []
    await other.pubsub.subscribe(CODE, notified.append)
    await use(store, "ours")
    await store.pubsub.probe()
    await other.pubsub.probe()
    assert notified == []
    assert await other.rooms.read(CODE) is None
    assert await other.lists.due(other.clock.now_ms()) == []
    assert await other.lists.public() == []
    assert await other.processes.silent(other.clock.now_ms() + 1) == []
    assert await other.lists.count_set_aside() == 0
    assert await other.open_rooms.count() == 0
    before = await names(store)
    await use(other, "theirs")
    await until(lambda: 2 in notified)
    assert await store.rooms.read(CODE) == StoredRoom(2, "ours")
    assert await other.rooms.read(CODE) == StoredRoom(2, "theirs")
    added = await names(store) - before
    assert {name.removeprefix(PREFIX) for name in added} == {
        name for name in before if name != Keys(PREFIX).clock
    }
    assert all(name.startswith(PREFIX) for name in added)
    clocks = [Keys().clock, Keys(PREFIX).clock]
    await asyncio.gather(store.clock.compare(), other.clock.compare())
    one, theirs = [await store.client.call("HGET", clock, "by") for clock in clocks]
    assert None not in (one, theirs)
    assert one != theirs
    assert await other.rooms.delete(CODE, up_to(SEAT, 1))
    assert await store.rooms.read(CODE) == StoredRoom(2, "ours")


async def names(store: Store) -> set[str]:
    """Return the names of all keys but probes, which expire in a moment."""
    replies = await ask_every_master(store, "KEYS", "*")
    return {key.decode() for keys in replies for key in keys if b"probe" not in key}

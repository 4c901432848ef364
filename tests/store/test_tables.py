"""Kept tables in the store: history, shelf, the life of their keys, and failures."""

import pytest

from server.store import NewSeat, Store, TableChange, Unreadable
from server.store.counts import KEPT_COUNTED_S
from server.store.keys import TTL_SECONDS, UNPREFIXED
from tests.present import present
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    hint,
    start_race,
)

LONG = TTL_SECONDS + 90 * 24 * 3600
HISTORY, SHELF = UNPREFIXED.history(CODE), UNPREFIXED.shelf(CODE)


def table(*entries: str, is_over: bool = False, **shelved: str) -> TableChange:
    """Return what adds these entries; shelved rounds are named `n1`."""
    rounds = {int(name[1:]): text for name, text in shelved.items()}
    return TableChange(entries, 3, rounds, is_over)


async def ttls(store: Store) -> dict[str, int]:
    """Return how many seconds each key of the room lives, by the end of its name."""
    found = [key.decode() for keys in await ask_every_master(store, "KEYS", "{*") for key in keys]
    return {key.partition("}:")[2]: await store.client.call("TTL", key) for key in sorted(found)}


@everywhere
async def test_a_change_appends_each_entry_once_and_keeps_the_latest(store: Store) -> None:
    assert await store.rooms.create(CODE, change())
    assert await store.rooms.history(CODE) == []
    ended = change(table=table("one", "two", n1="first"), ttl_s=LONG)
    assert await store.rooms.change(CODE, 1, ended) == 2
    assert await store.rooms.change(CODE, 1, ended) is None  # it was stored, and its reply lost
    assert await store.rooms.history(CODE) == ["one", "two"]
    more = change(table=table("three", "four", n1="", n2="second"), ttl_s=LONG)
    assert await store.rooms.change(CODE, 2, more) == 3
    assert await store.rooms.history(CODE) == ["two", "three", "four"]
    assert [await store.rooms.shelved(CODE, n) for n in (1, 2, 3)] == [None, "second", None]
    await store.client.call("HSET", SHELF, "no number", "of another program")
    assert await store.rooms.shelf(CODE) == {2: "second"}
    assert (await ttls(store)).keys() == {"events", "history", "room", "shelf"}
    assert all(LONG - 60 < ttl <= LONG for ttl in (await ttls(store)).values())
    assert await store.rooms.changed_at_ms(CODE, LONG) <= store.clock.now_ms()


@pytest.mark.parametrize("ends", ["deleted", "kept no longer"])
async def test_history_and_shelf_go_with_the_table(store: Store, ends: str) -> None:
    await store.rooms.create(CODE, change())
    gone = change(gone=[SEAT], table=table("one", n1="first"), ttl_s=LONG)
    await store.rooms.change(CODE, 1, gone)
    if ends == "deleted":
        assert await store.rooms.delete(CODE, v=2)
        assert await ttls(store) == {}
    else:
        await store.rooms.change(CODE, 2, change(table=table(is_over=True)))
        assert (await ttls(store)).keys() == {"events", "room"}
        assert max((await ttls(store)).values()) <= TTL_SECONDS


async def test_nothing_that_happens_at_a_table_lets_its_keys_expire_sooner(store: Store) -> None:
    await start_race(store)
    await store.rooms.change(CODE, 1, change(ttl_s=LONG, table=table("one", n1="first")))
    await store.reviews.begin(CODE, 1, 5)
    await store.rooms.renew(CODE, ([SEAT], [(1, SEAT)], [1]), LONG)
    log = UNPREFIXED.log(CODE, 1, SEAT, 1)
    await store.client.call("EXPIRE", log, LONG)
    before = await ttls(store)
    assert before.keys() == {
        *("events", "history", "log:1:1:1", "review:1", "room", "seat:1", "shelf")
    }
    assert set(before.values()) <= {LONG, LONG - 1}
    await store.rooms.append(CODE, "said")
    await committed(store, act())
    await committed(store, hint(at=1))
    await store.reviews.keep(CODE, 1, 5, SEAT, "a review")
    await store.seats.take(CODE, SEAT)
    taken = present(await store.seats.read(CODE, SEAT))
    after = await ttls(store)
    after["log:1:1:1"] = after.pop(f"log:1:1:{taken.writer}")
    assert after.keys() == before.keys()
    assert min(after.values()) > LONG - 60
    seat = change(seat=NewSeat(2, "a hash"), begins=[2], ttl_s=LONG)
    await store.rooms.change(CODE, 3, seat)
    assert min((await ttls(store)).values()) > LONG - 60


async def test_a_damaged_history_keeps_no_round_from_ending(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.client.call("SET", HISTORY, "of another program")
    await store.client.call("SET", SHELF, "of another program")
    ended = change(doc="over", table=table("one", n1="first", n2=""), ttl_s=LONG)
    assert await store.rooms.change(CODE, 1, ended) == 2
    assert present(await store.rooms.read(CODE)).doc == "over"
    for read in (store.rooms.history(CODE), store.rooms.shelved(CODE, 1)):
        with pytest.raises(Unreadable):
            await read
    assert await store.rooms.delete(CODE)
    assert await ttls(store) == {}


async def test_a_full_store_ends_a_round_at_a_table_with_its_entry(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await ask_every_master(store, "CONFIG", "SET", "maxmemory", 1)
    try:
        ended = change(table=table("one", n1="first"), ttl_s=LONG)
        assert await store.rooms.change(CODE, 1, ended) == 2
        assert await store.rooms.history(CODE) == ["one"]
        assert await store.rooms.shelved(CODE, 1) == "first"
    finally:
        await ask_every_master(store, "CONFIG", "SET", "maxmemory", 0)


async def test_places_of_tables_are_counted_like_those_of_rooms(store: Store) -> None:
    limits = {"": 3, "north": 2}
    assert [await store.kept.claim(code, limits) for code in "ABA"] == [None] * 3
    assert await store.kept.claim("C", limits) == "north"
    assert (await store.kept.count(), await store.kept.count("north")) == (2, 2)
    await store.kept.release(["A"], limits)
    assert await store.kept.claim("C", limits) is None
    assert 0 < await store.client.call("TTL", UNPREFIXED.kept()) <= KEPT_COUNTED_S

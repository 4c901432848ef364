"""Rooms: expiry, events, lists and dropped logs; unreadable records; kept tables."""

import asyncio
from contextlib import nullcontext

import pytest

from protocol.vocabulary import ATTEMPT_S
from server.store import NewSeat, Store, TableChange, Unreadable, keys
from server.store.connection import Command, pack
from server.store.counts import KEPT_COUNTED_S
from server.store.keys import TTL_SECONDS, UNPREFIXED
from server.store.rooms import RETRY_EACH_MS, RETRY_MS
from tests.present import present
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    hint,
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
    monkeypatch.setattr("server.store.rooms.BATCH", 2)
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


OTHER = "0000000000"


async def score(store: Store, key: str, code: str = CODE) -> int | None:
    found = await store.client.call("ZSCORE", key, code)
    return None if found is None else round(float(found))


async def unreadable_since(store: Store, ms: int) -> None:
    """Change the store as if the room had been found unreadable `ms` ago."""
    then = store.clock.now_ms() - ms
    await store.client.call("ZADD", keys.UNPREFIXED.unreadable, then, CODE)


async def test_a_room_is_set_aside_once_and_keeps_its_deadline_or_gets_one(store: Store) -> None:
    now = store.clock.now_ms()
    await store.lists.set_aside(CODE)
    first = await score(store, keys.UNPREFIXED.unreadable)
    await store.lists.set_aside(CODE)
    assert await score(store, keys.UNPREFIXED.unreadable) == first
    due = present(await score(store, keys.UNPREFIXED.deadlines))
    assert now + RETRY_MS <= due <= store.clock.now_ms() + 1.5 * RETRY_MS
    await store.rooms.create(OTHER, change(deadline=now + 9))
    await store.lists.set_aside(OTHER)
    assert await score(store, keys.UNPREFIXED.deadlines, OTHER) == now + 9
    for _ in range(2):  # it is due again after a minute
        await store.lists.set_aside(OTHER, is_due=True)
        due = present(await score(store, keys.UNPREFIXED.deadlines, OTHER))
        assert now + RETRY_MS <= due <= store.clock.now_ms() + 1.5 * RETRY_MS
        assert await store.lists.due(store.clock.now_ms()) == []


async def test_thousands_of_unreadable_rooms_leave_most_of_a_sweep_to_others(store: Store) -> None:
    """Regression: each came back after a minute, and a room that was due waited behind them."""
    unreadable, now = keys.UNPREFIXED.unreadable, store.clock.now_ms()
    many = [word for number in range(10_000) for word in (now, f"{number:07}")]
    await store.client.call("ZADD", unreadable, *many)
    await store.rooms.create(CODE, change(deadline=1))
    await store.lists.set_aside(CODE, is_due=True)
    due = present(await score(store, keys.UNPREFIXED.deadlines))
    assert due >= now + 10_000 * RETRY_EACH_MS


async def test_a_room_that_expired_long_ago_is_not_counted(store: Store) -> None:
    await store.lists.set_aside(OTHER)
    await unreadable_since(store, (keys.TTL_SECONDS + 1) * 1_000)
    await store.lists.set_aside(OTHER, is_due=True)
    assert await store.lists.count_set_aside() == 1


ROOM, TAKEN = UNPREFIXED.room(CODE), UNPREFIXED.seat(CODE, SEAT)
LOG = UNPREFIXED.log(CODE, 1, SEAT)


@pytest.mark.parametrize(
    "broken",
    [
        ("HSET", ROOM, "v", "two"),
        ("HSET", ROOM, "v", b"\xb2"),
        ("HSET", ROOM, "doc", b"\xff\xfe"),
        ("HDEL", ROOM, "doc"),
        ("HSET", TAKEN, "gen", "new"),
        ("HSET", TAKEN, "token", b"\xff"),
        ("HSET", TAKEN, "id", "one"),
        ("HDEL", TAKEN, "token"),
        ("HSET", ROOM, "form", "2"),
        ("HSET", ROOM, "form", b"\xff"),
        ("RPUSH", LOG, "", "seven b"),
        ("RPUSH", LOG, "2", bytes(15)),
        *(("SET", key, "of another type") for key in (ROOM, TAKEN, LOG)),
    ],
)
async def test_records_of_another_type_or_with_invalid_fields_are_unreadable(
    store: Store, broken: tuple[str | bytes, ...]
) -> None:
    await store.rooms.create(CODE, change(seat=NewSeat(SEAT, TOKEN)))
    await store.client.ask(Command(ROOM, pack(*broken)))
    for reads, reading in (
        ([ROOM], store.rooms.read(CODE)),
        ([TAKEN], store.seats.read(CODE, SEAT)),
        ([TAKEN], store.seats.read_all(CODE, (SEAT,))),
        ([LOG, TAKEN] if broken[0] == "SET" else [LOG], store.logs.read(CODE, 1, SEAT)),
    ):
        with pytest.raises(Unreadable) if broken[1] in reads else nullcontext():
            await reading


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

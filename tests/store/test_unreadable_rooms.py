from contextlib import nullcontext

import pytest

from server.store import NewSeat, Store, Unreadable, keys
from server.store.connection import Command, pack
from server.store.rooms import RETRY_EACH_MS, RETRY_MS
from tests.present import present
from tests.store.rooms_and_acts import CODE, SEAT, TOKEN, change

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


async def test_an_unreadable_room_is_due_again_after_a_minute(store: Store) -> None:
    await store.rooms.create(CODE, change(deadline=1))
    before = store.clock.now_ms()
    for _ in range(2):
        await store.lists.set_aside(CODE, is_due=True)
        due = present(await score(store, keys.UNPREFIXED.deadlines))
        assert before + RETRY_MS <= due <= store.clock.now_ms() + 1.5 * RETRY_MS
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


ROOM, TAKEN, LOG = (
    keys.UNPREFIXED.room(CODE),
    keys.UNPREFIXED.seat(CODE, SEAT),
    keys.UNPREFIXED.log(CODE, 1, SEAT),
)


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

import asyncio
import time

from server.store import NewSeat, Store, StoredRoom, keys
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    start_race,
)


async def test_a_room_is_created_once(store: Store) -> None:
    assert await store.create(CODE, change(doc="first"))
    assert not await store.create(CODE, change(doc="second"))
    assert await store.read(CODE) == StoredRoom(1, "first")


async def test_a_missing_room_is_read_as_none(store: Store) -> None:
    assert await store.read(CODE) is None


async def test_a_change_needs_the_version_that_was_read(store: Store) -> None:
    await store.create(CODE, change())
    assert await store.change(CODE, 1, change(doc="mine")) == 2
    assert await store.change(CODE, 1, change(doc="theirs")) is None
    assert await store.read(CODE) == StoredRoom(2, "mine")


async def test_a_missing_room_cannot_be_changed(store: Store) -> None:
    assert await store.change(CODE, 3, change()) is None


async def test_one_of_several_concurrent_changes_wins(store: Store) -> None:
    await store.create(CODE, change())
    answers = await asyncio.gather(*(store.change(CODE, 1, change()) for _ in range(20)))
    assert sorted(answers, key=str) == [2, *[None] * 19]


async def test_a_change_can_create_a_seat(store: Store) -> None:
    await store.create(CODE, change())
    created = NewSeat(SEAT, TOKEN, 7)
    await store.change(CODE, 1, change(seat=created))
    seat = await store.read_seat(CODE, SEAT)
    assert seat is not None
    assert seat == created.record
    assert (seat.generation, seat.token_hash, seat.last_id) == (7, TOKEN, 0)
    assert (seat.n, seat.standing, seat.gained, seat.over) == (0, None, 0, None)


async def test_a_room_and_one_of_its_seats_are_read_together(store: Store) -> None:
    assert await store.read_with_seat(CODE, SEAT) == (None, None)
    await store.create(CODE, change())
    assert await store.read_with_seat(CODE, SEAT) == (await store.read(CODE), None)
    created = NewSeat(SEAT, TOKEN, 7)
    await store.change(CODE, 1, change(seat=created))
    assert await store.read_with_seat(CODE, SEAT) == (await store.read(CODE), created.record)


async def test_a_refused_change_creates_no_seat(store: Store) -> None:
    await store.create(CODE, change())
    await store.change(CODE, 7, change(seat=NewSeat(SEAT, TOKEN)))
    assert await store.read_seat(CODE, SEAT) is None


async def test_a_seat_that_is_created_again_starts_empty(store: Store) -> None:
    await start_race(store)
    await committed(store, act(over=True))
    await store.change(CODE, 1, change(seat=NewSeat(SEAT, "another")))
    seat = await store.read_seat(CODE, SEAT)
    assert seat is not None
    assert (seat.generation, seat.token_hash, seat.standing, seat.over) == (
        1,
        "another",
        None,
        None,
    )


async def test_events_are_numbered_like_the_versions(store: Store) -> None:
    await store.create(CODE, change(event="made"))
    await store.change(CODE, 1, change(event="changed"))
    assert await store.append(CODE, "said é") == 3
    assert await store.events(CODE, 0) == [(1, "made"), (2, "changed"), (3, "said é")]
    assert await store.events(CODE, 2) == [(3, "said é")]
    assert await store.events(CODE, 3) == []


async def test_an_appended_event_makes_a_concurrent_change_read_again(store: Store) -> None:
    await store.create(CODE, change())
    await store.append(CODE, "said")
    assert await store.change(CODE, 1, change()) is None


async def test_an_event_cannot_be_appended_to_a_missing_room(store: Store) -> None:
    assert await store.append(CODE, "said") is None
    assert await store.events(CODE, 0) == []


async def test_the_latest_of_many_events_are_kept(store: Store) -> None:
    await store.create(CODE, change())
    for number in range(400):
        await store.append(CODE, str(number))
    kept = [v for v, _ in await store.events(CODE, 0)]
    assert 128 <= len(kept) < 400
    assert kept == list(range(kept[0], 402))


async def test_events_before_a_loss_of_the_store_are_not_returned(store: Store) -> None:
    """A client that has seen version 9 connects after Redis was restored at version 1."""
    await store.create(CODE, change())
    assert await store.events(CODE, 9) == []


async def test_a_room_of_the_same_code_starts_over(store: Store) -> None:
    await store.create(CODE, change())
    await store.append(CODE, "old")
    await store._client.call(keys.room(CODE), "DEL", keys.room(CODE))  # simulates its expiry
    await store.create(CODE, change(event="new"))
    assert await store.events(CODE, 0) == [(1, "new")]


async def test_a_deleted_room_leaves_no_key(store: Store) -> None:
    await start_race(store)
    await store.change(CODE, 1, change(state="RUNNING", t0=1, public=True, deadline=5))
    await committed(store, act())
    await store.delete(CODE, seats=4, rounds=2)
    assert not any(await ask_every_master(store, "KEYS", "*"))


async def test_every_key_expires(store: Store) -> None:
    await start_race(store)
    await store.change(CODE, 1, change(state="RUNNING", t0=1, public=True, deadline=5))
    await committed(store, act())
    await store.beat("east", await store.now(), [CODE])
    await store.due(await store.now())  # as every process does once a second
    for key in [key for found in await ask_every_master(store, "KEYS", "*") for key in found]:
        assert 0 < await store._client.call(key.decode(), "TTL", key) <= keys.TTL_SECONDS


async def test_a_deadline_is_due_until_it_changes(store: Store) -> None:
    now = await store.now()
    await store.create(CODE, change(deadline=now))
    assert await store.due(now - 1) == []
    assert await store.due(now) == [CODE]
    await store.change(CODE, 1, change(deadline=now + 60_000))
    assert await store.due(now) == []
    assert await store.due(now + 60_000) == [CODE]
    await store.change(CODE, 2, change(deadline=None))
    assert await store.due(now + 60_000) == []


async def test_the_most_overdue_rooms_come_first_up_to_the_limit(store: Store) -> None:
    for deadline, code in [(3, "C"), (1, "A"), (2, "B")]:
        await store.create(code, change(deadline=deadline))
    assert await store.due(10, limit=2) == ["A", "B"]


async def test_a_refused_change_does_not_postpone_the_deadline(store: Store) -> None:
    await store.create(CODE, change(deadline=1000))
    assert await store.change(CODE, 9, change(deadline=2000)) is None
    assert await store.due(1000) == [CODE]


async def test_a_deadline_is_forgotten_with_its_room(store: Store) -> None:
    await store.create(CODE, change(deadline=1000, public=True))
    await store._client.call(keys.room(CODE), "DEL", keys.room(CODE))
    await store.forget_deadline(CODE)
    assert await store.due(1000) == []
    assert await store.public_rooms() == []


async def test_a_current_deadline_is_not_forgotten(store: Store) -> None:
    await store.create(CODE, change(deadline=1000))
    await store.append(CODE, "said")
    await store._client.call(keys.DEADLINES, "ZADD", keys.DEADLINES, 7, CODE)
    await store.forget_deadline(CODE)
    assert await store.due(999) == []
    assert await store.due(1000) == [CODE]


async def test_a_slow_change_does_not_overwrite_the_deadline_of_a_later_change(
    store: Store,
) -> None:
    """Two processes change a room in turn, and the first writes the list after the second."""
    await store.create(CODE, change())
    await store.change(CODE, 1, change(deadline=1000, public=True))
    await store._write_lists(CODE, now=await store.now(), v=1, deadline=5000, public=False)
    assert await store.due(1000) == [CODE]
    assert await store.public_rooms() == [CODE]


async def test_an_unlisted_change_does_not_change_the_lists(store: Store) -> None:
    await store.create(CODE, change(deadline=1000, public=True))
    assert await store.change(CODE, 1, change(listed=False)) == 2
    assert await store.due(1000) == [CODE]
    assert await store.public_rooms() == [CODE]


async def test_public_rooms_are_sorted_by_their_latest_change(store: Store) -> None:
    for code in ("A", "B", "C"):
        await store.create(code, change(public=code != "B"))
        await asyncio.sleep(0.002)
    assert await store.public_rooms() == ["C", "A"]
    assert await store.public_rooms(limit=1) == ["C"]
    await store.change("C", 1, change(public=False))
    assert await store.public_rooms() == ["A"]


async def test_expired_rooms_are_not_public(store: Store) -> None:
    await store._client.call(keys.PUBLIC, "ZADD", keys.PUBLIC, 1, "OLD")
    assert await store.public_rooms() == []
    await store.create(CODE, change(public=True))
    await store.due(await store.now())
    assert await store._client.call(keys.PUBLIC, "ZCARD", keys.PUBLIC) == 1


async def test_the_clock_is_in_milliseconds(store: Store) -> None:
    own = time.monotonic()
    first = await store.now()
    began = time.monotonic()
    await asyncio.sleep(0.02)
    passed = [1_000 * (time.monotonic() - began)]
    second = await store.now()
    passed.append(1_000 * (time.monotonic() - own))
    assert passed[0] - 5 <= second - first <= passed[1] + 5


async def test_a_row_is_that_of_the_present_record_or_none(store: Store) -> None:
    assert await store.public_rows([CODE]) == [None]
    await store.create(CODE, change(row="first"))
    assert await store.public_rows([CODE, "gone"]) == ["first", None]
    await store.change(CODE, 1, change(row="second"))
    await store.append(CODE, "chat")
    assert await store.public_rows([CODE]) == ["second"]
    # The release before writes the record without the row.
    key = keys.room(CODE)
    await store._client.call(key, "HSET", key, "v", 4, "doc", "of another release")
    assert await store.public_rows([CODE]) == [None]
    await store.append(CODE, "chat")
    assert await store.public_rows([CODE]) == [None]
    await store.change(CODE, 5, change(row=""))
    assert await store.public_rows([CODE]) == [None]


async def test_a_room_of_another_kind_has_no_row(store: Store) -> None:
    key = keys.room(CODE)
    await store._client.call(key, "SET", key, "x")
    assert await store.public_rows([CODE]) == [None]

import asyncio
import time

import pytest

from server.store import NewSeat, Store, StoredRoom, Unreadable, keys
from server.store.packed_commands import pack
from tests.present import present
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
    assert await store.rooms.create(CODE, change(doc="first"))
    assert not await store.rooms.create(CODE, change(doc="second"))
    assert await store.rooms.read(CODE) == StoredRoom(1, "first")


async def test_a_missing_room_is_read_as_none(store: Store) -> None:
    assert await store.rooms.read(CODE) is None


async def test_a_change_needs_the_version_that_was_read(store: Store) -> None:
    await store.rooms.create(CODE, change())
    assert await store.rooms.change(CODE, 1, change(doc="mine")) == 2
    assert await store.rooms.change(CODE, 1, change(doc="theirs")) is None
    assert await store.rooms.read(CODE) == StoredRoom(2, "mine")


async def test_a_missing_room_cannot_be_changed(store: Store) -> None:
    assert await store.rooms.change(CODE, 3, change()) is None


async def test_one_of_several_concurrent_changes_wins(store: Store) -> None:
    await store.rooms.create(CODE, change())
    answers = await asyncio.gather(*(store.rooms.change(CODE, 1, change()) for _ in range(20)))
    assert sorted(answers, key=str) == [2, *[None] * 19]


async def test_a_change_can_create_a_seat(store: Store) -> None:
    await store.rooms.create(CODE, change())
    created = NewSeat(SEAT, TOKEN, 7)
    await store.rooms.change(CODE, 1, change(seat=created))
    seat = present(await store.seats.read(CODE, SEAT))
    assert seat == created.record
    assert (seat.generation, seat.token_hash, seat.last_id) == (7, TOKEN, 0)
    assert (seat.n, seat.stats_json, seat.gained_ms, seat.over_ms) == (0, None, 0, None)


async def test_a_room_and_one_of_its_seats_are_read_together(store: Store) -> None:
    assert await store.rooms.read_with_seat(CODE, SEAT) == (None, None)
    await store.rooms.create(CODE, change())
    assert await store.rooms.read_with_seat(CODE, SEAT) == (await store.rooms.read(CODE), None)
    created = NewSeat(SEAT, TOKEN, 7)
    await store.rooms.change(CODE, 1, change(seat=created))
    assert await store.rooms.read_with_seat(CODE, SEAT) == (
        await store.rooms.read(CODE),
        created.record,
    )


async def test_a_refused_change_creates_no_seat(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.rooms.change(CODE, 7, change(seat=NewSeat(SEAT, TOKEN)))
    assert await store.seats.read(CODE, SEAT) is None


async def test_a_seat_that_is_created_again_starts_empty(store: Store) -> None:
    await start_race(store)
    await committed(store, act(is_over=True))
    await store.rooms.change(CODE, 1, change(seat=NewSeat(SEAT, "another")))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.generation, seat.token_hash, seat.stats_json, seat.over_ms) == (
        1,
        "another",
        None,
        None,
    )


async def test_events_are_numbered_like_the_versions(store: Store) -> None:
    await store.rooms.create(CODE, change(event="made"))
    await store.rooms.change(CODE, 1, change(event="changed"))
    assert await store.rooms.append(CODE, "said é") == 3
    assert await store.rooms.events(CODE, 0) == [(1, "made"), (2, "changed"), (3, "said é")]
    assert await store.rooms.events(CODE, 2) == [(3, "said é")]
    assert await store.rooms.events(CODE, 3) == []


async def test_an_appended_event_makes_a_concurrent_change_read_again(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.rooms.append(CODE, "said")
    assert await store.rooms.change(CODE, 1, change()) is None


async def test_an_event_cannot_be_appended_to_a_missing_room(store: Store) -> None:
    assert await store.rooms.append(CODE, "said") is None
    assert await store.rooms.events(CODE, 0) == []


async def test_the_latest_of_many_events_are_kept(store: Store) -> None:
    await store.rooms.create(CODE, change())
    for number in range(400):
        await store.rooms.append(CODE, str(number))
    kept = [v for v, _ in await store.rooms.events(CODE, 0)]
    assert 128 <= len(kept) < 400
    assert kept == list(range(kept[0], 402))


async def test_events_before_a_loss_of_the_store_are_not_returned(store: Store) -> None:
    """A client that has seen version 9 connects after Redis was restored at version 1."""
    await store.rooms.create(CODE, change())
    assert await store.rooms.events(CODE, 9) == []


async def test_a_room_of_the_same_code_starts_over(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.rooms.append(CODE, "old")
    await store.client.call(keys.room(CODE), "DEL", keys.room(CODE))  # simulates its expiry
    await store.rooms.create(CODE, change(event="new"))
    assert await store.rooms.events(CODE, 0) == [(1, "new")]


async def test_a_deleted_room_leaves_no_key(store: Store) -> None:
    await start_race(store)
    await store.rooms.change(CODE, 1, change(state="RUNNING", t0=1, public=True, deadline=5))
    await committed(store, act())
    await store.rooms.delete(CODE, seats=4, rounds=2)
    assert not any(await ask_every_master(store, "KEYS", "*"))


async def test_every_key_expires(store: Store) -> None:
    await start_race(store)
    await store.rooms.change(CODE, 1, change(state="RUNNING", t0=1, public=True, deadline=5))
    await committed(store, act())
    await store.processes.beat("east", store.clock.now(), [CODE])
    await store.lists.due(store.clock.now())  # as every process does once a second
    for key in [key for found in await ask_every_master(store, "KEYS", "*") for key in found]:
        assert 0 < await store.client.call(key.decode(), "TTL", key) <= keys.TTL_SECONDS


async def test_a_deadline_is_due_until_it_changes(store: Store) -> None:
    now = store.clock.now()
    await store.rooms.create(CODE, change(deadline=now))
    assert await store.lists.due(now - 1) == []
    assert await store.lists.due(now) == [CODE]
    await store.rooms.change(CODE, 1, change(deadline=now + 60_000))
    assert await store.lists.due(now) == []
    assert await store.lists.due(now + 60_000) == [CODE]
    await store.rooms.change(CODE, 2, change(deadline=None))
    assert await store.lists.due(now + 60_000) == []


async def test_the_most_overdue_rooms_come_first_up_to_the_limit(store: Store) -> None:
    for deadline, code in [(3, "C"), (1, "A"), (2, "B")]:
        await store.rooms.create(code, change(deadline=deadline))
    assert await store.lists.due(10, limit=2) == ["A", "B"]


async def test_a_refused_change_does_not_postpone_the_deadline(store: Store) -> None:
    await store.rooms.create(CODE, change(deadline=1000))
    assert await store.rooms.change(CODE, 9, change(deadline=2000)) is None
    assert await store.lists.due(1000) == [CODE]


async def test_a_deadline_is_forgotten_with_its_room(store: Store) -> None:
    await store.rooms.create(CODE, change(deadline=1000, public=True))
    await store.client.call(keys.room(CODE), "DEL", keys.room(CODE))
    await store.lists.correct(CODE)
    assert await store.lists.due(1000) == []
    assert await store.lists.public() == []


async def test_a_current_deadline_is_not_forgotten(store: Store) -> None:
    await store.rooms.create(CODE, change(deadline=1000))
    await store.rooms.append(CODE, "said")
    await store.client.call(keys.DEADLINES, "ZADD", keys.DEADLINES, 7, CODE)
    await store.lists.correct(CODE)
    assert await store.lists.due(999) == []
    assert await store.lists.due(1000) == [CODE]


async def test_a_slow_change_does_not_overwrite_the_deadline_of_a_later_change(
    store: Store,
) -> None:
    """Two processes change a room in turn, and the first writes the list after the second."""
    await store.rooms.create(CODE, change())
    await store.rooms.change(CODE, 1, change(deadline=1000, public=True))
    await store.lists.write(CODE, now=store.clock.now(), v=1, deadline=5000, public=False)
    assert await store.lists.due(1000) == [CODE]
    assert await store.lists.public() == [CODE]


async def test_an_unlisted_change_does_not_change_the_lists(store: Store) -> None:
    await store.rooms.create(CODE, change(deadline=1000, public=True))
    assert await store.rooms.change(CODE, 1, change(listed=False)) == 2
    assert await store.lists.due(1000) == [CODE]
    assert await store.lists.public() == [CODE]


async def test_public_rooms_are_sorted_by_their_latest_change(store: Store) -> None:
    for code in ("A", "B", "C"):
        await store.rooms.create(code, change(public=code != "B"))
        await asyncio.sleep(0.002)
    assert await store.lists.public() == ["C", "A"]
    assert await store.lists.public(limit=1) == ["C"]
    await store.rooms.change("C", 1, change(public=False))
    assert await store.lists.public() == ["A"]


async def test_expired_rooms_are_not_public(store: Store) -> None:
    await store.client.call(keys.PUBLIC, "ZADD", keys.PUBLIC, 1, "OLD")
    assert await store.lists.public() == []
    await store.rooms.create(CODE, change(public=True))
    await store.lists.due(store.clock.now())
    assert await store.client.call(keys.PUBLIC, "ZCARD", keys.PUBLIC) == 1


async def test_the_clock_is_in_milliseconds(store: Store) -> None:
    own = time.monotonic()
    first = store.clock.now()
    began = time.monotonic()
    await asyncio.sleep(0.02)
    passed = [1_000 * (time.monotonic() - began)]
    second = store.clock.now()
    passed.append(1_000 * (time.monotonic() - own))
    assert passed[0] - 5 <= second - first <= passed[1] + 5


async def test_a_room_has_the_row_of_its_latest_change(store: Store) -> None:
    assert await store.lists.rows([CODE]) == [None]
    await store.rooms.create(CODE, change(row="first"))
    assert await store.lists.rows([CODE, "gone"]) == ["first", None]
    await store.rooms.change(CODE, 1, change(row="second"))
    await store.rooms.append(CODE, "chat")
    assert await store.lists.rows([CODE]) == ["second"]
    await store.rooms.change(CODE, 3, change(row=""))
    assert await store.lists.rows([CODE]) == [None]


async def test_a_room_of_another_kind_has_no_row(store: Store) -> None:
    key = keys.room(CODE)
    await store.client.call(key, "SET", key, "x")
    assert await store.lists.rows([CODE]) == [None]


async def exists(store: Store, key: str) -> bool:
    return bool(await store.client.call(key, "EXISTS", key))


async def test_the_acts_of_a_round_are_counted_over_all_seats(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=1, at=0), act(id=2, at=1))
    assert await store.rooms.count_acts(CODE, 1, [SEAT, SEAT + 1]) == 2
    assert await store.rooms.count_acts(CODE, 2, [SEAT]) == 0
    assert await store.rooms.count_acts(CODE, 1, []) == 0
    log = keys.log(CODE, 1, 3)
    await store.client.ask(log, pack("SET", log, "no list"))
    with pytest.raises(Unreadable):
        await store.rooms.count_acts(CODE, 1, [3])


async def test_only_the_given_seats_and_logs_are_dropped(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.rooms.PART", 2)
    await start_race(store)
    await committed(store, act())
    await store.rooms.change(CODE, 1, change(seat=NewSeat(5, TOKEN)))
    for n, seat in ((2, 1), (3, 1), (3, 2)):
        log = keys.log(CODE, n, seat)
        await store.client.ask(log, pack("RPUSH", log, "123456"))
    await store.rooms.drop(CODE, [5], [(2, 1), (3, 1), (3, 2)])
    assert await store.seats.read(CODE, 5) is None
    assert not [
        n for n, seat in ((2, 1), (3, 1), (3, 2)) if await exists(store, keys.log(CODE, n, seat))
    ]
    assert await store.seats.read(CODE, SEAT) is not None
    assert await store.rooms.count_acts(CODE, 1, [SEAT]) == 1
    await store.rooms.drop(CODE, [], [])


async def test_seats_are_deleted_with_the_change_that_removes_them(store: Store) -> None:
    """A late deletion could hit the next owner of a number."""
    await start_race(store)
    await store.rooms.change(CODE, 1, change(seat=NewSeat(5, TOKEN)))
    assert (
        await store.rooms.change(CODE, 1, change(gone=[5])) is None
    )  # the room has changed since
    assert await store.seats.read(CODE, 5) is not None
    marks = {SEAT: "0"}
    v = await store.rooms.change(CODE, 2, change(out=marks, seat=NewSeat(6, TOKEN), gone=[5, 7]))
    assert v == 3
    assert await store.seats.read(CODE, 5) is None
    assert await store.seats.read(CODE, 6) is not None
    assert await store.seats.read(CODE, SEAT) is not None
    assert await store.seats.take(CODE, 5) is None


async def test_a_seat_whose_number_is_given_again_begins_anew(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=1, at=0))
    await store.rooms.change(CODE, 1, change(gone=[SEAT]))
    await store.rooms.change(CODE, 2, change(seat=NewSeat(SEAT, "another", 77)))
    assert await store.seats.read(CODE, SEAT) == NewSeat(SEAT, "another", 77).record

import pytest

from server.store import NewSeat, Store, Unreadable, keys
from server.store.words import pack
from tests.store.rooms_and_acts import CODE, SEAT, TOKEN, act, change, committed, start_race


async def exists(store: Store, key: str) -> bool:
    return bool(await store._client.call(key, "EXISTS", key))


async def test_the_acts_of_a_round_are_counted_over_all_seats(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=1, at=0), act(id=2, at=1))
    assert await store.count_acts(CODE, 1, [SEAT, SEAT + 1]) == 2
    assert await store.count_acts(CODE, 2, [SEAT]) == 0
    assert await store.count_acts(CODE, 1, []) == 0
    log = keys.log(CODE, 1, 3)
    await store._client.ask(log, pack("SET", log, "no list"))
    with pytest.raises(Unreadable):
        await store.count_acts(CODE, 1, [3])


async def test_only_the_given_seats_and_logs_are_dropped(store: Store) -> None:
    store.part = 2
    await start_race(store)
    await committed(store, act())
    await store.change(CODE, 1, change(seat=NewSeat(5, TOKEN)))
    for n, seat in ((2, 1), (3, 1), (3, 2)):
        log = keys.log(CODE, n, seat)
        await store._client.ask(log, pack("RPUSH", log, "123456"))
    await store.drop(CODE, [5], [(2, 1), (3, 1), (3, 2)])
    assert await store.read_seat(CODE, 5) is None
    assert not [
        n for n, seat in ((2, 1), (3, 1), (3, 2)) if await exists(store, keys.log(CODE, n, seat))
    ]
    assert await store.read_seat(CODE, SEAT) is not None
    assert await store.count_acts(CODE, 1, [SEAT]) == 1
    await store.drop(CODE, [], [])


async def test_seats_are_deleted_with_the_change_that_removes_them(store: Store) -> None:
    """A late deletion could hit the next owner of a number."""
    await start_race(store)
    await store.change(CODE, 1, change(seat=NewSeat(5, TOKEN)))
    assert await store.change(CODE, 1, change(gone=[5])) is None  # the room has changed since
    assert await store.read_seat(CODE, 5) is not None
    marks = {SEAT: "0"}
    v = await store.change(CODE, 2, change(out=marks, seat=NewSeat(6, TOKEN), gone=[5, 7]))
    assert v == 3
    assert await store.read_seat(CODE, 5) is None
    assert await store.read_seat(CODE, 6) is not None
    assert await store.read_seat(CODE, SEAT) is not None
    assert await store.take_seat(CODE, 5) is None


async def test_a_seat_whose_number_is_given_again_begins_anew(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=1, at=0))
    await store.change(CODE, 1, change(gone=[SEAT]))
    await store.change(CODE, 2, change(seat=NewSeat(SEAT, "another", 77)))
    assert await store.read_seat(CODE, SEAT) == NewSeat(SEAT, "another", 77).record

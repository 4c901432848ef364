"""The repository of rooms: its reads, its writes, and the stats of seats."""

import asyncio
from collections.abc import Awaitable, Coroutine

import pytest

from protocol.from_client import Forfeit, Leave, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import (
    CODE_ALPHABET,
    CODE_LENGTH,
    ErrorCode,
    Presence,
    RoomState,
    SeatState,
)
from server.live.random_values import draw_code
from server.live.repository import Repository
from server.live.room_changes import change_to
from server.live.room_limits import RoomLimits
from server.live.stats import stats_in
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.race import round_of
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.room import LOBBY_IDLE_MS
from server.rooms.timings import GRACE_MS, ROOM_TIMINGS
from server.store import NewSeat, SeatRecord, StoreAway
from tests.live.hubs import put
from tests.live.memory import NOW, MemoryStore
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    T0,
    closed,
    happen,
    joins,
    lobby,
    running,
    sends,
)


async def opened(store: MemoryStore, **settings: object) -> tuple[Repository, VersionedRoom]:
    repository = Repository(store)
    return repository, await repository.open("Ada", Settings.model_validate(settings), "hash")


async def test_the_lists_are_written_only_where_a_deadline_moves() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    code = latest.room.code
    await repository.apply(code, joins("Bob"))
    await repository.apply(code, sends(ADA, Ready()))
    await repository.apply(code, Disconnected(ADA, 1, NOW))
    await repository.apply(code, Reconnected(ADA, 2))
    assert store.rooms.listed == [False, False, False, True, True]


async def test_a_public_room_is_listed_by_its_latest_change() -> None:
    store = MemoryStore()
    repository, latest = await opened(store, public=True)
    await repository.apply(latest.room.code, joins("Bob"))
    assert store.rooms.listed == [True, True]


async def test_a_room_that_was_just_read_is_not_read_again() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    before = store.rooms.reads
    latest = await repository.apply(latest.room.code, joins("Bob"), known=latest)
    assert (latest.v, store.rooms.reads - before) == (2, 0)


async def together(
    store: MemoryStore,
    first: Coroutine[None, None, VersionedRoom],
    *others: Coroutine[None, None, VersionedRoom],
) -> list[VersionedRoom]:
    """Begin the other changes while the store holds the first of them."""
    store.rooms.held = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        begun = [tasks.create_task(first)]
        await asyncio.sleep(0.002)
        begun += [tasks.create_task(change) for change in others]
        await asyncio.sleep(0.002)
        store.rooms.held.set()
    return [task.result() for task in begun]


async def test_changes_that_are_requested_at_once_are_written_as_one() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    code = latest.room.code
    for name in ("Bob", "Cy"):
        await repository.apply(code, joins(name))
    back = [repository.apply(code, Reconnected(seat, 7)) for seat in (ADA, BOB, CY)]
    pages = await asyncio.gather(*back)
    assert [latest.v for latest in pages] == [4, 4, 4]
    assert [seat.generation for seat in pages[0].room.seats] == [7, 7, 7]
    assert repository._waiting == {}


async def test_changes_that_wait_for_their_turn_are_written_as_one() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    code = latest.room.code
    for name in ("Bob", "Cy"):
        await repository.apply(code, joins(name))
    back = [repository.apply(code, Reconnected(seat, 7)) for seat in (ADA, BOB, CY)]
    pages = await together(store, *back)
    assert [latest.v for latest in pages] == [4, 5, 5]
    assert {seat.connection for seat in pages[-1].room.seats} == {Presence.ON}
    assert repository._waiting == {}


async def test_a_hundred_players_who_give_up_at_once_make_few_changes() -> None:
    """Regression: each read all seats and wrote the room, so a race ended long after its limit."""
    store = MemoryStore()
    room = happen(lobby(), *(joins(f"P{number}") for number in range(97)))
    seats = [seat.number for seat in room.seats if seat.role == "player"]
    room = happen(room, *(sends(seat, Ready()) for seat in seats), Tick(T0))
    put(store, room, 5)
    for seat in seats:
        store.seats[seat] = SeatRecord(1, "", 9, 1, '{"score":7}', 400, None)
    repository = Repository(store)
    pages = await together(
        store, *(repository.apply(CODE, sends(seat, Forfeit(), T0 + 9)) for seat in seats)
    )
    assert [latest.v for latest in pages] == [6] + [7] * (len(seats) - 1)
    over = pages[-1].room
    assert over.state is RoomState.FINISHED
    assert over.round is not None
    assert {over.round.results[seat].score for seat in seats} == {7}
    assert len(store.rooms.out) == len(seats) - 1


async def test_changes_that_wait_are_written_along_until_the_race_is_over() -> None:
    store = MemoryStore()
    put(store, running(), 5)
    repository = Repository(store)
    changes = [
        repository.apply(CODE, sends(ADA, Forfeit(), T0 + 9)),
        repository.apply(CODE, Disconnected(CY, 1, T0 + 9)),  # it needs no stats
        repository.apply(CODE, sends(BOB, Forfeit(), T0 + 9)),
        repository.apply(CODE, sends(ADA, Leave(), T0 + 9)),  # after the end of the race
    ]
    pages = await together(store, *changes)
    assert [latest.v for latest in pages] == [6, 7, 8, 9]
    assert pages[2].room.state is RoomState.FINISHED
    assert pages[3].room.seat(ADA) is None


async def test_a_change_that_adds_a_seat_has_a_turn_of_its_own() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    code = latest.room.code
    first = repository.apply(code, Reconnected(ADA, 7))
    sits_down = repository.apply(code, joins("Bob"), "hash")
    changes = [first, sits_down, repository.apply(code, Reconnected(ADA, 8))]
    assert [latest.v for latest in await together(store, *changes)] == [2, 3, 3]
    assert store.rooms.seat == NewSeat(1, "hash")


async def test_a_change_that_is_refused_does_not_stop_those_beside_it() -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    code = latest.room.code
    refused = repository.apply(code, Reconnected(BOB, 7))  # no such seat
    with pytest.raises(ExceptionGroup) as caught:
        await together(store, repository.apply(code, Reconnected(ADA, 7)), refused)
    assert [str(error) for error in caught.value.exceptions] == [str(ErrorCode.NO_SUCH_SEAT)]
    assert (await repository.read(code)).room.seats[ADA].generation == 7


async def test_a_room_as_it_was_known_refuses_nothing() -> None:
    store = MemoryStore()
    repository, known = await opened(store)
    await repository.apply(known.room.code, joins("Bob"))
    ready = sends(BOB, Ready())  # no such seat when it was known
    latest = await repository.apply(known.room.code, ready, known=known)
    assert (latest.v, latest.room.seats[BOB].state) == (3, SeatState.READY)


async def test_a_room_as_it_was_known_leaves_nothing_undone() -> None:
    store = MemoryStore()
    repository, known = await opened(store)
    await repository.apply(known.room.code, Reconnected(ADA, 7))
    latest = await repository.apply(known.room.code, Disconnected(ADA, 7, NOW), known=known)
    assert latest.room.seats[ADA].connection is Presence.GRACE


async def test_an_old_known_version_does_not_overwrite_newer_changes() -> None:
    store = MemoryStore()
    repository, known = await opened(store)
    await repository.apply(known.room.code, joins("Bob"))
    latest = await repository.apply(known.room.code, joins("Cy"), known=known)
    assert [seat.name for seat in latest.room.seats] == ["Ada", "Bob", "Cy"]


@pytest.mark.parametrize("conflicts", [1, 3])
async def test_after_a_conflict_it_is_read_again(conflicts: int) -> None:
    store = MemoryStore()
    repository, latest = await opened(store)
    store.rooms.conflicts, before = conflicts, store.rooms.reads
    latest = await repository.apply(latest.room.code, joins("Bob"), known=latest)
    assert (latest.v, store.rooms.reads - before) == (2, conflicts)


def test_a_code_is_letters_and_digits_that_can_be_read_out() -> None:
    for _ in range(50):
        code = draw_code()
        assert len(code) == CODE_LENGTH
        assert set(code) <= set(CODE_ALPHABET)


def test_the_store_gets_the_fields_that_its_scripts_compare() -> None:
    room = running(time_limit_s=60, public=True)
    seat = NewSeat(BOB, "hash")
    change = change_to(room, None, ROOM_TIMINGS, seat=seat, out={CY: "7"}, process="here")
    assert (change.state, change.n, change.t0, change.t_end) == ("RUNNING", 1, T0, T0 + 60_000)
    assert (change.deadline, change.public, change.process) == (T0 + 60_000, True, "here")
    assert (change.seat, change.out) == (seat, {CY: "7"})
    assert type(room).model_validate_json(change.doc) == room


def test_a_room_without_a_round_has_no_times_and_no_seat_is_out() -> None:
    change = change_to(lobby(), None, ROOM_TIMINGS)
    assert (change.state, change.n, change.t0, change.t_end) == ("LOBBY", 0, None, None)
    assert (change.seat, change.out, change.public) == (None, {}, False)


def test_only_a_public_room_that_is_open_is_listed() -> None:
    assert change_to(lobby(public=True), None, ROOM_TIMINGS).public
    shut = closed(public=True)
    assert shut.state is RoomState.CLOSED
    assert not change_to(shut, None, ROOM_TIMINGS).public


def test_the_times_of_a_chaser_are_by_their_own_clock() -> None:
    played = round_of(running())
    chased = played.model_copy(update={"late_ms": {CY: 300}})
    record = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500)
    cy, ada = (stats_in(record, chased, seat) for seat in (CY, ADA))
    assert (cy.gained_ms, cy.finished_ms) == (100, 200)
    assert (ada.gained_ms, ada.finished_ms) == (400, 500)
    nothing_gained = SeatRecord(1, "", 9, 1, '{"score":7}', 0, None)
    early = stats_in(nothing_gained, chased, CY)
    assert (early.gained_ms, early.finished_ms) == (0, None)


# How many rooms may be open

MINE = {"a64": 1, "a56": 4}


def limited(store: MemoryStore, rooms: int = 100, rooms_per_address: int = 2) -> Repository:
    return Repository(store, RoomLimits(rooms, rooms_per_address))


async def open_for(repository: Repository, networks: dict[str, int]) -> Room:
    return (await repository.open("Ada", Settings(), "hash", networks)).room


async def refused(opening: Awaitable[object]) -> ErrorCode:
    with pytest.raises(Refusal) as refusal:
        await opening
    return refusal.value.code


async def test_an_address_has_so_many_rooms_open_and_the_networks_around_it_more() -> None:
    store = MemoryStore()
    repository = limited(store)
    for _ in range(2):
        assert (await open_for(repository, MINE)).networks == MINE
    assert await refused(open_for(repository, MINE)) is ErrorCode.TOO_MANY_ROOMS
    for other in ("b64", "c64", "d64"):
        for _ in range(2):
            await open_for(repository, {other: 1, "a56": 4})
    assert await refused(open_for(repository, {"e64": 1, "a56": 4})) is ErrorCode.TOO_MANY_ROOMS
    await open_for(repository, {"e64": 1, "b56": 4})
    await open_for(repository, {})  # loopback is not counted


async def test_there_are_so_many_rooms_in_all() -> None:
    repository = limited(MemoryStore(), rooms=2)
    await open_for(repository, {})
    await open_for(repository, MINE)
    for networks in ({}, MINE, {"b64": 1}):
        assert await refused(open_for(repository, networks)) is ErrorCode.SERVER_FULL


async def test_a_room_that_closes_makes_place() -> None:
    store = MemoryStore()
    repository = limited(store, rooms_per_address=1)
    room = await open_for(repository, MINE)
    await repository.apply(room.code, Disconnected(ADA, 1, NOW))
    for later in (GRACE_MS, GRACE_MS + LOBBY_IDLE_MS):
        await repository.apply(room.code, Tick(NOW + later))
    assert await store.open_rooms.count() == 0
    await open_for(repository, MINE)


async def test_a_count_that_was_lost_is_made_good_when_the_room_changes_its_state() -> None:
    store = MemoryStore()
    repository = limited(store)
    room = await open_for(repository, MINE)
    store.open_rooms.by_network.clear()
    await repository.apply(room.code, joins("Bob"))
    assert store.open_rooms.by_network == {}
    await repository.apply(room.code, sends(ADA, Start()))
    assert store.open_rooms.by_network == {name: {room.code} for name in ("", *MINE)}


async def test_a_count_that_cannot_be_made_good_stops_no_race() -> None:
    store = MemoryStore()
    repository = limited(store)
    room = await open_for(repository, MINE)
    store.failing["renew"] = StoreAway()
    changed = await repository.apply(room.code, sends(ADA, Start()))
    assert changed.room.state is RoomState.COUNTDOWN


async def test_a_code_that_is_taken_is_drawn_again_and_a_conflict_is_read_again() -> None:
    store = MemoryStore()
    store.rooms.taken = ["one", "two"]
    repository, latest = await opened(store)
    store.rooms.conflicts = 3
    assert (await repository.apply(latest.room.code, joins("Bob"))).v == 2
    shut = put(store, latest.room.model_copy(update={"state": RoomState.CLOSED}), 3)
    for code in ("0000000", shut.room.code):
        with pytest.raises(Refusal):
            await repository.read(code)

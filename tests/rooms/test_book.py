"""What the repository of rooms asks of the store and tells it, and what it tells of seats."""

import pytest

from protocol.from_client import CODE_ALPHABET, CODE_LENGTH
from protocol.settings import Settings
from protocol.views import RoomState
from server.rooms.book import Book, Page, _change, draw_code, figures_in
from server.rooms.events import Drop, Return, SetReady, SitDown
from server.rooms.room import deadline
from server.store import NewSeat, SeatRecord
from tests.rooms.memory import NOW, MemoryStore
from tests.rooms.rooms import ADA, BOB, CHANCE, CY, T0, closed, lobby, running


async def opened(store: MemoryStore, **settings: object) -> tuple[Book, Page]:
    book = Book(store)  # type: ignore[arg-type]  # as much of a store as rooms need
    return book, await book.open("Ada", Settings.model_validate(settings), "hash")


async def test_the_lists_are_written_only_where_a_deadline_moves() -> None:
    store = MemoryStore()
    book, page = await opened(store)
    code = page.room.code
    await book.apply(code, SitDown("Bob", "player"))
    await book.apply(code, SetReady(ADA, ready=True, now=NOW, chance=CHANCE))
    await book.apply(code, Drop(ADA, 1, NOW))
    await book.apply(code, Return(ADA, 2))
    assert store.listed == [True, False, False, True, True]


async def test_a_public_room_is_listed_by_its_latest_change() -> None:
    store = MemoryStore()
    book, page = await opened(store, public=True)
    await book.apply(page.room.code, SitDown("Bob", "player"))
    assert store.listed == [True, True]


async def test_what_was_just_read_is_not_read_again() -> None:
    store = MemoryStore()
    book, page = await opened(store)
    before = store.reads
    page = await book.apply(page.room.code, SitDown("Bob", "player"), read=page)
    assert (page.v, store.reads - before) == (2, 0)


@pytest.mark.parametrize("conflicts", [1, 3])
async def test_after_a_conflict_it_is_read_again(conflicts: int) -> None:
    store = MemoryStore(conflicts=0)
    book, page = await opened(store)
    store.conflicts, before = conflicts, store.reads
    page = await book.apply(page.room.code, SitDown("Bob", "player"), read=page)
    assert (page.v, store.reads - before) == (2, conflicts)


def test_a_code_is_letters_and_digits_that_can_be_read_out() -> None:
    for _ in range(50):
        code = draw_code()
        assert len(code) == CODE_LENGTH
        assert set(code) <= set(CODE_ALPHABET)


def test_the_store_knows_of_a_room_what_its_scripts_compare() -> None:
    room = running(time_limit_s=60, public=True)
    change = _change(room, NewSeat(BOB, "hash"), {CY: "7"})
    assert (change.state, change.n, change.t0, change.t_end) == ("RUNNING", 1, T0, T0 + 60_000)
    assert (change.deadline, change.public) == (deadline(room), True)
    assert (change.seat, change.out) == (NewSeat(BOB, "hash"), {CY: "7"})
    assert type(room).model_validate_json(change.doc) == room


def test_a_room_without_a_round_has_no_times_and_nobody_is_out() -> None:
    change = _change(lobby(), None)
    assert (change.state, change.n, change.t0, change.t_end) == ("LOBBY", 0, None, None)
    assert (change.seat, change.out, change.public) == (None, {}, False)


def test_only_a_public_room_that_is_open_is_listed() -> None:
    assert _change(lobby(public=True), None).public
    shut = closed(public=True)
    assert shut.state is RoomState.CLOSED
    assert not _change(shut, None).public


def test_the_times_of_a_chaser_are_by_their_own_clock() -> None:
    played = running().round
    assert played is not None
    chased = played.model_copy(update={"late": {CY: 300}})
    record = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500)
    cy, ada = (figures_in(record, chased, seat) for seat in (CY, ADA))
    assert (cy.gained_ms, cy.finished_ms) == (100, 200)
    assert (ada.gained_ms, ada.finished_ms) == (400, 500)
    nothing_gained = SeatRecord(1, "", 9, 1, '{"score":7}', 0, None)
    early = figures_in(nothing_gained, chased, CY)
    assert (early.gained_ms, early.finished_ms) == (0, None)

"""What the repository of rooms asks of the store."""

import pytest

from protocol.settings import Settings
from server.rooms.book import Book, Page
from server.rooms.events import Drop, Return, SetReady, SitDown
from tests.rooms.memory import NOW, MemoryStore
from tests.rooms.rooms import ADA, CHANCE


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

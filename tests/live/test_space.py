"""How rooms are opened and closed where the store has no space left."""

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Leave
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode
from server.live.repository import Repository
from server.live.room_counts import DRAWS
from server.rooms import room as machine
from server.rooms.events import Tick
from server.rooms.refusal import Refusal
from server.store import StoreFull
from tests.live.memory import NOW, MemoryStore
from tests.rooms.rooms import ADA, sends


def book_over(store: MemoryStore) -> Repository:
    return Repository(store)


async def test_a_store_without_space_refuses_new_rooms() -> None:
    store = MemoryStore()
    store.open_rooms.without_space = DRAWS
    with pytest.raises(Refusal) as refused:
        await book_over(store).open("Ada", Settings(), "hash")
    assert refused.value.code is ErrorCode.STORE_FULL
    assert store.rooms == {}


async def test_a_room_is_opened_where_some_master_has_space() -> None:
    store = MemoryStore()
    store.open_rooms.without_space = DRAWS - 1
    latest = await book_over(store).open("Ada", Settings(), "hash")
    assert list(store.rooms) == [latest.room.code]


async def test_a_store_that_has_just_become_full_opens_no_room() -> None:
    """Its mark is looked at once a second, and others fill it meanwhile."""
    store = MemoryStore()
    store.rooms.out_of_memory = True
    with pytest.raises(Refusal) as refused:
        await book_over(store).open("Ada", Settings(), "hash")
    assert refused.value.code is ErrorCode.STORE_FULL
    assert isinstance(refused.value.__cause__, StoreFull)


async def test_a_store_that_cannot_count_one_more_room_opens_none() -> None:
    store = MemoryStore()
    store.failing["claim"] = StoreFull()
    with pytest.raises(Refusal) as refused:
        await book_over(store).open("Ada", Settings(), "hash")
    assert refused.value.code is ErrorCode.STORE_FULL


async def test_a_room_closes_without_being_written() -> None:
    """A full store takes no record; what it needs for closing is to forget."""
    store = MemoryStore()
    repository = book_over(store)
    code = (await repository.open("Ada", Settings(), "hash")).room.code
    await repository.apply(code, sends(ADA, Leave()))
    store.rooms.conflicts = 1  # another process changes the room meanwhile
    with capture_logs() as logs:
        latest = await repository.apply(code, Tick(NOW + machine.LOBBY_IDLE_MS))
    assert latest.room.state == "CLOSED"
    assert latest.v == 3
    assert store.rooms == {}
    assert store.rooms.deleted == [(code, 1, 0)]
    assert [(line["event"], line["state"]) for line in logs] == [("room changed", "CLOSED")]

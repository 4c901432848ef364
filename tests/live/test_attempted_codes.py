"""Rooms that are opened by attempts, each of which opens one."""

import pytest

from protocol.settings import Settings
from server.live.repository import Repository
from server.rooms.record import VersionedRoom
from server.rooms.seat_attempts import AlreadySeated
from server.store import StoreDamaged, StoreError, StoreFull, StoreRefused, Unreadable
from tests.live.memory import MemoryStore

ATTEMPT = "the hash of an attempt"


async def opened(store: MemoryStore, attempt: str = ATTEMPT) -> VersionedRoom:
    return await Repository(store).open("Ada", Settings(), "hash", attempt=attempt)


async def test_an_attempt_opens_the_room_of_its_code_once() -> None:
    store = MemoryStore()
    store.attempts[ATTEMPT] = "CODE001"  # its first message was lost before the room was written
    assert (await opened(store)).room.code == "CODE001"
    with pytest.raises(AlreadySeated) as seated:
        await opened(store)
    assert (seated.value.room_code, seated.value.number) == ("CODE001", 0)
    assert list(store.rooms) == ["CODE001"]


async def test_a_code_that_another_room_has_is_drawn_again() -> None:
    store = MemoryStore()
    store.attempts[ATTEMPT] = (await opened(store, "another one")).room.code
    code = (await opened(store)).room.code
    assert list(store.rooms) == [store.attempts["another one"], code]
    assert store.attempts[ATTEMPT] == code


async def test_a_code_that_was_taken_meanwhile_is_drawn_again() -> None:
    store = MemoryStore()
    store.attempts[ATTEMPT] = "CODE001"
    store.rooms.taken = ["by a room that is gone before it is read"]
    assert (await opened(store)).room.code == store.attempts[ATTEMPT] != "CODE001"


@pytest.mark.parametrize("error", [StoreFull(), StoreDamaged("attempt:1"), StoreRefused()])
async def test_a_store_that_keeps_no_attempt_still_opens_rooms(error: StoreError) -> None:
    store = MemoryStore()
    store.failing["attempts"] = error
    assert (await opened(store)).room.code in store.rooms


async def test_the_room_of_an_attempt_that_this_release_cannot_read_is_no_other_room() -> None:
    store = MemoryStore()
    code = (await opened(store)).room.code
    store.failing[code] = Unreadable("why")
    with pytest.raises(Unreadable):
        await opened(store)

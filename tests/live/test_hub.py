"""How subscribers enter and leave rooms, and receive their changes."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol.from_client import Start
from protocol.vocabulary import RoomState
from server.live.repository import Repository
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.timings import RoomTimings
from server.store import Notification, StoreAway
from tests.live.hubs import hub_over, lobby, opened, progress
from tests.live.memory import NOW, MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, joins, sends
from tests.waiting import until


async def test_all_subscribers_at_one_process_receive_their_room() -> None:
    async with lobby() as here:
        ears = [here.subscriber, await here.enter()]
        await Repository(here.store).apply(here.code, joins("Bob"))
        here.notify(Notification.ROOM)
        await until(lambda: all("room 2 LOBBY" in subscriber.received for subscriber in ears))
        await here.hub.leave(here.code, ears[0])
        assert here.code in here.store.pubsub.callbacks


async def test_a_room_that_is_left_is_forgotten() -> None:
    async with lobby() as here:
        for _ in range(2):
            await here.hub.leave(here.code, here.subscriber)
            assert here.store.pubsub.callbacks == {}
        here.act(progress(1))
        here.load(progress(1))
        here.hub.send_standings(here.code, here.subscriber)
        with pytest.raises(Refusal):
            await here.rows()
        assert here.hub.rooms.latest(here.code) is None


async def test_the_store_lists_the_rooms_of_a_process() -> None:
    async with lobby() as here:
        processes, process = here.store.processes, here.hub.process
        await until(lambda: processes.hosted == {process: {here.code}})
        assert processes.beats == {process: here.store.time}
        await here.hub.leave(here.code, here.subscriber)
        assert processes.hosted == {process: set()}


async def test_rooms_that_are_entered_during_a_heartbeat_are_listed_together() -> None:
    """One takes four commands, and after a restart thousands of rooms are entered at once."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        rooms = [await opened(store) for _ in range(9)]
        sent: list[int] = []
        answered = asyncio.Event()
        beat = store.processes.beat

        async def slow(process: str, now: int, codes: Sequence[str]) -> None:
            sent.append(len(codes))
            await answered.wait()
            await beat(process, now, codes)

        store.processes.beat = slow  # type: ignore[method-assign]
        for latest in rooms:
            await hub.enter(latest, RecordingSubscriber())
            await until(lambda: bool(sent))
        answered.set()
        codes = {each.room.code for each in rooms}
        await until(lambda: store.processes.hosted == {hub.process: codes})
        assert sent == [1, 8]


async def test_a_heartbeat_that_fails_does_not_hold_back_the_next_room() -> None:
    async def broken(*_arguments: object) -> None:
        raise StoreAway

    store = MemoryStore()
    async with hub_over(store) as hub:
        first, second = await opened(store), await opened(store)
        store.processes.beat, beat = broken, store.processes.beat  # type: ignore[method-assign, assignment]
        await hub.enter(first, RecordingSubscriber())
        await until(lambda: not hub._listed._unlisted)
        store.processes.beat = beat  # type: ignore[method-assign]
        await hub.enter(second, RecordingSubscriber())
        await until(lambda: store.processes.hosted == {hub.process: {second.room.code}})


async def test_players_who_return_to_a_room_share_its_view() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest, rooms = await opened(store), hub.rooms
        made = rooms.messages(latest)
        await hub.enter(latest, RecordingSubscriber())
        assert rooms.messages(latest) is made
        await hub.apply(latest.room.code, joins("Bob"))
        assert rooms.messages(latest).latest is latest
        newer = rooms.latest(latest.room.code)
        assert newer is not None
        assert rooms.messages(newer).latest is newer


async def test_a_large_room_that_is_rolled_back_meanwhile_is_not_sent() -> None:
    async with lobby() as here:
        here.local._is_sent_later = True
        received = len(here.subscriber.received)
        here.local.roll_back(0)
        here.local._send_later()
        assert here.subscriber.received[received:] == ["taken back"]


async def test_the_closing_of_a_room_reaches_all_subscribers() -> None:
    async with lobby() as here:
        closed = here.latest.room.model_copy(update={"state": RoomState.CLOSED})
        here.hub.rooms.update(VersionedRoom(closed, 2))
        assert here.subscriber.received[-1] == "closed"
        del here.store.rooms[here.code]
        here.notify(Notification.LOST)
        await until(lambda: here.subscriber.received[-2:] == ["closed", "closed"])


async def test_the_race_starts_at_t0_by_any_process_with_a_subscriber() -> None:
    async with lobby() as here:
        soon = replace(sends(ADA, Start()), timings=RoomTimings(countdown_ms=20))
        here.hub.rooms.update(await Repository(here.store).apply(here.code, soon))
        here.store.time = NOW + 20
        await until(lambda: here.subscriber.received[-1:] == ["standings"])
        assert "room 3 RUNNING" in here.subscriber.received

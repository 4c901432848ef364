"""Rooms that this release cannot read stay unchanged and block no other room."""

import asyncio
import contextlib
import json
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Say
from server import metrics
from server.live.deadline_sweep import Sweeper, sweep
from server.live.heartbeats import Rhythm, keep_alive
from server.live.quarantine import Quarantine
from server.live.repository import Repository
from server.rooms.events import Disconnected, Reconnected
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.timings import GRACE_MS
from server.store import Notification, SeatRecord, StoreAway, StoredRoom, Unreadable
from tests.live.hubs import hub_over, opened
from tests.live.memory import NOW, MemoryRooms, MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, CODE, lobby, running
from tests.waiting import until

AFTER_GRACE_MS = GRACE_MS + 5_000

BAD = "BADBADBAD0"
ODD = "1BADBADBAD"


def broken_room(store: MemoryStore, code: str = BAD, doc: str = "{}") -> str:
    """Put a room into the store that is due and cannot be read."""
    store.rooms[code] = StoredRoom(1, doc)
    store.lists.deadlines[code] = NOW - 1_000
    return code


async def test_an_unreadable_room_holds_up_no_other_and_is_logged_once() -> None:
    """Regression: the most overdue room came first, and its error ended every sweep."""
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            broken_room(store)
            latest = await opened(store)
            await hub._repository.apply(latest.room.code, Disconnected(ADA, 1, NOW))
            sweeping = asyncio.create_task(sweep(hub._repository, hub))
            store.time = NOW + AFTER_GRACE_MS
            await until(lambda: store.rooms[latest.room.code].v == 3)  # the seat is gone
            for _ in range(8):  # each sweep postpones the room again
                store.time += 60_000
                await until(lambda: (store.lists.deadlines[BAD] or 0) > store.time)
            sweeping.cancel()
    assert [line["event"] for line in logs if line.get("room") == BAD] == ["room cannot be read"]
    assert store.rooms[BAD] == StoredRoom(1, "{}")  # unchanged


async def test_rooms_that_are_set_aside_are_counted_until_they_can_be_read() -> None:
    def counted() -> float | None:
        return metrics.REGISTRY.get_sample_value("spider_race_rooms_unreadable")

    store = MemoryStore()
    async with hub_over(store) as hub:
        sweeper = Sweeper(hub._repository, hub)
        broken_room(store)
        await sweeper.sweep()
        await sweeper.sweep()
        assert counted() == 1
        whole = lobby().model_copy(update={"code": BAD})
        store.rooms[BAD] = StoredRoom(1, whole.model_dump_json())
        store.time += 3_600_000
        await sweeper.sweep()
        await sweeper.sweep()
        assert counted() == 0
        assert BAD in store.lists.corrected  # the list is put right


async def test_a_room_that_fails_for_another_reason_is_set_aside_too() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            store.lists.deadlines[latest.room.code] = NOW
            store.failing[latest.room.code] = ZeroDivisionError()
            sweeper = Sweeper(hub._repository, hub)
            for _ in range(5):
                await sweeper.sweep()
                store.time += 60_000
            store.failing.clear()
            store.time += 3_600_000
            await sweeper.sweep()
            assert not sweeper._stuck
    assert [line["event"] for line in logs if line.get("room") == latest.room.code] == [
        "room opened",
        "room cannot be moved on",
    ]


async def test_a_sweep_survives_any_error_of_the_store() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            sweeper = Sweeper(hub._repository, hub)
            broken_room(store)
            store.failing["postpone"] = ZeroDivisionError()
            await sweeper.sweep()
            store.failing["due"] = ZeroDivisionError()
            await sweeper.sweep()
    failed = [line.get("room") for line in logs if line["event"] == "sweep failed"]
    assert failed == [BAD, None]


async def test_a_store_that_is_away_for_one_room_serves_the_other_rooms() -> None:
    """So it is in a cluster that has lost one of its masters."""
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            await hub._repository.apply(latest.room.code, Disconnected(ADA, 1, NOW))
            broken_room(store, "AWAYAWAY00")
            store.failing["AWAYAWAY00"] = StoreAway("one master")
            store.time = NOW + AFTER_GRACE_MS
            await Sweeper(hub._repository, hub).sweep()
            assert store.rooms[latest.room.code].v == 3  # the seat is gone
    assert {"event": "the store is away", "why": "one master", "log_level": "warning"} in logs


async def test_a_list_that_names_a_room_too_early_is_put_right() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        sweeper = Sweeper(hub._repository, hub)
        for forgotten in ([], [latest.room.code]):
            store.lists.deadlines[latest.room.code] = NOW
            await sweeper.sweep()
            assert store.lists.corrected == forgotten


async def test_subscribers_of_a_room_that_becomes_unreadable_are_closed() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            subscriber = RecordingSubscriber()
            await hub.enter(latest, subscriber)
            await until(lambda: store.rooms.reads == 1)
            store.rooms[latest.room.code] = StoredRoom(2, '{"state": "PAUSED"}')
            for _ in range(3):
                store.pubsub.callbacks[latest.room.code](Notification.ROOM)
                await asyncio.sleep(0.01)
            await until(lambda: "unreadable" in subscriber.received)
            assert latest.room.code in store.unreadable.since
    assert [line["event"] for line in logs] == ["room opened", "room cannot be read"]


async def test_standings_that_this_release_does_not_know_make_a_room_unreadable() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            room = running()
            store.rooms[CODE] = StoredRoom(5, room.model_dump_json())
            store.seats[ADA] = SeatRecord(1, "", 9, 1, '{"score":"high"}', 400, None)
            subscriber = RecordingSubscriber()
            await hub.enter(VersionedRoom(room, 5), subscriber)
            await until(lambda: "unreadable" in subscriber.received)
            with pytest.raises(Unreadable):
                await hub.tick(CODE)
    assert [line["event"] for line in logs] == ["room cannot be read"]


@pytest.mark.parametrize("event", ["[]", "7", "half a", '{"seat":0,"name":"A","emote":"new"}'])
async def test_an_event_that_this_release_does_not_know_is_passed_over(event: str) -> None:
    store = MemoryStore()
    repository = Repository(store)
    latest = await opened(store)
    code = latest.room.code
    await store.rooms.append(code, event)
    await repository.say(code, latest.room.seats[0], Say(text="hello"))
    await store.rooms.append(
        code, '{"seat":0,"name":"Ada","text":"hi","emote":null,"colour":"red"}'
    )
    said = [json.loads(text) for _, text in await repository.said(code, 0)]
    assert [line["text"] for line in said] == ["hello", "hi"]
    assert all("colour" not in line for line in said)


async def test_no_more_rooms_are_remembered_than_were_meant() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        met = Quarantine(store.unreadable, kept=2)
        for code in ("A", "B", "A", "C", "A", "B"):
            await met.add(code, Unreadable("why"))
        met.forget("A")
        store.away = True
        await met.add("A", Unreadable("why"))  # logged, though it cannot be set aside
    assert [line["room"] for line in logs] == ["A", "B", "C", "B", "A"]


async def test_a_room_that_is_gone_is_no_longer_remembered() -> None:
    store = MemoryStore()
    repository = Repository(store)
    broken_room(store)
    for expected in (Unreadable, Unreadable):
        with pytest.raises(expected):
            await repository.read(BAD)
    del store.rooms[BAD]
    with pytest.raises(Refusal):
        await repository.read(BAD)
    assert not repository.quarantine._rooms


async def test_a_room_that_becomes_unreadable_again_is_logged_again() -> None:
    """Regression: the first time was remembered for ever, so the log never had the second."""
    store = MemoryStore()
    repository = Repository(store)
    whole = lobby().model_copy(update={"code": BAD}).model_dump_json()
    with capture_logs() as logs:
        for doc in ("{}", "{}", whole, "{}", "{}", whole):
            broken_room(store, BAD, doc)
            with contextlib.suppress(Unreadable):
                await repository.read(BAD)
    assert [line["event"] for line in logs] == ["room cannot be read"] * 2
    assert not repository.quarantine._rooms


async def test_a_room_whose_log_is_unreadable_is_logged_once_though_its_record_is_read() -> None:
    store = MemoryStore()
    repository = Repository(store)
    code = broken_room(store, CODE, lobby().model_dump_json())
    with capture_logs() as logs:
        for _ in range(3):
            await repository.read(code)
            await repository.quarantine.add(code, Unreadable("a log"))
    assert [line["event"] for line in logs] == ["room cannot be read"]


def a_whole_look_failed(line: Any) -> bool:
    return line["event"] == "presence failed" and "room" not in line


class OddRooms(MemoryRooms):
    """Rooms that are away at the first read of one record, and then fail for another reason."""

    failures = 0

    async def read(self, code: str) -> StoredRoom | None:
        if code != ODD or code not in self:
            return await super().read(code)
        self.failures += 1
        raise StoreAway if self.failures == 1 else ZeroDivisionError


async def test_the_death_of_a_process_is_reported_to_all_readable_rooms() -> None:
    """Unreadable rooms stay in the dead process's list, for a process that can read them."""
    rhythm = Rhythm(beat_s=0.01, silent_ms=100, retry_s=0.05)
    store = MemoryStore()
    store.rooms = rooms = OddRooms(store)
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            code = latest.room.code
            latest = await hub._repository.apply(code, Reconnected(ADA, 2, "dead"))
            broken_room(store, "0BADBADBAD")
            odd = broken_room(store, ODD, latest.room.model_dump_json())
            codes = ["0BADBADBAD", odd, code]
            await store.processes.beat("dead", NOW - rhythm.silent_ms - 1, codes)
            living = asyncio.create_task(keep_alive(store.processes, hub, rhythm))
            await until(lambda: store.processes.hosted["dead"] == {"0BADBADBAD", odd})
            await until(lambda: rooms.failures > 2)
            seat = (await hub._repository.read(code)).room.seats[ADA]
            assert seat.connection == "grace"
            store.failing["silent"] = ZeroDivisionError()
            await until(lambda: any(a_whole_look_failed(line) for line in logs))
            store.failing.clear()
            whole = latest.room.model_copy(update={"code": "0BADBADBAD"})
            store.rooms["0BADBADBAD"] = StoredRoom(1, whole.model_dump_json())
            del store.rooms[odd]
            await until(lambda: "dead" not in store.processes.beats)
            living.cancel()
    assert [line["event"] for line in logs if line.get("room") == odd] == ["presence failed"]
    assert len([line for line in logs if line["event"] == "room cannot be read"]) == 1

"""When the progress of seats is read from the store, and what a read replaces."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from server.live.hub import Hub
from server.rooms.record import Room
from server.store import Notification, StoreAway, StoredRoom
from tests.live.hubs import (
    QUICK,
    Watched,
    count_reads,
    hub_over,
    meanwhile,
    progress,
    put,
    quiet,
    race,
    record,
    shown,
)
from tests.live.memory import MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, BOB, finished, running
from tests.waiting import until


async def test_standings_are_read_once_for_players_who_return_together() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest, read = put(store, running(), 5), count_reads(store)
        ears = [RecordingSubscriber() for _ in range(3)]
        for subscriber in ears:
            await hub.enter(latest, subscriber)
        await until(lambda: all("standings" in subscriber.received for subscriber in ears))
        assert len(read) == 1


async def test_a_read_that_fails_is_retried() -> None:
    async with race() as here:
        here.store.away = True
        here.notify(Notification.LOST)
        await asyncio.sleep(0.05)  # some attempts fail
        here.store.rooms[here.code] = StoredRoom(6, finished().model_dump_json())
        before = len(here.subscriber.received)
        here.store.away = False
        await until(lambda: "room 6 FINISHED" in here.subscriber.received)
        await until(lambda: "standings" in here.subscriber.received[before:])


async def test_standings_are_read_when_the_store_is_there_again() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        here = Watched(store, hub, put(store, running(), 5))
        store.away = True
        await hub.enter(here.latest, here.subscriber)
        with pytest.raises(StoreAway):
            await here.rows()
        assert here.subscriber.standings == []
        store.away = False
        assert list(await here.rows()) == [ADA, BOB]
        await until(lambda: len(here.subscriber.standings) == 1)


async def test_a_read_takes_back_progress_of_notifications_before_it() -> None:
    async with race() as here:
        here.store.seats[ADA] = record(progress(2, score=502))  # a failover has lost later ones
        here.notify(*(progress(id_, score=500 + id_) for id_ in (3, 4, 5)), Notification.LOST)
        await until(lambda: here.subscriber.received[-1] == "standings_changes")
        await quiet(here.hub)
        assert (await here.rows())[ADA]["score"] == 502


async def test_a_read_replaces_progress_that_a_failover_has_lost() -> None:
    async with race(stored=[progress(3, score=530)]) as here:
        here.store.seats[ADA] = record(progress(2, score=520))
        here.load(progress(2, score=520))
        await until(lambda: here.subscriber.received[-1] == "standings_changes")
        changed = here.subscriber.standings[-1]["changed"]
        assert changed == [{"seat": ADA, "score": 520, "moves": 2}]
        here.load(progress(3, score=535))
        await until(lambda: len(here.subscriber.standings) == 3)


async def test_acts_that_are_sent_again_after_a_failover_count_by_their_own_stats() -> None:
    """They have the ids of the acts that were lost, and other stats."""
    async with race(stored=[progress(2)]) as here:
        here.act(progress(3, score=510))
        here.notify(progress(3, score=510, seat=BOB))
        await until(lambda: len(here.subscriber.standings) == 2)

        def act_again() -> None:
            here.act(progress(3, score=515))
            here.notify(progress(3, score=516, seat=BOB), progress(2, score=505, seat=BOB))

        meanwhile(here.store, act_again)
        here.store.seats[BOB] = record(progress(1, seat=BOB))
        here.load(progress(2))
        await until(lambda: len(here.subscriber.standings) > 2)
        await quiet(here.hub)
        rows = await here.rows()
        assert {seat: row["score"] for seat, row in rows.items()} == {ADA: 515, BOB: 516}


async def test_progress_that_comes_during_a_read_is_kept_if_it_is_newer() -> None:
    async with race() as here:
        here.store.seats |= {ADA: record(progress(1)), BOB: record(progress(5, seat=BOB))}
        acts = progress(2, score=520), progress(4, score=510, seat=BOB)
        meanwhile(here.store, lambda: here.act(*acts))
        here.notify(Notification.LOST)
        await until(lambda: len(here.subscriber.standings) > 1)
        await quiet(here.hub)
        rows = await here.rows()
        assert {seat: row["moves"] for seat, row in rows.items()} == {ADA: 2, BOB: 5}


async def test_progress_that_was_read_before_the_subscription_is_read_again() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = put(store, running(), 5)
        subscribe, confirmed = store.pubsub.subscribe, asyncio.Event()

        async def slowly(code: str, callback: Callable[..., None]) -> None:
            await confirmed.wait()
            await subscribe(code, callback)

        store.pubsub.subscribe = slowly  # type: ignore[method-assign]
        first, second = RecordingSubscriber(), RecordingSubscriber()
        entering = asyncio.create_task(hub.enter(latest, first))
        await asyncio.sleep(0)
        await hub.enter(latest, second)
        await until(lambda: bool(second.standings))
        assert first.standings == []
        store.seats[ADA] = record(progress(1))  # its notification was not received
        confirmed.set()
        await entering
        await until(lambda: second.received[-1] == "standings_changes")
        assert first.standings[-1]["number"] == second.standings[-1]["number"]


async def test_progress_that_changes_is_read_every_few_seconds() -> None:
    async with race(replace(QUICK, progress_interval_s=0.0)) as here:
        read = count_reads(here.store)
        here.hub.reads.refresh()
        await quiet(here.hub)
        assert read == []
        here.act(progress(2))
        here.store.seats[ADA] = record(progress(3, score=530))
        here.hub.reads.refresh()
        await until(lambda: shown(here.subscriber) == 530)
        assert len(read) == 1


def all_here(hub: Hub) -> Room:
    """A race whose players are all served by the hub."""
    room = running()
    seats = (seat.model_copy(update={"process": hub.process}) for seat in room.seats)
    return room.model_copy(update={"seats": tuple(seats)})


async def test_progress_of_players_who_are_all_here_is_read_less_often() -> None:
    async with race(replace(QUICK, progress_interval_s=0.0), all_here) as here:
        read = count_reads(here.store)
        here.act(progress(2))
        here.hub.reads.refresh()
        await quiet(here.hub)
        assert read == []
        timings = replace(QUICK, unseen_s=0.0)
        here.hub.reads._timings = here.hub._progress_reads._timings = timings
        here.hub.reads.refresh()
        await until(lambda: len(read) == 1)
        await quiet(here.hub)
        rooms_read = here.store.rooms.reads
        await until(lambda: not here.hub.reads._is_refreshing)
        here.hub.reads.refresh()
        await until(lambda: here.store.rooms.reads > rooms_read)
        await until(lambda: not here.hub.reads._is_refreshing)
        assert len(read) == 1  # nothing has changed since

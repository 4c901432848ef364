"""The figures that a process publishes, against a store that the test makes unavailable."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from protocol.vocabulary import Presence
from server.live.hub import Hub
from server.live.timings import LiveTimings
from server.rooms.record import Room, VersionedRoom
from server.store import SeatFigures, StoredRoom
from tests.live.memory import MemoryStore, RecordingSubscriber
from tests.live.test_hub import (
    QUICK,
    count_reads,
    figures,
    figures_text,
    hub_over,
    one_pass_later,
    record,
    until,
)
from tests.rooms.rooms import ADA, BOB, CY, running

PUBLISHING = replace(QUICK, publish_interval_s=0.05)
ELSEWHERE = "elsewhere"


def served(
    hub: Hub, *at_hub: int, connection: Presence = Presence.ON, process: str = ELSEWHERE
) -> Room:
    """A running race whose seats are served by the hub, or by another process."""
    room = running()
    seats = tuple(
        seat.model_copy(update={"process": hub.process})
        if seat.number in at_hub
        else seat.model_copy(update={"process": process, "connection": connection})
        for seat in room.seats
    )
    return room.model_copy(update={"seats": seats})


@asynccontextmanager
async def race(
    *at_hub: int, timings: LiveTimings = PUBLISHING, process: str = ELSEWHERE
) -> AsyncIterator[tuple[MemoryStore, Hub, str]]:
    """A race of Ada and Bob, with Cy as a spectator; gives its store, its hub and its code."""
    store = MemoryStore()
    async with hub_over(store, timings) as hub:
        room = served(hub, *at_hub, process=process)
        store.rooms[room.code] = StoredRoom(5, room.model_dump_json())
        subscriber = RecordingSubscriber()
        await hub.enter(VersionedRoom(room, 5), subscriber)
        await until(lambda: "standings" in subscriber.received)
        await asyncio.sleep(0.06)  # the pass for the other process, which gets nothing
        yield store, hub, room.code


def acted(hub: Hub, code: str, *of: SeatFigures) -> None:
    for each in of:
        hub.figures_changed(code, each)


async def test_the_first_figures_are_published_at_once_and_then_the_latest_of_each_seat() -> None:
    async with race(ADA, BOB) as (store, hub, code):
        passes = hub._publications._pass
        await one_pass_later(passes)
        acted(hub, code, figures(1))
        await asyncio.sleep(0)
        assert store.pubsub.published == [[figures(1)]]
        for id_ in (2, 3, 4):
            acted(hub, code, figures(id_), figures(id_, seat=BOB, hint_count=id_, hint_round=1))
            await asyncio.sleep(0)
        assert len(store.pubsub.published) == 1
        passes._begin()  # the interval is over
        later = sorted(store.pubsub.published[1])
        assert later == [figures(4), figures(4, seat=BOB, hint_count=4, hint_round=1)]
        assert not passes._scheduled
        await one_pass_later(passes)
        acted(hub, code, figures(5))
        await asyncio.sleep(0)
        assert store.pubsub.published[2:] == [[figures(5)]]


@pytest.mark.parametrize(
    ("connection", "process"),
    [(Presence.ON, ""), (Presence.GRACE, ELSEWHERE), (Presence.GONE, ELSEWHERE)],
)
async def test_nothing_is_published_where_no_other_process_serves_a_seat(
    connection: Presence, process: str
) -> None:
    async with race(ADA, BOB, CY) as (store, hub, code):
        acted(hub, code, figures(1))
        await asyncio.sleep(0.06)
        room = served(hub, ADA, connection=connection, process=process)
        hub.update(VersionedRoom(room, 6))
        acted(hub, code, figures(2))
        await asyncio.sleep(0.06)
        assert store.pubsub.published == []


async def test_figures_are_published_for_spectators_elsewhere() -> None:
    async with race(ADA, BOB) as (store, hub, code):
        assert not hub._rooms[code].shared
        acted(hub, code, figures(1))
        await until(lambda: store.pubsub.published == [[figures(1)]])


async def test_a_further_process_gets_the_figures_of_all_games_here() -> None:
    async with race(ADA, BOB, CY) as (store, hub, code):
        acted(hub, code, figures(7), figures(3, seat=BOB))
        hub.update(VersionedRoom(served(hub, ADA, BOB), 6))
        await until(lambda: bool(store.pubsub.published))
        assert sorted(store.pubsub.published.pop()) == [figures(7), figures(3, seat=BOB)]
        hub.update(VersionedRoom(served(hub, ADA, BOB), 7))  # the same process
        await asyncio.sleep(0.06)
        assert store.pubsub.published == []
        hub.update(VersionedRoom(served(hub, ADA, process="further"), 8))  # Bob is there now
        await until(lambda: store.pubsub.published == [[figures(7)]])


async def test_figures_of_an_earlier_round_are_not_published() -> None:
    async with race(ADA, BOB, CY) as (store, hub, code):
        acted(hub, code, figures(7, n=0), figures(3, seat=BOB, n=0, hint_count=1, hint_round=1))
        hub.update(VersionedRoom(served(hub, ADA, BOB), 6))
        hub.figures_read(code, figures(7, n=0))  # as each table reads them when a round begins
        await asyncio.sleep(0.06)
        of_hint = figures(3, seat=BOB, n=0, hint_count=1, hint_round=1)
        assert store.pubsub.published == [[of_hint]]


async def test_figures_that_a_table_has_read_are_published() -> None:
    """The process that has stored the act may have died before it published it."""
    async with race(ADA) as (store, hub, code):
        hub.figures_read(code, figures(9))
        await until(lambda: store.pubsub.published == [[figures(9)]])


async def test_figures_that_a_failover_has_lost_are_not_published_any_more() -> None:
    async with race(ADA) as (store, hub, code):
        acted(hub, code, figures(8))
        await asyncio.sleep(0)
        acted(hub, code, figures(9))
        store.seats[ADA] = record(figures(7))
        hub.figures_read(code, figures(7))
        await until(lambda: len(store.pubsub.published) == 2)
        assert store.pubsub.published == [[figures(8)], [figures(7)]]


async def test_figures_that_the_store_does_not_publish_are_published_again() -> None:
    async with race(ADA, BOB, timings=replace(PUBLISHING, retry_s=60.0)) as (store, hub, code):
        acted(hub, code, figures(1, seat=BOB))
        await until(lambda: len(store.pubsub.published) == 1)
        store.pubsub.away = True
        acted(hub, code, figures(1), figures(2, seat=BOB))
        await until(lambda: bool(hub._publications._failed))
        assert len(store.pubsub.published) == 2
        store.pubsub.away = False
        acted(hub, code, figures(2))
        await until(lambda: len(store.pubsub.published) == 3)
        assert store.pubsub.published[2] == [figures(2)]
        hub._publications._retry()
        await until(lambda: len(store.pubsub.published) == 4)
        assert sorted(store.pubsub.published[3]) == [figures(2), figures(2, seat=BOB)]
        hub._publications._retry()
        await asyncio.sleep(0.06)
        assert len(store.pubsub.published) == 4


@pytest.mark.parametrize("left", [True, False])
async def test_a_room_that_is_left_or_rolled_back_is_not_published_again(*, left: bool) -> None:
    async with race(ADA, timings=replace(PUBLISHING, retry_s=60.0)) as (store, hub, code):
        store.pubsub.away = True
        acted(hub, code, figures(1))
        await until(lambda: bool(hub._publications._failed))
        local = hub._rooms[code]
        if left:
            local.subscribers.clear()
        else:
            local.messages = None
            acted(hub, code, figures(2))
        hub._publications._retry()
        await asyncio.sleep(0.06)
        assert len(store.pubsub.published) == 1


async def test_an_error_in_the_publication_for_one_room_is_logged() -> None:
    with capture_logs() as logs:
        async with race(ADA) as (_, hub, code):
            hub._publications._publish = None  # type: ignore[assignment]  # a bug
            acted(hub, code, figures(1))
            await until(lambda: bool(logs))
    assert [(line["event"], line["room"]) for line in logs] == [("publication failed", code)]


async def test_figures_of_a_process_that_is_gone_are_read_again() -> None:
    """It may have stored acts, and died before it published them."""
    timings = replace(PUBLISHING, figures_interval_s=0.02)
    async with race(ADA, timings=timings) as (store, hub, _):
        read = count_reads(store)
        await asyncio.sleep(0.03)
        hub.refresh()
        await asyncio.sleep(0.01)
        assert read == []
        store.seats[BOB] = record(figures(5, score=530, seat=BOB))
        gone = served(hub, ADA, connection=Presence.GRACE)
        hub.update(VersionedRoom(gone, 6))
        hub.refresh()
        await until(lambda: read == [2])
        await asyncio.sleep(0.03)
        text = await hub.standings_text(VersionedRoom(gone, 6))
        rows = {row["seat"]: row["score"] for row in json.loads(text)["standings"]}
        assert rows[BOB] == 530


async def test_older_figures_of_the_process_that_served_a_seat_before_do_not_count() -> None:
    """It may publish later than the process that serves the seat now."""
    async with race(ADA, timings=replace(PUBLISHING, standings_interval_s=0.05)) as found:
        store, hub, code = found
        notify = store.pubsub.callbacks[code]
        for id_ in (4, 6, 5):  # the first one causes a pass, which reads the others
            notify(figures_text(figures(id_, score=500 + id_, seat=BOB)))
        await asyncio.sleep(0.06)
        assert hub._rooms[code].leaderboard.known(BOB) == figures(6, score=506, seat=BOB)


async def test_figures_stay_those_of_the_store_when_a_seat_moves_here() -> None:
    async with race(ADA) as (store, hub, code):
        notify = store.pubsub.callbacks[code]
        notify(figures_text(figures(4, seat=BOB)))
        hub.update(VersionedRoom(served(hub, ADA, BOB), 6))
        store.seats[BOB] = record(figures(6, seat=BOB))
        hub.figures_read(code, figures(6, seat=BOB))
        notify(figures_text(figures(5, seat=BOB)))  # delayed
        acted(hub, code, figures(7, seat=BOB))
        await until(lambda: store.pubsub.published[-1:] == [[figures(7, seat=BOB)]])
        assert hub._rooms[code].leaderboard.known(BOB) == figures(7, seat=BOB)

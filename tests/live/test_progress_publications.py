"""The progress that a process publishes, against a store that the test makes unavailable."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from protocol.vocabulary import Presence
from server.live.hub import Hub
from server.live.timings import LiveTimings
from server.rooms.record import Room, VersionedRoom
from server.store import SeatProgress
from tests.live.hubs import (
    QUICK,
    Watched,
    count_reads,
    one_pass_later,
    progress,
    quiet,
    race,
    record,
)
from tests.rooms.rooms import ADA, BOB, CY, T0, running
from tests.waiting import until

PUBLISHING = replace(QUICK, publish_interval_s=0.05)
PATIENT = replace(PUBLISHING, retry_s=60.0)
ELSEWHERE = "elsewhere"


def served(
    hub: Hub, *at_hub: int, connection: Presence = Presence.ON, process: str = ELSEWHERE
) -> Room:
    """A running race whose seats are served by the hub, or by another process."""
    room = running()
    away = {"process": process, "connection": connection, "left_at": T0}
    seats = tuple(
        seat.model_copy(update={"process": hub.process} if seat.number in at_hub else away)
        for seat in room.seats
    )
    return room.model_copy(update={"seats": seats})


@asynccontextmanager
async def served_race(
    *at_hub: int, timings: LiveTimings = PUBLISHING
) -> AsyncIterator[tuple[Watched, list[list[SeatProgress]]]]:
    """A race of Ada and Bob, with Cy as a spectator; gives it and what is published of it."""
    async with race(timings, lambda hub: served(hub, *at_hub)) as here:
        await quiet(here.hub)  # the pass for the other process, which gets nothing
        yield here, here.store.pubsub.published


def update(here: Watched, v: int, room: Room) -> None:
    here.hub.rooms.update(VersionedRoom(room, v))


async def test_the_first_progress_is_published_at_once_and_then_the_latest_of_each_seat() -> None:
    async with served_race(ADA, BOB) as (here, published):
        throttle = here.hub._room_services.publisher.throttle
        await one_pass_later(throttle)
        here.act(progress(1))
        await asyncio.sleep(0)
        assert published == [[progress(1)]]
        for id_ in (2, 3, 4):
            here.act(progress(id_), progress(id_, seat=BOB, hint_count=id_, hint_round=1))
            await asyncio.sleep(0)
        assert len(published) == 1
        throttle._begin()  # the interval is over
        later = [progress(4), progress(4, seat=BOB, hint_count=4, hint_round=1)]
        assert sorted(published[1]) == later
        assert not throttle._scheduled
        await one_pass_later(throttle)
        here.act(progress(5))
        await asyncio.sleep(0)
        assert published[2:] == [[progress(5)]]


@pytest.mark.parametrize(
    ("connection", "process"),
    [(Presence.ON, ""), (Presence.GRACE, ELSEWHERE), (Presence.GONE, ELSEWHERE)],
)
async def test_nothing_is_published_where_no_other_process_serves_a_seat(
    connection: Presence, process: str
) -> None:
    async with served_race(ADA, BOB, CY) as (here, published):
        here.act(progress(1))
        await quiet(here.hub)
        update(here, 6, served(here.hub, ADA, connection=connection, process=process))
        here.act(progress(2))
        await quiet(here.hub)
        assert published == []


async def test_progress_is_published_for_spectators_elsewhere() -> None:
    async with served_race(ADA, BOB) as (here, published):
        assert not here.local.standings.is_shared
        here.act(progress(1))
        await until(lambda: published == [[progress(1)]])


async def test_a_further_process_gets_the_progress_of_all_games_here() -> None:
    async with served_race(ADA, BOB, CY) as (here, published):
        here.act(progress(7), progress(3, seat=BOB))
        update(here, 6, served(here.hub, ADA, BOB))
        await until(lambda: bool(published))
        assert sorted(published.pop()) == [progress(7), progress(3, seat=BOB)]
        update(here, 7, served(here.hub, ADA, BOB))  # the same process
        await quiet(here.hub)
        assert published == []
        update(here, 8, served(here.hub, ADA, process="further"))  # Bob is there now
        await until(lambda: published == [[progress(7)]])


async def test_progress_of_an_earlier_round_is_not_published() -> None:
    async with served_race(ADA, BOB, CY) as (here, published):
        of_hint = progress(3, seat=BOB, n=0, hint_count=1, hint_round=1)
        here.act(progress(7, n=0), of_hint)
        update(here, 6, served(here.hub, ADA, BOB))
        here.load(progress(7, n=0))  # as each table reads it when a round begins
        await quiet(here.hub)
        assert published == [[of_hint]]


async def test_progress_that_a_table_has_read_is_published() -> None:
    """The process that has stored the act may have died before it published it."""
    async with served_race(ADA) as (here, published):
        here.load(progress(9))
        await until(lambda: published == [[progress(9)]])


async def test_progress_that_a_failover_has_lost_is_not_published_any_more() -> None:
    async with served_race(ADA) as (here, published):
        here.act(progress(8))
        await until(lambda: len(published) == 1)
        here.act(progress(9))
        here.store.seats[ADA] = record(progress(7))
        here.load(progress(7))
        await until(lambda: len(published) == 2)
        assert published == [[progress(8)], [progress(7)]]


async def test_progress_that_the_store_does_not_publish_is_published_again() -> None:
    async with served_race(ADA, BOB, timings=PATIENT) as (here, published):
        publications = here.local.publications
        here.act(progress(1, seat=BOB))
        await until(lambda: len(published) == 1)
        here.store.pubsub.away = True
        here.act(progress(1), progress(2, seat=BOB))
        await until(lambda: publications._is_retrying)
        assert len(published) == 2
        here.store.pubsub.away = False
        here.act(progress(2))
        await until(lambda: len(published) == 3)
        assert published[2] == [progress(2)]
        publications._retry()
        await until(lambda: len(published) == 4)
        assert sorted(published[3]) == [progress(2), progress(2, seat=BOB)]
        await quiet(here.hub)
        assert not publications._is_retrying


async def test_a_room_that_is_left_is_not_published_again() -> None:
    async with served_race(ADA, timings=PATIENT) as (here, published):
        here.store.pubsub.away = True
        here.act(progress(1))
        publications = here.local.publications
        await until(lambda: publications._is_retrying)
        await here.hub.leave(here.code, here.subscriber)
        publications._retry()
        await quiet(here.hub)
        assert len(published) == 1


async def test_an_error_in_the_publication_for_one_room_is_logged() -> None:
    with capture_logs() as logs:
        async with served_race(ADA) as (here, _):
            del here.store.pubsub.callbacks[here.code]  # a bug: it is not subscribed
            here.act(progress(1))
            await until(lambda: bool(logs))
    assert [(line["event"], line["room"]) for line in logs] == [("publication failed", here.code)]


async def test_progress_of_a_process_that_is_gone_is_read_again() -> None:
    """It may have stored acts, and died before it published them."""
    async with served_race(ADA, timings=replace(PUBLISHING, progress_interval_s=0.0)) as (here, _):
        read = count_reads(here.store)
        here.hub.reads.refresh()
        await quiet(here.hub)
        assert read == []
        here.store.seats[BOB] = record(progress(5, score=530, seat=BOB))
        gone = served(here.hub, ADA, connection=Presence.GRACE)
        update(here, 6, gone)
        here.hub.reads.refresh()
        await until(lambda: read == [2])
        await quiet(here.hub)
        assert (await here.rows())[BOB]["score"] == 530


async def test_older_progress_of_the_process_that_served_a_seat_before_does_not_count() -> None:
    """It may publish later than the process that serves the seat now."""
    async with served_race(ADA, timings=replace(PUBLISHING, standings_interval_s=0.05)) as found:
        here, _ = found
        for id_ in (4, 6, 5):  # the first one causes a pass, which reads the others
            here.notify(progress(id_, score=500 + id_, seat=BOB))
        await quiet(here.hub)
        known = here.hub.rooms.known_progress(here.code, BOB)
        assert known == progress(6, score=506, seat=BOB)


async def test_progress_stays_that_of_the_store_when_a_seat_moves_here() -> None:
    async with served_race(ADA) as (here, published):
        here.notify(progress(4, seat=BOB))
        update(here, 6, served(here.hub, ADA, BOB))
        here.store.seats[BOB] = record(progress(6, seat=BOB))
        here.load(progress(6, seat=BOB))
        here.notify(progress(5, seat=BOB))  # delayed
        here.act(progress(7, seat=BOB))
        await until(lambda: published[-1:] == [[progress(7, seat=BOB)]])
        assert here.hub.rooms.known_progress(here.code, BOB) == progress(7, seat=BOB)

"""Events that wait for a program."""

import asyncio
from typing import cast

import pytest
from spider_race_client import Client
from spider_race_client.events import (
    ConnectionLost,
    Event,
    Events,
    RoomChanged,
    StandingsChanged,
    TableChanged,
)
from spider_race_client.table import Table

from protocol.views import RoomView
from tests.python_client.races import event as next_event
from tests.python_client.races import first_move, race_of_two

ROOM = RoomChanged(cast("RoomView", None))
STANDINGS = StandingsChanged(())


def table(at: int) -> TableChanged:
    return TableChanged(cast("Table", at))


async def unread(events: Events) -> list[Event]:
    events.end()
    found: list[Event] = []
    while (event := await events.get()) is not None:
        found.append(event)
    return found


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> Events:
    monkeypatch.setattr("spider_race_client.events.MAX_UNREAD", 4)
    return Events()


async def test_events_are_read_in_their_order(events: Events) -> None:
    happened: list[Event] = [table(1), STANDINGS, ROOM, ConnectionLost(1006)]
    for event in happened:
        events.put(event)
    assert await unread(events) == happened
    assert events.dropped == 0


async def test_standings_are_dropped_first_and_then_rooms(events: Events) -> None:
    happened: list[Event] = [table(1), ROOM, STANDINGS, STANDINGS, table(2), table(3), table(4)]
    for event in happened:
        events.put(event)
    assert events.dropped == 3
    assert await unread(events) == [table(at) for at in (1, 2, 3, 4)]


async def test_the_oldest_standings_are_dropped_before_an_older_room(events: Events) -> None:
    old, new = StandingsChanged(()), StandingsChanged(())
    for event in (ROOM, old, new, table(1), table(2)):
        events.put(event)
    kept = await unread(events)
    assert kept == [ROOM, new, table(1), table(2)]
    assert kept[1] is new


async def test_the_oldest_of_the_others_are_dropped_at_last(events: Events) -> None:
    for at in range(6):
        events.put(table(at))
    events.put(STANDINGS)
    assert await unread(events) == [table(3), table(4), table(5), STANDINGS]


async def test_a_reader_that_is_cancelled_loses_no_event(events: Events) -> None:
    reading = asyncio.create_task(events.get())
    await asyncio.sleep(0)
    events.put(ROOM)
    reading.cancel()
    await asyncio.wait([reading])
    assert await events.get() == ROOM


async def test_a_program_that_reads_no_event_gets_every_reply_and_the_latest_table(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spider_race_client.events.MAX_UNREAD", 8)
    host, guest = await race_of_two(client)
    for at in range(20):
        assert (await host.act("undo" if at % 2 else first_move(host))).at == at + 1
    await guest.forfeit()
    assert host.dropped_events > 0
    while (await next_event(host, TableChanged)).table.at < 20:
        pass

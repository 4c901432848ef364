"""Events that wait for a program."""

import asyncio
from typing import cast

import pytest
from spider_race_client import Client
from spider_race_client.events import Event, Events, RoomChanged, StandingsChanged, TableChanged
from spider_race_client.table import Table

from protocol.views import RoomView
from tests.python_client.races import event as next_event
from tests.python_client.races import first_move, race_of_two

ROOM = RoomChanged(cast("RoomView", None))


def event(word: str) -> Event:
    """Return an event by its notation: r and s are rooms and standings, a number is a table."""
    if word.isdecimal():
        return TableChanged(cast("Table", int(word)))
    return ROOM if word == "r" else StandingsChanged(())


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> Events:
    monkeypatch.setattr("spider_race_client.events.MAX_UNREAD", 4)
    return Events()


@pytest.mark.parametrize(
    ("happened", "kept"),
    [
        ("1 s r 2", "1 s r 2"),
        ("1 r s s 2 3 4", "1 2 3 4"),  # standings are dropped first, and then rooms
        ("0 1 2 3 4 5 s", "3 4 5 s"),  # the oldest of the others at last
        ("r s s 1 2", "r s 1 2"),
    ],
)
async def test_what_is_not_read_is_dropped_in_its_order(
    events: Events, happened: str, kept: str
) -> None:
    every = [event(word) for word in happened.split()]
    for each in every:
        events.put(each)
    events.end()
    found: list[Event] = []
    while (read := await events.get()) is not None:
        found.append(read)
    assert found == [event(word) for word in kept.split()]
    assert events.dropped == len(every) - len(found)
    if "r" in kept and events.dropped:  # of two standings the older one
        assert found[1] is every[2]


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

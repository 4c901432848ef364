"""Events that wait for a program."""

import asyncio
from typing import cast

import pytest
from spider_race_client.events import Event, Events, RoomChanged, StandingsChanged, TableChanged
from spider_race_client.table import Table

from protocol.views import RoomView

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
    if "r" in kept and len(found) < len(every):  # of two standings the older one
        assert found[1] is every[2]


async def test_a_reader_that_is_cancelled_loses_no_event(events: Events) -> None:
    reading = asyncio.create_task(events.get())
    await asyncio.sleep(0)
    events.put(ROOM)
    reading.cancel()
    await asyncio.wait([reading])
    assert await events.get() == ROOM

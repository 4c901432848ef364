"""Events that wait for a program."""

import asyncio

import pytest
from spider_race_client import Client, ConnectionLost, RoomChanged

from tests.python_client.races import event


async def test_the_oldest_events_are_dropped_that_a_program_does_not_read(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spider_race_client.race.MAX_UNREAD", 2)
    host = await client.create("Ada")
    for size in (7, 8, 9):
        await host.configure(max_players=size)
    await host.leave()
    seen = [each async for each in host]
    assert len(seen) == 2
    assert isinstance(seen[0], RoomChanged)
    assert seen[0].room.settings.max_players == 9


async def test_a_reader_that_is_cancelled_loses_no_event(client: Client) -> None:
    host = await client.create("Ada")
    reading = asyncio.ensure_future(event(host, ConnectionLost))  # none comes
    await asyncio.sleep(1)
    reading.cancel()
    await host.configure(max_players=7)
    changed = await event(host, RoomChanged)
    assert changed.room.settings.max_players == 7

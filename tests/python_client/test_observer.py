"""Programs that observe their connections, and that choose among several servers."""

import asyncio
from typing import Any

import pytest
from spider_race_client import ConnectionLost, ConnectionRestored, connect

from protocol.from_client import Create
from tests.python_client.conftest import FAR, NEAR, Stage
from tests.python_client.lines import Line
from tests.python_client.races import Sockets, event


@pytest.mark.usefixtures("stage")
async def test_an_observer_sees_all_traffic_of_all_connections() -> None:
    seen: list[Any] = []
    async with connect(NEAR, observer=seen.append) as client:
        race = await client.create("Ada")
        sockets = seen[:1]
        assert [each.type for each in seen[1:3]] == ["create", "joined"]
        seen.clear()
        sockets[0].transport.abort()
        await race.ready()
    lost = seen.index(1006)
    sockets.append(seen.pop(lost + 1))
    assert [each.type for each in seen[lost + 1 : lost + 3]] == ["resume", "joined"]
    assert "ready" in {getattr(each, "type", None) for each in seen[lost:]}
    assert all(isinstance(socket, Line) for socket in sockets)


async def test_an_error_of_an_observer_is_raised_by_connect(stage: Stage) -> None:
    def erring(seen: object) -> None:
        if isinstance(seen, Create):
            raise ZeroDivisionError(seen)

    with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
        async with connect(NEAR, observer=erring) as client:
            await client.create("Ada")
    assert not stage.world.store.rooms


async def test_a_program_chooses_the_server_of_each_connection(stage: Stage) -> None:
    asked: list[str] = []

    def locate() -> str:
        asked.append(FAR if asked else NEAR)
        if len(asked) == 2:
            raise ConnectionRefusedError("no server is running")
        return asked[-1]

    sockets = Sockets()
    async with connect(locate, observer=sockets) as client:
        race = await client.create("Ada")
        assert race.link == f"{NEAR}/r/{race.code}"
        sockets.cut()
        await event(race, ConnectionLost)
        await event(race, ConnectionRestored)
        assert race.link == f"{FAR}/r/{race.code}"
        await asyncio.sleep(0)
        assert (len(asked), len(stage.between.opened)) == (3, 1)
        assert (await client.join(race.link, "Bob")).code == race.code

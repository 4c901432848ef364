"""Programs that observe their connections, and that choose among several servers."""

import asyncio

import pytest
from spider_race_client import ConnectionLost, ConnectionRestored, connect

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage
from tests.observer import Observer
from tests.python_client.conftest import FAR, NEAR, Stage
from tests.python_client.races import Sockets


class Log(Sockets):
    """Notes what happens."""

    def __init__(self) -> None:
        super().__init__()
        self.happened: list[str] = []

    def message_sent(self, message: ClientMessage) -> None:
        self.happened.append(f"sent {message.type}")

    def message_received(self, message: ServerMessage) -> None:
        self.happened.append(f"received {message.type}")

    def connection_closed(self, code: int) -> None:
        self.happened.append(f"closed {code}")


async def test_an_observer_receives_all_traffic_of_all_connections(stage: Stage) -> None:
    log = Log()
    async with connect(NEAR, observer=log) as client:
        race = await client.create("Ada")
        assert log.happened[:2] == ["sent create", "received joined"]
        assert len(log.opened) == 1
        log.happened.clear()
        log.cut()
        await race.ready()
    happened = [each for each in log.happened if each.split()[-1] not in {"ping", "pong"}]
    lost = happened.index("closed 1006")
    assert happened[lost:][1:3] == ["sent resume", "received joined"]
    assert "sent ready" in happened[lost:]
    assert len(log.opened) == 2
    assert stage.world.store.rooms


async def test_an_error_of_an_observer_is_raised_by_connect(stage: Stage) -> None:
    class Erring(Observer):
        def message_sent(self, message: ClientMessage) -> None:
            raise ZeroDivisionError(message)

    with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
        async with connect(NEAR, observer=Erring()) as client:
            await client.create("Ada")
    assert not stage.world.store.rooms


async def test_a_program_chooses_the_server_of_each_connection(stage: Stage) -> None:
    asked: list[str] = []

    def locate() -> str:
        asked.append(FAR if asked else NEAR)
        if len(asked) == 2:
            raise ConnectionRefusedError("no server is running")
        return asked[-1]

    log, kinds = Log(), list[object]()
    async with connect(locate, observer=log) as client:
        race = await client.create("Ada")
        assert race.link == f"{NEAR}/r/{race.code}"
        log.cut()
        async for event in race:
            kinds.append(type(event))
            if kinds[-1] is ConnectionRestored:
                break
        assert ConnectionLost in kinds
        assert race.link == f"{FAR}/r/{race.code}"
        await asyncio.sleep(0)
        assert (len(asked), len(stage.between.opened)) == (3, 1)
        assert (await client.join(race.link, "Bob")).code == race.code

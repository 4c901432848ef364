"""Programs that observe their connections, and that choose among several servers."""

from pathlib import Path

import pytest
from spider_race_client import ConnectionLost, ConnectionRestored, Observer, connect
from websockets.asyncio.client import ClientConnection

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage
from tests.players import running


class Log(Observer):
    """Notes what happens, and can break the connection."""

    def __init__(self) -> None:
        self.sockets: list[ClientConnection] = []
        self.happened: list[str] = []

    def connection_opened(self, socket: ClientConnection) -> None:
        self.sockets.append(socket)
        self.happened.append("opened")

    def message_sent(self, message: ClientMessage) -> None:
        self.happened.append(f"sent {message.type}")

    def message_received(self, message: ServerMessage) -> None:
        self.happened.append(f"received {message.type}")

    def connection_closed(self, code: int) -> None:
        self.happened.append(f"closed {code}")


async def test_an_observer_receives_all_traffic_of_all_connections(tmp_path: Path) -> None:
    log = Log()
    async with (
        running(data_dir=str(tmp_path)) as listener,
        connect(f"http://127.0.0.1:{listener.port}", observer=log) as client,
    ):
        race = await client.create("Ada")
        assert log.happened[:3] == ["opened", "sent create", "received joined"]
        log.happened.clear()
        log.sockets[0].transport.abort()
        await race.ready()
    happened = [each for each in log.happened if each.split()[-1] not in {"ping", "pong"}]
    lost = happened.index("closed 1006")
    assert happened[lost:][1:4] == ["opened", "sent resume", "received joined"]
    assert "sent ready" in happened[lost:]


async def test_an_error_of_an_observer_is_raised_by_connect(tmp_path: Path) -> None:
    class Erring(Observer):
        def message_sent(self, message: ClientMessage) -> None:
            raise ZeroDivisionError(message)

    async with running(data_dir=str(tmp_path)) as listener:
        with pytest.RaisesGroup(ZeroDivisionError, flatten_subgroups=True):
            async with connect(f"http://127.0.0.1:{listener.port}", observer=Erring()) as client:
                await client.create("Ada")


async def test_a_program_chooses_the_server_of_each_connection(tmp_path: Path) -> None:
    async with running(data_dir=str(tmp_path)) as listener:
        url, asked, log = f"http://127.0.0.1:{listener.port}", list[str](), Log()

        def locate() -> str:
            asked.append(url)
            if len(asked) == 2:
                raise ConnectionRefusedError("no server is running")
            return url

        async with connect(locate, observer=log, longest_wait_s=0.1) as client:
            race = await client.create("Ada")
            assert race.link == f"{url}/r/{race.code}"
            log.sockets[0].transport.abort()
            kinds = []
            async for event in race:
                kinds.append(type(event))
                if kinds[-1] is ConnectionRestored:
                    break
            assert ConnectionLost in kinds
            assert len(asked) == 3
            assert (await client.join(race.link, "Bob")).code == race.code

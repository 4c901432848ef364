"""Clients of another protocol version: some go on, unsupported ones have to reload."""

import json

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL, SUPPORTED_SUBPROTOCOLS
from server.websocket import handshake
from tests.server.conftest import Serving

BEFORE, NOW, NEXT = "spider-race.v1", "spider-race.v2", "spider-race.v3"


async def dial(port: int, *versions: str) -> ClientConnection:
    return await connect(
        f"ws://127.0.0.1:{port}/ws",
        subprotocols=[Subprotocol(version) for version in versions] or None,
        proxy=None,
    )


def test_the_version_of_this_code_is_the_newest_that_is_spoken() -> None:
    assert SUPPORTED_SUBPROTOCOLS[0] == SUBPROTOCOL


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        ((BEFORE,), BEFORE),  # a page that was loaded before the deploy
        ((NOW,), NOW),
        ((BEFORE, NOW), NOW),
        ((NEXT, BEFORE), BEFORE),  # a page of a newer server, while both are at work
        ((), None),
    ],
)
async def test_a_client_whose_version_is_still_supported_goes_on(
    serving: Serving,
    monkeypatch: pytest.MonkeyPatch,
    offered: tuple[str, ...],
    agreed: str | None,
) -> None:
    monkeypatch.setattr(handshake, "SUPPORTED_SUBPROTOCOLS", (NOW, BEFORE))
    async with serving() as listener:
        socket = await dial(listener.port, *offered)
        assert socket.subprotocol == agreed
        await socket.send(json.dumps({"type": "create", "name": "Ada"}))
        assert json.loads(await socket.recv())["type"] == "joined"
        await socket.close()


@pytest.mark.parametrize("offered", [(BEFORE,), (NEXT,), (NEXT, BEFORE), ("chat",)])
async def test_only_clients_without_a_supported_version_are_made_to_reload(
    serving: Serving, monkeypatch: pytest.MonkeyPatch, offered: tuple[str, ...]
) -> None:
    monkeypatch.setattr(handshake, "SUPPORTED_SUBPROTOCOLS", (NOW,))
    async with serving() as listener:
        socket = await dial(listener.port, *offered)
        # A browser gets the close code only if the response names an offered version.
        assert socket.subprotocol == offered[0]
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 4501

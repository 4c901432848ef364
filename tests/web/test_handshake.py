"""Clients of another protocol version: some go on, unsupported ones have to reload."""

import json

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL, SUPPORTED_SUBPROTOCOLS
from server.web import handshake
from server.web.listener import Listener

BEFORE, NOW, NEXT = "spider-race.v1", "spider-race.v2", "spider-race.v3"


def test_the_version_of_this_code_is_the_newest_that_is_spoken() -> None:
    assert SUPPORTED_SUBPROTOCOLS[0] == SUBPROTOCOL


@pytest.mark.parametrize(
    ("supported", "offered", "agreed"),
    [
        ((NOW, BEFORE), (BEFORE,), BEFORE),  # a page that was loaded before the deploy
        ((NOW, BEFORE), (NOW,), NOW),
        ((NOW, BEFORE), (BEFORE, NOW), NOW),
        ((NOW, BEFORE), (NEXT, BEFORE), BEFORE),  # a page of a newer server, while both work
        ((NOW, BEFORE), (), None),
        # A browser gets the close code only if the response names an offered version.
        *(((NOW,), offered, offered[0]) for offered in ((BEFORE,), (NEXT, BEFORE), ("chat",))),
    ],
)
async def test_clients_go_on_with_a_supported_version_and_reload_without_one(
    listener: Listener,
    monkeypatch: pytest.MonkeyPatch,
    supported: tuple[str, ...],
    offered: tuple[str, ...],
    agreed: str | None,
) -> None:
    monkeypatch.setattr(handshake, "SUPPORTED_SUBPROTOCOLS", supported)
    subprotocols = [Subprotocol(version) for version in offered] or None
    url = f"ws://127.0.0.1:{listener.port}/ws"
    async with connect(url, subprotocols=subprotocols, proxy=None) as socket:
        assert socket.subprotocol == agreed
        if agreed is None or agreed in supported:
            await socket.send(json.dumps({"type": "create", "name": "Ada"}))
            assert json.loads(await socket.recv())["type"] == "joined"
        else:
            with pytest.raises(ConnectionClosed):
                await socket.recv()
            assert socket.close_code == 4501

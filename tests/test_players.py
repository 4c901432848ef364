"""The scripted player itself, as far as other tests rest on it."""

import asyncio
from typing import cast

import pytest
from websockets.asyncio.client import ClientConnection

from tests.players import Player


class Socket:
    """A socket that receives what a test puts into its queue."""

    def __init__(self) -> None:
        self.coming: asyncio.Queue[str] = asyncio.Queue()
        self.recv = self.coming.get


@pytest.mark.parametrize("turns", range(6))
async def test_a_player_that_is_cancelled_ends_though_a_message_comes(turns: int) -> None:
    """A race went on for ever instead, and its test with it, when the machine was busy."""
    socket = Socket()
    player = Player(cast("ClientConnection", socket))

    async def read_on() -> None:
        while True:
            await player.next()

    reading = asyncio.create_task(read_on())
    await asyncio.sleep(0)
    socket.coming.put_nowait('{"type": "pong"}')
    for _ in range(turns):
        await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait({reading}, timeout=1)
    assert reading.cancelled()

"""A bare echo on the server's websocket library: the yardstick of a machine."""

import asyncio
import sys
from typing import cast

import uvloop
from websockets.frames import Frame
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL


class Echo(asyncio.Protocol):
    """One socket."""

    def __init__(self) -> None:
        self._ws = ServerProtocol(subprotocols=[Subprotocol(SUBPROTOCOL)])
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._ws.receive_data(data)
        for event in self._ws.events_received():
            if isinstance(event, Request):
                self._ws.send_response(self._ws.accept(event))
            elif isinstance(event, Frame) and self._ws.state is State.OPEN:
                self._ws.send_text(event.data)
        for sent in self._ws.data_to_send():
            if sent:
                self._transport.write(sent)
            else:
                self._transport.close()


async def serve() -> None:
    """Send back every text until the process is terminated."""
    server = await asyncio.get_running_loop().create_server(Echo, "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    sys.exit(uvloop.run(serve()))

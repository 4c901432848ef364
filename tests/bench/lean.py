"""A client's websocket in few instructions, so that the load is not the bottleneck.

It reads only what the server sends: unfragmented text, pings, a close. Nothing is checked.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Any, Self, cast

from protocol.vocabulary import SUBPROTOCOL

KEY = bytes.fromhex("37fa213d")
"""Every key masks; one that never changes is the cheapest."""
_KEYS = KEY * 1_024
_PONG = b"\x8a\x80" + KEY

Receive = Callable[[bytes], None]


def masked(text: bytes) -> bytes:
    """Return a text frame of a client."""
    size = len(text)
    word = int.from_bytes(text) ^ int.from_bytes(_KEYS[:size])
    head = bytes((0x81, 0x80 | size)) if size < 126 else b"\x81\xfe" + size.to_bytes(2)
    return head + KEY + word.to_bytes(size)


class Lean(asyncio.Protocol):
    """One socket. `receive` gets the text of each message, in the call that received it."""

    received_bytes = 0
    """The bytes that all sockets of this process have received."""

    def __init__(self, request: bytes, receive: Receive) -> None:
        self.receive = receive
        self.opened = asyncio.get_running_loop().create_future()
        self.closed = asyncio.Event()
        self._request = request
        self._buffer = b""
        self._open = False
        self.transport: asyncio.Transport

    @classmethod
    async def connect(cls, port: int, receive: Receive) -> Self:
        """Return an open websocket on which nothing was sent yet."""
        request = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, made = await loop.create_connection(
            lambda: cls(request.encode(), receive), "127.0.0.1", port
        )
        await made.opened
        return made

    def say(self, kind: str, **fields: Any) -> None:
        """Send one message."""
        self.send(json.dumps({"type": kind, **fields}).encode())

    def send(self, text: bytes) -> None:
        """Send the text of one message."""
        self.transport.write(masked(text))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("refused"))
        self.closed.set()

    def data_received(self, data: bytes) -> None:
        Lean.received_bytes += len(data)
        data = self._buffer + data
        if not self._open:
            answer, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._buffer = answer
                return
            assert answer.startswith(b"HTTP/1.1 101"), answer
            self._open = True
            self.opened.set_result(None)
        self._buffer = data[self._receive_frames(data) :]

    def _receive_frames(self, data: bytes) -> int:
        """Receive all whole frames; return the position of the rest."""
        start, size = 0, len(data)
        while size - start >= 2:
            kind, length, body = data[start], data[start + 1], start + 2
            if length == 126:
                length, body = int.from_bytes(data[start + 2 : start + 4]), start + 4
            elif length == 127:
                length, body = int.from_bytes(data[start + 2 : start + 10]), start + 10
            if size < body + length:
                break
            start = body + length
            if kind == 0x81:
                self.receive(data[body:start])
            elif kind == 0x89:
                self.transport.write(_PONG)
            elif kind == 0x88:
                raise ConnectionError(f"closed: {int.from_bytes(data[body : body + 2])}")
        return start

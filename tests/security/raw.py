"""A raw websocket client: the test sets every bit of a frame."""

import asyncio
import contextlib
import json
import struct
from dataclasses import dataclass
from typing import Any, Self

from protocol.vocabulary import SUBPROTOCOL
from tests.players import OPEN
from tests.web.test_requests import UPGRADE, ask

TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
CONT = 0x0
FIN, RSV1, RSV2, RSV3 = 0x80, 0x40, 0x20, 0x10
MASK = b"\x1a\x2b\x3c\x4d"
PATIENCE_S = 30.0


def frame(
    payload: bytes, opcode: int = TEXT, bits: int = FIN, *, masked: bool = True, said: int = -1
) -> bytes:
    """Return a frame; `said` puts a wrong length into its head."""
    length = len(payload) if said < 0 else said
    mask_bit = 0x80 if masked else 0
    head = bytes([bits | opcode])
    if length < 126:
        head += bytes([mask_bit | length])
    elif length < 1 << 16:
        head += struct.pack(">BH", mask_bit | 126, length)
    else:
        head += struct.pack(">BQ", mask_bit | 127, length)
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[i % 4] for i, byte in enumerate(payload))


def message(kind: str, **fields: Any) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


@dataclass
class RawSocket:
    """A websocket whose frames the test writes and reads itself."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    head: bytes = b""

    @classmethod
    async def dial(cls, port: int) -> Self:
        """Open a connection without sending anything."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        socket = cls(reader, writer)
        OPEN.append(socket)
        return socket

    @classmethod
    async def open(cls, port: int, **headers: str) -> Self:
        """Open a websocket; write the names of extra headers with underscores."""
        socket = await cls.dial(port)
        fields = {"Sec-WebSocket-Protocol": SUBPROTOCOL, **headers}
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items()]
        socket.write(ask("/ws", more=UPGRADE + "".join(lines)))
        reading = socket.reader.readuntil(b"\r\n\r\n")
        socket.head = await asyncio.wait_for(reading, PATIENCE_S)
        return socket

    def write(self, *data: bytes) -> None:
        self.writer.write(b"".join(data))

    def say(self, kind: str, **fields: Any) -> None:
        self.write(frame(message(kind, **fields)))

    async def frame(self) -> tuple[int, bytes]:
        """Return the opcode and payload of the next frame; raise `ConnectionError` at the end."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                first, length = await self.reader.readexactly(2)
                assert first & 0x70 == 0, "no extension was negotiated"
                assert length & 0x80 == 0, "servers never mask"
                if length == 126:
                    (length,) = struct.unpack(">H", await self.reader.readexactly(2))
                elif length == 127:
                    (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
                return first & 0xF, await self.reader.readexactly(length)
        except asyncio.IncompleteReadError as error:
            raise ConnectionResetError from error

    async def receive(self, *kinds: str) -> dict[str, Any]:
        while True:
            opcode, payload = await self.frame()
            assert opcode != CLOSE, payload
            found: dict[str, Any] = json.loads(payload) if opcode == TEXT else {"type": opcode}
            if found["type"] in kinds:
                return found

    async def closed(self) -> tuple[int, str]:
        """Wait for the end; return close code and reason, or 1006 without a close frame."""
        try:
            while True:
                opcode, payload = await self.frame()
                if opcode == CLOSE:
                    return struct.unpack(">H", payload[:2])[0], payload[2:].decode()
        except ConnectionError:
            return 1006, ""
        finally:
            await self.close()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()

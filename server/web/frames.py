"""The opening handshake of a websocket, its frames, and messages from these; no I/O.

An act is one short masked text frame, and comes alone. Parsing it here costs a tenth of the
library's parser, which handles every case; all other frames are left to the library. Both see each
byte in order, so from the first frame that is not a whole text the library parses everything.
"""

import logging
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # compiled
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.vocabulary import MAX_FRAME_BYTES, SUPPORTED_SUBPROTOCOLS

FIN: Final = 0x80
TEXT: Final = FIN | 0x1
MASKED: Final = 0x80
_LONG: Final = 126
_KEY: Final = 4
_HEAD: Final = 2 + _KEY

SLICE_BYTES: Final = 256
"""Bytes that the library parses at a time: its time grows with the square of their number."""
TEXTS: Final = 32  # texts that are parsed at a time
BINARY: Final = "binary"  # stands for a binary message, which the protocol does not use

BROWSER_HEADERS = ("Sec-Fetch-Site", "Cookie", "Sec-Fetch-Mode")
NODE = "node"
"""The user agent of the websockets of Node, which send the last of these headers, too."""

quiet = logging.getLogger("spider_race.websocket")
quiet.setLevel(logging.ERROR)

AnyFrame = Frame | bytes  # a frame of the library, or the payload of a whole text frame


class Handshake(ServerProtocol):
    """The library's protocol, with this server's protocol versions and limits."""

    def __init__(self, state: State = State.CONNECTING) -> None:
        """Create the protocol of a connection; it expects a request, or frames if it is open."""
        super().__init__(state=state, max_size=MAX_FRAME_BYTES, logger=quiet)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Return the newest common version; else the first one offered, to close with a code."""
        common = (
            Subprotocol(version) for version in SUPPORTED_SUBPROTOCOLS if version in subprotocols
        )
        return next(common, subprotocols[0] if subprotocols else None)

    @property
    def version_supported(self) -> bool:
        """Return whether the peer's version is supported, or the peer named none."""
        return self.subprotocol is None or self.subprotocol in SUPPORTED_SUBPROTOCOLS


def origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Return whether the page named in these headers may open a websocket.

    Pages of the server's own host and of the allow-list may. Browsers always send the origin of
    a websocket; other programs need not, and have no cookies that a page could abuse.
    """
    origins = headers.get_all("Origin")
    if not origins:
        agent = "".join(headers.get_all("User-Agent"))
        names = BROWSER_HEADERS[:-1] if agent == NODE else BROWSER_HEADERS
        return "Mozilla/" not in agent and not any(name in headers for name in names)
    if len(origins) > 1:
        return False
    origin = origins[0].lower()
    if origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    hosts = headers.get_all("Host")
    return (
        parts.scheme in {"http", "https"}
        and len(hosts) == 1
        and bool(parts.netloc)
        and parts.netloc == hosts[0].lower()
    )


def short_text(data: bytes) -> bytes | None:
    """Return the payload if the data are one short text frame, as an act is; else None."""
    size = len(data) - _HEAD
    if 0 <= size < _LONG and data[0] == TEXT and data[1] == MASKED | size:
        return apply_mask(data[_HEAD:], data[2:_HEAD])
    return None


def whole_texts(data: bytes, start: int) -> tuple[list[bytes], int]:
    """Return the payloads of the whole text frames at `start`, `TEXTS` at most, and their end."""
    texts: list[bytes] = []
    while start < len(data) and len(texts) < TEXTS and data[start] == TEXT:
        bounds = _bounds(data, start)
        if bounds is None:
            break
        body, start = bounds
        texts.append(apply_mask(data[body:start], data[body - _KEY : body]))
    return texts, start


def _bounds(data: bytes, start: int) -> tuple[int, int] | None:
    """Return the begin of the payload and the end of a whole message in one frame, or None.

    None stands for a frame that is incomplete, part of a longer message, too long, or not masked.
    Reserved bits and opcodes are not checked.
    """
    end, body = len(data), start + _HEAD
    if end < body or data[start] < FIN:
        return None
    size = data[start + 1] ^ MASKED
    if size >= _LONG:
        if size > _LONG:
            return None
        size, body = int.from_bytes(data[start + 2 : start + 4], "big"), body + 2
    return None if end < body + size or size > MAX_FRAME_BYTES else (body, body + size)


def text_frame(text: bytes) -> bytes:
    """Return the frame of a text message; a server's frames are not masked."""
    size = len(text)
    if size < _LONG:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


class Reader:
    """The messages of a peer, assembled from its bytes."""

    __slots__ = ("_binary", "_library", "_parts", "at_boundary")

    def __init__(self) -> None:
        self._library: Handshake | None = None
        self.at_boundary = True  # whether the library expects the beginning of a message
        self._binary = False
        self._parts: list[bytes] = []

    @property
    def library(self) -> Handshake:
        """Return the library's protocol, made when it is needed: whole texts need none.

        It takes a quarter of the objects of a connection.
        """
        if self._library is None:
            self._library = Handshake(State.OPEN)
        return self._library

    def frames(self, data: bytes, start: int) -> tuple[Sequence[AnyFrame], int]:
        """Return the next frames that the data from `start` complete, and where they end.

        They are few, so that charging them afterwards is in time. The library may have something
        to send.
        """
        end = min(len(data), start + SLICE_BYTES)
        if self.at_boundary:
            texts, texts_end = whole_texts(data, start)
            if texts:
                return texts, texts_end
            bounds = _bounds(data, start)
            if bounds is None:
                self.at_boundary = False  # the library may be within a message from now on
            else:
                end = bounds[1]
        protocol = self.library
        protocol.receive_data(data[start:end])
        if protocol.state is not State.OPEN:
            self.at_boundary = False  # the library ignores what comes after a close frame
        return [event for event in protocol.events_received() if isinstance(event, Frame)], end

    def message(self, frame: Frame) -> bytes | str | None:
        """Return the message that a frame completes; None if it completes none."""
        if frame.opcode not in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            return None
        if frame.opcode is not Opcode.CONT:
            self._binary = frame.opcode is Opcode.BINARY
        if frame.data:  # any number of empty fragments may come; none is kept
            self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        message = b"".join(self._parts)
        self._parts.clear()
        return BINARY if self._binary else message

"""Frames of a websocket from its bytes, and messages from its frames; no I/O.

An act is one short masked text frame, and comes alone. Parsing it here costs a tenth of the
library's parser, which handles every case; all other frames are left to the library. Both see each
byte in order, so from the first frame that is not a whole text the library parses everything.
"""

from collections.abc import Sequence
from typing import Final

from websockets.frames import Frame, Opcode, apply_mask  # type: ignore[attr-defined]  # compiled
from websockets.protocol import State

from protocol.vocabulary import MAX_FRAME_BYTES
from server.web.handshake import Handshake

FIN: Final = 0x80
TEXT: Final = FIN | 0x1
MASKED: Final = 0x80
_LONG: Final = 126
_KEY: Final = 4
_HEAD: Final = 2 + _KEY


def short_text(data: bytes) -> bytes | None:
    """Return the payload if the data are one short text frame, as an act is; else None."""
    size = len(data) - _HEAD
    if 0 <= size < _LONG and data[0] == TEXT and data[1] == MASKED | size:
        return apply_mask(data[_HEAD:], data[2:_HEAD])
    return None


def split_frames(data: bytes) -> tuple[list[bytes], bool] | None:
    """Return the payloads of the frames of the data, and whether all of them are texts.

    Return None if one of them is incomplete, part of a longer message, too long, or not masked.
    Reserved bits and the opcodes of other frames are not checked.
    """
    start = 0
    payloads: list[bytes] = []
    all_texts = True
    while start < len(data):
        bounds = _bounds(data, start)
        if bounds is None:
            return None
        if data[start] != TEXT:
            all_texts = False
        body, start = bounds
        payloads.append(apply_mask(data[body:start], data[body - _KEY : body]))
    return payloads, all_texts


def texts_end(data: bytes, start: int, most: int) -> int:
    """Return the end of the whole text frames at `start`, of which at most `most` are counted."""
    for _ in range(most):
        bounds = _bounds(data, start)
        if bounds is None or data[start] != TEXT:
            break
        start = bounds[1]
    return start


def _bounds(data: bytes, start: int) -> tuple[int, int] | None:
    """Return the begin of the payload and the end of a simple whole message, or None."""
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


SLICE_BYTES: Final = 256
"""Bytes that the library parses at a time: its time grows with the square of their number."""
TEXTS: Final = 32  # texts that are parsed at a time

AnyFrame = Frame | bytes  # a frame of the library, or the payload of a whole text frame


class Binary:
    """A whole binary message, which the protocol does not use."""


BINARY = Binary()


class Reader:
    """The messages of a peer, assembled from its bytes."""

    __slots__ = ("_binary", "_library", "_parts", "at_boundary")

    def __init__(self) -> None:
        self._library: Handshake | None = None
        self.at_boundary = True  # whether the library expects the beginning of a message
        self._binary = False
        self._parts: list[bytes] = []

    @property
    def uses_library(self) -> bool:
        """Return whether the library has seen any part of this websocket."""
        return self._library is not None

    @property
    def library(self) -> Handshake:
        """Return the library's protocol, made when it is needed: whole texts need none.

        It takes a quarter of the objects of a connection.
        """
        if self._library is None:
            self._library = Handshake(State.OPEN)
        return self._library

    def slice_end(self, data: bytes, start: int) -> int:
        """Return the end of the bytes from `start` that are parsed before frames are charged."""
        end = texts_end(data, start, TEXTS) if self.at_boundary else start
        return end if end > start else min(len(data), start + SLICE_BYTES)

    def frames(self, data: bytes) -> Sequence[AnyFrame]:
        """Return the frames that the data completes; the library may have something to send."""
        if self.at_boundary:
            whole = split_frames(data)
            if whole is None:
                self.at_boundary = False  # the library may be within a message from now on
            elif whole[1]:
                return whole[0]
        protocol = self.library
        protocol.receive_data(data)
        if protocol.state is not State.OPEN:
            self.at_boundary = False  # the library ignores what comes after a close frame
        events = protocol.events_received()
        return [event for event in events if isinstance(event, Frame)]

    def message(self, frame: Frame) -> bytes | Binary | None:
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

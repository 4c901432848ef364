"""Frames of a websocket from its bytes, and messages from its frames; no I/O.

An act is one short masked text frame, and comes alone. Parsing it here takes a tenth of the time
of the library's parser, which handles every case. Other whole frames go to the library one by one.
Once a frame is incomplete, or only part of a message, the library parses all that follows.
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
_LONG: Final = 126  # as the size byte: the size is in the next two bytes
_KEY_BYTES: Final = 4  # of the key that a client masks a payload with
_HEAD_BYTES: Final = 2 + _KEY_BYTES  # before the payload of a short masked frame

SLICE_BYTES: Final = 256
"""Bytes that the library parses at a time; twice as many take it four times as long."""
MAX_TEXTS: Final = 32  # how many texts are parsed at a time
BINARY: Final = "binary"  # stands for a binary message, which the protocol does not use

AnyFrame = Frame | bytes  # a frame of the library, or the payload of a whole text frame


def short_text(data: bytes) -> bytes | None:
    """Return the payload if the data is exactly one short text frame, like an act; else None."""
    size = len(data) - _HEAD_BYTES
    if 0 <= size < _LONG and data[0] == TEXT and data[1] == MASKED | size:
        return apply_mask(data[_HEAD_BYTES:], data[2:_HEAD_BYTES])
    return None


def whole_texts(data: bytes, start: int) -> tuple[list[bytes], int]:
    """Return the payloads of up to `MAX_TEXTS` text frames from `start`, and where they end."""
    texts: list[bytes] = []
    while start < len(data) and len(texts) < MAX_TEXTS and data[start] == TEXT:
        bounds = _bounds(data, start)
        if bounds is None:
            break
        body, start = bounds
        texts.append(apply_mask(data[body:start], data[body - _KEY_BYTES : body]))
    return texts, start


def _bounds(data: bytes, start: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at `start` starts and ends.

    Return None if the frame is incomplete, too long or not masked, or if its message continues
    in another frame. Reserved bits and opcodes are not checked.
    """
    end, body = len(data), start + _HEAD_BYTES
    if end < body or data[start] < FIN:  # without FIN, other frames continue the message
        return None
    size = data[start + 1] ^ MASKED
    if size >= _LONG:
        if size > _LONG:  # a longer size, or not masked
            return None
        size, body = int.from_bytes(data[start + 2 : start + 4], "big"), body + 2
    return None if end < body + size or size > MAX_FRAME_BYTES else (body, body + size)


def text_frame(text: bytes) -> bytes:
    """Return the frame of a text message, not masked, as servers send it."""
    size = len(text)
    if size < _LONG:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text  # TEXT, and `_LONG`
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


class Reader:
    """Reads the messages of a peer from its bytes."""

    __slots__ = ("_is_binary", "_library", "_parts", "is_at_boundary")

    def __init__(self) -> None:
        self._library: Handshake | None = None
        self.is_at_boundary = True  # whether the library expects the start of a message
        self._is_binary = False  # whether the latest message is binary
        self._parts: list[bytes] = []  # of a message that is not complete yet

    @property
    def library(self) -> Handshake:
        """The library's protocol, past its handshake; large, so made only when needed."""
        if self._library is None:
            self._library = Handshake(State.OPEN)
        return self._library

    def frames(self, data: bytes, start: int) -> tuple[Sequence[AnyFrame], int]:
        """Return the next few frames that are complete in the data from `start`, and their end.

        They are few so that the caller can check its rate limit between calls. After each call the
        caller must send what the library wants to reply.
        """
        end = min(len(data), start + SLICE_BYTES)
        if self.is_at_boundary:
            texts, texts_end = whole_texts(data, start)
            if texts:
                return texts, texts_end
            bounds = _bounds(data, start)
            if bounds is None:
                self.is_at_boundary = False  # the library may now be inside a message
            else:
                _, end = bounds  # only of this frame: texts after it need no library
        protocol = self.library
        protocol.receive_data(data[start:end])
        if protocol.state is not State.OPEN:
            self.is_at_boundary = False  # the library ignores everything after a close frame
        return [event for event in protocol.events_received() if isinstance(event, Frame)], end

    def message(self, frame: Frame) -> bytes | str | None:
        """Return the message that a frame completes, if any; `BINARY` stands for a binary one."""
        if frame.opcode not in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            return None
        if frame.opcode is not Opcode.CONT:
            self._is_binary = frame.opcode is Opcode.BINARY
        if frame.data:  # empty fragments are not kept, as there may be any number of them
            self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        message = b"".join(self._parts)
        self._parts.clear()
        return BINARY if self._is_binary else message

"""A fast path for the most common frames, parsed and written without the library.

An act is one short masked text frame, and comes alone. Parsing it here costs a tenth of the
library's parser, which handles every case; all other frames are left to the library.
"""

from typing import Final

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, if it can be

from protocol.vocabulary import MAX_FRAME_BYTES

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

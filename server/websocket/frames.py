"""A fast path for the most common frames, parsed and written without the library.

An act is one short masked text frame, and comes alone. Parsing it here costs a tenth of the
library's parser, which handles every case; all other frames are left to the library.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, if it can be

from protocol.vocabulary import MAX_FRAME_BYTES

FIN = 0x80
TEXT = FIN | 0x1
MASKED = 0x80
_LONG, _LONGER = 126, 127
_KEY = 4

WholeFrame = tuple[int, bytes]
"""The first byte of a frame that is a whole message, and its payload."""


def split_frames(data: bytes) -> list[WholeFrame] | None:
    """Return the frames of the data; None if one of them is not a simple whole message.

    That is a frame that is incomplete, part of a longer message, too long, or not masked. The
    caller checks reserved bits and opcodes.
    """
    frames: list[WholeFrame] = []
    start, end = 0, len(data)
    while start < end:
        body = start + 2 + _KEY
        if end < body or data[start] < FIN:
            return None
        size = data[start + 1] ^ MASKED
        if size == _LONG:
            size, body = int.from_bytes(data[start + 2 : start + 4], "big"), body + 2
        elif size >= _LONGER:
            return None
        if end < body + size or size > MAX_FRAME_BYTES:
            return None
        frames.append(
            (data[start], apply_mask(data[body : body + size], data[body - _KEY : body]))
        )
        start = body + size
    return frames


def text_frame(text: bytes) -> bytes:
    """Return the frame of a text message; a server's frames are not masked."""
    size = len(text)
    if size < _LONG:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text

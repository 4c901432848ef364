"""The frames that nearly all are, read and written without the library's machinery.

An act is one short masked frame of text, and comes alone. Taking that apart here costs a tenth of
what the library's parser takes, which must be ready for anything. Whatever else comes is its.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]  # compiled, if it can be

from protocol.vocabulary import MAX_FRAME_BYTES

FIN = 0x80
TEXT = FIN | 0x1
MASKED = 0x80
_LONG, _LONGER = 126, 127
_KEY = 4

Whole = tuple[int, bytes]
"""The first byte of a frame that was one whole message, and what it carries."""


def take_apart(data: bytes) -> list[Whole] | None:
    """The frames that the data is made of; None if there is more to be said of one of them.

    That is: if it is not all here, or part of a longer message, or too long, or not masked.
    Reserved bits and unknown opcodes are the caller's to look at.
    """
    frames: list[Whole] = []
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
    """A message of ours, to be sent as it is; the server's frames are not masked."""
    size = len(text)
    if size < _LONG:
        return bytes((TEXT, size)) + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text

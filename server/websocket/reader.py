"""Frames of a websocket from its bytes, and messages from its frames; no I/O.

Whole text frames are parsed here, all other frames by the library. Both see each byte in order,
so from the first frame that is not a whole text the library parses everything.
"""

from collections.abc import Sequence
from typing import Final

from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.websocket.frames import split_frames, texts_end
from server.websocket.handshake import Library

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

    def __init__(self, library: Library) -> None:
        self._library = library
        self.at_boundary = True  # whether the library expects the beginning of a message
        self._binary = False
        self._parts: list[bytes] = []

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
        protocol = self._library.protocol
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

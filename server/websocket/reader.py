"""Frames of a websocket from its bytes, and messages from its frames; no I/O.

Whole text frames are parsed here, all other frames by the library. Both see each byte in order,
so from the first frame that is not a whole text the library parses everything.
"""

from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.websocket.frames import TEXT, split_frames
from server.websocket.handshake import Handshake

AnyFrame = Frame | bytes
"""A frame of the library, or the payload of a whole text frame."""


class Binary:
    """A whole binary message, which the protocol does not use."""


BINARY = Binary()


class Reader:
    """The messages of a peer, assembled from its bytes."""

    __slots__ = ("_at_boundary", "_binary", "_handshake", "_parts")

    def __init__(self, handshake: Handshake) -> None:
        self._handshake = handshake
        self._at_boundary = True  # whether the library expects the beginning of a message
        self._binary = False
        self._parts: list[bytes] = []

    def frames(self, data: bytes) -> list[AnyFrame]:
        """Return the frames that the data completes; the library may have something to send."""
        whole = split_frames(data) if self._at_boundary else None
        if whole is None:
            self._at_boundary = False  # the library may be within a message from now on
        elif self._handshake.state is State.OPEN and all(head == TEXT for head, _ in whole):
            return [text for _, text in whole]
        self._handshake.receive_data(data)
        events = self._handshake.events_received()
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

"""Frames of a websocket from its bytes, and messages from its frames; no I/O.

Whole texts are taken apart here, all else by the library. Both see each byte in order, so from
the first frame that is not a whole text the library reads everything.
"""

from websockets.frames import Frame, Opcode
from websockets.protocol import State

from server.websocket.frames import TEXT, take_apart
from server.websocket.handshake import Handshake

AnyFrame = Frame | bytes
"""A frame of the library's, or the bytes of a whole text."""


class Binary:
    """A whole binary message; nothing that is spoken here."""


BINARY = Binary()


class Reader:
    """What a peer sends, put together."""

    __slots__ = ("_at_boundary", "_binary", "_parts", "_protocol")

    def __init__(self, protocol: Handshake) -> None:
        self._protocol = protocol
        self._at_boundary = True  # whether the library waits for the beginning of a message
        self._binary = False
        self._parts: list[bytes] = []

    def frames(self, data: bytes) -> list[AnyFrame]:
        """Return the frames that the data completes; the library may have something to send."""
        whole = take_apart(data) if self._at_boundary else None
        if whole is None:
            self._at_boundary = False  # from now on it may be within a message
        elif self._protocol.state is State.OPEN and all(head == TEXT for head, _ in whole):
            return [text for _, text in whole]
        self._protocol.receive_data(data)
        events = self._protocol.events_received()
        return [event for event in events if isinstance(event, Frame)]

    def message(self, frame: Frame) -> bytes | Binary | None:
        """Return the message that a frame ends; None if it ends none, or is no part of one."""
        if frame.opcode not in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            return None
        if frame.opcode is not Opcode.CONT:
            self._binary = frame.opcode is Opcode.BINARY
        if frame.data:  # of empty pieces there may be any number
            self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        message = b"".join(self._parts)
        self._parts.clear()
        return BINARY if self._binary else message

"""The responses of one connection on their way out: a shared body is never copied.

A body is written in pieces, the next one when the peer has read the one before. What a peer has
not read yet is counted for its address and for the process.
"""

import asyncio
from contextlib import suppress

from server.http.unread_bodies import PIECE_BYTES, UnreadBodies


class ResponseWriter:
    """The response that is being sent to one peer."""

    def __init__(self, transport: asyncio.Transport, bodies: UnreadBodies | None) -> None:
        """Send over a transport; `bodies` counts what is unread, except for an operator."""
        self._transport = transport
        self._bodies = bodies
        self._rest = memoryview(b"")
        self._held: tuple[str | None, bytes] | None = None
        self._ends = False
        self._paused = False
        transport.set_write_buffer_limits(high=0)  # so a peer that has read everything is known

    @property
    def is_busy(self) -> bool:
        """Return whether the peer has not read the whole response yet."""
        return self._paused or bool(self._rest)

    def send(self, head: bytes, body: bytes, address: str | None) -> None:
        """Send a response; the body counts for the address while it is unread."""
        self._rest = memoryview(body)
        self._transport.writelines((head, self._next_piece()))
        if self._paused and self._bodies is not None and body:
            self._bodies.hold(address, body)
            self._held = (address, body)
        self._send_rest()

    def end(self) -> None:
        """End the stream once everything is sent."""
        self._ends = True
        self._send_rest()

    def pause(self) -> None:
        """Send nothing more until the peer has read."""
        self._paused = True

    def resume(self) -> None:
        """Send the next piece: the peer has read the one before."""
        self._paused = False
        self._send_rest()

    def drop(self) -> None:
        """Drop what is unsent: the connection is lost."""
        self._rest = memoryview(b"")
        self._release()

    def _next_piece(self) -> memoryview:
        piece, self._rest = self._rest[:PIECE_BYTES], self._rest[PIECE_BYTES:]
        return piece

    def _send_rest(self) -> None:
        """Write the rest of the response as far as the peer reads, and end the stream after it."""
        while self._rest and not self._paused:
            self._transport.write(self._next_piece())
        if self.is_busy:
            return
        self._release()
        if self._ends and self._transport.can_write_eof():
            self._ends = False
            with suppress(OSError):  # the peer has just reset the connection
                self._transport.write_eof()

    def _release(self) -> None:
        if self._held is not None and self._bodies is not None:
            self._bodies.release(*self._held)
            self._held = None

"""One websocket: the I/O around the library's sans-I/O protocol, and what handles its messages.

A frame is handled within the call that received it. Only a command that must wait for the store
holds the frames behind it back, and then the peer is not read from either: no queue grows.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, Protocol

import structlog
from websockets.protocol import State

from protocol.vocabulary import FIRST_FRAME_S, CloseCode
from server import metrics
from server.sessions.rate_limit import RateLimit
from server.websocket import limits
from server.websocket.frames import text_frame
from server.websocket.handshake import Handshake
from server.websocket.reader import AnyFrame, Binary, Reader

PING_S = 15.0
SILENCE_S = 40.0
CLOSING_S = 3.0
SLICE = 4 * 1024
SKIP_TICKS_FROM = 64 * 1024
TOO_SLOW_FROM = 256 * 1024

log = structlog.get_logger()


class Handler(Protocol):
    """What handles the messages of a connection."""

    @property
    def seated(self) -> bool:
        """Whether the peer has said who it is, so that silence is no fault of its."""

    @property
    def who(self) -> Mapping[str, str | int | None]:
        """The peer's place, for the log."""

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """Handle a message. What is returned is awaited before the next one is given."""

    def receive_binary(self) -> None:
        """Handle a binary message."""

    def caught_up(self) -> None:
        """Take note that a peer that was slow to read has read what was queued."""

    async def gone(self) -> None:
        """Take note that the connection is lost."""


@dataclass(frozen=True, slots=True)
class Process:
    """What the connections of a process use of it."""

    now: Callable[[], float]
    """The event loop's time, in seconds."""
    spawn: Callable[[Coroutine[Any, Any, None], str], None]
    """Run something in a task of its own, of this name."""


class Phase(Enum):
    """What becomes of the frames that a peer sends."""

    OPEN = auto()
    """Each is handled as it comes in."""
    WAITING = auto()
    """They wait behind a command that waits for the store; the peer is not read from."""
    CLOSING = auto()
    """They are thrown away, but for the peer's close frame."""
    FLOODED = auto()
    """There were too many: what comes in is not taken apart any more."""


class Connection(asyncio.Protocol):
    """A websocket, over a transport on which the handshake is done."""

    operators = False

    def __init__(
        self,
        process: Process,
        transport: asyncio.Transport,
        handshake: Handshake,
        make_handler: "Callable[[Connection], Handler]",
        when_lost: "Callable[[Connection], None]",
    ) -> None:
        """Make the connection of a player.

        The caller gives it to the transport and calls `start`; `when_lost` is called once.
        """
        self._process = process
        self._transport: asyncio.Transport | None = transport
        self._ws = handshake
        self._handler = make_handler(self)
        self._when_lost = when_lost
        self._phase = Phase.OPEN
        self._reader = Reader(handshake)
        self._frames: list[AnyFrame] = []
        self._messages = RateLimit(limits.BURST, limits.MESSAGES_PER_S)
        self._heard_at = self._opened_at = self._pinged_at = process.now()
        self._closing_at: float | None = None

    def start(self, data: bytes) -> None:
        """Send the answer to the handshake, and handle what came in behind that."""
        self._flush()
        if not self._ws.understood:
            self.close(CloseCode.VERSION)
        self._receive(data)

    def data_received(self, data: bytes) -> None:
        """Handle bytes that have come in."""
        self._heard_at = self._process.now()
        self._receive(data)

    def eof_received(self) -> bool:
        """End with the peer, which sends no more."""
        self._ws.receive_eof()
        self._flush()
        return False

    def resume_writing(self) -> None:
        """Let the handler go on sending: the peer has read."""
        self._handler.caught_up()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Let go of the peer."""
        self._transport = None
        self._frames.clear()
        self._when_lost(self)
        self._process.spawn(self._handler.gone(), "gone")

    def send(self, text: str) -> None:
        """Queue one message; a peer that does not read is closed."""
        if self._transport is None or self._ws.state is not State.OPEN:
            return
        self._transport.write(text_frame(text.encode()))
        if self._transport.get_write_buffer_size() > TOO_SLOW_FROM:
            self.close(CloseCode.TOO_SLOW)
            self.abort()  # what is queued would never be read, the code neither

    def behind(self) -> bool:
        """Return whether the peer is slow to read, so that passing news is better skipped."""
        transport = self._transport
        return transport is not None and transport.get_write_buffer_size() > SKIP_TICKS_FROM

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Close the socket after what was queued; no message is handled any more."""
        if self._phase is not Phase.FLOODED:
            self._phase = Phase.CLOSING
        self._frames.clear()
        if self._ws.state is State.OPEN:
            metrics.closes.labels(int(code)).inc()
            self._ws.send_close(code, reason)
            self._flush()

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def check(self, now: float) -> None:
        """End a connection that is silent or does not close; call it every second or so."""
        if self._transport is None:
            return
        if self._closing_at is not None:
            if now - self._closing_at > CLOSING_S:
                self.abort()
        elif not self._handler.seated:
            # A peer that waits for its answer has said something.
            if now - self._opened_at > FIRST_FRAME_S and self._phase is not Phase.WAITING:
                self.close(CloseCode.NO_PONG)
                self._closing_at = now
        elif now - self._heard_at > SILENCE_S:
            self.close(CloseCode.NO_PONG)
        elif now - max(self._heard_at, self._pinged_at) > PING_S:
            self._pinged_at = now
            self._ws.send_ping(b"")
            self._flush()

    def _flush(self) -> None:
        transport = self._transport
        if transport is None:
            return
        for data in self._ws.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof():
                transport.write_eof()
        if self._closing_at is None and self._ws.close_expected():
            self._closing_at = self._process.now()

    def _receive(self, data: bytes) -> None:
        """Handle bytes of the websocket; a flood of them is not taken apart to its end."""
        for start in range(0, len(data), SLICE):
            if self._phase is Phase.FLOODED:
                return
            self._queue(data[start : start + SLICE])
            self._handle_frames()
            if len(self._frames) > limits.BURST:  # while a command waits
                self._close_flooded()

    def _queue(self, data: bytes) -> None:
        """Queue the frames that the data brings."""
        frames = self._reader.frames(data)
        if self._phase is Phase.OPEN or self._phase is Phase.WAITING:
            self._frames += frames
        if not frames or not isinstance(frames[0], bytes):
            self._flush()  # what the library reads it may answer

    def _handle_frames(self) -> None:
        """Handle what has come in, until a command must wait."""
        while self._frames and self._phase is Phase.OPEN:
            frame = self._frames.pop(0)
            if not self._messages.take():
                self._close_flooded()
                return
            try:
                waiting = self._handle(frame)
            except Exception:
                log.exception("session failed", **self._handler.who)
                self.close(CloseCode.INTERNAL_ERROR)
                return
            if waiting is not None:
                if self._phase is Phase.OPEN:
                    self._phase = Phase.WAITING
                if self._transport is not None:
                    self._transport.pause_reading()
                self._process.spawn(self._wait_for(waiting), "command")

    def _handle(self, frame: AnyFrame) -> Coroutine[Any, Any, None] | None:
        if isinstance(frame, bytes):
            return self._handler.receive(frame)
        message = self._reader.message(frame)
        if isinstance(message, Binary):
            self._handler.receive_binary()
            return None
        return None if message is None else self._handler.receive(message)

    async def _wait_for(self, waiting: Coroutine[Any, Any, None]) -> None:
        try:
            await waiting
        except Exception:
            log.exception("session failed", **self._handler.who)
            self.close(CloseCode.INTERNAL_ERROR)
        if self._phase is Phase.WAITING:
            self._phase = Phase.OPEN
        if self._transport is not None:
            self._transport.resume_reading()
        self._handle_frames()

    def _close_flooded(self) -> None:
        self._phase = Phase.FLOODED
        self.close(CloseCode.TOO_FAST)

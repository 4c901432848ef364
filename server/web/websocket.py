"""One websocket: the I/O around the library's sans-I/O protocol, and the message handler.

A frame is handled in the call that received it. Only a command that waits for the store holds back
the frames after it, and reading is paused meanwhile, so no queue grows.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Final, Protocol

import structlog
from websockets.protocol import State

from protocol.vocabulary import CloseCode
from server import metrics
from server.sessions.limits import RateLimit
from server.web.frames import AnyFrame, Reader, short_text, text_frame
from server.web.limits import WEBSOCKET_LIMITS, UnreadBytes, WebsocketLimits

LONG_BYTES: Final = 1024  # each KiB of a frame counts as another message

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class WebsocketServices:
    """The objects that all websockets of a process share."""

    now_s: Callable[[], float]
    """Return the event loop's time, in seconds."""
    spawn: Callable[[Coroutine[Any, Any, None], str], object]
    """Run a coroutine in a task of the given name."""
    run_command: "Callable[[Coroutine[Any, Any, None], WebsocketConnection], object]"
    """Run a command in a task, then call `command_ended`; close the connection on an error.

    It is passed in because compiled modules cannot contain coroutines.
    """
    forget: "Callable[[WebsocketConnection], None]"
    """Forget a lost connection, and stop counting it for its network."""
    limits: WebsocketLimits = WEBSOCKET_LIMITS
    unread: UnreadBytes = field(default_factory=UnreadBytes)  # the unread bytes of all websockets


class ConnectionHandler(Protocol):
    """Handles the messages on one connection: a session, as its websocket sees it."""

    @property
    def is_seated(self) -> bool:
        """Whether the peer has a seat; without one it soon loses the connection."""

    @property
    def log_context(self) -> Mapping[str, str | int | None]:
        """Return the peer's room and seat, for log events."""

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        """Handle a message. A returned coroutine must be awaited before the next message."""

    def receive_binary(self) -> None:
        """Handle a binary message, which the protocol does not use."""

    def resume_sending(self) -> None:
        """Resume sending, now that a slow peer has read the queued messages."""

    def handle_disconnect(self) -> Coroutine[Any, Any, None]:
        """Return a coroutine that handles the loss of the connection."""


class SharedMessage(Protocol):
    """A message for many connections; the first one that sends it also sets its frame."""

    text: str
    frame: bytes | None


class FramePhase(Enum):
    """How frames from the peer are treated."""

    OPEN = auto()  # they are handled as they come in
    WAITING = auto()  # they wait for a command, which waits for the store; reading is paused
    CLOSING = auto()  # they are dropped, except the peer's close frame
    FLOODED = auto()  # there were too many; incoming bytes are no longer parsed


class WebsocketConnection(asyncio.Protocol):
    """A websocket over a transport whose handshake is done."""

    is_of_operator = False

    def __init__(
        self,
        services: WebsocketServices,
        transport: asyncio.Transport,
        make_handler: "Callable[[WebsocketConnection], ConnectionHandler]",
        network: str | None = None,
    ) -> None:
        """Create the connection of a player; the caller calls `start`.

        Unread bytes count towards the limit of the player's `network`; None has no such limit.
        """
        self._services = services
        self._transport: asyncio.Transport | None = transport
        self.is_open = True  # whether messages can be sent
        self._handler = make_handler(self)
        self._phase = FramePhase.OPEN
        self._reader = Reader()
        self._pending: list[AnyFrame] = []  # frames that are not handled yet
        self._message_limit = RateLimit(services.limits.messages)
        self.network = network
        self._unread_bytes = 0  # as last counted
        self._received_at_s = self._opened_at_s = self._pinged_at_s = services.now_s()
        self._closing_at_s: float | None = None  # when closing started

    def start(self, accepted: bytes, data: bytes, *, speaks_version: bool) -> None:
        """Take over the transport, send the response `accepted`, and handle the frames in `data`.

        Close the connection if the peer speaks none of this server's protocol versions.
        """
        transport = self._transport
        assert transport is not None, "the connection is not lost yet"
        transport.set_protocol(self)
        transport.set_write_buffer_limits(high=0)  # `resume_writing` then means: all was read
        transport.resume_reading()
        transport.write(accepted)
        if not speaks_version:
            self.close(CloseCode.VERSION)
        self._receive(data)

    def data_received(self, data: bytes) -> None:
        """Handle incoming bytes."""
        self._received_at_s = self._services.now_s()
        self._receive(data)

    def eof_received(self) -> bool:
        """Close, as the peer has ended its stream; False makes asyncio close the transport."""
        self._reader.library.receive_eof()
        self._flush()
        return False

    def resume_writing(self) -> None:
        """Let the handler resume sending, now that the peer has read everything."""
        self._count_unread()
        self._handler.resume_sending()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Drop queued frames, and report the loss to the handler."""
        self._transport = None
        self.is_open = False
        self._count_unread()
        self._pending.clear()
        self._services.forget(self)
        self._services.spawn(self._handler.handle_disconnect(), "gone")

    def send(self, text: str) -> None:
        """Queue a message; close the connection if the peer leaves too much unread."""
        transport = self._transport
        if transport is None or not self.is_open:
            return
        transport.write(text_frame(text.encode()))
        if transport.get_write_buffer_size() != self._unread_bytes:
            self._judge_unread()

    def send_skippable(self, message: SharedMessage) -> bool:
        """Queue an update that many peers get; if this peer is slow, return False instead.

        A closed connection needs no update, so it counts as served.
        """
        transport = self._transport
        if transport is None or not self.is_open:
            return True
        if self.is_behind():
            return False
        frame = message.frame
        if frame is None:
            frame = message.frame = text_frame(message.text.encode())
        transport.write(frame)
        if transport.get_write_buffer_size() != self._unread_bytes:
            self._count_unread()
        return True

    def is_behind(self) -> bool:
        """Return whether the peer reads too slowly to get every update."""
        transport = self._transport
        size = 0 if transport is None else transport.get_write_buffer_size()
        skip_from = self._services.limits.skip_from_bytes
        return size > 0 and (size > skip_from or self._leaves_too_much_unread())

    def _leaves_too_much_unread(self) -> bool:
        """Return whether the peer leaves too many bytes unread while a limit is reached.

        The limits are its network's and the process's. `spare_bytes` may stay unread even then.
        """
        services = self._services
        is_more = self._unread_bytes > services.limits.spare_bytes
        return is_more and services.unread.is_full(self.network)

    def _judge_unread(self) -> None:
        """Count the unread bytes; close the connection if there are too many."""
        self._count_unread()
        if (
            self._unread_bytes > self._services.limits.close_from_bytes
            or self._leaves_too_much_unread()
        ):
            self.close(CloseCode.TOO_SLOW)
            self.abort()  # the peer would read neither the queue nor the close code

    def _count_unread(self) -> None:
        """Update the number of bytes that the peer has not read yet, here and for its network."""
        transport = self._transport
        size = 0 if transport is None else transport.get_write_buffer_size()
        self._services.unread.add(self.network, size - self._unread_bytes)
        self._unread_bytes = size

    def close(self, code: CloseCode | int) -> None:
        """Close the socket once the queued messages are sent; drop further ones from the peer."""
        if self._phase is not FramePhase.FLOODED:  # which drops even the peer's close frame
            self._phase = FramePhase.CLOSING
        self._pending.clear()
        if self.is_open:
            metrics.closes.labels(int(code)).inc()
            reason = code.reason if isinstance(code, CloseCode) else ""
            self._reader.library.send_close(code, reason)
            self._flush()

    def abort(self) -> None:
        """End the connection at once, without sending its queue."""
        if self._transport is not None:
            self._transport.abort()

    @property
    def log_context(self) -> Mapping[str, str | int | None]:
        """Return the peer's room and seat, for log events."""
        return self._handler.log_context

    def command_ended(self) -> None:
        """Handle the frames that came in while a command waited; `run_command` calls this."""
        if self._phase is FramePhase.WAITING:
            self._phase = FramePhase.OPEN
        if self._transport is not None:
            self._transport.resume_reading()
        self._handle_frames()

    def check(self, now_s: float) -> None:
        """Close a connection that is silent, or does not read or close; called every second."""
        if self._transport is None:
            return
        self._judge_unread()  # pongs that the library has sent are not counted yet
        if not self.is_open and self._closing_at_s is None:
            self._closing_at_s = now_s  # the peer ended its stream, but has not read everything
        limits = self._services.limits
        if self._closing_at_s is not None:
            if now_s - self._closing_at_s > limits.closing_s:
                self.abort()
        elif self._phase is FramePhase.WAITING:
            pass  # the server is slow, not the peer
        elif not self._handler.is_seated:
            if now_s - self._opened_at_s > limits.first_frame_s:
                self.close(CloseCode.NO_PONG)  # also the code of a peer that takes no seat
        elif now_s - self._received_at_s > limits.silence_s:
            self.close(CloseCode.NO_PONG)
        elif now_s - max(self._received_at_s, self._pinged_at_s) > limits.ping_s:
            self._pinged_at_s = now_s
            self._reader.library.send_ping(b"")
            self._flush()

    def _flush(self) -> None:
        """Send what the library has queued, and note whether it is still open or closing."""
        transport = self._transport
        if transport is None:
            return
        protocol = self._reader.library
        self.is_open = protocol.state is State.OPEN
        for data in protocol.data_to_send():
            if data:
                transport.write(data)
            elif transport.can_write_eof():  # the library queues b"" for the end of the stream
                with suppress(OSError):  # the peer has just reset the connection
                    transport.write_eof()
        if self._closing_at_s is None and protocol.close_expected():
            self._closing_at_s = self._services.now_s()

    def _receive(self, data: bytes) -> None:
        """Handle the frames in these bytes; stop parsing if there are too many."""
        if self._phase is FramePhase.OPEN and self._reader.is_at_boundary:  # no frame is pending
            text = short_text(data)  # nearly always, since an act comes alone
            if text is not None:
                self._handle(text)
                return
        start = 0
        while start < len(data) and self._phase is not FramePhase.FLOODED:
            start = self._queue(data, start)
            self._handle_frames()
            if len(self._pending) > self._services.limits.messages.burst:  # while a command waits
                self._close_flooded()

    def _queue(self, data: bytes, start: int) -> int:
        """Queue the next frames of the data from `start` on; return where they end.

        Also send what the websocket library replies to them, such as pongs.
        """
        frames, end = self._reader.frames(data, start)
        if self._phase is FramePhase.OPEN or self._phase is FramePhase.WAITING:
            self._pending += frames
        # Plain texts come as bytes and never reach the library, so it cannot have replied.
        are_plain_texts = bool(frames) and isinstance(frames[0], bytes)
        if not are_plain_texts:
            self._flush()
        return end

    def _handle_frames(self) -> None:
        """Handle the pending frames, up to one whose command must wait for the store."""
        while self._pending and self._phase is FramePhase.OPEN:
            self._handle(self._pending.pop(0))

    def _handle(self, frame: AnyFrame) -> None:
        """Handle one frame; if its command must wait for the store, hold back the next ones."""
        if not self._message_limit.take():
            self._close_flooded()
            return
        length = len(frame) if isinstance(frame, bytes) else len(frame.data)
        if length >= LONG_BYTES:
            self._message_limit.owe(length // LONG_BYTES)
        try:
            message = frame if isinstance(frame, bytes) else self._reader.message(frame)
            command = None
            if isinstance(message, bytes):
                command = self._handler.receive(message)
            elif message is not None:  # it is `BINARY`; None means that none is complete
                self._handler.receive_binary()
        except Exception:
            log.exception("session failed", **self.log_context)
            self.close(CloseCode.INTERNAL_ERROR)
            return
        if command is not None:
            if self._phase is FramePhase.OPEN:  # the handler has not closed it
                self._phase = FramePhase.WAITING
            if self._transport is not None:
                self._transport.pause_reading()
            self._services.run_command(command, self)

    def _close_flooded(self) -> None:
        """Close the socket of a peer that sends too much."""
        self._phase = FramePhase.FLOODED
        self.close(CloseCode.TOO_FAST)
        # The peer's close frame will not be parsed, so end the stream without waiting for it.
        self._reader.library.fail(CloseCode.TOO_FAST)
        self._flush()

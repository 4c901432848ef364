"""One TCP connection: plain requests, or a websocket that a session hears.

The websocket protocol is the library's sans-I/O one; this is the I/O around it. A frame is
heard within the call that received it. Only a command that must wait for the store holds the
frames behind it back, and then the peer is not read from either: no queue grows.
"""

import asyncio
from collections.abc import Coroutine
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Protocol, cast

import structlog
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State

from protocol.errors import CloseCode
from server import metrics
from server.http.requests import Requests
from server.http.routes import (
    CROWDED_S,
    Asked,
    ambiguous,
    crowded,
    failed,
    forbidden,
    not_get,
    too_many,
)
from server.sessions.session import Session
from server.websocket import limits
from server.websocket.frames import TEXT, take_apart, text_frame
from server.websocket.handshake import METHODS
from server.websocket.limits import Bucket
from server.websocket.origin import client_address, counted_as, network_of, origin_allowed

if TYPE_CHECKING:  # a listener makes connections
    from server.http.listener import Listener

FIRST_FRAME_S = 5.0
KEEP_S = 15.0
PING_S = 15.0
SILENCE_S = 40.0
CLOSING_S = 3.0
TURNED_AWAY_S = 1.0
"""Seconds for a surplus connection to send its request, which is answered with the reason."""
READING_S = 30.0
SLICE = 4 * 1024
SKIP_TICKS_FROM = 64 * 1024
TOO_SLOW_FROM = 256 * 1024

log = structlog.get_logger()


class Answers(Protocol):
    """What answers plain requests."""

    async def answer(self, asked: Asked) -> Response:
        """Return the response to a request."""


class Connection(asyncio.Protocol):
    """The wire of one session; made by the listener for each peer."""

    def __init__(self, listener: "Listener", routes: Answers | None = None) -> None:
        """Make the connection of a player; with `routes`, of an operator, who gets only those."""
        self._listener = listener
        self._routes = routes
        self._requests = Requests(listener.quiet)
        self._ws = self._requests.handshake
        self._bucket = Bucket()
        self._session: Session | None = None
        self._parts: list[bytes] = []
        self._binary = False
        self._deaf = False
        self._flooded = False
        self._frames: list[Frame | bytes] = []  # bytes are a whole text
        self._between = True  # whether the library waits for the beginning of a message
        self._busy = False
        self._transport: asyncio.Transport | None = None
        self._peer = ""
        self._address: str | None = None  # as it was counted in
        self._visitor: str | None = None  # the same, until it is a websocket
        self._one_too_many: str | None = None  # the same, if there was no place for it
        self._heard_at = self._opened_at = listener.now()
        self._pinged_at = self._opened_at
        self._due = self._opened_at + FIRST_FRAME_S
        self._closing_at: float | None = None
        self._full = False
        self._answering = False
        self._ended = False

    @property
    def operators(self) -> bool:
        """Whether it came to the operators' listener."""
        return self._routes is not None

    # What asyncio tells

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A peer is there."""
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self._peer = str(peer[0]) if isinstance(peer, tuple) else ""
        if self._routes is None and not self._listener.places.take():
            self._transport.abort()
            self._transport = None
            return
        self._listener.connections.add(self)
        visitor = None if self.operators else self._counted_as(Headers())
        if visitor is not None:
            self._visit(visitor)

    def data_received(self, data: bytes) -> None:
        """Bytes have come in."""
        self._heard_at = self._listener.now()
        if self._ws.state is State.CONNECTING:
            if self._requests.idle:
                self._due = min(self._due, self._heard_at + FIRST_FRAME_S)
            self._requests.feed(data)
            self._ask()
        else:
            self._receive(data)

    def eof_received(self) -> bool:
        """The peer sends no more. What it has asked for before is answered."""
        if self._answering:
            self._ended = True
            return True
        self._ws.receive_eof()
        self._flush()
        return False

    def pause_writing(self) -> None:
        """The peer is slow to read what it asked for: nothing more is answered till it has."""
        self._full = True

    def resume_writing(self) -> None:
        """The peer has read."""
        self._full = False
        if self._session is not None:
            self._session.caught_up()
        elif self._ws.state is State.CONNECTING:
            self._ask()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """The peer is gone."""
        self._transport = None
        self._listener.connections.discard(self)
        self._frames.clear()
        if self._address is not None:
            self._listener.crowd.leave(self._address)
        self._end_visit()
        if self._one_too_many is not None:
            self._listener.turned_away.leave(self._one_too_many)
        if self._session is not None:
            self._listener.spawn(self._session.gone(), "gone")

    # What the session asks for

    def send(self, text: str) -> None:
        """Queues one message; a peer that does not read is closed."""
        if self._transport is None or self._ws.state is not State.OPEN:
            return
        self._transport.write(text_frame(text.encode()))
        if self._transport.get_write_buffer_size() > TOO_SLOW_FROM:
            self.close(CloseCode.TOO_SLOW)
            self.abort()  # what is queued would never be read, the code neither

    def behind(self) -> bool:
        """Whether the peer is slow to read, so that passing news is better skipped."""
        transport = self._transport
        return transport is not None and transport.get_write_buffer_size() > SKIP_TICKS_FROM

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Closes the socket after what was queued; nothing is heard from it any more."""
        self._deaf = True
        self._frames.clear()
        if self._ws.state is State.OPEN:
            metrics.closes.labels(int(code)).inc()
            self._ws.send_close(code, reason)
            self._flush()

    def abort(self) -> None:
        """Ends the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    # What the listener's clock asks for

    def check(self, now: float) -> None:
        """Ends what is silent or does not close; to be called every second or so."""
        if self._transport is None:
            return
        if self._closing_at is not None:
            patience = CLOSING_S if self._session is not None else READING_S
            if now - self._closing_at > patience:
                self.abort()
        elif self._session is None:
            # An answer that takes its time is no silence of the peer's.
            if not self._answering and now > self._due + (READING_S if self._full else 0):
                self.abort()
        elif not self._session.seated:
            # Who waits for the answer to it has said something.
            if now - self._opened_at > FIRST_FRAME_S and not self._busy:
                self.close(CloseCode.NO_PONG)
                self._closing_at = now
        elif now - self._heard_at > SILENCE_S:
            self.close(CloseCode.NO_PONG)
        elif now - max(self._heard_at, self._pinged_at) > PING_S:
            self._pinged_at = now
            self._ws.send_ping(b"")
            self._flush()

    # Its own

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
            self._closing_at = self._listener.now()

    def _counted_as(self, headers: Headers) -> str | None:
        return counted_as(self._peer, headers, self._listener.config.trusted_proxies)

    def _visit(self, visitor: str) -> None:
        """Counts the connection in; if there is no place for it, it is told so, or cut off."""
        listener = self._listener
        if listener.visitors.enter(visitor):
            self._visitor = visitor
            if listener.pages.visits.take(visitor):
                return
        metrics.turned_away.labels("connections").inc()
        if listener.turned_away.enter(visitor):
            self._one_too_many = visitor
            self._due = self._opened_at + TURNED_AWAY_S
        else:
            self.abort()

    def _end_visit(self) -> None:
        """The connection is a visitor's no more."""
        if self._visitor is not None:
            self._listener.visitors.leave(self._visitor)
            self._visitor = None

    def _ask(self) -> None:
        """Takes the next request, if none is being answered."""
        request = None if self._full else self._requests.next()
        if request is not None:
            self._requested(request)
        self._flush()
        transport = self._transport
        if transport is None or transport.is_closing() or self._ws.state is not State.CONNECTING:
            return
        if self._requests.held:
            transport.pause_reading()
        else:
            transport.resume_reading()

    def _requested(self, request: Request) -> None:
        asked = Asked(request, self._peer)
        self._listener.proxies.notice(self._peer, request.headers)
        if self._one_too_many is not None:
            self._answer_last(too_many("connections", CROWDED_S))
        elif request.method not in METHODS:
            self._answer_last(not_get())
        elif asked.ambiguous:
            self._answer_last(ambiguous())
        elif asked.path != "/ws" or request.method != "GET" or self.operators:
            self._serve(request, asked)
        elif not origin_allowed(request.headers, self._listener.allowed_origins):
            self._answer_last(forbidden())
        else:
            self._open(request)

    def _serve(self, request: Request, asked: Asked) -> None:
        """Answers a request; one that came through a proxy is a visitor until it is answered."""
        counts = self._visitor is None and not self.operators
        visitor = self._counted_as(request.headers) if counts else None
        if visitor is not None and not self._listener.visitors.enter(visitor):
            metrics.turned_away.labels("connections").inc()
            self._answer_last(too_many("connections", CROWDED_S))
            return
        self._answering = True
        self._listener.spawn(self._answer(request, asked, visitor), "http")

    def _open(self, request: Request) -> None:
        """Opens the websocket, if there is a place for one more of the address."""
        response = self._ws.accept(request)
        trusted = self._listener.config.trusted_proxies
        address = network_of(client_address(self._peer, request.headers, trusted))
        counted = self._counted_as(request.headers)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and counted is not None:
            visits = self._listener.pages.visits
            if self._visitor is None and not visits.take(counted):
                metrics.turned_away.labels("connections").inc()
                self._answer_last(too_many("connections", visits.wait_s(counted)))
                return
            if not self._listener.crowd.enter(counted):
                self._answer_last(crowded())
                return
            self._address = counted
            self._end_visit()
        self._ws.send_response(response)
        self._requests.closed()
        if self._ws.state is State.OPEN:
            self._opened_at = self._heard_at
            self._session = Session(self._listener.services, self, address)
            request.headers.clear()  # the library's parser keeps the request for ever
            if not self._ws.understood:
                self.close(CloseCode.VERSION)
            self._receive(self._requests.rest())

    async def _answer(self, request: Request, asked: Asked, visitor: str | None) -> None:
        try:
            response = await (self._routes or self._listener.pages).answer(asked)
        except Exception:
            log.exception("request failed", path=asked.path)
            response = failed()
        finally:
            if visitor is not None:
                self._listener.visitors.leave(visitor)
        self._answering = False
        if request.method == "HEAD":
            response.body = b""
        last = self._deaf or (self._ended and not self._requests.held)
        if last or not self._requests.keeps(request):
            self._answer_last(response)
        elif self._transport is not None:
            del response.headers["Connection"]
            response.headers["Connection"] = "keep-alive"
            self._transport.write(response.serialize())
            self._ws = self._requests.answered()
            self._due = self._listener.now() + KEEP_S
            self._ask()

    def _answer_last(self, response: Response) -> None:
        """The last answer on this connection."""
        self._requests.closed()
        self._ws.send_response(response)
        self._flush()

    def _receive(self, data: bytes) -> None:
        """Bytes of a websocket have come in; a flood of them is not taken apart to its end."""
        for start in range(0, len(data), SLICE):
            if self._flooded:
                return
            self._sort(data[start : start + SLICE])
            self._hear_frames()
            if len(self._frames) > limits.BURST:  # while a command waits
                self._too_fast()

    def _sort(self, data: bytes) -> None:
        """Queues what the data brings; the library reads all that is no plain text."""
        whole = take_apart(data) if self._between else None
        if whole is None:
            self._between = False  # it may be within a message from now on, and nobody can say
        elif self._ws.state is State.OPEN and all(head == TEXT for head, _ in whole):
            if not self._deaf:
                self._frames.extend(text for _, text in whole)
            return
        self._ws.receive_data(data)
        for frame in self._ws.events_received():
            if isinstance(frame, Frame) and not self._deaf:
                self._frames.append(frame)
        self._flush()

    def _hear_frames(self) -> None:
        """Hears what has come in, until a command must wait."""
        while self._frames and not self._busy and self._session is not None:
            frame = self._frames.pop(0)
            if not self._bucket.take():
                self._too_fast()
                return
            try:
                waiting = self._hear(self._session, frame)
            except Exception:
                log.exception("session failed", **self._session.who)
                self.close(CloseCode.INTERNAL_ERROR)
                return
            if waiting is not None:
                self._busy = True
                if self._transport is not None:
                    self._transport.pause_reading()
                self._listener.spawn(self._wait_for(waiting), "command")

    def _too_fast(self) -> None:
        self._flooded = True
        self.close(CloseCode.TOO_FAST)

    def _hear(self, session: Session, frame: Frame | bytes) -> Coroutine[Any, Any, None] | None:
        if isinstance(frame, bytes):
            return session.hear(frame)
        if frame.opcode not in {Opcode.TEXT, Opcode.BINARY, Opcode.CONT}:
            return None
        if frame.opcode is not Opcode.CONT:
            self._binary = frame.opcode is Opcode.BINARY
        if frame.data:  # of empty pieces there may be any number
            self._parts.append(bytes(frame.data))
        if not frame.fin:
            return None
        text = b"".join(self._parts)
        self._parts.clear()
        if self._binary:
            session.hear_binary()
            return None
        return session.hear(text)

    async def _wait_for(self, waiting: Coroutine[Any, Any, None]) -> None:
        try:
            await waiting
        except Exception:
            log.exception("session failed", **({} if self._session is None else self._session.who))
            self.close(CloseCode.INTERNAL_ERROR)
        self._busy = False
        if self._transport is not None:
            self._transport.resume_reading()
        self._hear_frames()

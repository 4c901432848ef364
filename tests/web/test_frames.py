"""Frames that bypass the library are the same as the library's."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from protocol.vocabulary import MAX_FRAME_BYTES, MESSAGES_AT_ONCE, CloseCode
from server.web.frames import SLICE_BYTES, TEXT, short_text, text_frame, whole_texts
from server.web.handshake import Handshake
from server.web.websocket import WebsocketConnection, WebsocketServices
from tests.security.raw import BINARY, CLOSE, CONT, FIN, PING, PONG, RSV1, frame

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
SIZES = st.sampled_from([0, 1, 90, 125, 126, 127, 300, MAX_FRAME_BYTES, MAX_FRAME_BYTES + 1])
Heard = tuple[int, bool, bytes]


def opened() -> Handshake:
    """Return the library's protocol of an open websocket."""
    handshake = Handshake()
    handshake.receive_data(UPGRADE)
    (request,) = handshake.events_received()
    assert isinstance(request, Request)
    handshake.send_response(handshake.accept(request))
    handshake.data_to_send()
    return handshake


class RecordingTransport:
    """A transport that keeps the written bytes."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.has_ended = False

    def write(self, data: bytes) -> None:
        self.written.append(bytes(data))

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.has_ended = True

    def pause_reading(self) -> None:
        pass


class RecordingHandler:
    """A handler that keeps the messages; `wait` is a command that waits for the store."""

    is_seated = True
    log_context: Mapping[str, str | int | None] = {}

    def __init__(self) -> None:
        self.messages: list[str | bytes] = []
        self.command: Coroutine[Any, Any, None] | None = None

    def receive(self, text: str | bytes) -> Coroutine[Any, Any, None] | None:
        self.messages.append(text)
        if text != b"wait":
            return None
        self.command = asyncio.sleep(0)
        return self.command

    def receive_binary(self) -> None:
        self.messages.append("binary")


def ignore(*_: object) -> None:
    pass


def services(now_s: Callable[[], float], *more: Any) -> WebsocketServices:
    return WebsocketServices(now_s, lambda work, _name: work.close(), ignore, ignore, *more)


def connection(handler: Any = None) -> tuple[WebsocketConnection, RecordingTransport]:
    """Return a connection whose websocket is open."""
    transport: Any = RecordingTransport()
    return WebsocketConnection(services(lambda: 0.0), transport, lambda _: handler), transport


def queue(connection: WebsocketConnection, data: bytes) -> None:
    start = 0
    while start < len(data):
        start = connection._queue(data, start)


@st.composite
def frames(draw: st.DrawFn) -> bytes:
    """Draw a frame: mostly a text, rarely a broken one."""
    often = st.integers(0, 9)
    opcode = TEXT & ~FIN
    if draw(often) > 6:
        opcode = draw(st.sampled_from([CONT, BINARY, PING, PONG, CLOSE, 0x3]))
    bits = FIN if draw(often) < 9 else draw(st.sampled_from([0, FIN | RSV1]))
    payload = draw(st.sampled_from([b"a", b"{", b"\xff"])) * draw(SIZES)
    return frame(payload, opcode=opcode, bits=bits, masked=draw(often) < 9)


@given(st.lists(frames(), max_size=8).map(b"".join), st.data())
def test_frames_in_any_pieces_are_parsed_as_by_the_library(
    stream: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(stream)), max_size=6)) | {len(stream)})
    library = opened()
    ours, transport = connection()
    expected: list[Heard] = []
    written: list[bytes] = []
    for start, end in zip([0, *cuts], cuts, strict=False):
        library.receive_data(stream[start:end])
        expected += [
            (event.opcode, event.fin, bytes(event.data))
            for event in library.events_received()
            if isinstance(event, Frame)
        ]
        written += [sent for sent in library.data_to_send() if sent]
        queue(ours, stream[start:end])
        received = [
            (Opcode.TEXT, True, one)
            if isinstance(one, bytes)
            else (one.opcode, one.fin, bytes(one.data))
            for one in ours._pending
        ]
        assert received == expected
        assert ours._reader.library.state is library.state
        assert transport.written == written


@given(st.lists(frames(), max_size=8))
@example([frame(b"a", bits=0), frame(b"b"), frame(b"c", opcode=CONT)])
@example([frame(b"", opcode=CLOSE), frame(b"a")])
def test_frames_that_come_alone_are_handled_as_queued_ones(pieces: list[bytes]) -> None:
    alone, queued = RecordingHandler(), RecordingHandler()
    ours, written = connection(handler=alone)
    other, expected = connection(handler=queued)
    for piece in pieces:
        ours.data_received(piece)
        queue(other, piece)
        other._handle_frames()
    assert alone.messages == queued.messages
    assert written.written == expected.written


def test_a_frame_that_comes_alone_waits_behind_a_command_and_is_dropped_at_the_end() -> None:
    handler = RecordingHandler()
    ours, _ = connection(handler=handler)
    for text in (b"wait", b"next"):
        ours.data_received(frame(text))
    assert (handler.messages, ours._pending) == ([b"wait"], [b"next"])
    assert handler.command is not None
    handler.command.close()
    closing, _ = connection(handler=(handler := RecordingHandler()))
    closing.close(CloseCode.RESYNC)
    closing.data_received(frame(b"next"))
    assert handler.messages == []


def test_a_flood_behind_a_command_that_waits_is_closed_at_once() -> None:
    handler = RecordingHandler()
    ours, transport = connection(handler=handler)
    ours.data_received(frame(b"wait") + frame(b"next") * MESSAGES_AT_ONCE)
    assert ours.is_open
    ours.data_received(frame(b"next"))
    assert (ours.is_open, ours._pending, handler.messages) == (False, [], [b"wait"])
    assert transport.has_ended  # after a flood it does not wait for the peer's close frame
    assert handler.command is not None
    handler.command.close()


@given(st.lists(frames(), max_size=2).map(b"".join), st.integers(0, 3))
def test_a_short_text_is_read_like_any_other_frame(stream: bytes, cut: int) -> None:
    data = stream[: len(stream) - cut]
    text = short_text(data)
    assert text is None or whole_texts(data, 0) == ([text], len(data))


def test_texts_are_taken_apart_and_framed_without_the_library() -> None:
    for size in (0, 1, 125):
        short = frame(b"x" * size)
        assert (short_text(short), short_text(short + b"\x81")) == (b"x" * size, None)
    one, more = frame(b"one"), frame(b"x" * 126)
    assert short_text(more) is None
    assert whole_texts(one + more, 0) == ([b"one", b"x" * 126], len(one + more))
    assert whole_texts(one + frame(b"", opcode=PONG), 0) == ([b"one"], len(one))
    for size in (0, 125, 126, 65_535, 65_536):
        text = b"x" * size
        assert text_frame(text) == Frame(Opcode.TEXT, text).serialize(mask=False)


@given(st.lists(frames(), max_size=8).map(b"".join))
@example(frame(b"a") * 50 + frame(b"", opcode=PING) + frame(b"b"))
@example(frame(b"a" * 300) + frame(b"b" * 300)[:200])
def test_data_in_slices_is_handled_as_frame_by_frame(stream: bytes) -> None:
    handler, expected = RecordingHandler(), RecordingHandler()
    ours, written = connection(handler)
    other, expected_written = connection(expected)
    ours.data_received(stream)
    queue(other, stream)
    other._handle_frames()
    assert handler.messages == expected.messages
    assert written.written == expected_written.written


class Charges:
    """A budget of a few messages, which records its charges."""

    def __init__(self, budget: int) -> None:
        self.budget = budget
        self.owed: list[float] = []

    def take(self) -> bool:
        self.budget -= 1
        return self.budget >= 0

    def owe(self, amount: float) -> None:
        self.owed.append(amount)


@pytest.mark.interpreted
@pytest.mark.parametrize("before", [b"", frame(b"a")], ids=["alone", "behind a part"])
def test_few_frames_are_parsed_before_they_are_charged(before: bytes) -> None:
    """Regression: seven hundred pings were parsed and answered before the first was charged."""
    ours, transport = connection(handler=RecordingHandler())
    vars(ours)["_message_limit"] = Charges(3)
    ours.data_received(before + frame(b"", opcode=PING) * 600)
    pongs = [sent for sent in transport.written if sent[0] == FIN | PONG]
    assert len(pongs) <= SLICE_BYTES // len(frame(b"", opcode=PING))


@pytest.mark.interpreted
@pytest.mark.parametrize("library", [False, True])
@pytest.mark.parametrize(("size", "owed"), [(1_023, []), (1_024, [1]), (MAX_FRAME_BYTES, [4])])
def test_a_long_frame_is_charged_as_several(
    size: int, owed: list[float], *, library: bool
) -> None:
    ours, _ = connection(RecordingHandler())
    vars(ours)["_message_limit"] = charges = Charges(3)
    ours.data_received((frame(b"", opcode=PONG) if library else b"") + frame(b"x" * size))
    assert charges.owed == owed

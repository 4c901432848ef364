"""Peers that read nothing, or send nothing.

Bytes that were not read are bounded for each socket, each address and in all.
"""

import asyncio
from typing import Any
from unittest.mock import Mock

import pytest

from protocol.vocabulary import CloseCode
from server.web.limits import UnreadBytes, WebsocketLimits
from server.web.websocket import WebsocketConnection
from tests.security.raw import PONG, frame
from tests.web.test_frames import RecordingHandler, services

HERE, THERE = "203.0.113.5", "198.51.100.9"
LIMITS = WebsocketLimits(
    skip_from_bytes=4_000, close_from_bytes=16_000, spare_bytes=1_000,
    unread_of_address=6_000, unread=20_000,
)  # fmt: skip
LINE = "x" * 500


class Passing:
    """An update that many connections send."""

    text = "x" * 100
    frame: bytes | None = None


class Leaving(RecordingHandler):
    """A handler of a peer that reads or goes."""

    def resume_sending(self) -> None:
        self.messages.append("resumed")

    async def handle_disconnect(self) -> None: ...


class Slow:
    """A transport whose peer reads when the test says so."""

    def __init__(self) -> None:
        self.size = 0
        self.aborted = False

    def write(self, data: bytes) -> None:
        self.size += len(data)

    def get_write_buffer_size(self) -> int:
        return self.size

    def abort(self) -> None:
        self.aborted = True

    def can_write_eof(self) -> bool:
        return False

    def pause_reading(self) -> None: ...


class Peers:
    """The connections of one process, whose time the test sets."""

    def __init__(self) -> None:
        self.now = 0.0
        self.unread = UnreadBytes(LIMITS.unread_of_address, LIMITS.unread)
        self.services = services(lambda: self.now, LIMITS, self.unread)

    def connect(
        self, address: str | None, *, is_seated: bool = True
    ) -> tuple[WebsocketConnection, Slow]:
        self.handler = handler = Leaving()
        handler.is_seated = is_seated
        transport: Any = Slow()
        return WebsocketConnection(self.services, transport, lambda _: handler, address), transport


def fill(connection: WebsocketConnection, size: int) -> None:
    """Send until `size` bytes are unread, or the connection is closed."""
    for _ in range(size // len(LINE)):
        connection.send(LINE)


@pytest.mark.interpreted  # the mock replaces a transport
def test_a_websocket_takes_the_transport_over() -> None:
    """Regression: it relied on the write limit that the HTTP connection had set."""
    handler, transport = Leaving(), Mock(spec=asyncio.Transport)
    made = WebsocketConnection(Peers().services, transport, lambda _: handler)
    made.start(b"accepted", frame(b"first"), speaks_version=True)
    transport.set_protocol.assert_called_once_with(made)
    transport.set_write_buffer_limits.assert_called_once_with(high=0)
    transport.resume_reading.assert_called_once_with()
    transport.write.assert_called_once_with(b"accepted")
    assert handler.messages == [b"first"]


def test_sockets_of_an_address_are_closed_when_together_they_leave_too_much_unread() -> None:
    """Regression: a thousand sockets of an address could leave 256 MB unread."""
    peers = Peers()
    (first, one), (second, two) = peers.connect(HERE), peers.connect(HERE)
    (other, three), (spare, four) = peers.connect(THERE), peers.connect(HERE)
    fill(first, 3_500)
    fill(spare, 500)
    fill(second, 3_000)
    assert (one.aborted, two.aborted) == (False, True)
    second.connection_lost(None)
    assert not first.is_behind(), "the bytes of the second are not counted any more"
    assert peers.unread.total == one.size + four.size
    fill(other, 3_500)
    assert not three.aborted
    spare.send(LINE)
    assert not four.aborted


def test_sockets_are_closed_when_all_together_leave_too_much_unread() -> None:
    """The loopback's sockets too, although it has no limit of its own."""
    peers = Peers()
    crowd = [peers.connect(None) for _ in range(9)]
    for connection, _ in crowd:
        fill(connection, 3_500)
    assert sum(transport.size for _, transport in crowd if not transport.aborted) < 21_000
    assert [transport.aborted for _, transport in crowd].count(False) >= 5


def test_updates_are_skipped_while_the_address_leaves_too_much_unread() -> None:
    peers = Peers()
    (first, one), (second, _) = peers.connect(HERE), peers.connect(HERE)
    fill(first, 3_000)
    assert first.send_skippable(Passing())
    peers.unread.add(HERE, LIMITS.unread_of_address)
    assert not first.send_skippable(Passing())
    assert first.is_behind()
    assert second.send_skippable(Passing()), "it reads"
    assert not one.aborted
    spare, three = peers.connect(HERE)
    spare.send(LINE)
    assert (spare.is_behind(), three.aborted) == (False, False), "it leaves little"


@pytest.mark.parametrize("ends", ["reads", "is lost"])
def test_bytes_that_were_read_are_no_longer_counted(ends: str) -> None:
    peers = Peers()
    connection, transport = peers.connect(HERE)
    fill(connection, 3_000)
    assert peers.unread.total == transport.size
    transport.size = 0
    connection.resume_writing() if ends == "reads" else connection.connection_lost(None)
    assert peers.unread.total == 0
    assert not peers.unread.is_full(HERE)


def test_answers_to_pings_that_are_not_read_close_the_connection() -> None:
    """Regression: they were written without checking the unread bytes."""
    peers = Peers()
    connection, transport = peers.connect(HERE)
    connection.check(0)
    assert not transport.aborted
    transport.size = LIMITS.close_from_bytes + 1
    connection.check(0)
    assert transport.aborted


def test_a_peer_that_has_ended_its_stream_and_does_not_read_is_closed() -> None:
    """Regression: it was sent a ping, which failed and ended the process."""
    connection, transport = Peers().connect(HERE)
    fill(connection, 500)
    connection.eof_received()
    connection.check(LIMITS.ping_s + 1)
    connection.check(LIMITS.ping_s + LIMITS.closing_s + 2)
    assert transport.aborted


def test_networks_around_an_ipv6_address_have_larger_limits() -> None:
    unread = UnreadBytes(1_000, 100_000)
    for number in range(4):
        assert not unread.is_full(f"2001:db8:0:{number}::1")
        unread.add(f"2001:db8:0:{number}::1", 1_000)
        assert unread.is_full(f"2001:db8:0:{number}::2")
    assert unread.is_full("2001:db8:0:9::1")
    assert not unread.is_full("2001:db8:1::1")
    assert unread.total == 4_000


@pytest.mark.interpreted
def test_a_slow_socket_is_closed_with_its_reason() -> None:
    peers = Peers()
    connection, transport = peers.connect(HERE)
    peers.unread.add(HERE, LIMITS.unread_of_address)
    vars(connection)["close"] = closing = Mock(wraps=connection.close)
    fill(connection, 1_500)
    assert transport.aborted
    closing.assert_called_once_with(CloseCode.TOO_SLOW)


# Peers that send nothing


def test_a_peer_is_pinged_and_closed_if_it_stays_silent() -> None:
    peers = Peers()
    connection, transport = peers.connect(HERE)
    connection.check(LIMITS.ping_s + 1)
    assert transport.size == len(frame(b"", masked=False)), "a ping"
    peers.now = LIMITS.silence_s - 1
    connection.data_received(frame(b"", opcode=PONG))
    connection.check(LIMITS.silence_s + 1)
    assert connection.is_open
    connection.check(peers.now + LIMITS.silence_s + 1)
    assert not connection.is_open


@pytest.mark.parametrize("came", [[frame(b"wait")], [frame(b"", opcode=PONG)], []])
def test_a_peer_without_a_seat_is_closed_unless_it_waits_for_an_answer(came: list[bytes]) -> None:
    """Regression: joins to a busy room were closed 4004."""
    peers = Peers()
    connection, _ = peers.connect(HERE, is_seated=False)
    connection.check(LIMITS.first_frame_s / 2)
    assert connection.is_open
    for data in came:
        connection.data_received(data)
    connection.check(LIMITS.first_frame_s + 1)
    assert connection.is_open is (frame(b"wait") in came)
    if peers.handler.command is not None:
        peers.handler.command.close()

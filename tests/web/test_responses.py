"""Responses on their way to peers that read slowly, or not at all."""

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import pytest

from server.web.limits import PIECE_BYTES, HttpLimits, UnreadBodies
from server.web.listener import Listener
from server.web.responses import ResponseWriter
from tests.server.conftest import Serving
from tests.server.http import get
from tests.waiting import until
from tests.web.test_limits import HERE, PROXY, THERE, turned_away
from tests.web.test_requests import LARGE, ask

BODY = bytes(10 * PIECE_BYTES)
LIMITS = HttpLimits(unread_of_address=2 * len(BODY), unread=3 * len(BODY))


class Pipe:
    """A transport that the test reads from; it keeps the written bytes without copying."""

    def __init__(self) -> None:
        self.unread: list[bytes | memoryview] = []
        self.protocol: ResponseWriter
        self.ended = False

    def set_write_buffer_limits(self, high: int) -> None:
        assert high == 0

    def write(self, data: bytes | memoryview) -> None:
        self.writelines((data,))

    def writelines(self, parts: Iterable[bytes | memoryview]) -> None:
        assert not self.ended
        self.unread += [part for part in parts if part]
        if self.unread:
            self.protocol.pause()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.ended = True

    def read(self) -> bytes:
        """Read everything that was written, as a peer does."""
        read = b"".join(self.unread)
        self.unread.clear()
        self.protocol.resume()
        return read


def pipe(bodies: UnreadBodies) -> tuple[Pipe, ResponseWriter]:
    transport: Any = Pipe()
    transport.protocol = ResponseWriter(transport, bodies)
    return transport, transport.protocol


def test_a_connection_holds_one_piece_of_a_body_and_copies_nothing() -> None:
    """Regression: each of 500 connections held a copy of a megabyte that it did not read."""
    bodies = UnreadBodies()
    pipes = [pipe(bodies) for _ in range(5)]
    for here, outgoing in pipes:
        outgoing.send(b"head", BODY, None)
        (head, piece) = here.unread
        assert head == b"head"
        assert isinstance(piece, memoryview)
        assert piece.obj is BODY
        assert len(piece) == PIECE_BYTES
    assert bodies.unread.total == len(BODY) + 5 * PIECE_BYTES
    (here, outgoing), *others = pipes
    outgoing.end()
    read = b""
    while not here.ended:
        assert outgoing.is_busy
        read += here.read()
    assert read == b"head" + BODY
    assert not outgoing.is_busy
    for _, other in others:
        other.drop()
    assert bodies.unread.total == 0


def test_a_connection_that_was_reset_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: each of many visitors who left without reading cost a traceback in the log."""
    here, outgoing = pipe(UnreadBodies())

    def fails() -> None:
        raise OSError(107, "Transport endpoint is not connected")

    monkeypatch.setattr(here, "write_eof", fails)
    outgoing.send(b"head", b"", None)
    here.read()
    outgoing.end()
    assert not outgoing.is_busy


def test_a_body_counts_once_for_all_its_readers_and_for_each_address() -> None:
    bodies = UnreadBodies(LIMITS)
    held = bodies.unread
    bodies.hold("203.0.113.5", BODY)
    bodies.hold("203.0.113.5", BODY)
    bodies.hold("198.51.100.9", BODY)
    assert held.total == len(BODY) + 3 * PIECE_BYTES
    assert not held.is_full("203.0.113.5")
    other = bytes(len(BODY))
    bodies.hold("203.0.113.5", other)
    assert held.is_address_full("203.0.113.5")
    assert not held.is_full("198.51.100.9")
    bodies.hold(None, bytes(len(BODY)))
    assert held.is_full("198.51.100.9")
    assert held.is_full(None)
    bodies.release("203.0.113.5", other)
    assert not held.is_full("203.0.113.5")


async def unread(port: int, path: str, more: str = "") -> socket.socket:
    """Return a connection that has requested a path, with a small buffer that nobody reads."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    made.setblocking(False)
    await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
    made.send(ask(path, more=more))
    return made


def with_small_buffers(listener: Listener) -> None:
    """Have the system keep little of what the listener's connections send."""
    for server in listener._servers:
        for bound in server.sockets:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2_048)


@pytest.mark.parametrize(
    ("limits", "status"), [(HttpLimits(unread_of_address=1), 429), (HttpLimits(unread=1), 503)]
)
async def test_no_large_answer_is_given_while_others_are_unread(
    serving: Serving, limits: HttpLimits, status: int
) -> None:
    before = turned_away("unread")
    async with serving(http=limits, trusted_proxies=PROXY) as listener:
        with_small_buffers(listener)
        held = listener.connection_limits.bodies.unread
        slow = await unread(listener.port, "/css/cards.css", "X-Forwarded-For: 203.0.113.5\r\n")
        await until(lambda: held.total)
        refused = await get(listener.port, "/css/cards.css", **HERE)
        assert refused.status == status
        assert int(refused.headers["retry-after"]) > 0
        assert turned_away("unread") == before + 1
        assert (await get(listener.port, "/api/rooms", **HERE)).status == 200  # it is small
        there = await get(listener.port, "/css/cards.css", **THERE)
        assert there.status == (200 if status == 429 else 503)
        slow.close()
        await until(lambda: not held.total)
        assert (await get(listener.port, "/css/cards.css", **HERE)).body == LARGE

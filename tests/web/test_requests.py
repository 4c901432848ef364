"""Requests: one connection has many, and plain heads mean the same here as to the library."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.http11 import Request

from server.web.files import read_files
from server.web.handshake import Handshake
from server.web.limits import HttpLimits
from server.web.listener import Listener
from server.web.requests import MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS, RequestReader, plain_request
from server.web.routes import ROOT
from tests.players import start_race
from tests.present import present
from tests.server.conftest import Serving
from tests.server.http import Answer, get, parsed, raw
from tests.waiting import until

HOST = "Host: x\r\n"
LARGE = read_files(ROOT / "web_client")["/css/cards.css"].body
UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)
EMPTY_CLOSE = b"\x88\x80\x00\x00\x00\x00"


def ask(
    path: str = "/favicon.svg", method: str = "GET", more: str = "", http: str = "1.1"
) -> bytes:
    return f"{method} {path} HTTP/{http}\r\n{HOST}{more}\r\n".encode()


class RawConnection:
    """A client's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def response(self, *, body: bool = True) -> Answer:
        answer = parsed(await self.reader.readuntil(b"\r\n\r\n"))
        length = int(answer.headers.get("content-length", 0)) if body else 0
        return Answer(answer.status, answer.headers, await self.reader.readexactly(length))

    async def over(self) -> bool:
        """Wait for the end, which may be a reset; return whether nothing more came."""
        with contextlib.suppress(ConnectionResetError):
            return await self.reader.read() == b""
        return True


@asynccontextmanager
async def raw_connection(port: int) -> AsyncIterator[RawConnection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()


class Slow:
    """A call of the store that returns once `go` is set."""

    def __init__(self, patch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.asked, self.go = asyncio.Semaphore(0), asyncio.Event()
        call = getattr(owner, name)

        async def slowly(*given: Any) -> Any:
            self.asked.release()
            await self.go.wait()
            return await call(*given)

        patch.setattr(owner, name, slowly)


async def test_a_connection_is_kept_for_the_next_request(listener: Listener) -> None:
    async with raw_connection(listener.port) as there:
        there.writer.write(ask("/"))
        page = await there.response()
        assert page.headers["connection"] == "keep-alive"
        there.writer.write(ask("/", more=f"If-None-Match: {page.headers['etag']}\r\n"))
        assert (await there.response()).status == 304
        there.writer.write(ask(method="HEAD") + ask())
        head, whole = await there.response(body=False), await there.response()
        assert head.status == 200
        for name in ("content-length", "etag"):
            assert head.headers[name] == whole.headers[name]
        there.writer.write(ask(more="Connection: close\r\n"))
        assert (await there.response()).headers["connection"] == "close"
        assert await there.over()


async def test_requests_sent_at_once_are_answered_in_order(listener: Listener) -> None:
    paths = {
        "/": "text/html",
        "/favicon.svg": "image/svg+xml",
        "/api/rooms": "application/json",
        "/nothing": "text/plain",
        "/css/cards.css": "text/css",
        "http://x/api/protocol": "application/json",  # every server must understand this form
    }
    async with raw_connection(listener.port) as there:
        there.writer.write(b"".join(ask(path) for path in paths))
        there.writer.write_eof()  # a client that stops writing still gets the responses
        types = [(await there.response()).headers["content-type"] for _ in paths]
        assert [kind.partition(";")[0] for kind in types] == [*paths.values()]
        assert await there.over()


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_websocket_may_be_opened_after_a_page(
    listener: Listener, *, at_once: bool
) -> None:
    """Regression: reading stops while the next request waits, and never resumed."""
    async with raw_connection(listener.port) as there:
        there.writer.write(ask() + ask("/ws", more=UPGRADE) + EMPTY_CLOSE * at_once)
        assert (await there.response()).status == 200
        assert (await there.response()).status == 101
        there.writer.write(EMPTY_CLOSE * (not at_once))
        assert await there.reader.readexactly(1) == b"\x88"


LENGTH = f"Content-Length: {len(ask())}\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"


async def test_requests_that_end_a_connection(listener: Listener) -> None:
    refused: dict[bytes, int] = {
        ask(http="1.0"): 200,
        ask(method="POST"): 405,
        ask("/ws"): 426,
        ask("/ws", more="Origin: http://evil.example\r\n"): 403,
        ask("//x/metrics"): 400,
        b"GET /" + b"x" * 9_000: 414,
        ask(more=LENGTH) + ask(): 400,  # no body is mistaken for a request
        ask(more=CHUNKED) + ask(): 400,
        ask(method="POST", more=LENGTH) + ask(): 405,
        ask(method="POST", more=CHUNKED) + ask(): 405,
    }
    for head in (
        b"\x16\x03\x01 hello",
        b"HELLO",
        b"GET /",
        b"GET / HTTP/3",
        b"GET / HTTP/1.1\r\n x",
    ):
        refused[head + b"\r\n\r\n"] = 400
        assert await raw(listener.port, head) == b""  # cut off
    for request, status in refused.items():
        async with raw_connection(listener.port) as there:
            there.writer.write(ask() + request + ask())
            assert (await there.response()).status == 200
            last = await there.response()
            assert (last.status, last.headers["connection"]) == (status, "close"), request[:40]
            assert last.headers.get("allow") == ("GET, HEAD" if status == 405 else None)
            there.writer.write(ask())
            assert await there.over()
        await until(
            lambda: not listener.connections, 10
        )  # the peer's bytes are all read, so there is no reset


async def test_the_requests_of_a_connection_are_limited(serving: Serving) -> None:
    http = HttpLimits(requests_of_connection=3)
    async with serving(http=http) as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() * 5)
        kept = [(await there.response()).headers["connection"] for _ in range(3)]
        assert kept == ["keep-alive", "keep-alive", "close"]
        assert await there.over()


async def test_a_connection_ends_with_its_last_response_if_the_peer_sends_no_more(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: on the event loop of asyncio it stayed open for thirty seconds more."""
    async with serving() as listener, raw_connection(listener.port) as there:
        listing = Slow(monkeypatch, listener.services.store.lists, "public")
        there.writer.write(ask("/api/rooms"))
        await listing.asked.acquire()
        there.writer.write_eof()
        (here,) = listener.connections
        await until(lambda: vars(here)["_has_eof"])
        listing.go.set()
        assert (await there.response()).headers["connection"] == "close"
        assert await there.over()
        await until(lambda: not listener.connections, 10)


@pytest.mark.parametrize("sent", [b"", b"G"])
async def test_an_idle_connection_and_one_with_a_slow_head_are_closed(
    listener: Listener, sent: bytes
) -> None:
    limits = HttpLimits()
    async with raw_connection(listener.port) as there:
        there.writer.write(ask())
        assert (await there.response()).status == 200
        (here,) = listener.connections
        waits_s = limits.head_s if sent else limits.keep_alive_s
        there.writer.write(sent)
        await until(lambda: vars(here)["_requests"].is_idle is not bool(sent))
        here.check(listener.now_s() + waits_s / 2)
        there.writer.write(sent)
        here.check(listener.now_s() + waits_s + 1)
        assert await there.over()


async def test_clients_that_do_not_read_responses_fill_no_memory(listener: Listener) -> None:
    async with raw_connection(listener.port) as there:
        there.writer.write(ask("/css/cards.css") * 60)
        (here,) = await until(lambda: list(listener.connections))
        transport = vars(here)["_transport"]
        await until(transport.get_write_buffer_size)
        for _ in range(60):
            assert transport.get_write_buffer_size() < 2 * len(LARGE)
            assert (await there.response()).body == LARGE


async def test_an_answer_that_takes_its_time_is_waited_for(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: after five seconds it counted as a silent peer and was aborted."""
    async with serving() as listener:
        (ada,) = await start_race(listener.port, players=1)
        await ada.ask("forfeit")
        reading = Slow(monkeypatch, listener.services.store.logs, "read")
        waiting = asyncio.create_task(get(listener.port, f"/api/rooms/{ada.code}/rounds/1"))
        await reading.asked.acquire()
        for connection in list(listener.connections):
            connection.check(listener.now_s() + 6)
        reading.go.set()
        answer = await waiting
        assert (answer.status, answer.headers["cache-control"].count("max-age")) == (200, 1)


@given(st.data())
def test_heads_are_found_however_they_are_cut(data: st.DataObject) -> None:
    paths = data.draw(st.lists(st.sampled_from(["/", "/a", "/b?c"]), min_size=1, max_size=4))
    whole = b"".join(ask(path) for path in paths)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1), max_size=8)))
    here = RequestReader()
    found = []
    for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
        here.feed(whole[start:end])
        while (request := here.next()) is not None:
            assert isinstance(request, Request)
            found.append(request.path)
            here.end_response()
    assert found == paths
    assert not here.has_next


BROWSER = (
    b"GET /ws?x=1 HTTP/1.1\r\nHost: race.example\r\nConnection: keep-alive, Upgrade\r\n"
    b"Upgrade: websocket\r\nOrigin:https://race.example \r\nSec-WebSocket-Version: 13\r\n"
    b"Accept: a\r\naccept: b\r\nEmpty:\r\n\r\n"
)


def by_library(head: bytes) -> Request | None:
    """Return the request that the library parses from a whole head; None if it refuses it."""
    library = Handshake()
    library.receive_data(head)
    events = library.events_received()
    return events[0] if events and isinstance(events[0], Request) else None


def test_a_head_of_a_browser_is_plain() -> None:
    request = present(plain_request(BROWSER))
    assert (request.path, request.headers["Origin"]) == ("/ws?x=1", "https://race.example")
    assert request.headers.get_all("Accept") == ["a", "b"]


PARTS = st.sampled_from(
    [
        *(b"GET", b"POST", b"get", b" ", b"/", b"/ws", b"*", b"\xe9", b"HTTP/1.1", b"HTTP/1.0"),
        *(b"\r\n", b"\n", b"\r", b"\t", b"\0", b"\x7f", b":", b"Host", b"Ho st", b"\r\n\r\n"),
        *(b"Transfer-Encoding", b"chunked", b"Content-Length", b"0", b"7", b"a_b", b"x" * 40),
    ]
)


@given(st.lists(PARTS, max_size=14), st.booleans())
@example([b"Transfer-Encoding", b":", b"chunked", b"\r\n"], True)
@example([b"content-length", b":", b"7", b"\r\n"], True)
@example([b"Host", b" ", b":", b"x", b"\r\n"], True)
@example([b" ", b"folded", b"\r\n"], True)
def test_a_plain_head_has_the_same_request_at_the_library(
    parts: list[bytes], line_before: bool
) -> None:
    head = (b"GET / HTTP/1.1\r\n" if line_before else b"") + b"".join(parts) + b"\r\n"
    request = plain_request(head)
    if request is not None:
        assert request == by_library(head)
        theirs = present(by_library(head))
        assert list(request.headers.raw_items()) == list(theirs.headers.raw_items())


@given(st.binary(max_size=60))
def test_no_byte_in_a_field_makes_another_request(value: bytes) -> None:
    head = b"GET / HTTP/1.1\r\nName:" + value + b"\r\n\r\n"
    request = plain_request(head)
    if request is not None:
        assert request == by_library(head)


@pytest.mark.parametrize(
    "head",
    [
        BROWSER.replace(b"GET", b"HEAD"),
        BROWSER.replace(b"1.1", b"1.0"),
        BROWSER.replace(b"Empty:", b"Empty:\xff"),
        BROWSER.replace(b"Empty:", b"Content-Length: 0"),
        BROWSER.replace(b"Empty:", b"x: y\r\n" * MAX_PLAIN_FIELDS + b"z:"),
        BROWSER.replace(b"Empty:", b"x:" + b"y" * MAX_PLAIN_BYTES),
    ],
)
def test_the_library_parses_all_other_heads(head: bytes) -> None:
    assert plain_request(head) is None
    assert by_library(head) is not None

"""One connection, many requests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.http.files import read_files
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.http.request_reader import RequestReader
from server.http.routes import ROOT
from tests.hooked import Hook, HookedStore
from tests.players import start_race
from tests.server.conftest import Serving
from tests.server.http import Answer, get, parsed

HOST = "Host: x\r\n"
LARGE = read_files(ROOT / "web_client")["/css/cards.css"].body


def ask(
    path: str = "/favicon.svg", method: str = "GET", more: str = "", http: str = "1.1"
) -> bytes:
    return f"{method} {path} HTTP/{http}\r\n{HOST}{more}\r\n".encode()


class RawConnection:
    """A client's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def response(self, *, body: bool = True) -> Answer:
        """The next answer."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 10)
        answer = parsed(head)
        length = int(answer.headers.get("content-length", 0)) if body else 0
        return Answer(answer.status, answer.headers, await self.reader.readexactly(length))

    async def over(self) -> bool:
        """Waits for the end; whether nothing more came."""
        return await asyncio.wait_for(self.reader.read(), 10) == b""


@asynccontextmanager
async def raw_connection(port: int) -> AsyncIterator[RawConnection]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield RawConnection(reader, writer)
    finally:
        writer.close()


async def test_a_connection_is_kept_for_the_next_request(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask("/"))
        page = await there.response()
        assert page.headers["connection"] == "keep-alive"
        there.writer.write(ask("/", more=f"If-None-Match: {page.headers['etag']}\r\n"))
        assert (await there.response()).status == 304
        there.writer.write(ask("/nothing"))
        assert (await there.response()).status == 404
        there.writer.write(ask(more="Connection: close\r\n"))
        assert (await there.response()).headers["connection"] == "close"
        assert await there.over()


async def test_requests_sent_at_once_are_answered_in_order(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        paths = ["/", "/favicon.svg", "/api/rooms", "/nothing", "/css/cards.css", "/css/start.css"]
        there.writer.write(b"".join(ask(path) for path in paths))
        types = [(await there.response()).headers["content-type"] for _ in paths]
        assert [kind.partition(";")[0] for kind in types] == [
            "text/html",
            "image/svg+xml",
            "application/json",
            "text/plain",
            "text/css",
            "text/css",
        ]


async def test_a_head_is_an_answer_without_its_body(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask(method="HEAD") + ask())
        head, whole = await there.response(body=False), await there.response()
        assert head.status == 200
        assert head.headers["content-length"] == whole.headers["content-length"]
        assert head.headers["etag"] == whole.headers["etag"]


UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)
EMPTY_CLOSE = b"\x88\x80\x00\x00\x00\x00"


async def test_a_websocket_may_be_opened_after_a_page(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() + ask("/ws", more=UPGRADE) + EMPTY_CLOSE)
        assert (await there.response()).status == 200
        assert (await there.response()).status == 101
        assert (await asyncio.wait_for(there.reader.readexactly(1), 10)) == b"\x88"


async def test_a_websocket_that_waited_behind_an_answer_is_read_from(serving: Serving) -> None:
    """The peer is not read from while its next request waits, and then it never was again."""
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() + ask("/ws", more=UPGRADE))
        assert (await there.response()).status == 200
        assert (await there.response()).status == 101
        there.writer.write(EMPTY_CLOSE)
        assert (await asyncio.wait_for(there.reader.readexactly(1), 10)) == b"\x88"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (ask(http="1.0"), 200),
        (ask(method="POST"), 405),
        (ask("/ws"), 426),
        (ask("/ws", more="Origin: http://evil.example\r\n"), 403),
        (b"GET /" + b"x" * 9_000, 414),
    ],
)
async def test_requests_that_end_a_connection(
    serving: Serving, request_: bytes, status: int
) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() + request_ + ask())
        assert (await there.response()).status == 200
        last = await there.response()
        assert (last.status, last.headers["connection"]) == (status, "close")
        assert await there.over()


async def test_no_body_is_mistaken_for_a_request(listener: Listener) -> None:
    for how in (f"Content-Length: {len(ask())}\r\n", "Transfer-Encoding: chunked\r\n"):
        async with raw_connection(listener.port) as there:
            there.writer.write(ask(more=how) + ask())
            last = await there.response()
            assert (last.status, last.headers["connection"]) == (400, "close")
            assert await there.over()


async def test_a_client_that_stops_writing_still_gets_the_response(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() + ask("/"))
        there.writer.write_eof()
        assert (await there.response()).status == 200
        assert (await there.response()).headers["content-type"].startswith("text/html")
        assert await there.over()


async def test_the_requests_of_a_connection_are_limited(serving: Serving) -> None:
    http = HttpLimits(requests_of_connection=3)
    async with serving(http=http) as listener, raw_connection(listener.port) as there:
        there.writer.write(ask() * 5)
        kept = [(await there.response()).headers["connection"] for _ in range(3)]
        assert kept == ["keep-alive", "keep-alive", "close"]
        assert await there.over()


async def test_an_idle_connection_is_closed(serving: Serving) -> None:
    http = HttpLimits(keep_alive_s=0.1)
    async with serving(http=http) as listener, raw_connection(listener.port) as there:
        there.writer.write(ask())
        assert (await there.response()).status == 200
        assert await there.over()


async def test_a_head_in_drips_is_not_waited_for(serving: Serving) -> None:
    http = HttpLimits(head_s=0.2)
    async with serving(http=http) as listener, raw_connection(listener.port) as there:
        there.writer.write(ask())
        assert (await there.response()).status == 200
        dripping = asyncio.create_task(there.over())
        while not dripping.done():
            there.writer.write(b"G")
            await asyncio.wait({dripping}, timeout=0.1)
        assert dripping.exception() is not None or dripping.result()


async def test_clients_that_do_not_read_responses_fill_no_memory(serving: Serving) -> None:
    async with serving() as listener, raw_connection(listener.port) as there:
        there.writer.write(ask("/css/cards.css") * 60)
        for _ in range(20):
            await asyncio.sleep(0.02)
            for here in listener.connections:
                assert vars(here)["_transport"].get_write_buffer_size() < 2 * len(LARGE)
        bodies = [(await there.response()).body for _ in range(60)]
        assert bodies == [LARGE] * 60


async def test_an_answer_that_takes_its_time_is_waited_for(serving: Serving) -> None:
    """Regression: after five seconds it counted as a silent peer and was aborted."""
    async with serving(open_store=HookedStore.open) as listener:
        (ada,) = await start_race(listener.port, players=1)
        await ada.ask("forfeit")
        asked, go = asyncio.Event(), asyncio.Event()

        async def slowly(read_log: Hook, *where: Any) -> Any:
            asked.set()
            await go.wait()
            return await read_log(*where)

        listener.services.store.hooks["read_log"] = slowly
        waiting = asyncio.create_task(get(listener.port, f"/api/rooms/{ada.code}/rounds/1"))
        await asked.wait()
        for connection in list(listener.connections):
            connection.check(listener.now() + 6)
        go.set()
        assert (await waiting).status == 200


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
            found.append(request.path)
            here.answered()
    assert found == paths
    assert here.held == 0

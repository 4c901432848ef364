"""Plain heads mean the same here as to the library."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from websockets.http11 import Request

from server.web.request_reader import Opening
from server.web.requests import MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS, plain_request
from tests.present import present

BROWSER = (
    b"GET /ws?x=1 HTTP/1.1\r\nHost: race.example\r\nConnection: keep-alive, Upgrade\r\n"
    b"Upgrade: websocket\r\nOrigin:https://race.example \r\nSec-WebSocket-Version: 13\r\n"
    b"Accept: a\r\naccept: b\r\nEmpty:\r\n\r\n"
)


def by_library(head: bytes) -> Request | None:
    """The request of a whole head as the library parses it; None if it refuses it."""
    opening = Opening()
    opening.receive_head(head)
    events = opening.events_received()
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

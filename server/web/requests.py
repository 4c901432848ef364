"""Requests, and how they are read from the bytes of a connection; sans-I/O.

1. A head is parsed once it is complete: here in one pass if it is a plain GET, by the library
   otherwise. The library takes all bytes after a head for frames, so it is fed one head only.
2. Bytes after a head wait for the response. Then they are the next request, or the websocket's.
3. A request with a body ends the connection. The client sends none.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from websockets.datastructures import Headers
from websockets.exceptions import HeaderLineTooLong, RequestLineTooLong, TooManyHeaders
from websockets.http11 import Request

from protocol.vocabulary import Language
from server.views.sharing import LANGUAGES
from server.web.handshake import Handshake
from server.web.proxies import FORWARDED_PROTO, IpNetwork, counted_as, limited_as

MAX_QUERY_LENGTH = 256  # how many characters of a query are read
METHODS = ("GET", "HEAD")
NOT_GET = "GET and HEAD only\n"

GZIP = re.compile(r"gzip\s*(;\s*q=(0?\.0*[1-9][0-9]*|1(\.0*)?))?", re.ASCII)
"""An accepted gzip coding; `q=0` refuses it."""


class HttpRequest:
    """One request, as the routes see it."""

    def __init__(self, request: Request, peer: str, trusted: Sequence[IpNetwork] = ()) -> None:
        """Read a request from `peer`; `trusted` are the networks of trusted proxies."""
        self.path = self.query = ""
        with suppress(ValueError):  # it may not be a URL
            _, _, self.path, self.query, _ = urlsplit(request.path)
        # Some parsers read the text after `//` as a host, so a proxy's path rules may miss it.
        self.is_ambiguous = request.path.startswith("//")
        self.headers = request.headers
        self.peer = peer
        # The client's network: for limits that exempt some networks, and for those that do not.
        self.counted_as = counted_as(peer, request.headers, trusted)
        self.limited_as = limited_as(peer, request.headers, trusted)

    def parameter(self, name: str) -> str:
        """Return a parameter of the query, or an empty text."""
        return parse_qs(self.query[:MAX_QUERY_LENGTH]).get(name, [""])[0]

    def accepts_gzip(self) -> bool:
        """Return whether the client accepts a compressed body."""
        offers = ",".join(self.headers.get_all("Accept-Encoding")).lower().split(",")
        return any(GZIP.fullmatch(offer.strip()) for offer in offers)

    def accepts_html(self) -> bool:
        """Return whether the client accepts HTML, like a browser that opens this address."""
        return "text/html" in ",".join(self.headers.get_all("Accept")).lower()

    def has(self, etag: str) -> bool:
        """Return whether the client already has the file with this tag."""
        tags = ",".join(self.headers.get_all("If-None-Match")).split(",")
        return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in tags)


MAX_LENGTH = 200  # how many characters of a field are read; browsers send a few languages

WEIGHTED = re.compile(  # a language and its weight
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
)


def language_of(request: HttpRequest) -> Language:
    """Return the query's `lang`, or else the language that the browser prefers."""
    asked = request.parameter("lang").lower()
    if asked in LANGUAGES:
        return LANGUAGES[asked]
    best, found = 0.0, "en"
    offers = ",".join(request.headers.get_all("Accept-Language"))[:MAX_LENGTH]
    for match in filter(None, map(WEIGHTED.fullmatch, offers.split(","))):
        weight = float(match[2] or 1)
        if weight > best and match[1].lower() in LANGUAGES:
            best, found = weight, match[1].lower()
    return LANGUAGES[found]


MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS = 4_096, 64
PLAIN = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[0-9A-Za-z-]+:[ -~]*\r\n)*)\r\n")
BODY = ("Content-Length", "Transfer-Encoding")  # fields that the library refuses


def plain_request(head: bytes) -> Request | None:
    """Return the request of a complete head; None if the library must parse or refuse it.

    The library would return the same request, but takes five times as long.
    """
    plain = PLAIN.fullmatch(head) if len(head) <= MAX_PLAIN_BYTES else None
    if plain is None:
        return None
    headers = Headers()
    for line in (fields := plain[2].decode().split("\r\n")[:-1]):
        name, _, value = line.partition(":")
        headers.set_insecure(name, value.strip(" "))  # the pattern has validated it
    if len(fields) > MAX_PLAIN_FIELDS or any(name in headers for name in BODY):
        return None
    return Request(plain[1].decode(), headers)


HEAD_END = b"\r\n\r\n"
MAX_HEAD_BYTES = 16 * 1024
LONGEST_METHOD = 16  # how many characters are searched for the method
PROTO = re.compile(rb"^X-Forwarded-Proto:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)

TOO_LONG: Mapping[type[Exception], HTTPStatus] = {
    RequestLineTooLong: HTTPStatus.REQUEST_URI_TOO_LONG,
    HeaderLineTooLong: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    TooManyHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}


class BadHead(NamedTuple):
    """A head that is refused: the refusal is the connection's last response."""

    status: HTTPStatus
    text: str
    headers: Headers
    """Only the forwarded protocol, which decides about HSTS: the rest may be malformed."""


def library_request(head: bytes) -> Request | BadHead:
    """Return the request of a complete head, or a refusal if it is bad or too long."""
    library = Handshake()
    library.receive_data(head)
    for event in library.events_received():
        assert isinstance(event, Request), "a handshake gets no frames"
        return event
    method, space, _ = head[: LONGEST_METHOD + 1].decode("latin-1").partition(" ")
    status, text = HTTPStatus.BAD_REQUEST, "not understood; a request here has no body\n"
    if library.handshake_exc is None:  # the library waits for the rest, which was cut off
        status, text = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long\n"
    elif type(library.handshake_exc) in TOO_LONG:
        status, text = TOO_LONG[type(library.handshake_exc)], f"{library.handshake_exc}\n"
    elif space and method.isascii() and method.isupper() and method not in METHODS:
        status, text = HTTPStatus.METHOD_NOT_ALLOWED, NOT_GET
    forwarded = [(FORWARDED_PROTO, value.decode("latin-1")) for value in PROTO.findall(head)]
    return BadHead(status, text, Headers(forwarded))


class RequestReader:
    """Parse bytes into requests, each after the response to the one before."""

    def __init__(self) -> None:
        self.served = 0  # how many responses were sent
        self._waiting = bytearray()
        self._is_responding = False

    @property
    def has_next(self) -> bool:
        """Whether a complete head waits for `next`, or too many bytes of one."""
        return HEAD_END in self._waiting or len(self._waiting) > MAX_HEAD_BYTES

    @property
    def is_idle(self) -> bool:
        """Whether a response was sent and no byte of another request has come."""
        return self.served > 0 and not (self._is_responding or self._waiting)

    def feed(self, data: bytes) -> None:
        """Add bytes from the peer. The caller pauses reading while a head waits."""
        self._waiting += data

    def next(self) -> Request | BadHead | None:
        """Return the next request, if its head is complete and no response is under way.

        After a bad head the caller feeds no more.
        """
        if self._is_responding or not self.has_next:
            return None
        self._is_responding = True
        head, end, _ = self._waiting[:MAX_HEAD_BYTES].partition(HEAD_END)
        del self._waiting[: len(head) + len(end)]
        whole = bytes(head + end)
        return plain_request(whole) or library_request(whole)

    def stays_open(self, request: Request, most: int) -> bool:
        """Return whether the connection stays open after the response to this request.

        A connection serves at most `most` requests.
        """
        options = ",".join(request.headers.get_all("Connection")).lower().split(",")
        wants_more = "close" not in {option.strip() for option in options}
        return wants_more and request.protocol == "HTTP/1.1" and self.served + 1 < most

    def end_response(self) -> None:
        """Go on to the next request; call it when a response has been written."""
        self._is_responding = False
        self.served += 1

    def take_rest(self) -> bytes:
        """Remove and return the bytes after a websocket's head, or after the last head."""
        rest = bytes(self._waiting)
        self._waiting.clear()
        return rest

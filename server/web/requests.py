"""Requests, and how they are read from the bytes of a connection; sans-I/O.

1. A head is parsed once it is complete: here in one pass if it is a plain GET, otherwise by the
   library, which gets no other bytes, as it would take them for frames.
2. Bytes after a head wait for the response. Then they are the next request, or the websocket's.
3. A request with a body is refused, and ends the connection. Our client sends no bodies.
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
from server.web.proxies import FORWARDED_PROTO, IpNetwork, client_network, counted_network

MAX_QUERY_LENGTH = 256  # how many characters of a query are read
METHODS = ("GET", "HEAD")
OTHER_METHOD = "GET and HEAD only\n"

GZIP = re.compile(r"gzip\s*(;\s*q=(0?\.0*[1-9][0-9]*|1(\.0*)?))?", re.ASCII)
"""An offer to accept gzip; with `q=0` it would be a refusal."""


class HttpRequest:
    """One request, as the routes see it."""

    def __init__(self, request: Request, peer: str, trusted: Sequence[IpNetwork] = ()) -> None:
        """Read a request from `peer`; `trusted` are the networks of trusted proxies."""
        self.raw = request  # as the library reads it
        self.path = self.query = ""
        with suppress(ValueError):  # it may not be a URL
            _, _, self.path, self.query, _ = urlsplit(request.path)
        # Some parsers read the text after `//` as a host, so a proxy's path rules may miss it.
        self.is_ambiguous = request.path.startswith("//")
        self.headers = request.headers
        self.peer = peer
        # For most limits: the client's network, or None if it is exempt from them.
        self.counted_network = counted_network(peer, request.headers, trusted)
        # For limits that exempt nobody.
        self.client_network = client_network(peer, request.headers, trusted)

    def parameter(self, name: str) -> str:
        """Return a parameter of the query, or an empty string if it is missing."""
        return parse_qs(self.query[:MAX_QUERY_LENGTH]).get(name, [""])[0]

    def accepts_gzip(self) -> bool:
        """Return whether the client accepts a compressed body."""
        offers = ",".join(self.headers.get_all("Accept-Encoding")).lower().split(",")
        return any(GZIP.fullmatch(offer.strip()) for offer in offers)

    def accepts_html(self) -> bool:
        """Return whether the client accepts HTML, as a browser does that opens this address."""
        return "text/html" in ",".join(self.headers.get_all("Accept")).lower()

    def has(self, etag: str) -> bool:
        """Return whether the client already has the file with this tag."""
        tags = ",".join(self.headers.get_all("If-None-Match")).split(",")
        return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in tags)


MAX_LANGUAGES_LENGTH = 200  # how many characters of `Accept-Language` are read

WEIGHTED = re.compile(  # a language and its weight
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
)


def language_of(request: HttpRequest) -> Language:
    """Return the language that the query's `lang` names or, without it, the browser prefers."""
    asked = request.parameter("lang").lower()
    if asked in LANGUAGES:
        return LANGUAGES[asked]
    best_weight, best = 0.0, "en"
    offers = ",".join(request.headers.get_all("Accept-Language"))[:MAX_LANGUAGES_LENGTH]
    for match in filter(None, map(WEIGHTED.fullmatch, offers.split(","))):
        weight = float(match[2] or 1)
        if weight > best_weight and match[1].lower() in LANGUAGES:
            best_weight, best = weight, match[1].lower()
    return LANGUAGES[best]


MAX_PLAIN_BYTES, MAX_PLAIN_FIELDS = 4_096, 64
PLAIN = re.compile(rb"GET ([!-~]+) HTTP/1\.1\r\n((?:[0-9A-Za-z-]+:[ -~]*\r\n)*)\r\n")
BODY_FIELDS = ("Content-Length", "Transfer-Encoding")  # the library judges requests with them


def plain_request(head: bytes) -> Request | None:
    """Return the request of a complete head, or None if the library must parse or refuse it.

    For a plain head the library would return the same request, but take five times as long.
    """
    plain = PLAIN.fullmatch(head) if len(head) <= MAX_PLAIN_BYTES else None
    if plain is None:
        return None
    headers, fields = Headers(), plain[2].decode().split("\r\n")[:-1]
    for line in fields:
        name, _, value = line.partition(":")
        headers.set_insecure(name, value.strip(" "))  # the pattern has validated it
    if len(fields) > MAX_PLAIN_FIELDS or any(name in headers for name in BODY_FIELDS):
        return None
    return Request(plain[1].decode(), headers)


HEAD_END = b"\r\n\r\n"
MAX_HEAD_BYTES = 16 * 1024
LONGEST_METHOD = 16  # how many characters are searched for the method
PROTO_LINE = re.compile(rb"^X-Forwarded-Proto:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)

TOO_LONG: Mapping[type[Exception], HTTPStatus] = {
    RequestLineTooLong: HTTPStatus.REQUEST_URI_TOO_LONG,
    HeaderLineTooLong: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    TooManyHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}


class BadHead(NamedTuple):
    """A refused head, with its refusal, which is the connection's last response."""

    status: HTTPStatus
    text: str
    headers: Headers
    """Only `X-Forwarded-Proto`, for deciding on HSTS: the other headers may be malformed."""


def library_request(head: bytes) -> Request | BadHead:
    """Return the request in a complete head, or a refusal if it is bad or too long."""
    library = Handshake()
    library.receive_data(head)
    for event in library.events_received():
        assert isinstance(event, Request), "a handshake gets no frames"
        return event
    method, space, _ = head[: LONGEST_METHOD + 1].decode("latin-1").partition(" ")
    status, text = HTTPStatus.BAD_REQUEST, "not understood; a request here has no body\n"
    if library.handshake_exc is None:  # the library waits for the rest of a head that was cut off
        status, text = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long\n"
    elif type(library.handshake_exc) in TOO_LONG:
        status, text = TOO_LONG[type(library.handshake_exc)], f"{library.handshake_exc}\n"
    elif space and method.isascii() and method.isupper() and method not in METHODS:
        status, text = HTTPStatus.METHOD_NOT_ALLOWED, OTHER_METHOD
    # The library drops the headers of a bad head.
    forwarded = [(FORWARDED_PROTO, value.decode("latin-1")) for value in PROTO_LINE.findall(head)]
    return BadHead(status, text, Headers(forwarded))


class RequestReader:
    """Parses bytes into requests, each after the response to the one before."""

    def __init__(self) -> None:
        self.served = 0  # how many responses were sent
        self._unparsed = bytearray()
        self._is_responding = False  # whether a request has no response yet

    @property
    def has_next(self) -> bool:
        """Whether `next` returns something: a head is complete, or already too long."""
        return HEAD_END in self._unparsed or len(self._unparsed) > MAX_HEAD_BYTES

    @property
    def is_idle(self) -> bool:
        """Whether a response was sent, and no byte of another request has come since."""
        return self.served > 0 and not (self._is_responding or self._unparsed)

    def feed(self, data: bytes) -> None:
        """Add bytes from the peer. The caller stops reading while `has_next` is true."""
        self._unparsed += data

    def next(self) -> Request | BadHead | None:
        """Return the next request, if its head is complete and no response is under way.

        After a bad head the caller feeds no more bytes.
        """
        if self._is_responding or not self.has_next:
            return None
        self._is_responding = True
        head, end, _ = self._unparsed[:MAX_HEAD_BYTES].partition(HEAD_END)
        del self._unparsed[: len(head) + len(end)]
        whole = bytes(head + end)
        # The fast parser leaves unusual heads to the library.
        return plain_request(whole) or library_request(whole)

    def stays_open(self, request: Request, max_requests: int) -> bool:
        """Return whether the connection stays open after the response to this request."""
        options = ",".join(request.headers.get_all("Connection")).lower().split(",")
        wants_more = "close" not in {option.strip() for option in options}
        return wants_more and request.protocol == "HTTP/1.1" and self.served + 1 < max_requests

    def end_response(self) -> None:
        """Allow the next request; to be called once a response has been written."""
        self._is_responding = False
        self.served += 1

    def take_rest(self) -> bytes:
        """Remove and return all bytes after the latest head, for a websocket or to drop them."""
        rest = bytes(self._unparsed)
        self._unparsed.clear()
        return rest

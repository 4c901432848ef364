"""Requests: what one asks for, and how they are read from the bytes of a connection; sans-I/O.

1. A head is parsed when it is whole: that of a plain GET request here in one pass, all others by
   the library. It takes all bytes after a head for frames. So it is fed one head only.
2. Bytes after a head wait for the response. Then they are the next request, or the websocket's.
3. A request with a body ends the connection: the client sends none.
"""

import re
from collections.abc import Mapping, Sequence
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

METHODS = ("GET", "HEAD")
NOT_GET = "GET and HEAD only\n"

GZIP = re.compile(r"gzip\s*(;\s*q=(0?\.0*[1-9][0-9]*|1(\.0*)?))?", re.ASCII)
"""The pattern of an accepted gzip coding; `q=0` refuses it."""


class HttpRequest:
    """What one request asks for."""

    def __init__(self, request: Request, peer: str, trusted: Sequence[IpNetwork] = ()) -> None:
        """Read a request of `peer`, which may be one of the trusted proxies."""
        try:
            target = urlsplit(request.path)
            self.path, self.query = target.path, target.query
        except ValueError:  # it is no URL
            self.path = self.query = ""
        # Some parsers take the text after it for a host, so a proxy's path rules may miss it.
        self.ambiguous = request.path.startswith("//")
        self.headers = request.headers
        self.peer = peer
        self.counted_as = counted_as(peer, request.headers, trusted)
        self.limited_as = limited_as(peer, request.headers, trusted)

    def accepts_gzip(self) -> bool:
        """Return whether the client accepts a compressed body."""
        offers = ",".join(self.headers.get_all("Accept-Encoding")).lower().split(",")
        return any(GZIP.fullmatch(offer.strip()) for offer in offers)

    def accepts_html(self) -> bool:
        """Return whether the client accepts HTML, as browsers do that open this address."""
        return "text/html" in ",".join(self.headers.get_all("Accept")).lower()

    def has(self, etag: str) -> bool:
        """Return whether the client has the file of this tag already."""
        tags = ",".join(self.headers.get_all("If-None-Match")).split(",")
        return any(tag.strip().removeprefix("W/") in {etag, "*"} for tag in tags)


MAX_LENGTH = 200  # the characters of a field that are read; browsers send a few languages

WEIGHTED = re.compile(  # a language and its weight
    r"\s*([A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?"
)


def language_of(request: HttpRequest) -> Language:
    """Return the language of a request: that of its link, or else the best one of its reader."""
    asked = parse_qs(request.query[:MAX_LENGTH]).get("lang", [""])[0].lower()
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
    """Return the request of a whole head; None if the library must parse it, or refuse it.

    A plain head has the same request here as at the library, which takes five times as long.
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
LONGEST_METHOD = 16
PROTO = re.compile(rb"^X-Forwarded-Proto:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)

TOO_LONG: Mapping[type[Exception], HTTPStatus] = {
    RequestLineTooLong: HTTPStatus.REQUEST_URI_TOO_LONG,
    HeaderLineTooLong: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    TooManyHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
}


class BadHead(NamedTuple):
    """A head that is no request here: the refusal is the connection's last response."""

    status: HTTPStatus
    text: str
    headers: Headers
    """The forwarded protocol, as far as a head has one that may be malformed elsewhere."""


def library_request(head: bytes) -> Request | BadHead:
    """Return the request of a whole head; a refusal of another, or of the begin of a long one."""
    library = Handshake()
    library.receive_data(head)
    for event in library.events_received():
        assert isinstance(event, Request), "a handshake is fed no frames"
        return event
    method, space, _ = head[: LONGEST_METHOD + 1].decode("latin-1").partition(" ")
    status, text = HTTPStatus.BAD_REQUEST, "not understood; a request here has no body\n"
    if library.handshake_exc is None:
        status, text = HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the head is too long\n"
    elif type(library.handshake_exc) in TOO_LONG:
        status, text = TOO_LONG[type(library.handshake_exc)], f"{library.handshake_exc}\n"
    elif space and method.isascii() and method.isupper() and method not in METHODS:
        status, text = HTTPStatus.METHOD_NOT_ALLOWED, NOT_GET
    forwarded = [(FORWARDED_PROTO, value.decode("latin-1")) for value in PROTO.findall(head)]
    return BadHead(status, text, Headers(forwarded))


class RequestReader:
    """A parser from bytes to requests, each once the one before is answered."""

    def __init__(self) -> None:
        self.served = 0  # the requests that were answered
        self._waiting = bytearray()
        self._answering = False

    @property
    def held(self) -> bool:
        """Return whether a whole head waits until a response is written, or too many bytes do."""
        return HEAD_END in self._waiting or len(self._waiting) > MAX_HEAD_BYTES

    @property
    def idle(self) -> bool:
        """Return whether a request was answered and no byte of the next one has come."""
        return self.served > 0 and not (self._answering or self._waiting)

    def feed(self, data: bytes) -> None:
        """Take bytes of the peer. The caller pauses reading while a head is held."""
        self._waiting += data

    def next(self) -> Request | BadHead | None:
        """Return the next request, if its head is complete and no request is unanswered.

        After a bad head the caller feeds no more.
        """
        if self._answering or not self.held:
            return None
        self._answering = True
        head, end, _ = self._waiting[:MAX_HEAD_BYTES].partition(HEAD_END)
        del self._waiting[: len(head) + len(end)]
        whole = bytes(head + end)
        return plain_request(whole) or library_request(whole)

    def keeps(self, request: Request, most: int) -> bool:
        """Return whether the connection stays open after the response to this request.

        It has at most `most` requests.
        """
        options = ",".join(request.headers.get_all("Connection")).lower().split(",")
        return (
            request.protocol == "HTTP/1.1"
            and "close" not in {option.strip() for option in options}
            and self.served + 1 < most
        )

    def answered(self) -> None:
        """Begin with the next request; call it when a response has been written."""
        self._answering = False
        self.served += 1

    def rest(self) -> bytes:
        """Return the bytes after the head that opened a websocket, or was the last; drop them."""
        rest = bytes(self._waiting)
        self._waiting.clear()
        return rest

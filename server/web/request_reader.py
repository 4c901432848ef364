"""The requests of one connection, one after another, until one opens a websocket; sans-I/O.

Plain heads are parsed in `plain_requests.py`, all others by the library's handshake. It parses one
head and takes all bytes after it for frames. So it is fed one head only. Bytes after it wait for
the response, and are then fed to a handshake of their own or to the websocket. A request with a
body ends the connection: the client sends none.
"""

import re
from collections.abc import Callable
from http import HTTPStatus

from websockets.datastructures import Headers
from websockets.exceptions import InvalidMessage
from websockets.http11 import Request, Response
from websockets.typing import StatusLike

from server.web.clients import FORWARDED_PROTO
from server.web.handshake import Handshake
from server.web.limits import HTTP_LIMITS
from server.web.requests import METHODS, NOT_GET, plain_request
from server.web.responses import SECURITY, require_tls

HEAD_END = b"\r\n\r\n"
LONGEST_METHOD = 16
KEPT_BYTES = 8_192  # bytes of a head that are kept for the answer to a malformed one
PROTO = re.compile(rb"^X-Forwarded-Proto:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)

IsSecure = Callable[[Headers], bool]


def not_over_tls(_headers: Headers) -> bool:
    """Return that no request came over TLS."""
    return False


class Opening(Handshake):
    """The library's handshake, whose refusals carry the same headers as all other responses."""

    def __init__(self, is_secure: IsSecure = not_over_tls) -> None:
        """Expect a request; `is_secure` says of a request's headers whether it came over TLS."""
        super().__init__()
        self._is_secure = is_secure
        self._begun = b""

    def receive_head(self, data: bytes) -> None:
        """Parse a part of a request's head."""
        self._begun = (self._begun + data)[:KEPT_BYTES]
        self.receive_data(data)

    def send_eof(self) -> None:
        """End the stream; first answer a malformed head, which the library would not."""
        failure = self.handshake_exc
        if isinstance(failure, InvalidMessage) and not isinstance(failure.__cause__, EOFError):
            self.writes.append(self._not_understood().serialize())
        super().send_eof()

    def _not_understood(self) -> Response:
        method, space, _ = self._begun[: LONGEST_METHOD + 1].decode("latin-1").partition(" ")
        if space and method.isascii() and method.isupper() and method not in METHODS:
            response = self.reject(HTTPStatus.METHOD_NOT_ALLOWED, NOT_GET)
            response.headers["Allow"] = ", ".join(METHODS)
            return response
        return self.reject(HTTPStatus.BAD_REQUEST, "not understood; a request here has no body\n")

    def reject(self, status: StatusLike, text: str) -> Response:
        """Return the response to a request that is malformed or opens no websocket."""
        response = super().reject(status, text)
        response.headers.update(SECURITY)
        if self._is_secure(self._forwarded()):
            require_tls(response)
        return response

    def _forwarded(self) -> Headers:
        """Return the forwarded protocol of a head that may be malformed elsewhere."""
        found = PROTO.findall(self._begun)
        return Headers((FORWARDED_PROTO, value.decode("latin-1")) for value in found)


class RequestReader:
    """A parser from bytes to at most `most` requests, each once the one before is answered."""

    def __init__(
        self, is_secure: IsSecure = not_over_tls, most: int = HTTP_LIMITS.requests_of_connection
    ) -> None:
        self.is_secure = is_secure
        """Return whether a request with these headers came over TLS."""
        self._most = most
        self._waiting = bytearray()
        self._end = b""
        self._answering = False
        self._served = 0
        self._head = b""  # of the request that is answered, if it was plain
        self._opening: Opening | None = None

    @property
    def handshake(self) -> Opening:
        """Return the library's handshake of the present request, made when it is first needed."""
        if self._opening is None:
            self._opening = Opening(self.is_secure)
            if self._head:
                self._opening.receive_head(self._head)
                self._opening.events_received()  # the request is handled already
        return self._opening

    @property
    def handshake_begun(self) -> bool:
        """Return whether the library has seen any of the present request."""
        return self._opening is not None

    @property
    def held(self) -> int:
        """Return the number of bytes that wait until a response is written."""
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Return whether a request was answered and no byte of the next one has come."""
        return self._served > 0 and not (self._answering or self._waiting or self._end)

    def feed(self, data: bytes) -> None:
        """Take bytes of the peer. The caller pauses reading while some are held."""
        self._waiting += data

    def next(self) -> Request | None:
        """Return the next request, if its head is complete and no request is unanswered."""
        while self._waiting and not self._answering:
            unparsed = self._end + self._waiting
            end_at = unparsed.find(HEAD_END)
            if end_at < 0 or (self._opening is not None and self._opening.eof_sent):
                head, self._end = bytes(self._waiting), bytes(unparsed[-len(HEAD_END) + 1 :])
            else:
                head, self._end = bytes(unparsed[len(self._end) : end_at + len(HEAD_END)]), b""
            del self._waiting[: len(head)]
            plain = plain_request(head) if self._opening is None else None
            if plain is not None:
                self._head, self._answering = head, True
                return plain
            self.handshake.receive_head(head)
            for event in self.handshake.events_received():
                assert isinstance(event, Request), "a handshake is fed no frames"
                self._answering = True
                return event
        return None

    def keeps(self, request: Request) -> bool:
        """Return whether the connection stays open after the response to this request."""
        options = ",".join(request.headers.get_all("Connection")).lower().split(",")
        return (
            request.protocol == "HTTP/1.1"
            and "close" not in {option.strip() for option in options}
            and self._served + 1 < self._most
        )

    def answered(self) -> None:
        """Begin with the next request; call it when a response has been written."""
        self._answering, self._served = False, self._served + 1
        self._head, self._opening = b"", None

    def closed(self) -> None:
        """Drop all further bytes; call it when no request is answered any more."""
        self._answering = False

    def rest(self) -> bytes:
        """Return the bytes after the head that opened a websocket."""
        rest = bytes(self._waiting)
        self._waiting.clear()
        return rest

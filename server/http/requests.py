"""The requests of one connection, one after another, until one opens a websocket; sans-I/O.

The library's handshake reads one head and takes all that follows for frames. So it gets one
head and no more; what follows waits for the answer, and then has a handshake of its own, or is
the websocket's. A body ends the connection: no request of ours has one.
"""

import logging
from http import HTTPStatus

from websockets.exceptions import InvalidMessage
from websockets.http11 import Request, Response
from websockets.typing import StatusLike

from protocol.vocabulary import MAX_FRAME_BYTES
from server.http.request import METHODS, NOT_GET
from server.http.security_headers import SECURITY
from server.websocket.handshake import Handshake

MOST_REQUESTS = 100
"""Requests on one connection, at most: then a load balancer can choose a server again."""

HEAD_END = b"\r\n\r\n"
LONGEST_METHOD = 16

quiet = logging.getLogger("spider_race.websocket")
quiet.setLevel(logging.ERROR)


class Opening(Handshake):
    """The library's handshake, whose refusals carry the same headers as all other answers."""

    _begun = b""

    def receive_head(self, data: bytes) -> None:
        """Takes some of a request's head."""
        self._begun = (self._begun + data)[: LONGEST_METHOD + 1]
        self.receive_data(data)

    def send_eof(self) -> None:
        """Says no more. That a head is none, or a body follows, the library would not say."""
        failure = self.handshake_exc
        if isinstance(failure, InvalidMessage) and not isinstance(failure.__cause__, EOFError):
            self.writes.append(self._not_understood().serialize())
        super().send_eof()

    def _not_understood(self) -> Response:
        method, space, _ = self._begun.decode("latin-1").partition(" ")
        if space and method.isascii() and method.isupper() and method not in METHODS:
            response = self.reject(HTTPStatus.METHOD_NOT_ALLOWED, NOT_GET)
            response.headers["Allow"] = ", ".join(METHODS)
            return response
        return self.reject(HTTPStatus.BAD_REQUEST, "not understood; a request here has no body\n")

    def reject(self, status: StatusLike, text: str) -> Response:
        """The answer to a request that is no websocket's, or none at all."""
        response = super().reject(status, text)
        response.headers.update(SECURITY)
        return response


class Requests:
    """Bytes in, requests out, each once the one before it is answered."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self._end = b""
        self._asked = False
        self._served = 0
        self.handshake = self._fresh()

    def _fresh(self) -> Opening:
        return Opening(max_size=MAX_FRAME_BYTES, logger=quiet)

    @property
    def held(self) -> int:
        """How many bytes wait for an answer to be written."""
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether something was answered, and nothing of a next request is here."""
        return self._served > 0 and not (self._asked or self._waiting or self._end)

    def feed(self, data: bytes) -> None:
        """Takes bytes of the peer. The caller reads no more while some are held."""
        self._waiting += data

    def next(self) -> Request | None:
        """A request to be answered, if its head is complete and none is unanswered."""
        while self._waiting and not self._asked:
            seen = self._end + self._waiting
            found = seen.find(HEAD_END)
            if found < 0 or self.handshake.eof_sent:
                head, self._end = bytes(self._waiting), bytes(seen[-len(HEAD_END) + 1 :])
            else:
                head, self._end = bytes(seen[len(self._end) : found + len(HEAD_END)]), b""
            del self._waiting[: len(head)]
            self.handshake.receive_head(head)
            for event in self.handshake.events_received():
                assert isinstance(event, Request), "a handshake is fed no frames"
                self._asked = True
                return event
        return None

    def keeps(self, request: Request) -> bool:
        """Whether the connection stays open after the answer to this request."""
        options = ",".join(request.headers.get_all("Connection")).lower().split(",")
        return (
            request.protocol == "HTTP/1.1"
            and "close" not in {option.strip() for option in options}
            and self._served + 1 < MOST_REQUESTS
        )

    def answered(self) -> Opening:
        """To be called when an answer is written and the connection kept: the next one's."""
        self._asked, self._served = False, self._served + 1
        self.handshake = self._fresh()
        return self.handshake

    def closed(self) -> None:
        """To be called when no request is answered any more: what comes is thrown away."""
        self._asked = False

    def rest(self) -> bytes:
        """What came after the head that opened a websocket."""
        rest = bytes(self._waiting)
        self._waiting.clear()
        return rest

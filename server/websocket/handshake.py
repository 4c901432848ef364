"""The opening of a websocket, by the library's rules and with our headers."""

from collections.abc import Sequence
from http import HTTPStatus

from websockets.exceptions import InvalidMessage
from websockets.http11 import Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike, Subprotocol

from protocol import SPOKEN

METHODS = ("GET", "HEAD")
NOT_GET = "GET and HEAD only\n"
LONGEST_METHOD = 16
SECURITY = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Handshake(ServerProtocol):
    """The library's protocol, whose answers carry the same headers as all others."""

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

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The newest that both speak; else any that is offered, so that a code can say why not."""
        both = (Subprotocol(version) for version in SPOKEN if version in subprotocols)
        return next(both, subprotocols[0] if subprotocols else None)

    @property
    def understood(self) -> bool:
        """Whether the peer speaks a version that we speak, or did not say which."""
        return self.subprotocol is None or self.subprotocol in SPOKEN

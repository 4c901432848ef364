"""The opening of a websocket, by the library's rules and with our headers."""

from collections.abc import Sequence

from websockets.http11 import Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike, Subprotocol

from protocol import SPOKEN

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

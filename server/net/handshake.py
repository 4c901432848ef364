"""The opening of a websocket, by the library's rules and with our headers."""

from collections.abc import Sequence

from websockets.http11 import Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike, Subprotocol

from protocol import SUBPROTOCOL

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
        """Ours if offered. Any other is taken too, so that the close code can say why not."""
        if SUBPROTOCOL in subprotocols:
            return Subprotocol(SUBPROTOCOL)
        return subprotocols[0] if subprotocols else None

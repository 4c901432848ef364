"""The opening handshake of a websocket, by the library."""

from collections.abc import Sequence

from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.vocabulary import SUPPORTED_SUBPROTOCOLS


class Handshake(ServerProtocol):
    """The library's protocol, with this server's protocol versions."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Return the newest common version; else the first one offered, to close with a code."""
        both = (
            Subprotocol(version) for version in SUPPORTED_SUBPROTOCOLS if version in subprotocols
        )
        return next(both, subprotocols[0] if subprotocols else None)

    @property
    def version_supported(self) -> bool:
        """Return whether the peer's version is supported, or the peer named none."""
        return self.subprotocol is None or self.subprotocol in SUPPORTED_SUBPROTOCOLS

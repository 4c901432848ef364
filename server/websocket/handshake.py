"""The opening of a websocket, by the library's rules."""

from collections.abc import Sequence

from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.vocabulary import SUPPORTED_SUBPROTOCOLS


class Handshake(ServerProtocol):
    """The library's protocol, with the versions that are spoken here."""

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """The newest that both speak; else any that is offered, so that a code can say why not."""
        both = (
            Subprotocol(version) for version in SUPPORTED_SUBPROTOCOLS if version in subprotocols
        )
        return next(both, subprotocols[0] if subprotocols else None)

    @property
    def understood(self) -> bool:
        """Whether the peer speaks a version that we speak, or did not say which."""
        return self.subprotocol is None or self.subprotocol in SUPPORTED_SUBPROTOCOLS

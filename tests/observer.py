"""An observer of a program's connections, with a method for each event."""

from websockets.asyncio.client import ClientConnection

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage


class Observer:
    """Receives the events of `connect`'s `observer`; subclasses override its methods."""

    def __call__(self, seen: ClientConnection | ClientMessage | ServerMessage | int) -> None:
        if isinstance(seen, int):
            self.connection_closed(seen)
        elif isinstance(seen, ClientMessage):
            self.message_sent(seen)
        elif isinstance(seen, ServerMessage):
            self.message_received(seen)
        else:
            self.connection_opened(seen)

    def connection_opened(self, socket: ClientConnection) -> None:
        """Handle a new websocket before its first message."""

    def message_sent(self, message: ClientMessage) -> None:
        """Handle a message that is about to be sent, and may not arrive."""

    def message_received(self, message: ServerMessage) -> None:
        """Handle a message before the race does; messages of unknown types are left out."""

    def connection_closed(self, code: int) -> None:
        """Handle the close code of a websocket, or 1006 if there was none."""

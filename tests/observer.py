"""What happens on the connections of a program, told apart."""

from websockets.asyncio.client import ClientConnection

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage


class Observer:
    """Receives what `connect` tells its `observer`; subclasses override its methods."""

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
        """Take a new websocket before its first message."""

    def message_sent(self, message: ClientMessage) -> None:
        """Take a message that is written to the websocket next; whether it arrives is unknown."""

    def message_received(self, message: ServerMessage) -> None:
        """Take a message before the race takes it; those of unknown types are left out."""

    def connection_closed(self, code: int) -> None:
        """Take the close code of a websocket, or 1006 for an attempt or an end without one."""

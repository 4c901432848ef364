"""The connections of a client as a program may observe them, beside the events of its races."""

from websockets.asyncio.client import ClientConnection

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage


class Observer:
    """Receives all that happens on the connections of a client, to record, measure or check it.

    A subclass overrides the methods that it needs. They are called in the order of the traffic,
    in the client's tasks, and must not block. An error in one of them ends all races: `connect`
    raises it in a group.
    """

    def connection_opened(self, socket: ClientConnection) -> None:
        """Take a new websocket before its first message; a test of faults may break it later."""

    def message_sent(self, message: ClientMessage) -> None:
        """Take a message that is written to the websocket next; whether it arrives is unknown."""

    def message_received(self, message: ServerMessage) -> None:
        """Take a message before the race takes it; those of unknown types are left out."""

    def connection_closed(self, code: int) -> None:
        """Take the end of a websocket, or of an attempt to open one, with its close code.

        It is 1006 if there was none.
        """

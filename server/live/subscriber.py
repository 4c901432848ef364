from typing import Protocol

from server.live.shared_text import SharedText
from server.views.room_messages import RoomMessages


class Subscriber(Protocol):
    """A recipient of a room's messages: one socket that holds a seat."""

    def send_room(self, messages: RoomMessages) -> None:
        """Send a version of the room, which may be older than the one sent last."""

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""

    def handle_rollback(self) -> None:
        """Handle that the store has lost versions that were sent."""

    def handle_unreadable(self) -> None:
        """Handle that this process cannot read the room any more; another process may."""

    def handle_closed(self) -> None:
        """Handle that the room does not exist any more."""

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or their changes; return False if the socket is too far behind."""

from typing import Protocol

from server.views.room_messages import RoomMessages


class Subscriber(Protocol):
    """One socket that has a seat in a room."""

    def send_room(self, messages: RoomMessages) -> None:
        """The room is now as these news say; they may be older than what was heard."""

    def send_said(self, v: int, text: str) -> None:
        """Somebody has said something, as event `v`."""

    def handle_rollback(self) -> None:
        """The store has lost the latest of what was heard."""

    def handle_unreadable(self) -> None:
        """This process cannot read the room any more; another one may."""

    def handle_closed(self) -> None:
        """The room is there no more."""

    def send_standings(self, text: str) -> bool:
        """The leaderboard; False if the socket is too far behind to be told now."""

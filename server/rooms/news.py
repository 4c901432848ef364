"""What is told of a room, and to whom."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from protocol import codec
from protocol.to_client import Room as RoomMessage
from server.rooms.book import Page
from server.rooms.views import room_view, round_over


@dataclass(frozen=True)
class News:
    """A room as it is now, with the messages that tell of it, each written once for all."""

    page: Page

    @cached_property
    def room_text(self) -> str:
        """The `room` message."""
        return codec.dump(RoomMessage(room=room_view(self.page.room, self.page.v)))

    @cached_property
    def over_text(self) -> str:
        """The `round_over` message of a finished round."""
        return codec.dump(round_over(self.page.room))


class Listener(Protocol):
    """One socket that has a seat in a room."""

    def hear_room(self, news: News) -> None:
        """The room is now as these news say; they may be older than what was heard."""

    def hear_said(self, v: int, text: str) -> None:
        """Somebody has said something, as event `v`."""

    def hear_taken_back(self) -> None:
        """The store has lost the latest of what was heard."""

    def hear_closed(self) -> None:
        """The room is there no more."""

    def hear_standings(self, text: str) -> bool:
        """The leaderboard; False if the socket is too far behind to be told now."""

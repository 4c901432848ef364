from typing import Protocol

from server.views.news import News


class Subscriber(Protocol):
    """One socket that has a seat in a room."""

    def hear_room(self, news: News) -> None:
        """The room is now as these news say; they may be older than what was heard."""

    def hear_said(self, v: int, text: str) -> None:
        """Somebody has said something, as event `v`."""

    def hear_taken_back(self) -> None:
        """The store has lost the latest of what was heard."""

    def hear_unreadable(self) -> None:
        """This process cannot read the room any more; another one may."""

    def hear_closed(self) -> None:
        """The room is there no more."""

    def hear_standings(self, text: str) -> bool:
        """The leaderboard; False if the socket is too far behind to be told now."""

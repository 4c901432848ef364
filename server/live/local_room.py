import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.live.subscriber import Subscriber
from server.rooms.record import Figures, Page
from server.views.news import News


@dataclass(slots=True)
class LocalRoom:
    """A room that somebody connected to this process sits in."""

    code: str
    news: News | None = None
    heard: int = 0  # the latest event that was read of the stream
    listeners: set[Subscriber] = field(default_factory=set)
    looked_at: float = field(default_factory=time.monotonic)
    reading: bool = False
    doubtful: bool = False  # whether notifications were lost since the room was read
    again: bool = False
    counting: bool = False
    dirty: bool = False
    told_at: float = float("-inf")  # when the room was told last
    telling: bool = False  # whether it will be told soon
    told: tuple[int, Mapping[int, Figures]] | None = None  # what the latest standings were made of

    @property
    def page(self) -> Page | None:
        """The latest that is known of the room."""
        return None if self.news is None else self.news.page

    def tell_room(self) -> None:
        """Pass the latest on to everybody here."""
        assert self.news is not None, "there is something to tell"
        self.told_at = time.monotonic()
        for listener in list(self.listeners):
            listener.hear_room(self.news)

    def tell_said(self, v: int, text: str) -> None:
        """Pass on what was said, as event `v`."""
        for listener in list(self.listeners):
            listener.hear_said(v, text)

    def tell_standings(self, text: str) -> int:
        """Pass a leaderboard on; return how many were too slow for it."""
        told = [listener.hear_standings(text) for listener in list(self.listeners)]
        return told.count(False)

    def take_back(self, page: Page) -> None:
        """Have everybody here begin again from an older page: a failover has lost the latest."""
        self.news, self.heard = None, page.v
        for listener in list(self.listeners):
            listener.hear_taken_back()

    def tell_unreadable(self) -> None:
        """Send everybody elsewhere: this process cannot read the room."""
        for listener in list(self.listeners):
            listener.hear_unreadable()

    def tell_closed(self) -> None:
        """End with the room, which is there no more."""
        for listener in list(self.listeners):
            listener.hear_closed()

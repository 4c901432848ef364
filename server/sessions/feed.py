"""What one socket is sent of its room: every state that it was there for, none of them twice."""

from collections.abc import Callable

from protocol.views import RoomView
from protocol.vocabulary import RoomState
from server.rooms.record import Page
from server.sessions.wire import Wire
from server.views.news import News
from server.views.replies import room_text
from server.views.rooms import room_view, waiting_view


class Feed:
    """The latest that a socket was sent, and what it was spared because it is slow to read."""

    __slots__ = ("_late", "_over", "_said_v", "_seat", "_send", "_told", "_wire", "v", "waits")

    def __init__(self, wire: Wire, send: Callable[[str], None]) -> None:
        self.v = 0
        self.waits = False  # until the host lets this seat in
        self._wire = wire
        self._send = send
        self._seat = -1
        self._told: Page | None = None  # the room as it was sent last
        self._late: News | None = None
        self._said_v = 0
        self._over = False

    def begin(self, page: Page, seat: int) -> None:
        """Begin with a page that the peer is sent with its seat."""
        self._seat, self.v = seat, page.v
        self.look(page)
        self._told = None if self.waits else page

    def look(self, page: Page) -> bool:
        """Return whether the seat waited to be let in until now; note whether it still does."""
        waited, self.waits = self.waits, page.room.applicant(self._seat) is not None
        return waited

    def view(self, page: Page) -> RoomView:
        """Return the room as this seat may see it."""
        if self.waits:
            return waiting_view(page.room, page.v, self._seat)
        return room_view(page.room, page.v)

    def room(self, news: News) -> None:
        """Send what is new of the room; a peer that is slow to read gets the latest, later."""
        self.v = max(self.v, news.page.v)
        if self._wire.behind():
            self._late = news
        elif self.waits:
            self._send(room_text(self.view(news.page)))
            self._told = None
        else:
            self._send(news.since(self._told))
            self._told = news.page

    def caught_up(self) -> None:
        """Send the latest of the room, which is no burden now."""
        late, self._late = self._late, None
        if late is not None:
            self.room(late)

    def over(self, page: Page) -> bool:
        """Return whether the end of the round is news; from now on it is none."""
        over = page.room.state is RoomState.FINISHED
        news, self._over = over and not self._over, over
        return news

    def passing(self, text: str) -> bool:
        """Send a leaderboard or a board; False if the peer is too slow for it now."""
        if self.waits:
            return True  # not for those who wait to be let in
        if self._wire.behind():
            return False
        self._send(text)
        return True

    def said(self, v: int, text: str) -> None:
        """Send what somebody has said, as event `v`."""
        if v > self._said_v and not self.waits:
            self._said_v = v
            self._send(text)

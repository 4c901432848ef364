"""What one socket is sent of its room: every state that it was there for, none of them twice."""

from collections.abc import Callable

from protocol.views import RoomView
from protocol.vocabulary import RoomState
from server.rooms.record import VersionedRoom
from server.sessions.socket import Socket
from server.views.replies import room_text
from server.views.room_messages import RoomMessages
from server.views.rooms import room_view, waiting_view


class Feed:
    """The latest that a socket was sent, and what it was spared because it is slow to read."""

    __slots__ = (
        "_last_sent",
        "_late",
        "_over",
        "_said_v",
        "_seat",
        "_send",
        "_socket",
        "v",
        "waits",
    )

    def __init__(self, socket: Socket, send: Callable[[str], None]) -> None:
        self.v = 0
        self.waits = False  # until the host lets this seat in
        self._socket = socket
        self._send = send
        self._seat = -1
        self._last_sent: VersionedRoom | None = None  # the room as it was sent last
        self._late: RoomMessages | None = None
        self._said_v = 0
        self._over = False

    def begin(self, latest: VersionedRoom, seat: int) -> None:
        """Begin with a page that the peer is sent with its seat."""
        self._seat, self.v = seat, latest.v
        self.update(latest)
        self._last_sent = None if self.waits else latest

    def update(self, latest: VersionedRoom) -> bool:
        """Return whether the seat waited to be let in until now; note whether it still does."""
        waited, self.waits = self.waits, latest.room.applicant(self._seat) is not None
        return waited

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return the room as this seat may see it."""
        if self.waits:
            return waiting_view(latest.room, latest.v, self._seat)
        return room_view(latest.room, latest.v)

    def room(self, messages: RoomMessages) -> None:
        """Send what is new of the room; a peer that is slow to read gets the latest, later."""
        self.v = max(self.v, messages.latest.v)
        if self._socket.behind():
            self._late = messages
        elif self.waits:
            self._send(room_text(self.view(messages.latest)))
            self._last_sent = None
        else:
            self._send(messages.since(self._last_sent))
            self._last_sent = messages.latest

    def caught_up(self) -> None:
        """Send the latest of the room, which is no burden now."""
        late, self._late = self._late, None
        if late is not None:
            self.room(late)

    def over(self, latest: VersionedRoom) -> bool:
        """Return whether the end of the round is news; from now on it is none."""
        over = latest.room.state is RoomState.FINISHED
        messages, self._over = over and not self._over, over
        return messages

    def passing(self, text: str) -> bool:
        """Send a leaderboard or a board; False if the peer is too slow for it now."""
        if self.waits:
            return True  # not for those who wait to be let in
        if self._socket.behind():
            return False
        self._send(text)
        return True

    def said(self, v: int, text: str) -> None:
        """Send what somebody has said, as event `v`."""
        if v > self._said_v and not self.waits:
            self._said_v = v
            self._send(text)

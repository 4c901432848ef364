"""The room's updates to one socket: every state since it took the seat, none of them twice."""

from collections.abc import Callable, Iterable

from protocol.views import RoomView
from protocol.vocabulary import RoomState
from server.rooms.record import VersionedRoom
from server.sessions.socket import Socket
from server.views.replies import room_text
from server.views.rooms import RoomMessages, room_view, waiting_view


class RoomFeed:
    """The latest version sent to a socket, and the one skipped because the peer reads slowly."""

    __slots__ = (
        "_held",
        "_last_sent",
        "_over",
        "_said_v",
        "_seat",
        "_send",
        "_skipped",
        "_socket",
        "v",
        "waits",
    )

    def __init__(
        self, socket: Socket, latest: VersionedRoom, seat: int, *, misses_chat: bool
    ) -> None:
        """Begin with the version that the peer gets with its seat.

        Chat messages to a peer that misses some are held back until `send_missed` is called.
        """
        self.v = latest.v
        self.waits = latest.room.applicant(seat) is not None  # for the host to admit this seat
        self._socket = socket
        # An attribute, so that no message passes two look-ups.
        self._send: Callable[[str], None] = socket.send
        self._seat = seat
        self._last_sent = None if self.waits else latest
        self._skipped: RoomMessages | None = None
        self._said_v = 0
        self._held: list[tuple[int, str]] | None = [] if misses_chat else None
        self._over = False

    def update(self, latest: VersionedRoom) -> bool:
        """Update whether the seat waits to be admitted; return whether it waited before."""
        waited, self.waits = self.waits, latest.room.applicant(self._seat) is not None
        return waited

    def view(self, latest: VersionedRoom) -> RoomView:
        """Return the view of the room that this seat may see."""
        if self.waits:
            return waiting_view(latest.room, latest.v, self._seat)
        return room_view(latest.room, latest.v)

    def view_json(self, messages: RoomMessages) -> str:
        """Return the view of the room that this seat may see, as JSON."""
        return self.view(messages.latest).model_dump_json() if self.waits else messages.view_json

    def send_room(self, messages: RoomMessages) -> None:
        """Send the room's changes; a peer that is slow to read gets the latest version later."""
        self.v = max(self.v, messages.latest.v)
        if self._socket.is_behind():
            self._skipped = messages
        elif self.waits:
            self._send(room_text(self.view(messages.latest)))
            self._last_sent = None
        else:
            self._send(messages.since(self._last_sent))
            self._last_sent = messages.latest

    def resume_sending(self) -> None:
        """Send the version that was skipped, now that the peer has read."""
        skipped, self._skipped = self._skipped, None
        if skipped is not None:
            self.send_room(skipped)

    def round_just_ended(self, latest: VersionedRoom) -> bool:
        """Return True once for each end of a round."""
        over = latest.room.state is RoomState.FINISHED
        just_ended, self._over = over and not self._over, over
        return just_ended

    def send_missed(self, missed: Iterable[tuple[int, str]]) -> None:
        """Send the chat that the peer has missed, and what came meanwhile, in its order."""
        held, self._held = self._held or [], None
        for v, text in sorted({*missed, *held}):
            self.send_said(v, text)

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""
        if self._held is not None:
            self._held.append((v, text))
        elif v > self._said_v and not self.waits:
            self._said_v = v
            self._send(text)

"""The standings of one room: the progress that comes in, and the changes that go out.

Changes go out with the next pass of a throttle. Nothing is read for a pass: the progress of seats
is known when acts are stored, or comes with notifications, and `progress_reads.py` reads it where
these do not suffice.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from protocol.vocabulary import RoomState
from server import metrics
from server.live.leaderboard import Leaderboard
from server.live.rereads import Rereads
from server.live.room_throttle import RoomThrottle
from server.live.shared_text import SharedText
from server.live.subscribers import Subscriber, Subscribers
from server.rooms.record import Room
from server.store import Clock, ProgressNotification, SeatProgress, Unreadable

SHOWN: Final = {RoomState.RUNNING, RoomState.FINISHED}


@dataclass(eq=False, slots=True)
class RoomStandings:
    """The standings of a room with subscribers at this process."""

    code: str
    _subscribers: Subscribers
    _clock: Clock
    _throttle: RoomThrottle
    _begin_read: Callable[["RoomStandings"], None]  # begins a reader of the seats' progress
    leaderboard: Leaderboard = field(default_factory=Leaderboard)
    requests: Rereads = field(default_factory=Rereads)  # the requests to read the progress
    is_shared: bool = False  # whether other processes serve some of the players
    _room: Room | None = None  # the latest version
    # The time of the latest act of each seat, and the notification of its progress.
    _unread: dict[bytes, tuple[int, ProgressNotification]] = field(default_factory=dict)

    def follow(self, room: Room, process: str) -> None:
        """Take a version of the room; `process` is this one."""
        self._room = room
        self.is_shared = any(seat.process != process for seat in room.players())

    def send_soon(self) -> None:
        """Send what has changed with the next pass."""
        self._throttle.add(self)

    def take(self, progress: SeatProgress) -> None:
        """Take the progress of a seat after an act or a hint that is stored."""
        if self.leaderboard.take(progress):
            self._throttle.add(self)

    def handle_notification(self, notification: ProgressNotification) -> None:
        """Take the progress of a seat from a notification.

        The notification is kept unread if the next pass serves the room anyway. Then only the
        latest one of each seat is read. (During a read of all progress every one is read at once.)
        """
        if self._throttle.awaits(self) and not self.requests.has_reader:
            head = notification.head
            if head is None:
                self.doubt()
                return
            # The process that has served a seat before may publish later than the present one.
            seat, last_ms = head
            later = self._unread.get(seat)
            if later is None or later[0] <= last_ms:
                self._unread[seat] = (last_ms, notification)
        elif self._take(notification):
            self._throttle.add(self)

    def replace(self, progress: SeatProgress) -> None:
        """Take the progress of a seat as its table has read it.

        If it is older than the known one, the store has lost acts, and all progress is read again.
        """
        self._take_unread()
        if self.leaderboard.replace(progress):
            self.doubt()
        self._throttle.add(self)

    def request(self, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber, if it is still one, with the next pass."""
        if self._subscribers.request_standings(subscriber):
            self._throttle.add(self)

    def text(self, room: Room) -> str:
        """Return the `standings` message of a room as it is now; others get the changes.

        The progress must have been read.
        """
        self._send_changes(room)
        if self._subscribers.has_waiting:
            self._throttle.add(self)
        return self.leaderboard.whole(self._clock.now())

    def serve(self) -> None:
        """Send what has changed since the last pass."""
        room = self._room
        if room is None or not self._subscribers or room.state not in SHOWN:
            return
        if self.leaderboard.needs_read(room):
            if not self.requests.has_reader:
                self.doubt()
            return
        try:
            slow = self._send_changes(room)
        except Unreadable:
            self.doubt()  # which sets the room aside
            return
        if self._subscribers.has_waiting:
            whole = SharedText(self.leaderboard.whole(self._clock.now()))
            slow += self._subscribers.send_whole_standings(whole)
        if slow:
            metrics.skips.inc(slow)
            self._throttle.add(self)  # they get the whole later, never old changes

    def roll_back(self) -> None:
        """Forget the room and read all progress: a failover has lost versions of the room."""
        self._room = None
        self.leaderboard.forget_read()
        self.doubt()

    def doubt(self) -> None:
        """Read the progress of all seats again."""
        if self.requests.request():
            self._begin_read(self)

    # For the reader.

    def begin_read(self) -> Room | None:
        """Return the room whose progress must be read now; None if none must be read."""
        if self._room is None or not self._subscribers or not self.requests.take():
            return None
        self._take_unread()  # before the read, which is newer
        self.leaderboard.begin_read(asyncio.get_running_loop().time())
        return self._room

    def end_read(self, room: Room, read: Collection[SeatProgress]) -> None:
        """Take the progress of the players of `room`, and send it."""
        self.leaderboard.end_read(room, read)
        self._throttle.add(self)

    def handle_unreadable(self) -> None:
        """Request another read of progress that this process cannot read; notify subscribers."""
        self.requests.request()
        for subscriber in self._subscribers:
            subscriber.handle_unreadable()

    def _take_unread(self) -> None:
        """Take the progress of notifications that were left for the next pass."""
        unread, self._unread = self._unread, {}
        for _, notification in unread.values():
            self._take(notification)

    def _take(self, notification: ProgressNotification) -> bool:
        """Read and take the progress of a notification; return whether it is new."""
        progress = notification.read()
        if progress is None:
            self.doubt()
            return False
        return self.leaderboard.take(progress)

    def _send_changes(self, room: Room) -> int:
        """Send changes to all subscribers that have the rest; return how many are slow."""
        if self._unread:
            self._take_unread()
        text = self.leaderboard.advance(room)
        if text is None:
            self._subscribers.drop_standings()
            return 0
        return self._subscribers.send_standings_changes(SharedText(text)) if text else 0

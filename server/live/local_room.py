import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from protocol.vocabulary import RoomState
from server.live.progress_publications import ProgressPublications, Publisher
from server.live.room_reading import RoomReading
from server.live.room_standings import RoomStandings
from server.live.room_throttle import RoomThrottle
from server.live.subscribers import Subscribers
from server.rooms.record import VersionedRoom
from server.rooms.room import deadline
from server.store import Clock
from server.views.room_messages import RoomMessages
from server.views.rooms import changes_since


@dataclass(frozen=True, slots=True)
class RoomServices:
    """The objects and times that all rooms of a process share."""

    publisher: Publisher
    clock: Clock
    throttle: RoomThrottle  # the throttle of standings
    begin_read: Callable[[RoomStandings], None]
    """Begins to read the progress of a room's seats."""
    start_countdown: Callable[[VersionedRoom], None]
    """Starts the race of a version in countdown at its t0."""
    interval_s: float
    """Interval in which changed seats of a large room are collected for one message."""
    grace_ms: int  # see `server.rooms.room.deadline`


class LocalRoom:
    """A room with subscribers at this process: its latest version here, and its parts."""

    __slots__ = (
        "_due_ms",
        "_is_sent_later",
        "_messages",
        "_sent_at",
        "_services",
        "code",
        "publications",
        "reading",
        "standings",
        "subscribers",
    )

    def __init__(self, code: str, read_v: int, services: RoomServices) -> None:
        """Serve a room; `read_v` is the latest event that its first subscriber has."""
        self.code = code
        self.reading = RoomReading(read_v)
        self.subscribers = Subscribers()
        self.standings = RoomStandings(
            code, self.subscribers, services.clock, services.throttle, services.begin_read
        )
        self.publications = ProgressPublications(
            code, self.standings.leaderboard, self.subscribers, services.publisher
        )
        self._services = services
        self._messages: RoomMessages | None = None
        self._due_ms: int | None = None  # when time alone changes the latest version
        self._sent_at = float("-inf")
        self._is_sent_later = False

    @property
    def messages(self) -> RoomMessages | None:
        """The messages of the latest version."""
        return self._messages

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest version of the room that this process has read or written."""
        return None if self._messages is None else self._messages.latest

    def is_overdue(self, since_ms: int) -> bool:
        """Return whether the deadline of the room is not after that time (ms since the epoch)."""
        return self._due_ms is not None and self._due_ms <= since_ms

    def update(self, messages: RoomMessages) -> None:
        """Take a newer version of the room, and send it to the subscribers."""
        latest, known = messages.latest, self.latest
        room = latest.room
        self._messages, self._due_ms = messages, deadline(room, self._services.grace_ms)
        self.standings.follow(room, self._services.publisher.process)
        if self.publications.follow(room):
            # The process that has left may have died, and have stored acts and not published them.
            self.standings.leaderboard.expect_changes()
        if latest.written_here:
            self.reading.skip_written(latest.v)
        if room.state is RoomState.COUNTDOWN:
            self._services.start_countdown(latest)
        if room.state is RoomState.CLOSED:
            for subscriber in self.subscribers:
                subscriber.handle_closed()
            return
        if known is not None:  # else a subscriber enters, and then gets the standings
            self.standings.send_soon()
        only_seats_changed = (
            known is not None and changes_since(known.room, room, latest.v) is not None
        )
        wait_s = self._sent_at + self._services.interval_s - asyncio.get_running_loop().time()
        if not only_seats_changed or (wait_s <= 0 and not self._is_sent_later):
            self._send()
        elif not self._is_sent_later:
            self._is_sent_later = True
            asyncio.get_running_loop().call_later(wait_s, self._send_later)

    def roll_back(self, v: int) -> None:
        """Go back to an older version after a failover has lost newer ones; notify subscribers."""
        self._messages = None
        self.reading.move_to(v)
        self.standings.roll_back()
        for subscriber in self.subscribers:
            subscriber.handle_rollback()

    def _send(self) -> None:
        assert self._messages is not None, "the room was read"
        self._sent_at = asyncio.get_running_loop().time()
        for subscriber in self.subscribers:
            subscriber.send_room(self._messages)

    def _send_later(self) -> None:
        """Send the changes of a large room, which were collected, in one message."""
        self._is_sent_later = False
        if self._messages is not None:
            self._send()

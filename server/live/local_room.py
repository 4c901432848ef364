import time
from dataclasses import dataclass, field

from server.live.leaderboard import Leaderboard
from server.live.shared_text import SharedText
from server.live.subscriber import Subscriber
from server.rooms.record import VersionedRoom
from server.store import FiguresText
from server.views.room_messages import RoomMessages


@dataclass(slots=True)
class LocalRoom:
    """A room with subscribers at this process.

    `current` are the subscribers who have the latest standings, `without` those who need them
    whole. A subscriber that enters is in neither until it has the room.
    """

    code: str
    messages: RoomMessages | None = None
    due: int | None = None  # when time alone changes the latest version, in ms since the epoch
    shared: bool = False  # whether other processes serve some of the players
    elsewhere: set[str] = field(default_factory=set)  # other processes that serve connected seats
    read_v: int = 0  # the latest event read from the stream
    subscribers: set[Subscriber] = field(default_factory=set)
    read_at: float = field(default_factory=time.monotonic)
    reading: bool = False
    notifications_lost: bool = False  # whether notifications were lost since the room was read
    again: bool = False
    settling: bool = False  # whether a read waits for a change that is being made here
    notified: int = 0  # notifications of the room so far
    counted_from: int | None = None  # see `is_known`
    leaderboard: Leaderboard = field(default_factory=Leaderboard)
    # The id of the latest act of each seat, and its figures.
    unread: dict[bytes, tuple[int, FiguresText]] = field(default_factory=dict)
    unpublished: set[int] = field(default_factory=set)  # seats whose figures other processes lack
    current: set[Subscriber] = field(default_factory=set)
    without: set[Subscriber] = field(default_factory=set)
    sent_at: float = float("-inf")  # when the room was last sent
    sending: bool = False  # whether a task will send it soon

    @property
    def latest(self) -> VersionedRoom | None:
        """Return the latest version of the room that this process has read or written."""
        return None if self.messages is None else self.messages.latest

    @property
    def is_known(self) -> bool:
        """Return whether this process has every version that it was notified of.

        Each version is notified once. `counted_from` is a version that was read less the count of
        notifications before that read, so notification number k is of version `counted_from + k`
        or an earlier one. The sum shows a version too high, and causes a read too many, after a
        read that was ahead of its notifications.
        """
        return (
            self.messages is not None
            and self.counted_from is not None
            and self.messages.latest.v >= self.counted_from + self.notified
        )

    def send_room(self) -> None:
        """Send the latest version to all subscribers."""
        assert self.messages is not None, "the room was read"
        self.sent_at = time.monotonic()
        for subscriber in list(self.subscribers):
            subscriber.send_room(self.messages)

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`, to all subscribers."""
        for subscriber in list(self.subscribers):
            subscriber.send_said(v, text)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        for subscribers in (self.subscribers, self.current, self.without):
            subscribers.discard(subscriber)

    def send_standings_changes(self, message: SharedText) -> int:
        """Send changes to those who have the rest; return the number of those too slow for it."""
        slow = [each for each in list(self.current) if not each.send_standings(message)]
        self.current.difference_update(slow)
        self.without.update(slow)
        return len(slow)

    def send_whole_standings(self, message: SharedText) -> int:
        """Send the standings to those who need them whole; return the number of slow ones."""
        sent = [each for each in list(self.without) if each.send_standings(message)]
        self.without.difference_update(sent)
        self.current.update(sent)
        return len(self.without)

    def roll_back(self, latest: VersionedRoom) -> None:
        """Go back to an older version after a failover has lost newer ones; notify subscribers."""
        self.messages, self.read_v = None, latest.v
        self.leaderboard.doubted, self.leaderboard.complete = True, False
        for subscriber in list(self.subscribers):
            subscriber.handle_rollback()

    def handle_unreadable(self) -> None:
        """Notify all subscribers that this process cannot read the room."""
        for subscriber in list(self.subscribers):
            subscriber.handle_unreadable()

    def handle_closed(self) -> None:
        """Notify all subscribers that the room does not exist any more."""
        for subscriber in list(self.subscribers):
            subscriber.handle_closed()

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from server.live.subscriber import Subscriber
from server.rooms.record import PlayerStats, VersionedRoom
from server.views.room_messages import RoomMessages


@dataclass(slots=True)
class LocalRoom:
    """A room that somebody connected to this process sits in."""

    code: str
    messages: RoomMessages | None = None
    read_v: int = 0  # the latest event that was read of the stream
    subscribers: set[Subscriber] = field(default_factory=set)
    read_at: float = field(default_factory=time.monotonic)
    reading: bool = False
    doubtful: bool = False  # whether notifications were lost since the room was read
    again: bool = False
    looping: bool = False
    dirty: bool = False
    sent_at: float = float("-inf")  # when the room was told last
    sending: bool = False  # whether it will be told soon
    last_sent: tuple[int, Mapping[int, PlayerStats]] | None = (
        None  # what the latest standings were made of
    )

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest that is known of the room."""
        return None if self.messages is None else self.messages.latest

    def send_room(self) -> None:
        """Pass the latest on to everybody here."""
        assert self.messages is not None, "there is something to tell"
        self.sent_at = time.monotonic()
        for subscriber in list(self.subscribers):
            subscriber.send_room(self.messages)

    def send_said(self, v: int, text: str) -> None:
        """Pass on what was said, as event `v`."""
        for subscriber in list(self.subscribers):
            subscriber.send_said(v, text)

    def send_standings(self, text: str) -> int:
        """Pass a leaderboard on; return how many were too slow for it."""
        last_sent = [subscriber.send_standings(text) for subscriber in list(self.subscribers)]
        return last_sent.count(False)

    def roll_back(self, latest: VersionedRoom) -> None:
        """Have everybody here begin again from an older page: a failover has lost the latest."""
        self.messages, self.read_v = None, latest.v
        for subscriber in list(self.subscribers):
            subscriber.handle_rollback()

    def handle_unreadable(self) -> None:
        """Send everybody elsewhere: this process cannot read the room."""
        for subscriber in list(self.subscribers):
            subscriber.handle_unreadable()

    def handle_closed(self) -> None:
        """End with the room, which is there no more."""
        for subscriber in list(self.subscribers):
            subscriber.handle_closed()

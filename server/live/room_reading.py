import asyncio
from dataclasses import dataclass, field

from server.live.rereads import Rereads
from server.rooms.record import VersionedRoom


@dataclass(eq=False, slots=True)
class RoomReading:
    """What this process has read of a room, and whether the room has to be read again."""

    _read_v: int
    requests: Rereads = field(default_factory=Rereads)
    _read_at: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    _has_lost_notifications: bool = False
    _is_settling: bool = False  # whether the reader waits for a change that is being made here
    _notified: int = 0  # notifications of the room so far
    _notified_before: int = 0  # those before the latest read
    _counted_from: int | None = None  # see `_is_known`

    @property
    def has_lost_notifications(self) -> bool:
        """Whether notifications were lost since the room was read."""
        return self._has_lost_notifications

    @property
    def read_v(self) -> int:
        """The latest event that was read from the room's stream."""
        return self._read_v

    def is_older_than(self, age_s: float) -> bool:
        """Return whether the latest read began longer ago."""
        return asyncio.get_running_loop().time() - self._read_at > age_s

    def handle_notification(self, latest: VersionedRoom | None) -> bool:
        """Count a notification of a room whose `latest` version is known here.

        Return whether the caller must begin a reader, once a change made here is settled.
        """
        self._notified += 1
        if self._is_settling or self._is_known(latest):
            return False
        if not self.requests.begin_reader():
            self.requests.request()
            return False
        self._is_settling = True
        return True

    def handle_settled(self, latest: VersionedRoom | None) -> None:
        """Take the version that is known after the change under way, if it is the notified one."""
        self._is_settling = False
        if not self._is_known(latest):
            self.requests.request()

    def handle_loss(self) -> None:
        """Rely on no notification until the room is read."""
        self._has_lost_notifications, self._counted_from = True, None

    def begin(self) -> bool:
        """Begin a read if one is requested; return whether it is."""
        if not self.requests.take():
            return False
        self._notified_before = self._notified
        self._read_at = asyncio.get_running_loop().time()
        return True

    def end(self, v: int) -> None:
        """Take the number of the version that was read."""
        # Notifications may be lost between a read that was under way and the next.
        if not self.requests.is_requested:
            self._has_lost_notifications = False
        self._counted_from = None if self._has_lost_notifications else v - self._notified_before

    def skip_written(self, v: int) -> None:
        """Skip an event in the stream that was written here, and is no chat message."""
        if v == self._read_v + 1:
            self._read_v = v

    def move_to(self, v: int) -> None:
        """Take `v` as the latest event that was read from the stream."""
        self._read_v = v

    def _is_known(self, latest: VersionedRoom | None) -> bool:
        """Return whether this process has every version that it was notified of.

        Each version is notified once. `_counted_from` is a version that was read less the count of
        notifications before that read, so notification number k is of version `_counted_from + k`
        or an earlier one. The sum shows a version too high, and causes a read too many, after a
        read that was ahead of its notifications.
        """
        counted_from = self._counted_from
        if latest is None or counted_from is None:
            return False
        return latest.v >= counted_from + self._notified

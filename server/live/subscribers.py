from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from server.live.shared_text import SharedText
from server.views.room_messages import RoomMessages


class Subscriber(Protocol):
    """A recipient of a room's messages: one socket that holds a seat."""

    def send_room(self, messages: RoomMessages) -> None:
        """Send a version of the room, which may be older than the one sent last."""

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""

    def handle_rollback(self) -> None:
        """Handle that the store has lost versions that were sent."""

    def handle_unreadable(self) -> None:
        """Handle that this process cannot read the room any more; another process may."""

    def handle_closed(self) -> None:
        """Handle that the room does not exist any more."""

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or their changes; return False if the socket is too far behind."""


@dataclass(eq=False, slots=True)
class Subscribers:
    """The subscribers of a room, and which of them have its latest standings.

    A subscriber that enters neither has the standings nor waits for them until it has the room.
    """

    _all: set[Subscriber] = field(default_factory=set)
    _current: set[Subscriber] = field(default_factory=set)  # they have the latest standings
    _waiting: set[Subscriber] = field(default_factory=set)  # they need the whole standings

    def __len__(self) -> int:
        """Return the number of subscribers."""
        return len(self._all)

    def __iter__(self) -> Iterator[Subscriber]:
        """Return the subscribers, any of which may leave meanwhile."""
        return iter(list(self._all))

    def add(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        self._all.add(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        """Remove a subscriber, if it is one."""
        for subscribers in (self._all, self._current, self._waiting):
            subscribers.discard(subscriber)

    @property
    def has_waiting(self) -> bool:
        """Whether some of them need the whole standings."""
        return bool(self._waiting)

    def request_standings(self, subscriber: Subscriber) -> bool:
        """Let a subscriber wait for the whole standings; return False if it is none any more."""
        if subscriber not in self._all:
            return False
        self._current.discard(subscriber)
        self._waiting.add(subscriber)
        return True

    def drop_standings(self) -> None:
        """Let all that have the standings wait for the whole."""
        self._waiting |= self._current
        self._current.clear()

    def send_standings_changes(self, message: SharedText) -> int:
        """Send changes to those that have the rest; return the number of those too slow for it."""
        slow = [each for each in list(self._current) if not each.send_standings(message)]
        self._current.difference_update(slow)
        self._waiting.update(slow)
        return len(slow)

    def send_whole_standings(self, message: SharedText) -> int:
        """Send the standings to those that need them whole; return the number of slow ones."""
        sent = [each for each in list(self._waiting) if each.send_standings(message)]
        self._waiting.difference_update(sent)
        self._current.update(sent)
        return len(self._waiting)

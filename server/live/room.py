"""A room with subscribers at this process, and all such rooms: the way of each act to its room.

1. A room is one object: its latest version here, its subscribers, the progress of its seats, and
   what of both was not sent or published yet.
2. A subscriber receives each version or a later one, the standings whole, and then their changes.
   Changes have numbers, and go out with the next pass over all rooms; nothing is read for a pass.
   Nothing is made until a subscriber can take it: one that could not calls `resume`.
3. The progress of a seat of this process is published when the store has the act or the hint: the
   first after a pause in the next turn of the event loop, all others with the next pass, and of
   several acts of a seat only the latest. Nothing is published in rooms whose record names no
   other process. When it names a further one, the progress of all games of this process is
   published: that process may have read it before the latest acts.
4. What is read, and when, is decided here and done in `hub.py`: this module waits for nothing.
5. A throttle serves in one pass what waits, at most once in an interval. The first one that waits
   after a pause is served in the next turn of the event loop. One timer serves all rooms.
"""

import asyncio
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

import structlog

from protocol.vocabulary import CloseCode, Presence, RoomState
from server import metrics
from server.live.leaderboard import Leaderboard
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import deadline
from server.rooms.visible_boards import sees_results
from server.store import Clock, Notification, ProgressNotification, SeatProgress, Unreadable
from server.views.rooms import RoomMessages, is_sent_whole

log = structlog.get_logger()


class Throttle:
    """The passes over those rooms that wait for one; `serve` does what waits in one of them.

    If it raises an error, `failed` is logged, and the other rooms are served. A pass takes about
    `slice_s` in one turn of the event loop.
    """

    def __init__(
        self, failed: str, interval_s: float, slice_s: float, serve: Callable[["LiveRoom"], None]
    ) -> None:
        self._failed, self._serve = failed, serve
        self._interval_s, self._slice_s = interval_s, slice_s
        self._waiting: dict[LiveRoom, None] = {}  # a set in the order of waiting
        self._scheduled, self._began_at = False, float("-inf")

    def add(self, waiting: "LiveRoom") -> None:
        """Serve a room with the next pass."""
        self._waiting[waiting] = None
        if not self._scheduled:
            self._schedule()

    def _schedule(self) -> None:
        self._scheduled = True
        loop = asyncio.get_running_loop()
        wait = self._began_at + self._interval_s - loop.time()
        if wait > 0:
            loop.call_later(wait, self._begin)
        else:
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._began_at = asyncio.get_running_loop().time()
        left, self._waiting = [*reversed(self._waiting)], {}
        self._continue(left)

    def _continue(self, left: "list[LiveRoom]") -> None:
        """Serve from the end of the list, some of them in each turn of the loop."""
        until = time.monotonic() + self._slice_s
        while left:
            each = left.pop()
            try:
                self._serve(each)
            except Exception:
                log.exception(self._failed, room=each.code)
            if time.monotonic() >= until and left:
                asyncio.get_running_loop().call_soon(self._continue, left)
                return
        self._scheduled = False
        if self._waiting:
            self._schedule()


DOUBTED: Final = 1 << 60  # later than any version: the record must be read
SHOWN: Final = {RoomState.RUNNING, RoomState.FINISHED}  # the states with standings


@dataclass(eq=False, slots=True)
class SharedText:
    """A message for many sockets; the first one that sends it keeps its frame for the others."""

    text: str
    frame: bytes | None = None


class Subscriber(Protocol):
    """A recipient of a room's messages: one socket that holds a seat."""

    seat_number: int

    @property
    def waits(self) -> bool:
        """Whether it waits for the host to admit it, and sees no standings until then."""

    def can_receive(self) -> bool:
        """Return whether the socket can take standings or a board now."""

    def send_room(self, messages: RoomMessages) -> None:
        """Send a version of the room, which may be older than the one sent last."""

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""

    def close(self, code: CloseCode) -> None:
        """End the subscription: the client must reconnect, or the room does not exist any more."""

    def send_standings(self, message: SharedText) -> bool:
        """Send standings or their changes; return False if the socket is too far behind."""


@dataclass(frozen=True, slots=True)
class RoomServices:
    """The means and times that all rooms of a process share."""

    process: str  # the name of this process
    clock: Clock
    standings: Throttle  # the passes in which standings are sent
    publications: Throttle  # the passes in which progress is published
    publish: Callable[[str, Collection[SeatProgress]], None]  # see `PubSub.publish`
    read: Callable[["LiveRoom"], None]  # begins to read what is doubted of a room
    start_countdown: Callable[[VersionedRoom], object]  # starts the race of a version at its t0
    interval_s: float  # in which changed seats of a large room are collected for one message
    grace_ms: int  # see `server.rooms.room.deadline`


@dataclass(eq=False, slots=True, repr=False)
class LiveRoom:
    """A room with subscribers at this process."""

    code: str
    read_v: int  # the latest event that was read from the room's stream
    _services: RoomServices
    messages: RoomMessages | None = None  # of the latest version that was read or written here
    due_ms: int | None = None  # when time alone changes this version
    _sent_at: float = float("-inf")
    _is_sent_later: bool = False
    reader: asyncio.Task[None] | None = None  # it reads what is doubted
    read_at: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    """When the latest read of the record began."""
    is_progress_doubted: bool = False  # whether the progress of the seats must be read
    _notified_v: int = 0  # the latest version of which it was notified, or `DOUBTED`
    has_lost_notifications: bool = False  # since the record was read
    subscribers: set[Subscriber] = field(default_factory=set)
    _current: set[Subscriber] = field(default_factory=set)  # they have the latest standings
    _waiting: set[Subscriber] = field(default_factory=set)  # they need the whole standings
    leaderboard: Leaderboard = field(default_factory=Leaderboard)
    is_shared: bool = False  # whether other processes serve some of the players
    _elsewhere: set[str] = field(default_factory=set)  # others that serve connected seats
    _unpublished: set[int] = field(default_factory=set)  # seats whose progress these lack

    # The version of the room.

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest version of the room that this process has read or written."""
        return None if self.messages is None else self.messages.latest

    def close(self, code: CloseCode) -> None:
        """Close the subscribers."""
        for subscriber in list(self.subscribers):
            subscriber.close(code)

    def update(self, messages: RoomMessages) -> None:
        """Take a newer version of the room, and send it to the subscribers."""
        latest, known = messages.latest, self.latest
        room = latest.room
        self.messages, self.due_ms = messages, deadline(room, self._services.grace_ms)
        self._follow_processes(room)
        if latest.written_here and latest.v == self.read_v + 1:
            self.read_v = latest.v  # an event that was written here, and is no chat message
        if room.state is RoomState.COUNTDOWN:
            self._services.start_countdown(latest)
        if room.state is RoomState.CLOSED:
            deleted = CloseCode.TABLE_DELETED if room.is_deleted else CloseCode.NO_SUCH_ROOM
            self.close(deleted)
            return
        if known is not None:  # else a subscriber enters, and then gets the standings
            self._services.standings.add(self)
        is_whole = known is None or is_sent_whole(known.room, room)
        loop = asyncio.get_running_loop()
        wait_s = self._sent_at + self._services.interval_s - loop.time()
        if is_whole or (wait_s <= 0 and not self._is_sent_later):
            self._send()
        elif not self._is_sent_later:
            # The changed seats of a large room are collected for one message.
            self._is_sent_later = True
            loop.call_later(wait_s, self._send)

    def roll_back(self, v: int) -> None:
        """Go back to an older version after a failover has lost newer ones; notify subscribers."""
        self.messages, self.read_v = None, v
        self.leaderboard.is_complete = False
        self.doubt_progress()
        self.close(CloseCode.RESYNC)

    def handle(self, notification: int | Notification | ProgressNotification) -> None:
        """Take a notification: of a version, of a seat's progress, or that some may be lost."""
        if isinstance(notification, ProgressNotification):
            progress = notification.read()
            if progress is None:  # of another release
                self.doubt_progress()
            elif self.leaderboard.take(progress):
                self._services.standings.add(self)
        elif isinstance(notification, int):
            self._notified_v = max(self._notified_v, notification)
            if self.is_behind:
                self._services.read(self)
        elif notification is Notification.DELETED:
            self.close(CloseCode.TABLE_DELETED)
        else:
            self.has_lost_notifications = True
            self.doubt()
            self.doubt_progress()

    @property
    def is_behind(self) -> bool:
        """Whether the store may have a later version than this process."""
        return self.latest is None or self.latest.v < self._notified_v

    def doubt(self) -> None:
        """Read the record again."""
        self._notified_v = DOUBTED
        self._services.read(self)

    def begin_read(self) -> None:
        """Begin to read the record; what was notified before is read then."""
        self._notified_v = 0
        self.read_at = asyncio.get_running_loop().time()

    def end_read(self) -> None:
        """Rely on notifications again, unless some were lost while the record was read."""
        self.has_lost_notifications &= self._notified_v == DOUBTED

    def _send(self) -> None:
        self._sent_at, self._is_sent_later = asyncio.get_running_loop().time(), False
        for subscriber in list(self.subscribers):
            if self.messages is not None:
                subscriber.send_room(self.messages)

    # The progress of the seats.

    def handle_progress(self, progress: SeatProgress) -> None:
        """Take the progress of a seat of this process after an act or a hint that is stored."""
        if self.leaderboard.take(progress):
            self._services.standings.add(self)
        self._publish_soon(progress.seat)

    def handle_loaded_progress(self, progress: SeatProgress) -> None:
        """Take the progress of a seat of this process as its table has read it.

        If it is older than the known one, the store has lost acts, and all progress is read again.
        """
        if self.leaderboard.replace(progress):
            self.doubt_progress()
        self._services.standings.add(self)
        # It may be of an act that was stored without an answer, or by a process that has died.
        self._publish_soon(progress.seat)

    def doubt_progress(self) -> None:
        """Read the progress of all seats again."""
        self.is_progress_doubted = True
        self._services.read(self)

    # The standings of the subscribers.

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber, if it is one."""
        for subscribers in (self.subscribers, self._current, self._waiting):
            subscribers.discard(subscriber)

    def request_standings(self, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber, if it is still one, with the next pass."""
        if subscriber in self.subscribers and not subscriber.waits:
            self._current.discard(subscriber)
            self._waiting.add(subscriber)
            self._services.standings.add(self)

    def resume(self) -> None:
        """Send with the next pass what a subscriber could not receive; it can now."""
        self._services.standings.add(self)

    def standings_text(self, room: Room, seat: int) -> str:
        """Return the `standings` for a seat, once progress was read; others get the changes."""
        self._send_changes(room)
        if self._waiting:
            self._services.standings.add(self)
        sees = sees_results(room, seat)
        return self.leaderboard.whole(self._services.clock.now_ms(), sees=sees)

    def send_standings(self) -> None:
        """Send what has changed since the last pass."""
        latest = self.latest
        if latest is None or latest.room.state not in SHOWN:
            return
        if not any(each.can_receive() for each in self.subscribers):
            return
        if self.leaderboard.needs_read(latest.room):
            if not self.leaderboard.is_being_read:
                self.doubt_progress()
            return
        try:
            slow = self._send_changes(latest.room)
        except Unreadable:
            self.doubt_progress()  # which sets the room aside
            return
        wholes: dict[bool, SharedText] = {}
        for each in [each for each in self._waiting if each.can_receive()]:
            sees = sees_results(latest.room, each.seat_number)
            if sees not in wholes:
                whole = self.leaderboard.whole(self._services.clock.now_ms(), sees=sees)
                wholes[sees] = SharedText(whole)
            if each.send_standings(wholes[sees]):
                self._waiting.discard(each)
                self._current.add(each)
        slow += len(self._waiting)
        if slow:
            metrics.skips.inc(slow)  # they get the whole later, never old changes

    def _send_changes(self, room: Room) -> int:
        """Send changes to all subscribers that have the rest; return how many are slow."""
        about, text = self.leaderboard.about, self.leaderboard.advance(room)
        if text is None:  # they are about another state or round, or a game of a window is over
            is_same = room.has_open_window and about == self.leaderboard.about
            current = {
                s for s in self._current if not is_same or sees_results(room, s.seat_number)
            }
            self._waiting |= current
            self._current -= current
        if not text:
            return 0
        changes = SharedText(text)
        slow = [each for each in list(self._current) if not each.send_standings(changes)]
        self._current.difference_update(slow)
        self._waiting.update(slow)
        return len(slow)

    # The progress of seats of this process, for others.

    def publish_progress(self) -> None:
        """Publish what was not published yet, as it is known now."""
        unpublished, self._unpublished = self._unpublished, set()
        latest = self.latest
        if latest is None or not self._elsewhere:
            return
        n, known = latest.room.rounds_started, map(self.leaderboard.known, unpublished)
        # Others need to know of the acts and the hints of this round alone.
        if progress := [p for p in known if p and n in {p.acts and p.n, p.hint_round}]:
            self._services.publish(self.code, progress)

    def _publish_soon(self, seat: int) -> None:
        if self._elsewhere:
            self._unpublished.add(seat)
            self._services.publications.add(self)

    def _follow_processes(self, room: Room) -> None:
        """Take the processes that serve a new version of the room."""
        own = self._services.process
        self.is_shared = any(seat.process != own for seat in room.players())
        serving = {seat.process for seat in room.seats if seat.connection is Presence.ON}
        before, self._elsewhere = self._elsewhere, serving - {own, ""}  # "" serves nobody
        if self._elsewhere - before:
            for seat in room.players():
                if seat.process == own:
                    self._publish_soon(seat.number)
        if before - self._elsewhere:
            # The process that has left may have died, and have stored acts and not published them.
            self.leaderboard.has_changed = True


class LiveRooms:
    """The rooms with subscribers at this process; only its `Hub` changes them."""

    def __init__(self, notifications_arrive: Callable[[str], bool]) -> None:
        """`notifications_arrive` returns whether the notifications of a room arrive here."""
        self._notifications_arrive = notifications_arrive
        self.by_code: dict[str, LiveRoom] = {}
        self.get = self.by_code.get  # the room with a code; None without subscribers here

    def __iter__(self) -> Iterator[LiveRoom]:
        """Return the rooms, any of which may be removed meanwhile."""
        return iter(list(self.by_code.values()))

    def latest(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room that this process has read or written."""
        room = self.get(code)
        return None if room is None else room.latest

    def latest_known(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room; None if a later one may not have been notified."""
        room = self.get(code)
        if room is None or room.has_lost_notifications:
            return None
        return room.latest if self._notifications_arrive(code) else None

    def known_progress(self, code: str, seat: int) -> SeatProgress | None:
        """Return the progress of a seat as this process knows it, if it serves the room."""
        room = self.get(code)
        return None if room is None else room.leaderboard.known(seat)

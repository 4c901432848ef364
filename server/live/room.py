"""The rooms with subscribers in this process: how an act reaches everybody in its room.

1. A room is one object: its latest version here, its subscribers, the progress of its seats, and
   the changes to both that have not been sent or published yet.
2. A subscriber receives each version or a later one. In the passes over all rooms it receives the
   whole standings first, then numbered changes. A pass reads nothing. Messages are made only if
   a subscriber can receive them; a subscriber that could not calls `Hub.send_skipped` later.
3. The progress of a seat of this process is published when the store has its act or hint: the
   first progress after a pause in the next turn of the event loop, the rest in the next pass,
   and only the latest progress of each seat. Rooms that no other process serves publish nothing.
   When another process joins, this one publishes the progress of all its games: that process may
   have read it before the latest acts.
4. This module decides when to read, and `hub.py` reads: nothing here waits.
5. A throttle serves all waiting rooms in one pass, at most once per interval. After a pause, the
   first room is served in the next turn of the event loop. One timer serves all rooms.
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
from server.rooms.race import sees_results
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import deadline
from server.store import Clock, Notification, ProgressNotification, SeatProgress, Unreadable
from server.views.rooms import RoomMessages, is_sent_whole

log = structlog.get_logger()


class Throttle:
    """Serves rooms in passes: each pass calls `serve` for every room that was added before it.

    If `serve` raises an error, log the event `failure` and serve the other rooms. A pass takes
    about `slice_s` of each turn of the event loop; two passes start at least `interval_s` apart.
    """

    def __init__(
        self, failure: str, interval_s: float, slice_s: float, serve: Callable[["LiveRoom"], None]
    ) -> None:
        self._failure, self._serve = failure, serve
        self._interval_s, self._slice_s = interval_s, slice_s
        self._waiting: dict[LiveRoom, None] = {}  # an ordered set
        self._is_scheduled, self._started_at = False, float("-inf")

    def add(self, room: "LiveRoom") -> None:
        """Serve a room in the next pass."""
        self._waiting[room] = None
        if not self._is_scheduled:
            self._schedule()

    def _schedule(self) -> None:
        """Start a pass as soon as the interval allows."""
        self._is_scheduled = True
        loop = asyncio.get_running_loop()
        wait_s = self._started_at + self._interval_s - loop.time()
        if wait_s > 0:
            loop.call_later(wait_s, self._start)
        else:
            loop.call_soon(self._start)

    def _start(self) -> None:
        """Start a pass over the rooms that are waiting now."""
        self._started_at = asyncio.get_running_loop().time()
        left, self._waiting = [*reversed(self._waiting)], {}
        self._continue(left)

    def _continue(self, left: "list[LiveRoom]") -> None:
        """Serve the rooms `left` in this pass, the last one first, some per turn of the loop."""
        until = time.monotonic() + self._slice_s
        while left:
            room = left.pop()
            try:
                self._serve(room)
            except Exception:
                log.exception(self._failure, room=room.code)
            if time.monotonic() >= until and left:
                asyncio.get_running_loop().call_soon(self._continue, left)
                return
        self._is_scheduled = False
        if self._waiting:
            self._schedule()


DOUBTED: Final = 1 << 60  # later than any version: the record must be read
STATES_WITH_STANDINGS: Final = {RoomState.RUNNING, RoomState.FINISHED}


@dataclass(eq=False, slots=True)
class SharedText:
    """A message for many sockets; the first socket that sends it stores the frame for all."""

    text: str
    frame: bytes | None = None


class Subscriber(Protocol):
    """A recipient of a room's messages: one socket that holds a seat."""

    seat_number: int

    @property
    def is_applicant(self) -> bool:
        """Whether the player is waiting to be let in, and sees no standings until then."""

    def can_receive(self) -> bool:
        """Return whether the socket can take standings or a board now."""

    def send_room(self, messages: RoomMessages) -> None:
        """Send a version of the room; ignore it if a later one was sent."""

    def send_said(self, v: int, text: str) -> None:
        """Send a chat message, which is event `v`."""

    def close(self, code: CloseCode) -> None:
        """End the subscription: the client must reconnect, or the room is gone."""

    def send_skippable(self, message: SharedText) -> bool:
        """Send standings or a watched board; return False if the socket is too far behind."""


@dataclass(frozen=True, slots=True)
class RoomServices:
    """The functions and settings that all rooms of a process share."""

    process: str  # the name of this process
    clock: Clock
    standings: Throttle  # the passes that send standings
    publications: Throttle  # the passes that publish progress
    publish: Callable[[str, Collection[SeatProgress]], None]
    """(code, progress): send the progress of some seats to the other processes."""
    read: Callable[["LiveRoom"], None]  # start to read the parts of a room that may be outdated
    start_countdown: Callable[[VersionedRoom], object]  # wait for t0, then start the race
    interval_s: float  # changes of a large room's seats are collected for this long
    grace_ms: int  # a seat without a connection counts as gone after this time


@dataclass(eq=False, slots=True, repr=False)
class LiveRoom:
    """A room with subscribers in this process. Times are by the event loop's clock."""

    code: str
    read_v: int  # the latest event that was read from the room's stream
    _services: RoomServices
    messages: RoomMessages | None = None  # of the latest version that was read or written here
    due_ms: int | None = None  # when time alone changes this version (ms since the epoch)
    _sent_at: float = float("-inf")  # when a version was last sent
    _is_sent_later: bool = False  # whether a timer is going to send the latest version
    reader: asyncio.Task[None] | None = None  # reads the record and the progress
    read_at: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    """When the latest read of the record started."""
    is_progress_doubted: bool = False  # whether the progress of the seats must be read
    _notified_v: int = 0  # the version in the latest notification, or `DOUBTED`
    has_lost_notifications: bool = False  # whether some may be lost since the record was read
    subscribers: set[Subscriber] = field(default_factory=set)
    _up_to_date: set[Subscriber] = field(default_factory=set)
    """The subscribers that have the latest standings."""
    _need_whole: set[Subscriber] = field(default_factory=set)
    """The subscribers that get the whole standings in the next pass."""
    leaderboard: Leaderboard = field(default_factory=Leaderboard)
    is_shared: bool = False  # whether other processes serve some players, or served them last
    _peers: set[str] = field(default_factory=set)  # the other processes with connected seats
    _unpublished: set[int] = field(default_factory=set)  # seats whose progress the peers lack

    # The version of the room.

    @property
    def latest(self) -> VersionedRoom | None:
        """The latest version of the room that this process has read or written."""
        return None if self.messages is None else self.messages.latest

    def close(self, code: CloseCode) -> None:
        """Close the sockets of all subscribers with a code."""
        for subscriber in list(self.subscribers):
            subscriber.close(code)

    def send_elsewhere(self) -> None:
        """Have the subscribers reconnect: another process may be able to read the room."""
        self.close(CloseCode.DRAINING)

    def update(self, messages: RoomMessages) -> None:
        """Replace the room with a newer version, and send it to the subscribers."""
        latest, known = messages.latest, self.latest
        room = latest.room
        self.messages, self.due_ms = messages, deadline(room, self._services.grace_ms)
        self._follow_processes(room)
        if latest.written_here and latest.v == self.read_v + 1:
            self.read_v = latest.v  # the only new event is this change: no chat is left to read
        if room.state is RoomState.COUNTDOWN:
            self._services.start_countdown(latest)
        if room.state is RoomState.CLOSED:
            self.close(CloseCode.TABLE_DELETED if room.is_deleted else CloseCode.NO_SUCH_ROOM)
            return
        if known is not None:  # otherwise a subscriber is entering, and gets the standings then
            self._services.standings.add(self)
        must_send_now = known is None or is_sent_whole(known.room, room)
        loop = asyncio.get_running_loop()
        wait_s = self._sent_at + self._services.interval_s - loop.time()
        if must_send_now or (wait_s <= 0 and not self._is_sent_later):
            self._send()
        elif not self._is_sent_later:
            # In a large room, one message shows all seats that change within a short time.
            self._is_sent_later = True
            loop.call_later(wait_s, self._send)

    def roll_back(self, v: int) -> None:
        """Go back to the older version `v` after a failover; the subscribers must reconnect."""
        self.messages, self.read_v = None, v
        self.leaderboard.is_complete = False
        self.doubt_progress()
        self.close(CloseCode.RESYNC)

    def handle(self, notification: int | Notification | ProgressNotification) -> None:
        """Handle a notification: a new version, a seat's progress, a deletion, a possible loss."""
        if isinstance(notification, ProgressNotification):
            progress = notification.read()
            if progress is None:  # another release has published it, in another form
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
        """Have the record read again, since it may have changed unnoticed."""
        self._notified_v = DOUBTED
        self._services.read(self)

    def begin_read(self) -> None:
        """Note that a read of the record starts, which covers all earlier notifications."""
        self._notified_v = 0
        self.read_at = asyncio.get_running_loop().time()

    def end_read(self) -> None:
        """Trust notifications again, unless more may have been lost during the read."""
        if self._notified_v != DOUBTED:
            self.has_lost_notifications = False

    def _send(self) -> None:
        self._sent_at, self._is_sent_later = asyncio.get_running_loop().time(), False
        for subscriber in list(self.subscribers):
            if self.messages is not None:
                subscriber.send_room(self.messages)

    # The progress of the seats.

    def handle_progress(self, progress: SeatProgress) -> None:
        """Show and publish a seat's progress, now that this process has stored its act or hint."""
        if self.leaderboard.take(progress):
            self._services.standings.add(self)
        self._publish_soon(progress.seat)

    def handle_loaded_progress(self, progress: SeatProgress) -> None:
        """Show and publish a seat's progress that this process has read from the store.

        If it is older than the known progress, the store has lost acts: read all progress again.
        """
        if self.leaderboard.replace(progress):
            self.doubt_progress()
        self._services.standings.add(self)
        # Perhaps nobody has published it: the process that stored the act got no reply, or died.
        self._publish_soon(progress.seat)

    def doubt_progress(self) -> None:
        """Have the progress of all seats read again, since some may be wrong."""
        self.is_progress_doubted = True
        self._services.read(self)

    # The standings of the subscribers.

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber, unless it has left already."""
        for subscribers in (self.subscribers, self._up_to_date, self._need_whole):
            subscribers.discard(subscriber)

    def request_standings(self, subscriber: Subscriber) -> None:
        """Send a subscriber who is still here the whole standings in the next pass."""
        if subscriber in self.subscribers and not subscriber.is_applicant:
            self._up_to_date.discard(subscriber)
            self._need_whole.add(subscriber)
            self._services.standings.add(self)

    def rank_now(self, room: Room) -> None:
        """Rank the players and send the changes now; send whole standings in the next pass."""
        self._send_changes(room)
        if self._need_whole:
            self._services.standings.add(self)

    def whole_standings(self, room: Room, seat: int) -> str:
        """Return the whole `standings` as a seat sees them, from the latest ranking."""
        sees = sees_results(room, seat)
        return self.leaderboard.whole(self._services.clock.now_ms(), with_rows=sees)

    def send_standings(self) -> None:
        """Send the changes since the last pass, and whole standings to those who need them."""
        latest = self.latest
        if latest is None or latest.room.state not in STATES_WITH_STANDINGS:
            return
        if not any(each.can_receive() for each in self.subscribers):
            return
        if self.leaderboard.needs_read(latest.room):
            if not self.leaderboard.is_being_read:
                self.doubt_progress()  # starts the read
            return
        try:
            slow = self._send_changes(latest.room)
        except Unreadable:
            self.doubt_progress()  # the read fails too, and sets the room aside
            return
        wholes: dict[bool, SharedText] = {}
        for subscriber in [each for each in self._need_whole if each.can_receive()]:
            sees = sees_results(latest.room, subscriber.seat_number)
            if sees not in wholes:
                whole = self.leaderboard.whole(self._services.clock.now_ms(), with_rows=sees)
                wholes[sees] = SharedText(whole)
            if subscriber.send_skippable(wholes[sees]):
                self._need_whole.discard(subscriber)
                self._up_to_date.add(subscriber)
        slow += len(self._need_whole)
        if slow:
            metrics.skips.inc(slow)  # slow subscribers later get the whole standings

    def _send_changes(self, room: Room) -> int:
        """Rank again, and send the changes to up-to-date subscribers; return how many are slow."""
        shown_before = self.leaderboard.shown  # the state and the round
        all_need_whole, text = self.leaderboard.advance(room)
        if all_need_whole:
            needing = self._up_to_date.copy()
            if room.has_open_window and self.leaderboard.shown == shown_before:
                # Players who are still playing see no rows, so they need no new standings.
                needing = {each for each in needing if sees_results(room, each.seat_number)}
            self._need_whole |= needing
            self._up_to_date -= needing
        if not text:
            return 0
        changes = SharedText(text)
        slow = [each for each in list(self._up_to_date) if not each.send_skippable(changes)]
        self._up_to_date.difference_update(slow)
        self._need_whole.update(slow)
        return len(slow)

    # The progress of this process's seats, for other processes.

    def publish_progress(self) -> None:
        """Send the other processes the changed progress of this process's seats."""
        unpublished, self._unpublished = self._unpublished, set()
        latest = self.latest
        if latest is None or not self._peers:
            return
        n, progress = latest.room.rounds_started, list[SeatProgress]()
        for known in filter(None, map(self.leaderboard.progress_of, unpublished)):
            has_acts, has_hints = known.n == n and known.acts > 0, known.hint_round == n
            if has_acts or has_hints:  # earlier rounds do not matter any more
                progress.append(known)
        if progress:
            self._services.publish(self.code, progress)

    def _publish_soon(self, seat: int) -> None:
        """Publish a seat's progress in the next pass, if another process serves the room."""
        if self._peers:
            self._unpublished.add(seat)
            self._services.publications.add(self)

    def _follow_processes(self, room: Room) -> None:
        """Note which other processes serve the room now, and publish all progress to new ones."""
        own = self._services.process
        self.is_shared = any(seat.process != own for seat in room.playing())
        serving = {seat.process for seat in room.seats if seat.connection is Presence.ON}
        before, self._peers = self._peers, serving - {own, ""}  # "": a seat without a process
        if self._peers - before:
            for seat in room.playing():
                if seat.process == own:
                    self._publish_soon(seat.number)
        if before - self._peers:
            # A process that is gone may have died between storing an act and publishing it.
            self.leaderboard.has_changed = True


class LiveRooms:
    """The rooms with subscribers in this process; only its `Hub` changes them."""

    def __init__(self, notifications_arrive: Callable[[str], bool]) -> None:
        """`notifications_arrive` returns whether this process is notified of a room's changes."""
        self._notifications_arrive = notifications_arrive
        self.by_code: dict[str, LiveRoom] = {}
        self.get = self.by_code.get  # (code): its room, or None if it has no subscribers here

    def __iter__(self) -> Iterator[LiveRoom]:
        """Return the rooms; any of them may be removed during the iteration."""
        return iter(list(self.by_code.values()))

    def latest(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room that this process has read or written."""
        room = self.get(code)
        return None if room is None else room.latest

    def latest_known(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room; None if a notification of it may be missing."""
        room = self.get(code)
        if room is None or room.has_lost_notifications:
            return None
        return room.latest if self._notifications_arrive(code) else None

    def known_progress(self, code: str, seat: int) -> SeatProgress | None:
        """Return the progress of a seat, if this process serves the room and knows it."""
        room = self.get(code)
        return None if room is None else room.leaderboard.progress_of(seat)

"""What this process must fan out, and to whom.

1. The hub holds no state of a room, only the latest that was read of it.
2. A hint says that something changed, never what: the hub reads it from the store.
3. A listener hears a room's events in order, each `v` at most once, and every change of
   state that it was there for.
4. Standings are read at once for the first change, then at most five times a second. So are
   changes of seats in a large room told; anything else of a room is told at once.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from protocol.vocabulary import RoomState
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.standings import Standings
from server.live.subscriber import Subscriber
from server.live.tasks import Tasks
from server.rooms.events import Event, Tick
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.room import deadline
from server.store import Clock, Notification, StoreAway, Unreadable
from server.views.room_messages import RoomMessages
from server.views.rooms import changes_since

ROOM_INTERVAL_S = 0.2
"""Changed seats of a large room are collected for so long, and sent in one message."""
RETRY_S = 1.0
UNSEEN_S = 20.0
"""Rooms of which no notification came for longer are read again: one may have been lost."""

BELIEVED_S = 1.0
"""A newcomer has a room read again that was read longer ago: a notification may have been lost."""

log = structlog.get_logger()


class Hub:
    """Fans out what happens in the rooms of this process's listeners.

    Its work runs in the task group that it is given, and ends with it.
    """

    def __init__(self, repository: Repository, clock: Clock, tasks: asyncio.TaskGroup) -> None:
        self.clock = clock
        self.process = secrets.token_hex(8)
        self._repository = repository
        repository.recall = self.recall
        self._tasks = Tasks(tasks)
        self._standings = Standings(repository, clock, self._tasks)
        self._rooms: dict[str, LocalRoom] = {}

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something in a task of its own; what it raises is logged, not lost."""
        self._tasks.spawn(work, name)

    async def enter(self, latest: VersionedRoom, subscriber: Subscriber) -> None:
        """From now on the listener hears of the room, whose latest page it has."""
        local = self._rooms.get(latest.room.code)
        if local is None:
            local = self._rooms[latest.room.code] = LocalRoom(latest.room.code, read_v=latest.v)
        local.subscribers.add(subscriber)
        local.last_sent = None
        if len(local.subscribers) == 1:
            await self._subscribe(local)
            self.spawn(self._send_heartbeat(local.code), "beat")
            # The room may have changed between its reading and the first notification.
            self._read(local)
        elif time.monotonic() - local.read_at > BELIEVED_S:
            self._read(local)
        self.update(latest)
        assert local.messages is not None, "the page was learned"
        subscriber.send_room(local.messages)
        self.standings_changed(local.code)

    async def leave(self, code: str, subscriber: Subscriber, *, reported: bool = True) -> None:
        """Send nothing of the room to the subscriber any more.

        Unless it is `reported` to the room that nobody is at the seat, the room stays among those
        of this process, so that other processes report it should this one end before.
        """
        local = self._rooms.get(code)
        if local is None:
            return
        local.subscribers.discard(subscriber)
        if not local.subscribers:
            del self._rooms[code]
            # At once: somebody who comes meanwhile would follow first, and then be unfollowed.
            self._repository.store.pubsub.unsubscribe(code)
            if reported:
                await self.forget(code)

    async def forget(self, code: str) -> None:
        """The room has been told of everybody who was here; it is no room of this process now."""
        if code not in self._rooms:
            with contextlib.suppress(StoreAway):  # then a name too many stands there: no harm
                await self._repository.store.drop_room(self.process, code)

    async def _send_heartbeat(self, code: str) -> None:
        store = self._repository.store
        await store.beat(self.process, await store.now(), [code])

    def codes(self) -> list[str]:
        """The rooms in which somebody sits at this process."""
        return list(self._rooms)

    def latest(self, code: str) -> VersionedRoom | None:
        """The latest that this process knows of the room."""
        local = self._rooms.get(code)
        return None if local is None else local.latest

    def recall(self, code: str) -> VersionedRoom | None:
        """Return the latest that is known here of the room, unless more may have been missed."""
        local = self._rooms.get(code)
        return None if local is None or local.doubtful else local.latest

    def states(self) -> list[str]:
        """The state of each room that somebody here sits in."""
        return [
            local.messages.latest.room.state.value
            for local in self._rooms.values()
            if local.messages
        ]

    def overdue(self, since: int) -> list[str]:
        """The rooms here that time should have changed by then (ms since the epoch)."""
        return [
            code
            for code, local in self._rooms.items()
            if local.messages is not None
            and (due := deadline(local.messages.latest.room)) is not None
            and due <= since
        ]

    def update(self, latest: VersionedRoom) -> None:
        """A room's new state, from a change made here or from a reading; tells everybody."""
        local = self._rooms.get(latest.room.code)
        if local is None or (local.messages is not None and local.messages.latest.v >= latest.v):
            return
        known = local.latest
        local.messages = RoomMessages(latest)
        if latest.written_here and latest.v == local.read_v + 1:
            local.read_v = latest.v
        if latest.room.state is RoomState.COUNTDOWN:
            self.spawn(self._run_countdown(local, latest), "countdown")
        if latest.room.state is RoomState.CLOSED:
            local.handle_closed()
            return
        self.standings_changed(latest.room.code)
        passing = (
            known is not None and changes_since(known.room, latest.room, latest.v) is not None
        )
        now = time.monotonic()
        if not passing or (not local.sending and now - local.sent_at >= ROOM_INTERVAL_S):
            local.send_room()
        elif not local.sending:
            local.sending = True
            wait = local.sent_at + ROOM_INTERVAL_S - now
            self.spawn(self._send_room_later(local, wait), "room")

    async def _send_room_later(self, local: LocalRoom, wait: float) -> None:
        """Tells of a room of many seats what has changed meanwhile, in one message."""
        try:
            await asyncio.sleep(wait)
        finally:
            local.sending = False
        if local.messages is not None:
            local.send_room()

    def reread(self, code: str) -> None:
        """Something was said here: reads it without waiting for the hint."""
        local = self._rooms.get(code)
        if local is not None:
            self._read(local)

    def refresh(self) -> None:
        """Looks after the rooms here of which nothing was heard for long."""
        now = time.monotonic()
        for local in self._rooms.values():
            if now - local.read_at > UNSEEN_S:
                local.read_at = now
                self._read(local)
                self.standings_changed(local.code)

    def standings_changed(self, code: str) -> None:
        """Have a room's leaderboard sent soon: somebody's figures are others."""
        local = self._rooms.get(code)
        if local is not None:
            self._standings.changed(local)

    async def standings_text(self, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room as it is now."""
        return await self._standings.text(latest)

    async def _subscribe(self, local: LocalRoom) -> None:
        try:
            await self._repository.store.pubsub.subscribe(local.code, self._hint_for(local))
        except StoreAway:
            self.spawn(self._subscribe_later(local), "follow")

    async def _subscribe_later(self, local: LocalRoom) -> None:
        await asyncio.sleep(RETRY_S)
        if self._rooms.get(local.code) is local:
            await self._subscribe(local)
            self._read(local)

    def _hint_for(self, local: LocalRoom) -> Callable[[Notification], None]:
        def hear(notification: Notification) -> None:
            if notification is Notification.LOST:
                local.doubtful = True
            if notification is not Notification.STANDINGS:
                self._read(local)
            if notification is not Notification.ROOM:
                self.standings_changed(local.code)

        return hear

    def _read(self, local: LocalRoom) -> None:
        """Reads the room; what comes in meanwhile makes one more reading, not many."""
        local.again = True
        if not local.reading:
            local.reading = True
            self.spawn(self._read_on(local), "read")

    async def _read_on(self, local: LocalRoom) -> None:
        try:
            while local.again and local.subscribers:
                local.again = False
                local.read_at = time.monotonic()
                known = local.latest
                try:
                    latest = await self._repository.read(local.code, known)
                    local.doubtful = local.doubtful and local.again
                    if known is not None and latest is not known and _older(latest, known):
                        log.warning("room taken back", room=local.code, v=latest.v)
                        local.roll_back(latest)
                    self.update(latest)
                    await self._send_said(local, latest)
                except Refusal:
                    local.handle_closed()
                except Unreadable:
                    local.handle_unreadable()
                except StoreAway:
                    local.again = True
                    await asyncio.sleep(RETRY_S)
        finally:
            local.reading = False

    async def _send_said(self, local: LocalRoom, latest: VersionedRoom) -> None:
        """Tells what was said since this process last looked."""
        after = local.read_v
        if latest.v <= after:
            return
        local.read_v = latest.v
        for v, text in await self._repository.said(local.code, after):
            local.send_said(v, text)

    async def _run_countdown(self, local: LocalRoom, latest: VersionedRoom) -> None:
        """Starts the race at t0: who has somebody in the room does not wait for the sweep."""
        assert latest.room.round is not None, "a countdown has a round"
        while self.latest(local.code) is latest and local.subscribers:
            wait_ms = latest.room.round.t0 - await self._repository.store.now()
            if wait_ms <= 0:
                await self.tick(local.code)
            else:
                await asyncio.sleep(wait_ms / 1_000)

    async def apply(self, code: str, event: Event | Callable[[Room], Event]) -> None:
        """Apply an event to a room and send it to everybody here.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it, and everybody here is sent elsewhere.
        """
        try:
            self.update(await self._repository.apply(code, event))
        except Unreadable:
            local = self._rooms.get(code)
            if local is not None:
                local.handle_unreadable()
            raise

    async def tick(self, code: str) -> None:
        """Lets time change the room, if it is time; any process may, any number of times.

        Raises:
            Refusal: there is no such room any more.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it.
        """
        await self.apply(code, Tick(await self._repository.store.now()))


def _older(latest: VersionedRoom, known: VersionedRoom) -> bool:
    """Whether a page that was read later than `known` is none that can follow it."""
    return latest.v < known.v or (latest.v == known.v and latest.room != known.room)

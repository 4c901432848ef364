"""The reads of the rooms of this process: after notifications, and now and then without any.

1. A notification of a room says that it changed, never how: the room is read from the store. Only
   the notifications of an act or a hint carry what changed, the figures of the seat.
2. Any number of notifications during a read cause one more read.
3. A notification may be lost, though no connection breaks. So rooms are read now and then, one
   after the other: many reads at once would delay all acts meanwhile.
"""

import asyncio
import time
from collections.abc import Callable, Mapping

import structlog

from server.live.figure_reads import FigureReads
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.standings import Standings
from server.live.tasks import Tasks
from server.live.timings import LiveTimings
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.store import FiguresText, Notification, StoreAway, Unreadable

log = structlog.get_logger()


class RoomReads:
    """The subscriptions to the rooms of this process, and their reads.

    `update` takes each version that was read.
    """

    def __init__(
        self,
        repository: Repository,
        rooms: Mapping[str, LocalRoom],
        standings: Standings,
        figures: FigureReads,
        tasks: Tasks,
        timings: LiveTimings,
        update: Callable[[VersionedRoom], None],
    ) -> None:
        self._repository = repository
        self._rooms = rooms
        self._standings = standings
        self._figures = figures
        self._tasks = tasks
        self._timings = timings
        self._update = update
        self._refreshing = False

    def begin(self, local: LocalRoom) -> None:
        """Begin to read the room, or read it once more after a read that is under way."""
        local.again = True
        if not local.reading:
            local.reading = True
            self._tasks.spawn(self._read(local), "read")

    def refresh(self) -> None:
        """Read the rooms that were not read for a while; call it every second or so."""
        now = time.monotonic()
        due = [
            local
            for local in self._rooms.values()
            if now - local.read_at > self._timings.unseen_s or self._figures.is_due(local, now)
        ]
        if due and not self._refreshing:
            self._refreshing = True
            self._tasks.spawn(self._refresh(due), "refresh")

    async def _refresh(self, due: list[LocalRoom]) -> None:
        try:
            for local in due:
                try:
                    await self._refresh_room(local)
                except Exception:  # a room that fails keeps no other one from being read
                    log.exception("read failed", room=local.code)
        finally:
            self._refreshing = False

    async def _refresh_room(self, local: LocalRoom) -> None:
        unseen = time.monotonic() - local.read_at > self._timings.unseen_s
        if unseen and not local.reading:
            local.again = local.reading = True
            await self._read(local)
        await self._figures.refresh(local, unseen=unseen)

    async def subscribe(self, local: LocalRoom) -> None:
        """Subscribe to the notifications of a room; later, if the store is away."""
        try:
            await self._repository.store.pubsub.subscribe(local.code, self._handler(local))
        except StoreAway:
            self._tasks.spawn(self._subscribe_later(local), "follow")
        else:
            self._figures.subscribed(local)

    async def _subscribe_later(self, local: LocalRoom) -> None:
        await asyncio.sleep(self._timings.retry_s)
        if self._rooms.get(local.code) is local:
            await self.subscribe(local)
            self.begin(local)

    def _handler(self, local: LocalRoom) -> Callable[[Notification | FiguresText], None]:
        def handle(notification: Notification | FiguresText) -> None:
            if isinstance(notification, FiguresText):
                self._standings.notified(local, notification)
            elif notification is Notification.ROOM:
                local.notified += 1
                self._read_unless_known(local)
            else:
                if notification is Notification.LOST:
                    local.notifications_lost, local.counted_from = True, None
                    self.begin(local)
                self._figures.doubt(local)

        return handle

    def _read_unless_known(self, local: LocalRoom) -> None:
        """Read the room after a notification, unless that is of a change made here."""
        if local.is_known or local.settling:
            return
        if local.reading:
            local.again = True
        else:
            local.reading = local.settling = True
            self._tasks.spawn(self._read_when_settled(local), "read")

    async def _read_when_settled(self, local: LocalRoom) -> None:
        # The notification of a change may come before the reply to the process that makes it.
        try:
            await self._repository.settle(local.code)
        finally:
            local.settling = False
        local.again = local.again or not local.is_known
        await self._read(local)

    async def _read(self, local: LocalRoom) -> None:
        try:
            while local.again and local.subscribers:
                local.again = False
                notified_before = local.notified
                local.read_at = time.monotonic()
                known = local.latest
                try:
                    latest = await self._repository.read(local.code, known)
                    local.notifications_lost = local.notifications_lost and local.again
                    # Notifications may be lost between a read that was under way and the next.
                    local.counted_from = (
                        None if local.notifications_lost else latest.v - notified_before
                    )
                    if known is not None and latest is not known and _older(latest, known):
                        log.warning("room taken back", room=local.code, v=latest.v)
                        local.roll_back(latest)
                    self._update(latest)
                    await self._send_said(local, latest)
                except Refusal:
                    local.handle_closed()
                except Unreadable:
                    local.handle_unreadable()
                except StoreAway:
                    local.again = True
                    await asyncio.sleep(self._timings.retry_s)
        finally:
            local.reading = False

    async def _send_said(self, local: LocalRoom, latest: VersionedRoom) -> None:
        """Send the chat messages that were appended since the last read."""
        after = local.read_v
        if latest.v <= after:
            return
        local.read_v = latest.v
        for v, text in await self._repository.said(local.code, after):
            local.send_said(v, text)


def _older(latest: VersionedRoom, known: VersionedRoom) -> bool:
    """Return whether a version that was read after `known` is none that can follow it."""
    return latest.v < known.v or (latest.v == known.v and latest.room != known.room)

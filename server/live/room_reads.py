"""The reads of the rooms of this process: after notifications, and now and then without any.

1. A notification of a room says that it changed, never how: the room is read from the store. Only
   the notifications of an act or a hint carry what changed, the progress of the seat.
2. Any number of notifications during a read cause one more read.
3. A notification may be lost, though no connection breaks. So rooms are read now and then, one
   after the other: many reads at once would delay all acts meanwhile.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from server.live.background_tasks import BackgroundTasks
from server.live.local_room import LocalRoom
from server.live.local_rooms import LocalRooms
from server.live.progress_reads import ProgressReads
from server.live.repository import Repository
from server.live.timings import LiveTimings
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.store import Notification, ProgressNotification, StoreAway, Unreadable

log = structlog.get_logger()


@dataclass(eq=False)
class RoomReads:
    """The subscriptions to the rooms of this process, and their reads."""

    _repository: Repository
    _rooms: LocalRooms
    _progress: ProgressReads
    _tasks: BackgroundTasks
    _timings: LiveTimings
    _is_refreshing: bool = False

    def begin(self, local: LocalRoom) -> None:
        """Begin to read the room, or read it once more after a read that is under way."""
        if local.reading.requests.request():
            self._tasks.spawn(self._read(local), "read")

    def refresh(self) -> None:
        """Read the rooms that were not read for a while; call it every second or so."""
        due = [local for local in self._rooms if self._is_due(local)]
        if due and not self._is_refreshing:
            self._is_refreshing = True
            self._tasks.spawn(self._refresh(due), "refresh")

    def _is_due(self, local: LocalRoom) -> bool:
        return local.reading.is_older_than(self._timings.unseen_s) or self._progress.is_due(
            local.standings, asyncio.get_running_loop().time()
        )

    async def _refresh(self, due: list[LocalRoom]) -> None:
        """Read rooms one after the other; the next refresh may begin after the last of them."""
        try:
            for local in due:
                try:
                    await self._refresh_room(local)
                except Exception:  # a room that fails keeps no other one from being read
                    log.exception("read failed", room=local.code)
        finally:
            self._is_refreshing = False

    async def _refresh_room(self, local: LocalRoom) -> None:
        unseen = local.reading.is_older_than(self._timings.unseen_s)
        if unseen and not local.reading.requests.has_reader:
            local.reading.requests.request()
            await self._read(local)
        await self._progress.refresh(local.standings, unseen=unseen)

    async def subscribe(self, local: LocalRoom) -> None:
        """Subscribe to the notifications of a room; later, if the store is away."""
        try:
            await self._repository.store.pubsub.subscribe(local.code, self._handler(local))
        except StoreAway:
            self._tasks.spawn(self._subscribe_later(local), "follow")
        else:
            if local.standings.leaderboard.is_read:
                local.standings.doubt()  # it was read before the notifications began

    async def _subscribe_later(self, local: LocalRoom) -> None:
        await asyncio.sleep(self._timings.retry_s)
        if self._rooms.get(local.code) is local:
            await self.subscribe(local)
            self.begin(local)

    def _handler(self, local: LocalRoom) -> Callable[[Notification | ProgressNotification], None]:
        """Return the function that handles the notifications of a room."""

        def handle(notification: Notification | ProgressNotification) -> None:
            if isinstance(notification, ProgressNotification):
                local.standings.handle_notification(notification)
            elif notification is Notification.ROOM:
                if local.reading.handle_notification(local.latest):
                    self._tasks.spawn(self._read_when_settled(local), "read")
            else:
                local.reading.handle_loss()
                self.begin(local)
                local.standings.doubt()

        return handle

    async def _read_when_settled(self, local: LocalRoom) -> None:
        # The notification of a change may come before the reply to the process that makes it.
        try:
            await self._repository.settle(local.code)
        finally:
            local.reading.handle_settled(local.latest)
        await self._read(local)

    async def _read(self, local: LocalRoom) -> None:
        """Read a room as long as that is requested, and hand it to its subscribers."""
        try:
            while local.subscribers and local.reading.begin():
                known = local.latest
                try:
                    latest = await self._repository.read(local.code, known)
                    local.reading.end(latest.v)
                    if known is not None and latest is not known and _older(latest, known):
                        log.warning("room taken back", room=local.code, v=latest.v)
                        local.roll_back(latest.v)
                    self._rooms.update(latest)
                    await self._send_said(local, latest)
                except Refusal:
                    for subscriber in local.subscribers:
                        subscriber.handle_closed()
                except Unreadable:
                    for subscriber in local.subscribers:
                        subscriber.handle_unreadable()
                except StoreAway:
                    local.reading.requests.request()
                    await asyncio.sleep(self._timings.retry_s)
        finally:
            local.reading.requests.end_reader()

    async def _send_said(self, local: LocalRoom, latest: VersionedRoom) -> None:
        """Send the chat messages that were appended since the last read."""
        after = local.reading.read_v
        if latest.v <= after:
            return
        local.reading.move_to(latest.v)
        for v, text in await self._repository.said(local.code, after):
            for subscriber in local.subscribers:
                subscriber.send_said(v, text)


def _older(latest: VersionedRoom, known: VersionedRoom) -> bool:
    """Return whether a version that was read after `known` is none that can follow it."""
    return latest.v < known.v or (latest.v == known.v and latest.room != known.room)

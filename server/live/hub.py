"""The fan-out of rooms to the subscribers of this process.

1. The hub holds no state of a room, only the latest version that was read or written here.
2. A subscriber receives a room's events in order, each `v` at most once, and every change of
   state since it entered.
3. Standings of all rooms are sent in one pass at most every tenth of a second, without a read.
   Changed seats of a large room are sent five times a second at most; all other changes are sent
   at once.
"""

import asyncio
import secrets
from collections.abc import Callable

from protocol.vocabulary import ErrorCode
from server.live.background_tasks import BackgroundTasks
from server.live.listed_rooms import ListedRooms
from server.live.local_room import LocalRoom, RoomServices
from server.live.local_rooms import LocalRooms
from server.live.lost_acts import LostActs
from server.live.progress_publications import Publisher
from server.live.progress_reads import ProgressReads
from server.live.random_values import draw_entropy
from server.live.repository import Repository
from server.live.room_reads import RoomReads
from server.live.room_throttle import RoomThrottle
from server.live.subscribers import Subscriber
from server.live.timings import LIVE_TIMINGS, LiveTimings
from server.rooms.events import Entropy, Event, Tick
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.store import Clock, SeatProgress, Unreadable


class Hub:
    """Fan out the rooms of this process to their subscribers.

    `rooms` holds them; no other hub may have it. All tasks run in the given task group, and end
    with it. `draw_entropy` returns the random part of a round. `interrupted_at` is that of
    `LostActs`. `process` is the name of this process; without one it is drawn.
    """

    def __init__(
        self,
        repository: Repository,
        rooms: LocalRooms,
        clock: Clock,
        tasks: asyncio.TaskGroup,
        timings: LiveTimings = LIVE_TIMINGS,
        draw_entropy: Callable[[], Entropy] = draw_entropy,
        interrupted_at: Callable[[], int] | None = None,
        process: str = "",
    ) -> None:
        self.clock = clock
        self.timings = timings
        self.draw_entropy = draw_entropy
        self.process = process or secrets.token_hex(8)
        self.rooms = rooms
        self.lost_acts = LostActs(rooms.known_progress, interrupted_at)
        self._repository = repository
        background = BackgroundTasks(tasks)
        self.spawn = background.spawn
        """Run work in a task of its own; see `BackgroundTasks.spawn`."""
        self._progress_reads = ProgressReads(
            repository, background, timings, self.lost_acts.compare
        )
        self.reads = RoomReads(repository, rooms, self._progress_reads, background, timings)
        self._listed = ListedRooms(repository.store.processes, clock.now, self.process, background)
        interval_s, slice_s = timings.publish_interval_s, timings.pass_slice_s
        self._room_services = RoomServices(
            publisher=Publisher(
                repository.store.pubsub.publish,
                self.process,
                RoomThrottle("publication failed", interval_s, slice_s),
                timings.retry_s,
            ),
            clock=clock,
            throttle=RoomThrottle("standings failed", timings.standings_interval_s, slice_s),
            begin_read=self._progress_reads.begin,
            start_countdown=lambda latest: self.spawn(self._run_countdown(latest), "countdown"),
            interval_s=timings.room_interval_s,
            grace_ms=repository.timings.grace_ms,
        )

    async def enter(self, latest: VersionedRoom, subscriber: Subscriber) -> None:
        """Subscribe to a room, whose version `latest` the caller has read, and send it."""
        local = self.rooms.get(latest.room.code)
        if local is None:
            local = LocalRoom(latest.room.code, latest.v, self._room_services)
            self.rooms.add(local)
        local.subscribers.add(subscriber)
        self.rooms.update(latest)
        if len(local.subscribers) == 1:
            await self.reads.subscribe(local)
            self._listed.add(local.code)
            # The room may have changed between the read and the subscription.
            self.reads.begin(local)
        elif local.reading.is_older_than(self.timings.believed_s):
            self.reads.begin(local)
        assert local.messages is not None, "the room was updated"
        subscriber.send_room(local.messages)
        local.standings.request(subscriber)

    async def leave(self, code: str, subscriber: Subscriber, *, reported: bool = True) -> None:
        """Unsubscribe from a room.

        Unless the room's record shows already that the seat is left (`reported`), the room stays
        among those of this process: if the process dies, other processes report it.
        """
        local = self.rooms.get(code)
        if local is None:
            return
        local.subscribers.remove(subscriber)
        if not local.subscribers:
            self.rooms.remove(code)
            # Without awaiting: a subscriber that enters meanwhile would lose its subscription.
            self._repository.store.pubsub.unsubscribe(code)
            if reported:
                await self.forget(code)

    async def forget(self, code: str) -> None:
        """Remove the room from this process's list, unless a subscriber has entered again."""
        if self.rooms.get(code) is None:
            await self._listed.remove(code)

    def reread(self, code: str) -> None:
        """Read a room whose stream was appended to here, without waiting for the notification."""
        local = self.rooms.get(code)
        if local is not None:
            self.reads.begin(local)

    def handle_loaded_progress(self, code: str, progress: SeatProgress) -> None:
        """Take the progress of a seat as its table has read it; it may show lost acts."""
        self.lost_acts.compare(code, progress)
        self.rooms.handle_loaded_progress(code, progress)

    def send_standings(self, code: str, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber soon."""
        local = self.rooms.get(code)
        if local is not None:
            local.standings.request(subscriber)

    async def standings_text(self, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room here as it is now.

        Raises:
            Refusal: the room has no subscribers here.
        """
        self.rooms.update(latest)
        local = self.rooms.get(latest.room.code)
        if local is None or local.latest is None:
            raise Refusal(ErrorCode.NOT_JOINED)
        return await self._progress_reads.standings_text(local.standings, local.latest.room)

    async def _run_countdown(self, latest: VersionedRoom) -> None:
        """Start the race at t0, without waiting for the sweep."""
        assert latest.room.round is not None, "a countdown has a round"
        while self.rooms.latest(latest.room.code) is latest:
            wait_ms = latest.room.round.t0 - self._repository.store.clock.now()
            if wait_ms <= 0:
                await self.tick(latest.room.code)
            else:
                await asyncio.sleep(wait_ms / 1_000)

    async def apply(self, code: str, event: Event | Callable[[Room], Event]) -> VersionedRoom:
        """Apply an event to a room, and send the new version to its subscribers here; return it.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read the room; its subscribers here are closed.
        """
        try:
            latest = await self._repository.apply(code, event)
        except Unreadable:
            local = self.rooms.get(code)
            for subscriber in () if local is None else local.subscribers:
                subscriber.handle_unreadable()
            raise
        self.rooms.update(latest)
        return latest

    async def tick(self, code: str) -> None:
        """Apply the current time to a room; any process may do so, any number of times.

        Raises:
            Refusal: the room does not exist any more.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it.
        """
        now, timings = self._repository.store.clock.now(), self._repository.timings
        await self.apply(code, Tick(now, entropy=self.draw_entropy(), timings=timings))

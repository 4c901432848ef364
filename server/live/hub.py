"""The fan-out of rooms to the subscribers of this process.

1. The hub holds no state of a room, only the latest version that was read or written here.
2. A subscriber receives a room's events in order, each `v` at most once, and every change of
   state since it entered.
3. Standings of all rooms are sent in one pass at most every tenth of a second, without a read.
   Changed seats of a large room are sent five times a second at most; all other changes are sent
   at once.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from protocol.vocabulary import ErrorCode, RoomState
from server.live.entropy import draw_entropy
from server.live.figure_reads import FigureReads
from server.live.local_room import LocalRoom
from server.live.own_figures import OwnFigures
from server.live.publications import Publications
from server.live.repository import Repository
from server.live.room_reads import RoomReads
from server.live.standings import Standings
from server.live.subscriber import Subscriber
from server.live.tasks import Tasks
from server.live.timings import LIVE_TIMINGS, LiveTimings
from server.rooms.events import Entropy, Event, Tick
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.store import Clock, SeatFigures, StoreAway, Unreadable
from server.views.room_messages import RoomMessages
from server.views.rooms import changes_since

log = structlog.get_logger()


class Hub:
    """Fan out the rooms of this process to their subscribers.

    All tasks run in the given task group, and end with it. `draw_entropy` returns the random part
    of a round.
    """

    def __init__(
        self,
        repository: Repository,
        clock: Clock,
        tasks: asyncio.TaskGroup,
        timings: LiveTimings = LIVE_TIMINGS,
        draw_entropy: Callable[[], Entropy] = draw_entropy,
    ) -> None:
        self.clock = clock
        self.timings = timings
        self.draw_entropy = draw_entropy
        self.process = secrets.token_hex(8)
        self._repository = repository
        repository.latest_known = self.latest_known
        self._tasks = Tasks(tasks)
        self._standings = Standings(clock, timings)
        publish = repository.store.pubsub.publish
        self._publications = Publications(publish, self.process, timings)
        self._figures = FigureReads(repository, self._standings, self._tasks, timings)
        self._rooms: dict[str, LocalRoom] = {}
        own = OwnFigures(self._rooms, self._standings, self._publications)
        # Attributes, so that no act passes a method that only calls another one.
        self.figures_changed = own.changed
        """Take the figures of a seat after an act or a hint; see `OwnFigures.changed`."""
        self.figures_read = own.read
        """Take the figures of a seat as its table has read them; see `OwnFigures.read`."""
        self._reads = RoomReads(
            repository,
            self._rooms,
            self._standings,
            self._figures,
            self._tasks,
            timings,
            self.update,
        )
        self._latest_made: RoomMessages | None = None
        self._entered: list[str] = []  # rooms that are not in this process's list yet

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run `work` in a task of its own; errors are logged."""
        self._tasks.spawn(work, name)

    async def enter(self, latest: VersionedRoom, subscriber: Subscriber) -> None:
        """Subscribe to a room, whose version `latest` the caller has read, and send it."""
        local = self._rooms.get(latest.room.code)
        if local is None:
            local = self._rooms[latest.room.code] = LocalRoom(latest.room.code, read_v=latest.v)
        local.subscribers.add(subscriber)
        self.update(latest)
        if len(local.subscribers) == 1:
            await self._reads.subscribe(local)
            self._add_to_heartbeat(local.code)
            # The room may have changed between the read and the subscription.
            self._reads.begin(local)
        elif time.monotonic() - local.read_at > self.timings.believed_s:
            self._reads.begin(local)
        assert local.messages is not None, "the room was updated"
        subscriber.send_room(local.messages)
        self._standings.entered(local, subscriber)

    async def leave(self, code: str, subscriber: Subscriber, *, reported: bool = True) -> None:
        """Unsubscribe from a room.

        Unless the room's record shows already that the seat is left (`reported`), the room stays
        among those of this process: if the process dies, other processes report it.
        """
        local = self._rooms.get(code)
        if local is None:
            return
        local.remove(subscriber)
        if not local.subscribers:
            del self._rooms[code]
            # Without awaiting: a subscriber that enters meanwhile would lose its subscription.
            self._repository.store.pubsub.unsubscribe(code)
            if reported:
                await self.forget(code)

    async def forget(self, code: str) -> None:
        """Remove the room from this process's list, unless a subscriber has entered again."""
        if code not in self._rooms:
            with contextlib.suppress(StoreAway):  # a room too many in the list does no harm
                await self._repository.store.drop_room(self.process, code)

    def _add_to_heartbeat(self, code: str) -> None:
        """Add a room to this process's list, together with others that come meanwhile."""
        self._entered.append(code)
        if len(self._entered) == 1:
            self.spawn(self._send_heartbeat(), "beat")

    async def _send_heartbeat(self) -> None:
        store = self._repository.store
        try:
            while self._entered:
                sent = len(self._entered)
                await store.beat(self.process, await store.now(), self._entered[:sent])
                del self._entered[:sent]
        finally:  # if the store is away, the next regular heartbeat has all rooms
            self._entered.clear()

    def codes(self) -> list[str]:
        """Return the codes of the rooms that have subscribers here."""
        return list(self._rooms)

    def latest(self, code: str) -> VersionedRoom | None:
        """Return the latest version of the room that this process has read or written."""
        local = self._rooms.get(code)
        return None if local is None else local.latest

    def messages(self, latest: VersionedRoom) -> RoomMessages:
        """Return the messages of a version of a room, the same ones for all who ask in a row."""
        local = self._rooms.get(latest.room.code)
        kept = None if local is None else local.messages
        if kept is None or kept.latest is not latest:
            kept = self._latest_made
        if kept is None or kept.latest is not latest:
            kept = self._latest_made = RoomMessages(latest)
        return kept

    def latest_known(self, code: str) -> VersionedRoom | None:
        """Return the same as `latest`, but None if notifications of the room may be lost."""
        local = self._rooms.get(code)
        if local is None or local.notifications_lost:
            return None
        return local.latest if self._repository.store.pubsub.passes_on(code) else None

    def known(self, code: str, seat: int) -> SeatFigures | None:
        """Return the figures of a seat as this process knows them, if it serves the room."""
        local = self._rooms.get(code)
        return None if local is None else local.leaderboard.known(seat)

    def on_acts_taken_back(self, call: Callable[[str, SeatFigures], None]) -> None:
        """Call this with figures of a seat that show a loss, before they replace newer ones."""
        self._figures.taken_back = call

    def states(self) -> list[str]:
        """Return the state of each room that has subscribers here."""
        return [
            local.messages.latest.room.state.value
            for local in self._rooms.values()
            if local.messages
        ]

    def overdue(self, since: int) -> list[str]:
        """Return the rooms here whose deadline is at or before `since` (ms since the epoch)."""
        return [
            code
            for code, local in self._rooms.items()
            if local.due is not None and local.due <= since
        ]

    def update(self, latest: VersionedRoom) -> None:
        """Take a newer version of a room, written or read here, and send it to its subscribers."""
        local = self._rooms.get(latest.room.code)
        if local is None or (local.messages is not None and local.messages.latest.v >= latest.v):
            return
        known = local.latest
        local.messages = self.messages(latest)
        local.due = self._repository.deadline(latest.room)
        local.shared = any(seat.process != self.process for seat in latest.room.players())
        self._publications.follow(local, latest.room)
        if latest.written_here and latest.v == local.read_v + 1:
            local.read_v = latest.v
        if latest.room.state is RoomState.COUNTDOWN:
            self.spawn(self._run_countdown(local, latest), "countdown")
        if latest.room.state is RoomState.CLOSED:
            local.handle_closed()
            return
        if known is not None:  # else a subscriber enters, and then gets the standings
            self._standings.changed(local)
        only_seats_changed = (
            known is not None and changes_since(known.room, latest.room, latest.v) is not None
        )
        now = time.monotonic()
        if not only_seats_changed or (
            not local.sending and now - local.sent_at >= self.timings.room_interval_s
        ):
            local.send_room()
        elif not local.sending:
            local.sending = True
            wait = local.sent_at + self.timings.room_interval_s - now
            self.spawn(self._send_room_later(local, wait), "room")

    async def _send_room_later(self, local: LocalRoom, wait: float) -> None:
        """Send the changes of a large room after `wait` seconds, in one message."""
        try:
            await asyncio.sleep(wait)
        finally:
            local.sending = False
        if local.messages is not None:
            local.send_room()

    def reread(self, code: str) -> None:
        """Read a room whose stream was appended to here, without waiting for the notification."""
        local = self._rooms.get(code)
        if local is not None:
            self._reads.begin(local)

    def refresh(self) -> None:
        """Read the rooms here that were not read for a while."""
        self._reads.refresh()

    def send_standings(self, code: str, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber soon."""
        local = self._rooms.get(code)
        if local is not None:
            self._standings.entered(local, subscriber)

    async def standings_text(self, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room here as it is now.

        Raises:
            Refusal: the room has no subscribers here.
        """
        self.update(latest)
        local = self._rooms.get(latest.room.code)
        if local is None or local.latest is None:
            raise Refusal(ErrorCode.NOT_JOINED)
        return await self._figures.standings_text(local, local.latest)

    async def _run_countdown(self, local: LocalRoom, latest: VersionedRoom) -> None:
        """Start the race at t0, without waiting for the sweep."""
        assert latest.room.round is not None, "a countdown has a round"
        while self.latest(local.code) is latest and local.subscribers:
            wait_ms = latest.room.round.t0 - await self._repository.store.now()
            if wait_ms <= 0:
                await self.tick(local.code)
            else:
                await asyncio.sleep(wait_ms / 1_000)

    async def apply(self, code: str, event: Event | Callable[[Room], Event]) -> None:
        """Apply an event to a room and send the new version to its subscribers here.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read the room; its subscribers here are closed.
        """
        try:
            self.update(await self._repository.apply(code, event))
        except Unreadable:
            local = self._rooms.get(code)
            if local is not None:
                local.handle_unreadable()
            raise

    async def tick(self, code: str) -> None:
        """Apply the current time to a room; any process may do so, any number of times.

        Raises:
            Refusal: the room does not exist any more.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it.
        """
        now, timings = await self._repository.store.now(), self._repository.timings
        await self.apply(code, Tick(now, entropy=self.draw_entropy(), timings=timings))

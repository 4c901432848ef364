"""The hub sends changes of rooms to their subscribers in this process, and reads rooms if needed.

1. A subscriber receives a room's events in order, each `v` at most once, and every change of
   state since it entered.
2. A notification of a room contains the number of the version in the store. If this process
   lacks that version, it reads the room. The notification of an act or a hint is different: it
   contains the new progress of the seat.
3. A record or progress is "doubted" if the copy here may be out of date. Each room has a task
   that reads both until neither is doubted. Both become doubted when notifications may have been
   lost; progress also does when this process enters the room.
4. A notification may be lost even if no connection breaks. So from time to time every room is
   doubted, one after the other; progress that changes is doubted more often.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any

import structlog

from protocol.settings import Settings
from protocol.vocabulary import SEED_BYTES, CloseCode, ErrorCode
from server.live.repository import Repository
from server.live.room import LiveRoom, LiveRooms, RoomServices, Subscriber, Throttle
from server.rooms.deals import SALT_BYTES, Entropy, WinnableDeal
from server.rooms.events import Event, Refusal, Tick
from server.rooms.lobby import opens_at
from server.rooms.record import Room, VersionedRoom
from server.store import SeatProgress, StoreAway, Unreadable
from server.views.rooms import RoomMessages


@dataclass(frozen=True, slots=True)
class LiveTimings:
    """The intervals of the work that one process repeats for its rooms and for today's race."""

    room_interval_s: float = 0.2  # changes of a large room's seats are collected for this long
    retry_s: float = 1.0  # between two reads or subscriptions of a room during an outage
    reread_s: float = 20.0  # read a room again if the latest read is older than this
    believed_s: float = 1.0  # a new subscriber triggers a read if the latest one is older
    standings_interval_s: float = 0.1  # between two passes that send standings
    publish_interval_s: float = 0.025  # between two publications of progress to other processes
    pass_slice_s: float = 0.0005  # how long a pass over rooms runs in each turn of the event loop
    progress_interval_s: float = 5.0
    """Between two reads of changing progress, in rooms that other processes serve too."""
    sweep_s: float = 1.0  # between two sweeps for rooms whose deadline has passed
    beat_s: float = 3.0  # between two heartbeats
    silent_ms: int = 10_000  # a process without heartbeats for this long counts as dead
    unreported_s: float = 60.0  # between two reports of a dead process to rooms that failed
    first_days_s: float = 20.0  # from the start of the process to the first check of the days
    days_s: float = 60.0  # between two checks of the days: a lost result is at most this late


LIVE_TIMINGS = LiveTimings()


def draw_entropy() -> Entropy:
    """Return a seed and a salt for a round."""
    return Entropy(secrets.token_bytes(SEED_BYTES), secrets.token_bytes(SALT_BYTES))


log = structlog.get_logger()


class Hub:
    """Sends the rooms of this process to their subscribers.

    No other hub may use `rooms`. All tasks end with the given task group. `draw_entropy` returns
    the random part of a round. `take_deal` returns a winnable deal for a room's code and settings,
    or None without one. `process` is this process's name; the default is random.
    """

    def __init__(
        self,
        repository: Repository,
        rooms: LiveRooms,
        tasks: asyncio.TaskGroup,
        timings: LiveTimings = LIVE_TIMINGS,
        draw_entropy: Callable[[], Entropy] = draw_entropy,
        take_deal: Callable[[str, Settings], Awaitable[WinnableDeal | None]] | None = None,
        process: str = "",
    ) -> None:
        self.clock, self.timings, self.draw_entropy = repository.store.clock, timings, draw_entropy
        self.process = process or secrets.token_hex(8)
        self._repository, self._rooms, self._tasks = repository, rooms, tasks
        self._take_deal = take_deal
        # The messages made last for a room without subscribers here: they may be needed again.
        self._latest_made: RoomMessages | None = None
        self._opening: set[str] = set()  # rooms whose next window this process is opening
        standings_s, publish_s = timings.standings_interval_s, timings.publish_interval_s
        slice_s, pubsub = timings.pass_slice_s, repository.store.pubsub
        send, publish = LiveRoom.send_standings, LiveRoom.publish_progress
        self._room_services = RoomServices(
            process=self.process,
            clock=self.clock,
            standings=Throttle("standings failed", standings_s, slice_s, send),
            publications=Throttle("publication failed", publish_s, slice_s, publish),
            # Failures are ignored: the other processes get later progress, or read it themselves.
            publish=lambda code, seats: pubsub.publish(code, seats, lambda _: None),
            read=self._start_read,
            start_countdown=lambda latest: self.spawn(self._run_countdown(latest), "countdown"),
            interval_s=timings.room_interval_s,
            grace_ms=repository.timings.grace_ms,
        )

    def spawn(
        self,
        work: Coroutine[Any, Any, object],
        name: str,
        on_failure: Callable[[CloseCode], object] | None = None,
    ) -> asyncio.Task[None] | None:
        """Run `work` in a task and return the task, or None if the process is ending.

        Errors are logged. After an unexpected one, `on_failure` is called to close sockets.
        """

        async def guarded_work() -> None:
            try:
                await work
            except (Refusal, StoreAway, Unreadable) as error:
                log.info("put off", task=name, why=str(error))
            except Exception:
                log.exception("task failed", task=name)
                if on_failure is not None:
                    on_failure(CloseCode.INTERNAL_ERROR)

        guarded = guarded_work()
        try:
            task = self._tasks.create_task(guarded, name=name)
            # A task that is cancelled before it starts never awaits its work.
            task.add_done_callback(lambda _: work.close())
        except RuntimeError:  # the task group is ending, and so is the process
            guarded.close()
            work.close()
            return None
        return task

    # The rooms as this process knows them.

    def latest(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room that this process knows, if it has subscribers."""
        return self._rooms.latest(code)

    def codes(self) -> list[str]:
        """Return the codes of the rooms with subscribers here."""
        return list(self._rooms.by_code)

    def states(self) -> list[str]:
        """Return the state of each room with subscribers here."""
        return [room.latest.room.state.value for room in self._rooms if room.latest]

    def overdue(self, now_ms: int) -> list[str]:
        """Return the rooms here whose deadline had passed by `now_ms` (since the epoch)."""
        due = ((room.code, room.due_ms) for room in self._rooms)
        return [code for code, due_ms in due if due_ms is not None and due_ms <= now_ms]

    def messages(self, latest: VersionedRoom) -> RoomMessages:
        """Return the messages about a room's version; reuse those made last."""
        room = self._rooms.get(latest.room.code)
        if room is not None and room.messages is not None and room.messages.latest is latest:
            return room.messages
        if self._latest_made is None or self._latest_made.latest is not latest:
            self._latest_made = RoomMessages(latest)
        return self._latest_made

    def update(self, latest: VersionedRoom) -> None:
        """Send a version of a room to its subscribers here, if it is newer than the known one."""
        room = self._rooms.get(latest.room.code)
        if room is not None and (room.latest is None or room.latest.v < latest.v):
            room.update(self.messages(latest))

    # Subscribers.

    async def enter(self, latest: VersionedRoom, subscriber: Subscriber) -> None:
        """Add a subscriber to a room, and send them its current version, `latest`."""
        if (room := self._rooms.get(latest.room.code)) is None:
            room = LiveRoom(latest.room.code, latest.v, self._room_services)
            self._rooms.by_code[room.code] = room
        room.subscribers.add(subscriber)
        self.update(latest)
        if len(room.subscribers) == 1:
            await self._subscribe(room)
            room.doubt()  # it may have changed between the read and the subscription
        elif asyncio.get_running_loop().time() - room.read_at > self.timings.believed_s:
            room.doubt()  # a notification may have been lost
        assert room.messages is not None, "the room was updated"
        subscriber.send_room(room.messages)
        room.request_standings(subscriber)

    async def leave(self, code: str, subscriber: Subscriber, *, reported: bool = True) -> None:
        """Remove a subscriber from a room.

        `reported`: whether the room's record already shows that the player has left. If not, the
        room stays in this process's list, so that others report the seat if this process dies.
        """
        if (room := self._rooms.get(code)) is None:
            return
        room.leave(subscriber)
        if not room.subscribers:
            del self._rooms.by_code[code]
            # Not awaited: if a subscriber entered meanwhile, this would undo its subscription.
            self._repository.store.pubsub.unsubscribe(code)
            if reported:
                await self.forget(code)  # take it off the list

    async def forget(self, code: str) -> None:
        """Remove the room from the list of this process, unless a subscriber has entered again."""
        if self._rooms.get(code) is None:
            with contextlib.suppress(StoreAway):  # an extra room in the list does no harm
                await self._repository.store.processes.drop_room(self.process, code)

    def reread(self, code: str) -> None:
        """Read a room now, since the notification of a change may be late or lost."""
        if room := self._rooms.get(code):
            room.doubt()

    def handle_progress(self, code: str, progress: SeatProgress) -> None:
        """Pass on the progress of a seat whose act or hint the store has just confirmed."""
        if room := self._rooms.get(code):
            room.handle_progress(progress)

    def handle_loaded_progress(self, code: str, progress: SeatProgress) -> None:
        """Pass on progress just read from the store; it may show that acts were lost."""
        if room := self._rooms.get(code):
            room.handle_loaded_progress(progress)

    def send_standings(self, code: str, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber in the next pass."""
        if room := self._rooms.get(code):
            room.request_standings(subscriber)

    def send_skipped(self, code: str) -> None:
        """Send in the next pass what subscribers of a room were too slow to receive before."""
        if room := self._rooms.get(code):
            self._room_services.standings.add(room)

    async def standings_now(self, latest: VersionedRoom, seat: int) -> str:
        """Rank the players now; return the `standings` that a seat may see, or raise a Refusal."""
        self.update(latest)
        room = self._rooms.get(latest.room.code)
        if room is None or room.latest is None:
            raise Refusal(ErrorCode.NOT_JOINED)
        known = room.latest.room
        if room.leaderboard.needs_read(known):
            for progress in await self._repository.progress.read(known):
                room.leaderboard.take(progress)
        room.rank_now(known)  # sends the others the changes too, or they would miss a number
        return room.whole_standings(known, seat)

    # Changes.

    async def apply(self, code: str, event: Event | Callable[[Room], Event]) -> VersionedRoom:
        """Apply an event to a room; send the new version to its subscribers here and return it.

        Raises the same errors as `Repository.apply`.
        """
        try:
            latest = await self._repository.apply(code, event)
        except Unreadable:
            if room := self._rooms.get(code):
                room.send_elsewhere()  # another process may be able to read it
            raise
        self.update(latest)
        return latest

    async def tick(self, code: str) -> VersionedRoom:
        """Apply the current time to a room; open the next window of a match if that is due.

        A window is a race over hours or days, where each player starts when they like. It is
        opened in a task, since the sweep must not wait for the search for a deal.
        """
        entropy = self.draw_entropy()

        def tick(room: Room) -> Tick:
            # Without entropy the tick starts no round: the task below opens a window that is due.
            return self._tick_event(entropy if opens_at(room) is None else None)

        latest = await self.apply(code, tick)
        is_due = opens_at(latest.room) is not None  # since the last window has ended
        if is_due and code not in self._opening:
            self._opening.add(code)
            self.spawn(self._open_window(latest.room), "next window")
        return latest

    def _tick_event(self, entropy: Entropy | None) -> Tick:
        """Return the event that applies the time; with `entropy` it can start a round."""
        return Tick(self.clock.now_ms(), entropy=entropy, timings=self._repository.timings)

    async def _open_window(self, room: Room) -> None:
        """Open the next window (see `tick`), with a deal that can be won if one is found."""
        try:
            take = self._take_deal
            winnable = None if take is None else await take(room.code, room.settings)
            entropy = replace(self.draw_entropy(), winnable=winnable)
            await self.apply(room.code, lambda _: self._tick_event(entropy))
        finally:
            self._opening.discard(room.code)

    async def _run_countdown(self, latest: VersionedRoom) -> None:
        """Start the race at t0, without waiting for the sweep."""
        assert latest.room.round is not None, "a countdown has a round"
        while self.latest(latest.room.code) is latest:  # until the room changes
            wait_ms = latest.room.round.t0 - self.clock.now_ms()
            if wait_ms <= 0:
                await self.tick(latest.room.code)
            else:
                await asyncio.sleep(wait_ms / 1_000)

    # Subscriptions and reads.

    async def _subscribe(self, room: LiveRoom) -> None:
        """Subscribe to a room's notifications; if the store does not answer, retry in a task."""
        try:
            await self._repository.store.pubsub.subscribe(room.code, room.handle)
        except StoreAway:
            self.spawn(self._subscribe_later(room), "follow", room.close)
        else:
            if room.leaderboard.is_complete or room.leaderboard.is_being_read:
                room.doubt_progress()  # it was read before notifications arrived

    async def _subscribe_later(self, room: LiveRoom) -> None:
        """Try to subscribe again after a pause, if the room is still served here."""
        await asyncio.sleep(self.timings.retry_s)
        if self._rooms.get(room.code) is room:
            await self._subscribe(room)
            room.doubt()

    async def refresh(self) -> None:
        """Read the rooms whose latest read is too old, one after the other."""
        timings, now = self.timings, asyncio.get_running_loop().time
        for room in self._rooms:
            if room.reader is not None:
                continue
            is_record_old = now() - room.read_at > timings.reread_s
            leaderboard = room.leaderboard
            # If this process serves all players, only a failover can make the progress wrong.
            interval_s = timings.progress_interval_s if room.is_shared else timings.reread_s
            is_stale = leaderboard.has_changed and now() - leaderboard.read_at >= interval_s
            if is_record_old:
                room.doubt()
            if is_stale or (is_record_old and room.is_shared):  # others' progress may be lost too
                room.doubt_progress()
            if room.reader is not None:
                # A doubt has started this read. If a master does not answer, its rooms must not
                # delay the others.
                await asyncio.wait([room.reader], timeout=timings.retry_s)

    def _start_read(self, room: LiveRoom) -> None:
        """Read the stale parts of a room in a task, unless one is running; `refresh` retries."""
        if room.reader is None:
            room.reader = self.spawn(self._read(room), f"read {room.code}")

    async def _read(self, room: LiveRoom) -> None:
        """Read the record and the progress of a room until neither may be out of date."""
        try:
            while room.subscribers:
                # The notification of our own change may arrive before the store's reply to it.
                await self._repository.settle(room.code)
                if room.is_behind:
                    await self._read_record(room)
                elif room.is_progress_doubted and room.latest is not None:
                    await self._read_progress(room, room.latest.room)
                else:
                    return
        finally:
            room.reader = None

    async def _read_record(self, room: LiveRoom) -> None:
        """Read the record, and the chat since the last read; pause if the store is unavailable.

        If this process cannot read the record, the subscribers reconnect, perhaps to another one.
        """
        known = room.latest
        room.begin_read()
        try:
            latest = await self._repository.read(room.code, known)
            room.end_read()
            if known is not None and latest is not known and _is_older(latest, known):
                log.warning("room taken back", room=room.code, v=latest.v)
                room.roll_back(latest.v)
            self.update(latest)
            earlier_v = room.read_v
            if latest.v > earlier_v:  # some of the events may be chat messages
                room.read_v = latest.v
                for v, text in await self._repository.said(room.code, earlier_v):
                    for subscriber in list(room.subscribers):
                        subscriber.send_said(v, text)
        except Refusal:
            if room.subscribers:  # an operator has closed it, or its record has expired
                log.info("room closed elsewhere", room=room.code, seats=len(room.subscribers))
            room.close(CloseCode.NO_SUCH_ROOM)
        except Unreadable:
            room.send_elsewhere()
        except StoreAway:
            room.doubt()
            await asyncio.sleep(self.timings.retry_s)

    async def _read_progress(self, room: LiveRoom, version: Room) -> None:
        """Read the progress of all seats in this version; pause if the store is unavailable."""
        room.is_progress_doubted = False
        room.leaderboard.begin_read(asyncio.get_running_loop().time())
        try:
            room.leaderboard.end_read(version, await self._repository.progress.read(version))
            self._room_services.standings.add(room)
        except StoreAway:
            room.doubt_progress()
            await asyncio.sleep(self.timings.retry_s)
        except Unreadable:
            room.send_elsewhere()
        finally:
            room.leaderboard.is_being_read = False


def _is_older(latest: VersionedRoom, known: VersionedRoom) -> bool:
    """Return whether the store has lost changes: `latest` was read later, but is not newer."""
    return latest.v < known.v or (latest.v == known.v and latest.room != known.room)

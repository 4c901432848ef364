"""One pass for the standings of all rooms, at most every tenth of a second.

The first change after a pause is sent in the next turn of the event loop. Nothing is read for a
pass: the figures of acts are known when they are stored, or come with notifications. They are
read when this process enters a room, when notifications may be lost, and otherwise now and then
while they change.
"""

import asyncio
import time

import structlog

from protocol.vocabulary import RoomState
from server import metrics
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.shared_text import SharedText
from server.live.subscriber import Subscriber
from server.live.tasks import Tasks
from server.live.timings import LiveTimings
from server.rooms.record import Room, VersionedRoom
from server.store import Clock, FiguresText, SeatFigures, StoreAway, Unreadable

SHOWN = {RoomState.RUNNING, RoomState.FINISHED}

log = structlog.get_logger()


class Standings:
    """The pass over all rooms here whose standings have changed."""

    def __init__(
        self, repository: Repository, clock: Clock, tasks: Tasks, timings: LiveTimings
    ) -> None:
        self._repository = repository
        self._clock = clock
        self._tasks = tasks
        self._timings = timings
        self._changed: dict[str, LocalRoom] = {}
        self._scheduled = False
        self._began_at = float("-inf")

    def changed(self, local: LocalRoom) -> None:
        """Send the changes of a room's standings with the next pass."""
        self._changed[local.code] = local
        if not self._scheduled:
            self._schedule()

    def learn(self, local: LocalRoom, figures: SeatFigures) -> None:
        """Take the figures of a seat after an act or a hint that is stored."""
        if local.leaderboard.learn(figures):
            self.changed(local)

    def notified(self, local: LocalRoom, text: FiguresText) -> None:
        """Take the figures of a seat from a notification.

        If the room will be served anyway, they are read only then: notifications of a seat come in
        order, so later ones may replace them. (During a read each of them counts.)
        """
        if local.code in self._changed and not local.leaderboard.reading:
            local.unread[text.seat] = text
        elif self._take(local, text):
            self.changed(local)

    def replace(self, local: LocalRoom, figures: SeatFigures) -> None:
        """Take the figures of a seat as its table has read them; older ones cause a read."""
        self._take_unread(local)
        if local.leaderboard.replace(figures):
            self.doubt(local)
        self.changed(local)

    def entered(self, local: LocalRoom, subscriber: Subscriber) -> None:
        """Send the whole standings to a subscriber, if it is still one, with the next pass."""
        if subscriber not in local.subscribers:
            return
        local.current.discard(subscriber)
        local.without.add(subscriber)
        self.changed(local)

    def doubt(self, local: LocalRoom) -> None:
        """Read the figures of a room again."""
        local.leaderboard.doubted = True
        if not local.leaderboard.reading:
            local.leaderboard.reading = True
            self._tasks.spawn(self._read(local), "standings")

    def subscribed(self, local: LocalRoom) -> None:
        """Read figures again that were read before the notifications of the room began."""
        if local.leaderboard.complete or local.leaderboard.reading:
            self.doubt(local)

    def is_due(self, local: LocalRoom, now: float) -> bool:
        """Return whether figures have changed since they were read a while ago.

        Those of this process's own acts are as the store has them, unless a failover loses acts.
        """
        board, timings = local.leaderboard, self._timings
        interval = timings.figures_interval_s if local.shared else timings.unseen_s
        return board.changed and now - board.read_at >= interval

    async def refresh(self, local: LocalRoom, *, unseen: bool) -> None:
        """Read the figures of a room if they are due.

        They are due as well if the room was `unseen` for a while and other processes serve some
        of its players: a notification of theirs may have been lost.
        """
        board = local.leaderboard
        due = (unseen and local.shared) or self.is_due(local, time.monotonic())
        if due and not board.reading:
            board.doubted = board.reading = True
            await self._read(local)

    async def text(self, local: LocalRoom, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room as it is now; others get the changes."""
        if local.leaderboard.needs_read(latest.room):
            figures = await self._repository.figures(latest.room)
            for each in figures:
                local.leaderboard.learn(each)
        self._send_changes(local, latest.room)
        if local.without:
            self.changed(local)
        return local.leaderboard.whole(self._clock.now())

    def _schedule(self) -> None:
        self._scheduled = True
        loop = asyncio.get_running_loop()
        wait = self._began_at + self._timings.standings_interval_s - loop.time()
        if wait > 0:
            loop.call_later(wait, self._begin)
        else:
            loop.call_soon(self._begin)

    def _begin(self) -> None:
        self._began_at = asyncio.get_running_loop().time()
        changed, self._changed = list(self._changed.values()), {}
        changed.reverse()
        self._pass(changed)

    def _pass(self, left: list[LocalRoom]) -> None:
        """Serve the rooms from the end of the list, some of them in each turn of the loop."""
        until = time.monotonic() + self._timings.standings_slice_s
        while left:
            local = left.pop()
            try:
                self._serve(local)
            except Exception:
                log.exception("standings failed", room=local.code)
            if time.monotonic() >= until and left:
                asyncio.get_running_loop().call_soon(self._pass, left)
                return
        self._scheduled = False
        if self._changed:
            self._schedule()

    def _serve(self, local: LocalRoom) -> None:
        latest = local.latest
        if latest is None or not local.subscribers or latest.room.state not in SHOWN:
            return
        if local.leaderboard.needs_read(latest.room):
            if not local.leaderboard.reading:
                self.doubt(local)
            return
        try:
            slow = self._send_changes(local, latest.room)
        except Unreadable:
            self.doubt(local)  # which sets the room aside
            return
        if local.without:
            whole = SharedText(local.leaderboard.whole(self._clock.now()))
            slow += local.send_whole_standings(whole)
        if slow:
            metrics.skips.inc(slow)
            self.changed(local)  # slow subscribers get the whole later, never old changes

    def _take_unread(self, local: LocalRoom) -> None:
        """Take the figures of notifications that were left for the next pass."""
        unread, local.unread = local.unread, {}
        for text in unread.values():
            self._take(local, text)

    def _take(self, local: LocalRoom, text: FiguresText) -> bool:
        """Read and take the figures of a notification; return whether they are news."""
        figures = text.read()
        if figures is None:
            self.doubt(local)
            return False
        return local.leaderboard.learn(figures)

    def _send_changes(self, local: LocalRoom, room: Room) -> int:
        """Send what has changed to all subscribers who have the rest; return how many are slow."""
        if local.unread:
            self._take_unread(local)
        text = local.leaderboard.advance(room)
        if text is None:
            local.without |= local.current
            local.current.clear()
            return 0
        return local.send_standings_changes(SharedText(text)) if text else 0

    async def _read(self, local: LocalRoom) -> None:
        board = local.leaderboard
        try:
            while board.doubted and local.subscribers and local.latest is not None:
                self._take_unread(local)  # before the read, which is newer
                board.begin_read()
                room = local.latest.room
                try:
                    board.end_read(room, await self._repository.figures(room))
                except StoreAway:
                    board.doubted = True
                    await asyncio.sleep(self._timings.figures_retry_s)
                except Unreadable:
                    board.doubted = True
                    local.handle_unreadable()
                    return
                else:
                    self.changed(local)
        finally:
            board.reading = False

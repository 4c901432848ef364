"""One pass for the standings of all rooms, at most every tenth of a second.

The first change after a pause is sent in the next turn of the event loop. Nothing is read for a
pass: the figures of acts are known when they are stored, or come with notifications, and
`figure_reads.py` reads them where these do not suffice.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from protocol.vocabulary import RoomState
from server import metrics
from server.live.local_room import LocalRoom
from server.live.shared_text import SharedText
from server.live.subscriber import Subscriber
from server.live.timings import LiveTimings
from server.rooms.record import Room
from server.store import Clock, FiguresText, SeatFigures, Unreadable

SHOWN: Final = {RoomState.RUNNING, RoomState.FINISHED}

log = structlog.get_logger()


class Standings:
    """The pass over all rooms here whose standings have changed."""

    def __init__(self, clock: Clock, timings: LiveTimings) -> None:
        self.doubt: Callable[[LocalRoom], None]  # reads the figures of a room; see `FigureReads`
        self._clock = clock
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
        if self._changed.get(local.code) is local and not local.leaderboard.reading:
            local.unread[text.seat] = text
        elif self._take(local, text):
            self.changed(local)

    def replace(self, local: LocalRoom, figures: SeatFigures) -> None:
        """Take the figures of a seat as its table has read them; older ones cause a read."""
        self.take_unread(local)
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

    def text(self, local: LocalRoom, room: Room) -> str:
        """Return the `standings` message of a room as it is now; others get the changes.

        The figures must have been read.
        """
        self._send_changes(local, room)
        if local.without:
            self.changed(local)
        return local.leaderboard.whole(self._clock.now())

    def take_unread(self, local: LocalRoom) -> None:
        """Take the figures of notifications that were left for the next pass."""
        unread, local.unread = local.unread, {}
        for text in unread.values():
            self._take(local, text)

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
            self.take_unread(local)
        text = local.leaderboard.advance(room)
        if text is None:
            local.without |= local.current
            local.current.clear()
            return 0
        return local.send_standings_changes(SharedText(text)) if text else 0

"""One pass for the standings of all rooms, at most every tenth of a second.

The first change after a pause is sent in the next turn of the event loop. Nothing is read for a
pass: the figures of acts are known when they are stored, or come with notifications, and
`figure_reads.py` reads them where these do not suffice.
"""

from collections.abc import Callable
from typing import Final

from protocol.vocabulary import RoomState
from server import metrics
from server.live.local_room import LocalRoom
from server.live.room_pass import RoomPass
from server.live.shared_text import SharedText
from server.live.subscriber import Subscriber
from server.live.timings import LiveTimings
from server.rooms.record import Room
from server.store import Clock, FiguresText, SeatFigures, Unreadable

SHOWN: Final = {RoomState.RUNNING, RoomState.FINISHED}


class Standings:
    """The pass over all rooms here whose standings have changed."""

    def __init__(self, clock: Clock, timings: LiveTimings) -> None:
        self.doubt: Callable[[LocalRoom], None]  # reads the figures of a room; see `FigureReads`
        self._clock = clock
        self._pass = RoomPass(
            self._serve,
            "standings failed",
            timings.standings_interval_s,
            timings.pass_slice_s,
        )
        self.changed = self._pass.add
        """Send the changes of a room's standings with the next pass."""

    def learn(self, local: LocalRoom, figures: SeatFigures) -> None:
        """Take the figures of a seat after an act or a hint that is stored."""
        if local.leaderboard.learn(figures):
            self.changed(local)

    def notified(self, local: LocalRoom, text: FiguresText) -> None:
        """Take the figures of a seat from a notification.

        If the room will be served anyway, they are read only then, unless later ones of the seat
        replace them. (During a read each of them counts.)
        """
        if self._pass.awaits(local) and not local.leaderboard.reading:
            head = text.head
            if head is None:
                self.doubt(local)
                return
            # The process that has served a seat before may publish later than the present one.
            seat, last_id = head
            later = local.unread.get(seat)
            if later is None or later[0] <= last_id:
                local.unread[seat] = (last_id, text)
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
        for _, text in unread.values():
            self._take(local, text)

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

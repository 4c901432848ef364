"""The reads of the progress on which standings depend.

It is read when this process enters a room, when notifications may be lost, and otherwise now
and then while it changes.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from server.live.background_tasks import BackgroundTasks
from server.live.repository import Repository
from server.live.room_standings import RoomStandings
from server.live.timings import LiveTimings
from server.rooms.record import Room
from server.store import SeatProgress, StoreAway, Unreadable


@dataclass(eq=False)
class ProgressReads:
    """The reads of the progress of the seats of this process's rooms.

    `_handle_loss` is called with the room's code and each progress that shows a loss: it was read,
    and is older than what is known here, which it then replaces.
    """

    _repository: Repository
    _tasks: BackgroundTasks
    _timings: LiveTimings
    _handle_loss: Callable[[str, SeatProgress], None]

    def begin(self, standings: RoomStandings) -> None:
        """Begin a reader of the progress of a room, in a task of its own."""
        self._tasks.spawn(self._read(standings), "standings")

    def is_due(self, standings: RoomStandings, now: float) -> bool:
        """Return whether progress has changed since a read that is old enough to be repeated."""
        timings = self._timings
        # Where all players are here, only a failover makes the known progress wrong.
        interval_s = timings.progress_interval_s if standings.is_shared else timings.unseen_s
        return standings.leaderboard.has_changed(read_before=now - interval_s)

    async def refresh(self, standings: RoomStandings, *, unseen: bool) -> None:
        """Read the progress of a room if it is due.

        It is due as well if the room was `unseen` for a while and other processes serve some
        of its players: a notification of theirs may have been lost.
        """
        now = asyncio.get_running_loop().time()
        due = (unseen and standings.is_shared) or self.is_due(standings, now)
        if due and not standings.requests.has_reader:
            standings.requests.request()
            await self._read(standings)

    async def standings_text(self, standings: RoomStandings, room: Room) -> str:
        """Return the `standings` message of a room as it is now; others get the changes."""
        if standings.leaderboard.needs_read(room):
            for each in await self._repository.progress.read(room):
                standings.leaderboard.take(each)
        return standings.text(room)

    async def _read(self, standings: RoomStandings) -> None:
        """Read the progress of a room while that is requested, and report what the store lost."""
        try:
            while (room := standings.begin_read()) is not None:
                try:
                    read = await self._repository.progress.read(room)
                    for each in standings.leaderboard.taken_back(read):
                        self._handle_loss(standings.code, each)
                    standings.end_read(room, read)
                except StoreAway:
                    standings.requests.request()
                    await asyncio.sleep(self._timings.progress_retry_s)
                except Unreadable:
                    standings.handle_unreadable()
                    return
        finally:
            standings.requests.end_reader()

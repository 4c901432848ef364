"""The reads of the figures on which standings depend.

They are read when this process enters a room, when notifications may be lost, and otherwise now
and then while they change.
"""

import asyncio
import time
from collections.abc import Callable

from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.standings import Standings
from server.live.tasks import Tasks
from server.live.timings import LiveTimings
from server.rooms.record import VersionedRoom
from server.store import SeatFigures, StoreAway, Unreadable


def _ignore(_code: str, _figures: SeatFigures) -> None:
    """Do nothing."""


class FigureReads:
    """The reads of the figures of the rooms of this process."""

    def __init__(
        self, repository: Repository, standings: Standings, tasks: Tasks, timings: LiveTimings
    ) -> None:
        self._repository = repository
        self._standings = standings
        self._tasks = tasks
        self._timings = timings
        standings.doubt = self.doubt
        self.taken_back: Callable[[str, SeatFigures], None] = _ignore
        """Called with figures of a seat that are older than the known ones, before they replace
        these: the store has lost acts."""

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

    async def standings_text(self, local: LocalRoom, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room as it is now; others get the changes."""
        if local.leaderboard.needs_read(latest.room):
            for each in await self._repository.figures(latest.room):
                local.leaderboard.learn(each)
        return self._standings.text(local, latest.room)

    async def _read(self, local: LocalRoom) -> None:
        board = local.leaderboard
        try:
            while board.doubted and local.subscribers and local.latest is not None:
                self._standings.take_unread(local)  # before the read, which is newer
                board.begin_read()
                room = local.latest.room
                try:
                    read = await self._repository.figures(room)
                    for each in board.taken_back(read):
                        self.taken_back(local.code, each)
                    board.end_read(room, read)
                except StoreAway:
                    board.doubted = True
                    await asyncio.sleep(self._timings.figures_retry_s)
                except Unreadable:
                    board.doubted = True
                    local.handle_unreadable()
                    return
                else:
                    self._standings.changed(local)
        finally:
            board.reading = False

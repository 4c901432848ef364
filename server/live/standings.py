"""Leaderboards: read at once for the first change, then at most five times a second."""

import asyncio

from protocol.vocabulary import RoomState
from server import metrics
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.tasks import Tasks
from server.rooms.record import Page
from server.store import Clock, StoreAway, Unreadable
from server.views.standings import standings_text

STANDINGS_INTERVAL_S = 0.2


class Standings:
    """The leaderboards of the rooms here; each has one loop while something changes."""

    def __init__(self, book: Repository, clock: Clock, tasks: Tasks) -> None:
        self._book = book
        self._clock = clock
        self._tasks = tasks

    def changed(self, local: LocalRoom) -> None:
        """Send a room's leaderboard soon, however often this is called."""
        local.dirty = True
        if not local.counting:
            local.counting = True
            self._tasks.spawn(self._count(local), "standings")

    async def text(self, page: Page) -> str:
        """Return the `standings` message of a room as it is now."""
        live = await self._book.figures(page.room)
        return standings_text(page.room, live, self._clock.now())

    async def _count(self, local: LocalRoom) -> None:
        try:
            while local.dirty and local.listeners:
                local.dirty = False
                await self._send(local)
                await asyncio.sleep(STANDINGS_INTERVAL_S)
        finally:
            local.counting = False

    async def _send(self, local: LocalRoom) -> None:
        page = local.page
        if page is None or page.room.state not in {RoomState.RUNNING, RoomState.FINISHED}:
            return
        try:
            live = await self._book.figures(page.room)
        except StoreAway:
            local.dirty = True
            return
        except Unreadable:
            local.tell_unreadable()
            return
        if local.told == (page.v, live):
            return  # the hint was of an act of this process, which has told of it
        slow = local.tell_standings(standings_text(page.room, live, self._clock.now()))
        local.told = None if slow else (page.v, live)
        if slow:
            metrics.skips.inc(slow)
            local.dirty = True  # the latest wins: who is behind hears the next ones

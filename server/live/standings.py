"""Leaderboards: read at once for the first change, then at most five times a second.

Subscribers that enter wait a moment for others: after a restart the players of a room return at
once.
"""

import asyncio

from protocol.vocabulary import RoomState
from server import metrics
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.tasks import Tasks
from server.rooms.record import VersionedRoom
from server.store import Clock, StoreAway, Unreadable
from server.views.standings import standings_text

STANDINGS_INTERVAL_S = 0.2
ENTERED_S = 0.1
"""Time in which those who enter a room are collected for one reading of its standings."""


class Standings:
    """The leaderboards of the rooms here; a room has one sending loop while its stats change."""

    def __init__(self, repository: Repository, clock: Clock, tasks: Tasks) -> None:
        self._repository = repository
        self._clock = clock
        self._tasks = tasks

    def changed(self, local: LocalRoom, after_s: float = 0.0) -> None:
        """Send a room's leaderboard soon, after `after_s` if it is not being sent yet."""
        local.dirty = True
        if not local.looping:
            local.looping = True
            self._tasks.spawn(self._standings_loop(local, after_s), "standings")

    def entered(self, local: LocalRoom) -> None:
        """Send the leaderboard for a new subscriber, with those who enter a moment later."""
        local.last_sent = None
        self.changed(local, ENTERED_S)

    async def text(self, latest: VersionedRoom) -> str:
        """Return the `standings` message of a room as it is now."""
        live = await self._repository.stats(latest.room)
        return standings_text(latest.room, live, self._clock.now())

    async def _standings_loop(self, local: LocalRoom, after_s: float) -> None:
        try:
            if after_s:
                await asyncio.sleep(after_s)
            while local.dirty and local.subscribers:
                local.dirty = False
                await self._send(local)
                await asyncio.sleep(STANDINGS_INTERVAL_S)
        finally:
            local.looping = False

    async def _send(self, local: LocalRoom) -> None:
        latest = local.latest
        if latest is None or latest.room.state not in {RoomState.RUNNING, RoomState.FINISHED}:
            return
        try:
            live = await self._repository.stats(latest.room)
        except StoreAway:
            local.dirty = True
            return
        except Unreadable:
            local.handle_unreadable()
            return
        if local.last_sent == (latest.v, live):
            return  # the notification is of an act of this process, and its result was sent
        slow = local.send_standings(standings_text(latest.room, live, self._clock.now()))
        local.last_sent = None if slow else (latest.v, live)
        if slow:
            metrics.skips.inc(slow)
            local.dirty = True  # slow subscribers get the next standings, never old ones

"""The figures of the seats that this process serves, published to the processes of other seats.

1. They are published when the store has the act or the hint: the first ones after a pause in the
   next turn of the event loop, all others with the next pass, and of several acts of a seat only
   the latest ones.
2. Nothing is published in rooms whose record names no other process. When it names a further one,
   the figures of all games of this process are published: that process may have read them before
   the latest acts.
3. Figures that the store does not publish are published again later. Those that a process has not
   published when it dies are read by the others, once its connections are reported as lost.
"""

import asyncio
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from protocol.vocabulary import Presence
from server.live.local_room import LocalRoom
from server.live.room_pass import RoomPass
from server.live.timings import LiveTimings
from server.rooms.record import Room
from server.store import SeatFigures, StoreError

Publish = Callable[[str, Collection[SeatFigures], Callable[[object], None]], None]
"""Publishes figures of seats of a room; see `PubSub.publish`."""
NO_PROCESS: Final = ""
"""The process of a seat that was never connected."""


class Publications:
    """The figures of this process's seats that were not published yet."""

    def __init__(self, publish: Publish, process: str, timings: LiveTimings) -> None:
        self._publish = publish
        self._process = process
        self._retry_s = timings.retry_s
        self._pass = RoomPass(
            self._serve, "publication failed", timings.publish_interval_s, timings.pass_slice_s
        )
        self._failed: dict[str, LocalRoom] = {}

    def changed(self, local: LocalRoom, seat: int) -> None:
        """Publish the figures of a seat with the next pass, if another process serves the room."""
        if local.elsewhere:
            local.unpublished.add(seat)
            self._pass.add(local)

    def follow(self, local: LocalRoom, room: Room) -> None:
        """Take the processes that serve a new version of a room."""
        serving = {seat.process for seat in room.seats if seat.connection is Presence.ON}
        elsewhere = serving - {self._process, NO_PROCESS}
        before, local.elsewhere = local.elsewhere, elsewhere
        if elsewhere - before:
            self._add_own(local, room)
        if before - elsewhere:
            # A process that has died may have stored acts and not published them.
            local.leaderboard.changed = True

    def _add_own(self, local: LocalRoom, room: Room) -> None:
        for seat in room.players():
            if seat.process == self._process:
                self.changed(local, seat.number)

    def _serve(self, local: LocalRoom) -> None:
        """Publish the figures of a room that were not published yet, as they are known now."""
        unpublished, local.unpublished = local.unpublished, set()
        latest = local.latest
        if latest is None or not local.elsewhere:
            return
        n = latest.room.started
        figures = []
        for seat in unpublished:
            known = local.leaderboard.known(seat)
            if known is not None and n in {known.n, known.hint_round}:
                figures.append(known)
        if figures:
            self._publish(local.code, figures, partial(self._replied, local))

    def _replied(self, local: LocalRoom, reply: object) -> None:
        if isinstance(reply, StoreError):
            if not self._failed:
                asyncio.get_running_loop().call_later(self._retry_s, self._retry)
            self._failed[local.code] = local

    def _retry(self) -> None:
        failed, self._failed = self._failed, {}
        for local in failed.values():
            if local.latest is not None and local.subscribers:
                self._add_own(local, local.latest.room)

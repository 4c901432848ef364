"""The progress of the seats that this process serves, published to the processes of other seats.

1. It is published when the store has the act or the hint: the first one after a pause in the next
   turn of the event loop, all others with the next pass, and of several acts of a seat only the
   latest one.
2. Nothing is published in rooms whose record names no other process. When it names a further one,
   the progress of all games of this process is published: that process may have read it before
   the latest acts.
3. Progress that the store does not publish is published again later. What a process has not
   published when it dies is read by the others, once its connections are reported as lost.
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from protocol.vocabulary import Presence
from server.live.leaderboard import Leaderboard
from server.live.room_throttle import RoomThrottle
from server.live.subscribers import Subscribers
from server.rooms.record import Room
from server.store import SeatProgress, StoreError

NO_PROCESS: Final = ""  # the process of a seat that was never connected


@dataclass(frozen=True, slots=True)
class Publisher:
    """The means of this process to publish, which its rooms share."""

    publish: Callable[[str, Collection[SeatProgress], Callable[[object], None]], None]
    """Publishes the progress of seats of a room; see `PubSub.publish`."""
    process: str  # the name of this process
    throttle: RoomThrottle
    retry_s: float  # time after which progress that the store did not publish is published again


@dataclass(eq=False, slots=True)
class ProgressPublications:
    """The progress of this process's seats of one room that was not published yet."""

    code: str
    _leaderboard: Leaderboard
    _subscribers: Subscribers
    _publisher: Publisher
    _room: Room | None = None  # the latest version
    _elsewhere: set[str] = field(default_factory=set)  # other processes that serve connected seats
    _unpublished: set[int] = field(default_factory=set)  # seats whose progress these lack
    _is_retrying: bool = False

    def add(self, seat: int) -> None:
        """Publish the progress of a seat soon, if another process serves the room."""
        if self._elsewhere:
            self._unpublished.add(seat)
            self._publisher.throttle.add(self)

    def follow(self, room: Room) -> bool:
        """Take the processes that serve a new version; return whether one serves it no more."""
        serving = {seat.process for seat in room.seats if seat.connection is Presence.ON}
        elsewhere = serving - {self._publisher.process, NO_PROCESS}
        before, self._elsewhere, self._room = self._elsewhere, elsewhere, room
        if elsewhere - before:
            self._add_own()
        return bool(before - elsewhere)

    def serve(self) -> None:
        """Publish what was not published yet, as it is known now."""
        unpublished, self._unpublished = self._unpublished, set()
        if self._room is None or not self._elsewhere:
            return
        n = self._room.rounds_started
        progress = []
        for seat in unpublished:
            known = self._leaderboard.known(seat)
            if known is not None and n in {known.acts and known.n, known.hint_round}:
                progress.append(known)
        if progress:
            self._publisher.publish(self.code, progress, self._handle_reply)

    def _add_own(self) -> None:
        assert self._room is not None, "the room was read"
        for seat in self._room.players():
            if seat.process == self._publisher.process:
                self.add(seat.number)

    def _handle_reply(self, reply: object) -> None:
        if isinstance(reply, StoreError) and not self._is_retrying:
            self._is_retrying = True
            asyncio.get_running_loop().call_later(self._publisher.retry_s, self._retry)

    def _retry(self) -> None:
        self._is_retrying = False
        if self._subscribers:
            self._add_own()

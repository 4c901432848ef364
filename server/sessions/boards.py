"""The boards that spectators watch: delayed replays of logs, read from the store.

Nothing is published for a board. One feed serves everybody on this process who watches it, and
stays for a while when nobody does: a spectator who comes back to a board begins where it stands.
"""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from protocol.vocabulary import RoomState
from server import metrics
from server.live.hub import Hub
from server.live.slices import Slices
from server.rooms.record import Round, VersionedRoom
from server.rooms.rounds import deal_game
from server.rooms.spectate import check_watching, horizon_ms
from server.sessions.positions import Position
from server.store import Store, StoreAway
from server.views.tables import board_text

BOARD_INTERVAL_S = 0.5
KEPT_S = 30.0
"""Seconds for which a board that nobody watches stays ready."""
KEPT_FEEDS = 100
"""Boards that are kept so, at most: those of one room. The one that was left first is dropped."""


class Watcher(Protocol):
    """A socket that watches."""

    seat: int

    def send_standings(self, text: str) -> bool:
        """Passing news; False if the socket is too far behind to be told now."""


@dataclass(eq=False)
class Feed:
    """One board. `told` are those who have seen it as it is; nobody watches since `left_at`.

    `complete` says that it shows the end of its round: nothing will change any more.
    """

    code: str
    seat: int
    played: Round
    position: Position
    watchers: set[Watcher] = field(default_factory=set)
    told: set[Watcher] = field(default_factory=set)
    wanted: asyncio.Event = field(default_factory=asyncio.Event)
    left_at: float = 0.0
    complete: bool = False

    @property
    def elapsed_ms(self) -> int:
        """The player's own time at the latest act that is shown."""
        if not self.position.game.at:
            return 0
        return self.position.ms - self.played.late.get(self.seat, 0)


class Boards:
    """All boards that are watched on this process."""

    def __init__(self, store: Store, hub: Hub, slices: Slices | None = None) -> None:
        self._store = store
        self._hub = hub
        self._slices = slices or Slices()
        self._feeds: dict[tuple[str, int, int], Feed] = {}

    def watch(self, latest: VersionedRoom, watcher: Watcher, seats: Sequence[int]) -> None:
        """From now on the watcher sees these boards and no others.

        Raises:
            Refusal: these boards are not for this watcher.
        """
        check_watching(latest.room, watcher.seat, seats)
        self.leave(watcher)
        played = latest.room.round
        if played is None:
            return
        for seat in seats:
            key = (latest.room.code, played.n, seat)
            feed = self._feeds.get(key)
            if feed is None:
                feed = Feed(latest.room.code, seat, played, Position(deal_game(played)))
                self._feeds[key] = feed
                self._hub.spawn(self._run(key, feed), "board")
            feed.watchers.add(watcher)
            feed.wanted.set()

    def leave(self, watcher: Watcher) -> None:
        """The watcher sees no boards any more."""
        for feed in self._feeds.values():
            if watcher in feed.watchers:
                feed.watchers.discard(watcher)
                feed.told.discard(watcher)
                feed.left_at = monotonic()

    async def _run(self, key: tuple[str, int, int], feed: Feed) -> None:
        """Shows the board as long as it is kept, or until its round is past."""
        try:
            while self._keeps(feed):
                latest = self._hub.latest(feed.code)
                if (
                    latest is None
                    or latest.room.round is None
                    or latest.room.round.n != feed.played.n
                ):
                    return
                feed.wanted.clear()
                if feed.watchers and not (feed.complete and feed.told >= feed.watchers):
                    await self._show(feed, latest)
                await _wait(feed.wanted)
        finally:
            del self._feeds[key]

    def _keeps(self, feed: Feed) -> bool:
        if feed.watchers:
            return True
        if monotonic() - feed.left_at >= KEPT_S:
            return False
        later = sum(
            not other.watchers and other.left_at > feed.left_at for other in self._feeds.values()
        )
        return later < KEPT_FEEDS

    async def _show(self, feed: Feed, latest: VersionedRoom) -> None:
        horizon = horizon_ms(latest.room, self._hub.clock.now())
        try:
            leads_here, entries = await feed.position.read_on(
                self._store, feed.code, feed.played.n, feed.seat
            )
        except StoreAway:
            return
        if not leads_here:  # a failover has taken entries back
            feed.position = Position(deal_game(feed.played))
            feed.told.clear()
        at = feed.position.game.at
        spent = await self._slices.in_background(feed.position.advance(entries, horizon))
        metrics.replay_seconds.labels("board").inc(spent)
        feed.complete = latest.room.state is RoomState.FINISHED
        if feed.position.game.at > at:
            feed.told.clear()
        if feed.told >= feed.watchers:
            return
        text = board_text(feed.position.game, feed.seat, feed.elapsed_ms)
        for watcher in feed.watchers - feed.told:
            if watcher.send_standings(text):
                feed.told.add(watcher)


async def _wait(wanted: asyncio.Event) -> None:
    """Wait until the board is to be looked at again: at once if somebody comes to it."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(BOARD_INTERVAL_S):
            await wanted.wait()

"""The boards that spectators watch: delayed replays of logs, read from the store.

Nothing is published for a board. One feed serves everybody on this process who watches it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from protocol.views import RoomState
from server.games.actions import Action
from server.games.game import Game
from server.rooms.book import Page
from server.rooms.hub import Hub
from server.rooms.record import Round
from server.rooms.rounds import deal_game
from server.rooms.spectate import check_watching, horizon_ms
from server.rooms.views import board_text
from server.store import Store, StoreAway

BOARD_INTERVAL_S = 0.5


class Watcher(Protocol):
    """A socket that watches."""

    seat: int

    def hear_standings(self, text: str) -> bool:
        """Passing news; False if the socket is too far behind to be told now."""


@dataclass(eq=False)
class Feed:
    """One board. `told` are those who have seen it as it is."""

    code: str
    seat: int
    played: Round
    game: Game
    watchers: set[Watcher] = field(default_factory=set)
    told: set[Watcher] = field(default_factory=set)
    elapsed_ms: int = 0


class Boards:
    """All boards that are watched on this process."""

    def __init__(self, store: Store, hub: Hub) -> None:
        self._store = store
        self._hub = hub
        self._feeds: dict[tuple[str, int, int], Feed] = {}

    def watch(self, page: Page, watcher: Watcher, seats: Sequence[int]) -> None:
        """From now on the watcher sees these boards and no others.

        Raises:
            Refusal: these boards are not for this watcher.
        """
        check_watching(page.room, watcher.seat, seats)
        self.leave(watcher)
        played = page.room.round
        if played is None:
            return
        for seat in seats:
            key = (page.room.code, played.n, seat)
            feed = self._feeds.get(key)
            if feed is None:
                feed = Feed(page.room.code, seat, played, deal_game(played))
                self._feeds[key] = feed
                self._hub.spawn(self._run(key, feed), "board")
            feed.watchers.add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """The watcher sees no boards any more."""
        for feed in self._feeds.values():
            feed.watchers.discard(watcher)
            feed.told.discard(watcher)

    async def _run(self, key: tuple[str, int, int], feed: Feed) -> None:
        """Shows the board until nobody watches, or its round is past."""
        try:
            while feed.watchers:
                page = self._hub.page(feed.code)
                if page is None or page.room.round is None or page.room.round.n != feed.played.n:
                    return
                await self._show(feed, page)
                if page.room.state is RoomState.FINISHED and feed.told >= feed.watchers:
                    return
                await asyncio.sleep(BOARD_INTERVAL_S)
        finally:
            del self._feeds[key]

    async def _show(self, feed: Feed, page: Page) -> None:
        horizon = horizon_ms(page.room, self._hub.clock.now())
        try:
            log = await self._store.read_log(feed.code, feed.played.n, feed.seat)
        except StoreAway:
            return
        for entry in log[feed.game.at :]:
            if entry.ms > horizon:
                break
            feed.game.apply(Action(entry.action))
            feed.elapsed_ms = entry.ms - feed.played.late.get(feed.seat, 0)
            feed.told.clear()
        if feed.told >= feed.watchers:
            return
        text = board_text(feed.game, feed.seat, feed.elapsed_ms)
        for watcher in feed.watchers - feed.told:
            if watcher.hear_standings(text):
                feed.told.add(watcher)

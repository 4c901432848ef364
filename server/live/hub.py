"""What this process must fan out, and to whom.

1. The hub holds no state of a room, only the latest that was read of it.
2. A hint says that something changed, never what: the hub reads it from the store.
3. A listener hears a room's events in order, each `v` at most once, and every change of
   state that it was there for.
4. Standings are read at once for the first change, then at most five times a second. So are
   changes of seats in a large room told; anything else of a room is told at once.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from protocol.vocabulary import RoomState
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.standings import Standings
from server.live.subscriber import Subscriber
from server.live.tasks import Tasks
from server.rooms.events import Event, Tick
from server.rooms.record import Page, Room
from server.rooms.refusal import Refusal
from server.rooms.room import deadline
from server.store import Clock, Hint, StoreAway, Unreadable
from server.views.news import News
from server.views.rooms import changes_since

ROOM_INTERVAL_S = 0.2
"""Changed seats of a large room are collected for so long, and sent in one message."""
RETRY_S = 1.0
UNSEEN_S = 20.0
"""Rooms of which no notification came for longer are read again: one may have been lost."""

log = structlog.get_logger()


class Hub:
    """Fans out what happens in the rooms of this process's listeners.

    Its work runs in the task group that it is given, and ends with it.
    """

    def __init__(self, book: Repository, clock: Clock, tasks: asyncio.TaskGroup) -> None:
        self.clock = clock
        self.process = secrets.token_hex(8)
        self._book = book
        book.recall = self.recall
        self._tasks = Tasks(tasks)
        self._standings = Standings(book, clock, self._tasks)
        self._rooms: dict[str, LocalRoom] = {}

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run something in a task of its own; what it raises is logged, not lost."""
        self._tasks.spawn(work, name)

    async def enter(self, page: Page, listener: Subscriber) -> None:
        """From now on the listener hears of the room, whose latest page it has."""
        local = self._rooms.get(page.room.code)
        if local is None:
            local = self._rooms[page.room.code] = LocalRoom(page.room.code, heard=page.v)
        local.listeners.add(listener)
        local.told = None
        if len(local.listeners) == 1:
            await self._follow(local)
            self.spawn(self._tell_alive(local.code), "beat")
            # Between the reading of the page and the first hint something may have happened.
            self._read(local)
        self.learn(page)
        assert local.news is not None, "the page was learned"
        listener.hear_room(local.news)
        self.standings_changed(local.code)

    async def leave(self, code: str, listener: Subscriber, *, told: bool = True) -> None:
        """The listener hears no more of the room.

        Unless the room has been `told` that nobody is at the seat, it stays among those of this
        process, so that others tell it should this one end before it can.
        """
        local = self._rooms.get(code)
        if local is None:
            return
        local.listeners.discard(listener)
        if not local.listeners:
            del self._rooms[code]
            # At once: somebody who comes meanwhile would follow first, and then be unfollowed.
            self._book.store.hints.unfollow(code)
            if told:
                await self.forget(code)

    async def forget(self, code: str) -> None:
        """The room has been told of everybody who was here; it is no room of this process now."""
        if code not in self._rooms:
            with contextlib.suppress(StoreAway):  # then a name too many stands there: no harm
                await self._book.store.drop_room(self.process, code)

    async def _tell_alive(self, code: str) -> None:
        store = self._book.store
        await store.beat(self.process, await store.now(), [code])

    def codes(self) -> list[str]:
        """The rooms in which somebody sits at this process."""
        return list(self._rooms)

    def page(self, code: str) -> Page | None:
        """The latest that this process knows of the room."""
        local = self._rooms.get(code)
        return None if local is None else local.page

    def recall(self, code: str) -> Page | None:
        """Return the latest that is known here of the room, unless more may have been missed."""
        local = self._rooms.get(code)
        return None if local is None or local.doubtful else local.page

    def states(self) -> list[str]:
        """The state of each room that somebody here sits in."""
        return [local.news.page.room.state.value for local in self._rooms.values() if local.news]

    def overdue(self, since: int) -> list[str]:
        """The rooms here that time should have changed by then (ms since the epoch)."""
        return [
            code
            for code, local in self._rooms.items()
            if local.news is not None
            and (due := deadline(local.news.page.room)) is not None
            and due <= since
        ]

    def learn(self, page: Page) -> None:
        """A room's new state, from a change made here or from a reading; tells everybody."""
        local = self._rooms.get(page.room.code)
        if local is None or (local.news is not None and local.news.page.v >= page.v):
            return
        known = local.page
        local.news = News(page)
        if page.written_here and page.v == local.heard + 1:
            local.heard = page.v
        if page.room.state is RoomState.COUNTDOWN:
            self.spawn(self._wind_up(local, page), "countdown")
        if page.room.state is RoomState.CLOSED:
            local.tell_closed()
            return
        self.standings_changed(page.room.code)
        passing = known is not None and changes_since(known.room, page.room, page.v) is not None
        now = time.monotonic()
        if not passing or (not local.telling and now - local.told_at >= ROOM_INTERVAL_S):
            local.tell_room()
        elif not local.telling:
            local.telling = True
            wait = local.told_at + ROOM_INTERVAL_S - now
            self.spawn(self._tell_room_later(local, wait), "room")

    async def _tell_room_later(self, local: LocalRoom, wait: float) -> None:
        """Tells of a room of many seats what has changed meanwhile, in one message."""
        try:
            await asyncio.sleep(wait)
        finally:
            local.telling = False
        if local.news is not None:
            local.tell_room()

    def look(self, code: str) -> None:
        """Something was said here: reads it without waiting for the hint."""
        local = self._rooms.get(code)
        if local is not None:
            self._read(local)

    def refresh(self) -> None:
        """Looks after the rooms here of which nothing was heard for long."""
        now = time.monotonic()
        for local in self._rooms.values():
            if now - local.looked_at > UNSEEN_S:
                local.looked_at = now
                self._read(local)
                self.standings_changed(local.code)

    def standings_changed(self, code: str) -> None:
        """Have a room's leaderboard sent soon: somebody's figures are others."""
        local = self._rooms.get(code)
        if local is not None:
            self._standings.changed(local)

    async def standings_text(self, page: Page) -> str:
        """Return the `standings` message of a room as it is now."""
        return await self._standings.text(page)

    async def _follow(self, local: LocalRoom) -> None:
        try:
            await self._book.store.hints.follow(local.code, self._hint_for(local))
        except StoreAway:
            self.spawn(self._follow_later(local), "follow")

    async def _follow_later(self, local: LocalRoom) -> None:
        await asyncio.sleep(RETRY_S)
        if self._rooms.get(local.code) is local:
            await self._follow(local)
            self._read(local)

    def _hint_for(self, local: LocalRoom) -> Callable[[Hint], None]:
        def hear(hint: Hint) -> None:
            if hint is Hint.LOST:
                local.doubtful = True
            if hint is not Hint.STANDINGS:
                self._read(local)
            if hint is not Hint.ROOM:
                self.standings_changed(local.code)

        return hear

    def _read(self, local: LocalRoom) -> None:
        """Reads the room; what comes in meanwhile makes one more reading, not many."""
        local.again = True
        if not local.reading:
            local.reading = True
            self.spawn(self._read_on(local), "read")

    async def _read_on(self, local: LocalRoom) -> None:
        try:
            while local.again and local.listeners:
                local.again = False
                local.looked_at = time.monotonic()
                known = local.page
                try:
                    page = await self._book.read(local.code, known)
                    local.doubtful = local.doubtful and local.again
                    if known is not None and page is not known and _older(page, known):
                        log.warning("room taken back", room=local.code, v=page.v)
                        local.take_back(page)
                    self.learn(page)
                    await self._tell_said(local, page)
                except Refusal:
                    local.tell_closed()
                except Unreadable:
                    local.tell_unreadable()
                except StoreAway:
                    local.again = True
                    await asyncio.sleep(RETRY_S)
        finally:
            local.reading = False

    async def _tell_said(self, local: LocalRoom, page: Page) -> None:
        """Tells what was said since this process last looked."""
        after = local.heard
        if page.v <= after:
            return
        local.heard = page.v
        for v, text in await self._book.said(local.code, after):
            local.tell_said(v, text)

    async def _wind_up(self, local: LocalRoom, page: Page) -> None:
        """Starts the race at t0: who has somebody in the room does not wait for the sweep."""
        assert page.room.round is not None, "a countdown has a round"
        while self.page(local.code) is page and local.listeners:
            wait_ms = page.room.round.t0 - await self._book.store.now()
            if wait_ms <= 0:
                await self.tick(local.code)
            else:
                await asyncio.sleep(wait_ms / 1_000)

    async def apply(self, code: str, event: Event | Callable[[Room], Event]) -> None:
        """Apply an event to a room and send it to everybody here.

        Raises:
            Refusal: there is no such room, or it does not allow the event.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it, and everybody here is sent elsewhere.
        """
        try:
            self.learn(await self._book.apply(code, event))
        except Unreadable:
            local = self._rooms.get(code)
            if local is not None:
                local.tell_unreadable()
            raise

    async def tick(self, code: str) -> None:
        """Lets time change the room, if it is time; any process may, any number of times.

        Raises:
            Refusal: there is no such room any more.
            StoreAway: the store does not answer.
            Unreadable: this release cannot read it.
        """
        await self.apply(code, Tick(await self._book.store.now()))


def _older(page: Page, known: Page) -> bool:
    """Whether a page that was read later than `known` is none that can follow it."""
    return page.v < known.v or (page.v == known.v and page.room != known.room)

"""A store in memory that can be away, slow to notice, and lose notifications."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.live.shared_text import SharedText
from server.store import (
    FiguresText,
    NewSeat,
    Notification,
    Quota,
    RoomChange,
    SeatFigures,
    SeatRecord,
    StoreAway,
    StoredRoom,
    StoreError,
    StoreFull,
)
from server.views.room_messages import RoomMessages

NOW = 1_790_000_000_000
FIRST_MS = 5_000


@dataclass
class MemoryPubSub:
    """Subscriptions to rooms; the test publishes the notifications, and sees published figures."""

    away: bool = False
    callbacks: dict[str, Callable[[Notification | FiguresText], None]] = field(
        default_factory=dict
    )
    published: list[list[SeatFigures]] = field(default_factory=list)  # by call

    async def subscribe(
        self, code: str, callback: Callable[[Notification | FiguresText], None]
    ) -> None:
        if self.away:
            raise StoreAway
        self.callbacks[code] = callback

    def publish(
        self,
        code: str,
        figures: Collection[SeatFigures],
        on_reply: Callable[[int | StoreError], None],
    ) -> None:
        assert code in self.callbacks
        self.published.append(list(figures))
        for _ in figures:
            asyncio.get_running_loop().call_soon(on_reply, StoreAway() if self.away else 1)

    def passes_on(self, code: str) -> bool:
        return code in self.callbacks

    def unsubscribe(self, code: str) -> None:
        self.callbacks.pop(code, None)


@dataclass
class MemoryClock:
    """The time of a store, which stands still until the test changes it."""

    store: "MemoryStore"

    def now(self) -> int:
        return self.store.time


@dataclass
class MemoryStore:
    """The part of the store that rooms use."""

    time: int = NOW
    away: bool = False
    rooms: dict[str, StoredRoom] = field(default_factory=dict)
    deadlines: dict[str, int | None] = field(default_factory=dict)
    seats: dict[int, SeatRecord] = field(default_factory=dict)
    pubsub: MemoryPubSub = field(default_factory=MemoryPubSub)
    taken: list[str] = field(default_factory=list)
    conflicts: int = 0
    held: asyncio.Event | None = None  # what changes wait for
    without_space: int = 0  # so many of the next codes are of a master that is full
    out_of_memory: bool = False
    forgotten: list[str] = field(default_factory=list)
    deleted: list[tuple[str, int, int]] = field(default_factory=list)
    reads: int = 0
    beats: dict[str, int] = field(default_factory=dict)
    hosted: dict[str, set[str]] = field(default_factory=dict)
    said: list[tuple[int, str]] = field(default_factory=list)
    asked_after: list[int] = field(default_factory=list)
    acts: dict[tuple[int, int], int] = field(default_factory=dict)
    dropped: list[tuple[list[int], list[tuple[int, int]]]] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    """The seats that were deleted with changes."""
    opened_by: dict[str, set[str]] = field(default_factory=dict)
    unreadable_since: dict[str, int] = field(default_factory=dict)
    out: Mapping[int, str | None] = field(default_factory=dict)
    listed: list[bool] = field(default_factory=list)
    seat: NewSeat | None = None
    failing: dict[str, Exception] = field(default_factory=dict)
    """Errors by the method that raises them, or by the room whose record is read."""

    @property
    def clock(self) -> MemoryClock:
        return MemoryClock(self)

    def _there(self, *names: str) -> None:
        if self.away:
            raise StoreAway
        for name in names:
            if name in self.failing:
                raise self.failing[name]

    async def now(self) -> int:
        self._there()
        return self.time

    def has_space(self, _code: str) -> bool:
        if self.without_space:
            self.without_space -= 1
            return False
        return True

    async def create(self, code: str, change: RoomChange) -> bool:
        self._there()
        if self.out_of_memory:
            raise StoreFull
        if self.taken:
            self.taken.pop()
            return False
        assert change.seat in {NewSeat(0, "hash"), None}
        if code in self.rooms:
            return False
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        self._there(code)
        self.reads += 1
        return self.rooms.get(code)

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        self._there()
        if self.held is not None:
            await self.held.wait()
        if self.conflicts:
            self.conflicts -= 1
            return None
        if v != (self.rooms[code].v if code in self.rooms else 0):
            return None
        self.rooms[code] = StoredRoom(v + 1, change.doc)
        self.out = change.out
        self.listed.append(change.listed)
        self.seat = change.seat
        self.gone += change.gone
        self.deadlines[code] = change.deadline
        return v + 1

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None:
        self._there()
        self.beats[process] = now
        self.hosted.setdefault(process, set()).update(codes)

    async def silent(self, since: int) -> list[str]:
        self._there("silent")
        return [process for process, when in self.beats.items() if when < since]

    async def rooms_of(self, process: str) -> list[str]:
        return sorted(self.hosted.get(process, set()))

    async def drop_room(self, process: str, code: str) -> None:
        self.hosted.get(process, set()).discard(code)

    async def forget_process(self, process: str) -> None:
        self.beats.pop(process, None)
        self.hosted.pop(process, None)

    async def append(self, code: str, event: str) -> int | None:
        self._there()
        room = self.rooms.get(code)
        if room is None:
            return None
        self.rooms[code] = StoredRoom(room.v + 1, room.doc)
        self.said.append((room.v + 1, event))
        return room.v + 1

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        assert code in self.rooms
        self.asked_after.append(after)
        return [(v, text) for v, text in self.said if v > after]

    async def read_seats(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        self._there()
        assert code in self.rooms
        return [self.seats.get(seat) for seat in seats]

    async def due(self, now: int) -> list[str]:
        self._there("due")
        return [code for code, when in self.deadlines.items() if when is not None and when <= now]

    async def delete(self, code: str, seats: int, rounds: int, *, v: int | None = None) -> bool:
        self._there()
        if self.conflicts:
            self.conflicts -= 1
            return False
        assert v in {None, self.rooms[code].v}
        del self.rooms[code]
        self.deadlines.pop(code, None)
        self.deleted.append((code, seats, rounds))
        return True

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        self._there()
        assert code in self.rooms
        return sum(self.acts.get((n, seat), 0) for seat in seats)

    async def drop(
        self, _code: str, seats: Collection[int], logs: Collection[tuple[int, int]]
    ) -> None:
        self._there("drop")
        self.dropped.append((sorted(seats), sorted(logs)))

    async def forget_deadline(self, code: str) -> None:
        self._there()
        self.forgotten.append(code)
        self.deadlines.pop(code, None)

    async def claim(self, code: str, quotas: Sequence[Quota]) -> Quota | None:
        self._there("claim")
        for quota in quotas:
            others = self.opened_by.get(quota.network, set()) - {code}
            if len(others) >= quota.most:
                return quota
        await self.renew(code, [quota.network for quota in quotas])
        return None

    async def renew(self, code: str, networks: Iterable[str]) -> None:
        self._there("renew")
        for network in networks:
            self.opened_by.setdefault(network, set()).add(code)

    async def release(self, code: str, networks: Iterable[str]) -> None:
        self._there()
        for network in networks:
            self.opened_by.setdefault(network, set()).discard(code)

    async def opened(self) -> int:
        self._there()
        return len(self.opened_by.get("", ()))

    async def set_aside(self, code: str) -> None:
        self._there()
        self.unreadable_since.setdefault(code, self.time)
        self.deadlines.setdefault(code, self.time + FIRST_MS)

    async def postpone(self, code: str) -> None:
        self._there("postpone")
        since = self.unreadable_since.setdefault(code, self.time)
        self.deadlines[code] = self.time + max(FIRST_MS, self.time - since)

    async def readmit(self, code: str) -> None:
        self._there()
        self.unreadable_since.pop(code, None)

    async def unreadable(self) -> int:
        self._there()
        return len(self.unreadable_since)


@dataclass(eq=False)
class RecordingSubscriber:
    """A subscriber that records each call as a line."""

    received: list[str] = field(default_factory=list)
    slow: int = 0
    standings: list[dict[str, Any]] = field(default_factory=list)

    def send_room(self, messages: RoomMessages) -> None:
        self.received.append(f"room {messages.latest.v} {messages.latest.room.state.value}")

    def send_said(self, v: int, text: str) -> None:
        self.received.append(f"said {v} {json.loads(text)['text']}")

    def handle_rollback(self) -> None:
        self.received.append("taken back")

    def handle_unreadable(self) -> None:
        self.received.append("unreadable")

    def handle_closed(self) -> None:
        self.received.append("closed")

    def send_standings(self, message: SharedText) -> bool:
        if self.slow:
            self.slow -= 1
            return False
        self.standings.append(json.loads(message.text))
        self.received.append(self.standings[-1]["type"])
        return True

"""A store in memory that can be away, slow to notice, and lose notifications."""

import asyncio
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from server.live.shared_text import SharedText
from server.store import (
    AnswerHandler,
    Commit,
    HintCount,
    KnownLabel,
    LogRecord,
    NewSeat,
    Notification,
    ProgressNotification,
    Queued,
    Quota,
    RoomChange,
    SeatProgress,
    SeatRecord,
    StoreAway,
    StoredReview,
    StoredRoom,
    StoreError,
    StoreFull,
)
from server.views.room_messages import RoomMessages

NOW = 1_790_000_000_000
FIRST_MS = 5_000


@dataclass
class MemoryPubSub:
    """Subscriptions to rooms; the test publishes notifications, and sees published progress."""

    away: bool = False
    callbacks: dict[str, Callable[[Notification | ProgressNotification], None]] = field(
        default_factory=dict
    )
    published: list[list[SeatProgress]] = field(default_factory=list)  # by call

    async def subscribe(
        self, code: str, callback: Callable[[Notification | ProgressNotification], None]
    ) -> None:
        if self.away:
            raise StoreAway
        self.callbacks[code] = callback

    def publish(
        self,
        code: str,
        progress: Collection[SeatProgress],
        on_reply: Callable[[int | StoreError], None],
    ) -> None:
        assert code in self.callbacks
        self.published.append(list(progress))
        for _ in progress:
            asyncio.get_running_loop().call_soon(on_reply, StoreAway() if self.away else 1)

    async def probe(self) -> None:
        """Return: all notifications arrive."""

    def passes_on(self, code: str) -> bool:
        return code in self.callbacks

    def unsubscribe(self, code: str) -> None:
        self.callbacks.pop(code, None)


class MemoryClock:
    """The time of a store, which stands still until the test changes it."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store

    def now(self) -> int:
        return self._store.time


class MemoryRooms(dict[str, StoredRoom]):
    """The records of rooms by code."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.taken: list[str] = []
        self.conflicts = 0
        self.held: asyncio.Event | None = None  # what changes wait for
        self.out_of_memory = False
        self.reads = 0
        self.deleted: list[tuple[str, int, int]] = []
        self.dropped: list[tuple[list[int], list[tuple[int, int]]]] = []
        self.said: list[tuple[int, str]] = []
        self.acts: dict[tuple[int, int], int] = {}  # by round and seat
        self.asked_after: list[int] = []
        # Of the changes: the latest seat and marks, whether each is listed, all seats that went.
        self.seat: NewSeat | None = None
        self.out: Mapping[int, str | None] = {}
        self.listed: list[bool] = []
        self.gone: list[int] = []

    async def create(self, code: str, change: RoomChange) -> bool:
        self._store.check()
        if self.out_of_memory:
            raise StoreFull
        if self.taken:
            self.taken.pop()
            return False
        assert change.seat in {NewSeat(0, "hash"), None}
        return code not in self and await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        self._store.check(code)
        self.reads += 1
        return self.get(code)

    async def read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        return await self.read(code), await self._store.seats.read(code, seat)

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        self._store.check()
        if self.held is not None:
            await self.held.wait()
        if self.conflicts:
            self.conflicts -= 1
            return None
        if v != (self[code].v if code in self else 0):
            return None
        self[code] = StoredRoom(v + 1, change.doc)
        self.out = change.out
        self.listed.append(change.listed)
        self.seat = change.seat
        self.gone += change.gone
        self._store.lists.deadlines[code] = change.deadline
        return v + 1

    async def append(self, code: str, event: str) -> int | None:
        self._store.check()
        room = self.get(code)
        if room is None:
            return None
        self[code] = StoredRoom(room.v + 1, room.doc)
        self.said.append((room.v + 1, event))
        return room.v + 1

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        assert code in self
        self.asked_after.append(after)
        return [(v, text) for v, text in self.said if v > after]

    async def delete(self, code: str, seats: int, rounds: int, *, v: int | None = None) -> bool:
        self._store.check()
        if self.conflicts:
            self.conflicts -= 1
            return False
        assert v in {None, self[code].v}
        del self[code]
        self._store.lists.deadlines.pop(code, None)
        self.deleted.append((code, seats, rounds))
        return True

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        self._store.check()
        assert code in self
        return sum(self.acts.get((n, seat), 0) for seat in seats)

    async def drop(
        self,
        code: str,
        seats: Collection[int],
        logs: Collection[tuple[int, int]],
        reviews: Collection[int] = (),  # noqa: ARG002  # each goes with logs
    ) -> None:
        self._store.check(code, "drop")
        self.dropped.append((sorted(seats), sorted(logs)))


class MemoryLists:
    """The deadlines by code. All rooms are public."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.deadlines: dict[str, int | None] = {}
        self.corrected: list[str] = []

    async def due(self, now: int) -> list[str]:
        self._store.check("due")
        return [code for code, when in self.deadlines.items() if when is not None and when <= now]

    async def correct(self, code: str) -> None:
        self._store.check()
        self.corrected.append(code)
        self.deadlines.pop(code, None)

    async def public(self, limit: int) -> list[str]:
        return list(self._store.rooms)[:limit]

    async def rows(self, codes: Sequence[str]) -> list[str | None]:
        return [None for _ in codes]


class MemorySeats(dict[int, SeatRecord]):
    """The records of seats by number, the same in all rooms."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store

    async def take(self, code: str, seat: int) -> SeatRecord | None:
        return await self.read(code, seat)

    async def read(self, code: str, seat: int) -> SeatRecord | None:
        return (await self.read_all(code, (seat,)))[0]

    async def read_all(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        self._store.check()
        assert code in self._store.rooms
        return [self.get(seat) for seat in seats]


class MemoryOpenRooms:
    """The codes of open rooms by network."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.by_network: dict[str, set[str]] = {}
        self.without_space = 0  # so many of the next codes are of a master that is full

    def has_space(self, code: str) -> bool:  # noqa: ARG002  # all codes alike
        if self.without_space:
            self.without_space -= 1
            return False
        return True

    async def claim(self, code: str, quotas: Sequence[Quota]) -> Quota | None:
        self._store.check("claim")
        for quota in quotas:
            others = self.by_network.get(quota.network, set()) - {code}
            if len(others) >= quota.most:
                return quota
        await self.renew(code, [quota.network for quota in quotas])
        return None

    async def renew(self, code: str, networks: Iterable[str]) -> None:
        self._store.check("renew")
        for network in networks:
            self.by_network.setdefault(network, set()).add(code)

    async def release(self, code: str, networks: Iterable[str]) -> None:
        self._store.check()
        for network in networks:
            self.by_network.setdefault(network, set()).discard(code)

    async def count(self, network: str = "") -> int:
        self._store.check()
        return len(self.by_network.get(network, ()))


class MemoryAttempts(dict[str, str]):
    """The codes of attempts."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store

    async def code(self, attempt: str, drawn: str) -> str:
        self._store.check("attempts")
        return self.setdefault(attempt, drawn)

    async def replace(self, attempt: str, drawn: str) -> None:
        self[attempt] = drawn


class MemoryBotPlaces(dict[str, set[str]]):
    """The computer players in each list."""

    async def claim(self, bot: str, limits: Mapping[str, int]) -> bool:
        lists = [self.setdefault(name, set()) for name in limits]
        most = limits.values()
        if any(bot not in each and len(each) >= n for each, n in zip(lists, most, strict=True)):
            return False
        for each in lists:
            each.add(bot)
        return True

    async def renew(self, bots: Iterable[str], names: Iterable[str]) -> None:
        for name in names:
            self.setdefault(name, set()).update(bots)

    async def release(self, bots: Iterable[str], names: Iterable[str]) -> None:
        for name in names:
            self.setdefault(name, set()).difference_update(bots)

    async def count(self, name: str = "") -> int:
        return len(self.get(name, ()))


class MemoryJobs(dict[str, str]):
    """The bodies of jobs by kind and key; nobody takes them."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store

    async def add(
        self,
        kind: str,
        key: str,
        body: str,
        *,
        deadline_ms: int,
        shares: Mapping[str, int] = MappingProxyType({}),
    ) -> Queued:
        self._store.check("jobs")
        assert deadline_ms > self._store.time
        bodies = list(self.values())
        if f"{kind} {key}" in self:
            return Queued.KNOWN
        if any(sum(word in each for each in bodies) >= most for word, most in shares.items()):
            return Queued.FULL
        self[f"{kind} {key}"] = body
        return Queued.ADDED


class MemoryReviews(dict[tuple[str, int], StoredReview]):
    """The reviews by room and round, which the test makes."""

    async def read(self, code: str, n: int, t0: int) -> StoredReview:  # noqa: ARG002  # one each
        return self.get((code, n), StoredReview())

    async def begin(self, code: str, n: int, t0: int) -> bool:
        raise NotImplementedError  # no process of the test makes reviews

    async def keep(self, code: str, n: int, t0: int, seat: int, text: str) -> bool:
        raise NotImplementedError

    async def finish(self, code: str, n: int, t0: int) -> bool:  # noqa: ARG002  # one each
        self[code, n] = StoredReview(has_begun=True, is_done=True)
        return True

    async def maker_seen_ms(self) -> int:
        return 0  # no thinking process was ever there


class MemoryDealLabels(dict[str, str]):
    """The labels by deal, which the test makes; a thinking process runs if `is_sought`."""

    is_sought = False

    def __init__(self) -> None:
        self.asked: dict[str, tuple[str, int]] = {}  # by room, its deal and since when

    async def read(self, deal: str, room: str = "") -> KnownLabel:
        about, since = self.asked.get(room, ("", 0))
        return KnownLabel(self.get(deal), self.is_sought, since if about == deal else None)

    async def ask(self, deal: str, room: str, since_ms: int) -> None:
        self.asked[room] = (deal, since_ms)


class MemoryUnreadableRooms:
    """The times since when rooms are unreadable, by code."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.since: dict[str, int] = {}

    async def set_aside(self, code: str) -> None:
        self._store.check()
        self.since.setdefault(code, self._store.time)
        self._store.lists.deadlines.setdefault(code, self._store.time + FIRST_MS)

    async def postpone(self, code: str) -> None:
        self._store.check("postpone")
        now = self._store.time
        since = self.since.setdefault(code, now)
        self._store.lists.deadlines[code] = now + max(FIRST_MS, now - since)

    async def readmit(self, code: str) -> None:
        self._store.check()
        self.since.pop(code, None)

    async def count(self) -> int:
        self._store.check()
        return len(self.since)


class MemoryProcesses:
    """The times of the latest heartbeats, and the rooms, by process."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.beats: dict[str, int] = {}
        self.hosted: dict[str, set[str]] = {}

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None:
        self._store.check()
        self.beats[process] = now
        self.hosted.setdefault(process, set()).update(codes)

    async def silent(self, since: int) -> list[str]:
        self._store.check("silent")
        return [process for process, when in self.beats.items() if when < since]

    async def rooms_of(self, process: str) -> list[str]:
        return sorted(self.hosted.get(process, set()))

    async def drop_room(self, process: str, code: str) -> None:
        self.hosted.get(process, set()).discard(code)

    async def forget(self, process: str) -> None:
        self.beats.pop(process, None)
        self.hosted.pop(process, None)


class NoActs:
    """Neither logs nor acts: tests of rooms store none."""

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        raise NotImplementedError

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        raise NotImplementedError

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        raise NotImplementedError


class MemoryStore:
    """The parts of a store that rooms use.

    `failing` are errors by the method that raises them, or by the room whose record is read.
    """

    def __init__(self) -> None:
        self.time = NOW
        self.away = False
        self.failing: dict[str, Exception] = {}
        self.clock = MemoryClock(self)
        self.pubsub = MemoryPubSub()
        self.rooms = MemoryRooms(self)
        self.lists = MemoryLists(self)
        self.seats = MemorySeats(self)
        self.logs = self.commits = NoActs()
        self.open_rooms = MemoryOpenRooms(self)
        self.attempts = MemoryAttempts(self)
        self.bots = MemoryBotPlaces()
        self.jobs = MemoryJobs(self)
        self.reviews = MemoryReviews()
        self.deal_labels = MemoryDealLabels()
        self.unreadable = MemoryUnreadableRooms(self)
        self.processes = MemoryProcesses(self)

    def check(self, *names: str) -> None:
        """Raise the error of a store that is away, or that of one of these names."""
        if self.away:
            raise StoreAway
        for name in names:
            if name in self.failing:
                raise self.failing[name]

    async def ready(self) -> None:
        self.check()


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

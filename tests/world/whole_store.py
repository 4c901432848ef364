"""A store in memory that does all that the real one does, at once and in one order."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from server.store import (
    AnswerHandler,
    Commit,
    CommitAnswer,
    CommitFailure,
    HintCount,
    LogRecord,
    Notification,
    ProgressNotification,
    RoomChange,
    SeatProgress,
    SeatRecord,
    StoredRoom,
)
from tests.live.memory import MemoryStore

EPOCH_MS = 1_790_000_000_000


def now_ms() -> int:
    """The time that all share: that of the event loop."""
    return EPOCH_MS + round(asyncio.get_running_loop().time() * 1_000)


@dataclass
class WholePubSub:
    callbacks: dict[str, Callable[[Notification | ProgressNotification], None]] = field(
        default_factory=dict
    )

    async def subscribe(
        self, code: str, callback: Callable[[Notification | ProgressNotification], None]
    ) -> None:
        self.callbacks[code] = callback

    def passes_on(self, code: str) -> bool:
        return code in self.callbacks

    def unsubscribe(self, code: str) -> None:
        self.callbacks.pop(code, None)

    def publish(
        self, code: str, progress: Collection[SeatProgress], on_reply: Callable[[int], None]
    ) -> None:
        for each in progress:
            self.notify(code, ProgressNotification(ProgressNotification.write(each)))
            asyncio.get_running_loop().call_soon(on_reply, 1)

    def notify(self, code: str, notification: Notification | ProgressNotification) -> None:
        if code in self.callbacks:
            asyncio.get_running_loop().call_soon(self.callbacks[code], notification)


class WholeClock:
    """The clock that all share."""

    def now(self) -> int:
        return now_ms()


class WholeRooms(dict[str, StoredRoom]):
    """The records of all rooms; `changes` are the latest ones."""

    def __init__(self, store: "WholeStore") -> None:
        self._store = store
        self.changes: dict[str, RoomChange] = {}
        self._events: dict[str, list[tuple[int, str]]] = {}

    async def create(self, code: str, change: RoomChange) -> bool:
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        return self.get(code)

    async def read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        return self.get(code), self._store.seats.get((code, seat))

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        if v != (self[code].v if code in self else 0):
            return None
        self[code] = StoredRoom(v + 1, change.doc)
        self.changes[code] = change
        self._events.setdefault(code, []).append((v + 1, change.event))
        for number in change.gone:
            self._store.seats.pop((code, number), None)
        if change.seat is not None:
            self._store.seats[code, change.seat.number] = change.seat.record
        self._store.pubsub.notify(code, Notification.ROOM)
        return v + 1

    async def append(self, code: str, event: str) -> int | None:
        room = self.get(code)
        if room is None:
            return None
        self[code] = StoredRoom(room.v + 1, room.doc)
        self._events[code].append((room.v + 1, event))
        self._store.pubsub.notify(code, Notification.ROOM)
        return room.v + 1

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        return [(v, text) for v, text in self._events.get(code, []) if v > after]

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        return sum(len(self._store.logs.get((code, n, seat), [])) for seat in seats)

    async def drop(
        self,
        code: str,
        seats: Collection[int],
        logs: Collection[tuple[int, int]],
        reviews: Collection[int] = (),
    ) -> None: ...


class WholeLists:
    """The lists of rooms, made from the changes."""

    def __init__(self, rooms: WholeRooms) -> None:
        self._changes = rooms.changes

    async def due(self, now: int) -> list[str]:
        due = {code: change.deadline for code, change in self._changes.items()}
        return [code for code, when in due.items() if when is not None and when <= now]

    async def public(self, limit: int) -> list[str]:
        return [code for code, change in self._changes.items() if change.public][:limit]

    async def rows(self, codes: Sequence[str]) -> list[str | None]:
        return [self._changes[code].row or None for code in codes]


class WholeSeats(dict[tuple[str, int], SeatRecord]):
    """The records of seats, by room and number."""

    async def take(self, code: str, seat: int) -> SeatRecord | None:
        record = self.get((code, seat))
        if record is None:
            return None
        taken = self[code, seat] = replace(record, generation=record.generation + 1)
        return taken

    async def read(self, code: str, seat: int) -> SeatRecord | None:
        return self.get((code, seat))

    async def read_all(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        return [self.get((code, seat)) for seat in seats]


class WholeLogs(dict[tuple[str, int, int], list[LogRecord]]):
    """The logs by room, round and seat."""

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        return self.get((code, n, seat), [])[start:]


class WholeCommits:
    """Acts and hints, which are stored one by one."""

    def __init__(self, store: "WholeStore") -> None:
        self._store = store
        self._hints_at: dict[tuple[str, int], tuple[int, int]] = {}

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        asyncio.get_running_loop().call_soon(lambda: answer(self._advise(hint)))

    def _advise(self, hint: HintCount) -> CommitAnswer:
        held = hint.held
        room, seat = (
            self._store.rooms.changes[held.code],
            self._store.seats[held.code, held.seat],
        )
        log = self._store.logs.get((held.code, held.n, held.seat), [])
        if room.state != "RUNNING" or room.n != held.n:
            return CommitFailure.NOT_RUNNING
        if room.t_end is not None and now_ms() >= room.t_end:
            return CommitFailure.TOO_LATE
        if seat.generation != held.generation:
            return CommitFailure.REPLACED
        if len(log) != hint.at:
            return CommitFailure.STALE
        where = (held.code, held.seat)
        if self._hints_at.get(where) != (held.n, hint.at):
            self._hints_at[where] = (held.n, hint.at)
            before = seat.hint_count if seat.hint_round == held.n else 0
            self._store.seats[where] = replace(seat, hint_count=before + 1, hint_round=held.n)
        return self._store.seats[where].hint_count

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        asyncio.get_running_loop().call_soon(lambda: answer(self._commit(commit)))

    def _commit(self, act: Commit) -> CommitAnswer:  # noqa: PLR0911  # one for each in commit.lua
        held = act.held
        room, seat = self._store.rooms.changes[held.code], self._store.seats[held.code, held.seat]
        if room.state != "RUNNING" or room.n != held.n:
            return CommitFailure.NOT_RUNNING
        assert room.t0 is not None
        now = now_ms()
        ms = now - room.t0
        log = self._store.logs.setdefault((held.code, held.n, held.seat), [])
        if ms < 0:
            return CommitFailure.EARLY
        if room.t_end is not None and now >= room.t_end:
            return CommitFailure.TOO_LATE
        if seat.generation != held.generation:
            return CommitFailure.REPLACED
        if act.id <= seat.last_id:
            return CommitFailure.REPEATED
        if len(log) != act.at:
            return CommitFailure.STALE
        log.append(LogRecord(act.action, ms))
        fresh = seat.n != held.n
        self._store.seats[held.code, held.seat] = replace(
            seat,
            last_id=act.id,
            n=held.n,
            first_id=act.id if fresh else seat.first_id,
            stats_json=act.stats_json,
            gained_ms=ms if act.has_gained else 0 if fresh else seat.gained_ms,
            over_ms=ms if act.is_over else None if fresh else seat.over_ms,
        )
        return ms


class WholeStore:
    """Every room; what the Lua scripts do is done here in Python."""

    def __init__(self) -> None:
        self.clock = WholeClock()
        self.pubsub = WholePubSub()
        self.rooms = WholeRooms(self)
        self.lists = WholeLists(self.rooms)
        self.seats = WholeSeats()
        self.logs = WholeLogs()
        self.commits = WholeCommits(self)
        memory = MemoryStore()
        self.open_rooms, self.processes = memory.open_rooms, memory.processes
        self.unreadable, self.attempts = memory.unreadable, memory.attempts
        self.bots, self.jobs, self.reviews = memory.bots, memory.jobs, memory.reviews
        self.deal_labels = memory.deal_labels

"""A store in memory that does all that the real one does, at once and in one order."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from server.store import (
    Commit,
    CommitAnswer,
    CommitFailure,
    FiguresText,
    HintCount,
    LogRecord,
    Notification,
    Quota,
    RoomChange,
    SeatFigures,
    SeatRecord,
    StoredRoom,
)

EPOCH_MS = 1_790_000_000_000


def now_ms() -> int:
    """The time that all share: that of the event loop."""
    return EPOCH_MS + round(asyncio.get_running_loop().time() * 1_000)


@dataclass
class WholePubSub:
    callbacks: dict[str, Callable[[Notification | FiguresText], None]] = field(
        default_factory=dict
    )

    async def subscribe(
        self, code: str, callback: Callable[[Notification | FiguresText], None]
    ) -> None:
        self.callbacks[code] = callback

    def passes_on(self, code: str) -> bool:
        return code in self.callbacks

    def unsubscribe(self, code: str) -> None:
        self.callbacks.pop(code, None)

    def publish(
        self,
        code: str,
        figures: Collection[SeatFigures],
        on_reply: Callable[[int], None],
    ) -> None:
        for each in figures:
            self.notify(code, FiguresText(FiguresText.write(each)))
            asyncio.get_running_loop().call_soon(on_reply, 1)

    def notify(self, code: str, notification: Notification | FiguresText) -> None:
        if code in self.callbacks:
            asyncio.get_running_loop().call_soon(self.callbacks[code], notification)


class WholeClock:
    """The clock that all share."""

    def now(self) -> int:
        return now_ms()


@dataclass
class WholeStore:
    """Every room; what the Lua scripts do is done here in Python."""

    pubsub: WholePubSub = field(default_factory=WholePubSub)
    clock: WholeClock = field(default_factory=WholeClock)
    rooms: dict[str, StoredRoom] = field(default_factory=dict)
    changes: dict[str, RoomChange] = field(default_factory=dict)
    stream: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    seats: dict[tuple[str, int], SeatRecord] = field(default_factory=dict)
    logs: dict[tuple[str, int, int], list[LogRecord]] = field(default_factory=dict)
    advised_at: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)

    async def now(self) -> int:
        return now_ms()

    async def ping(self) -> None: ...

    async def probe(self) -> None: ...

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None: ...

    async def drop_room(self, process: str, code: str) -> None: ...

    def has_space(self, _code: str) -> bool:
        return True

    async def claim(self, code: str, quotas: Sequence[Quota]) -> None: ...

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        return sum(len(self.logs.get((code, n, seat), [])) for seat in seats)

    async def drop(
        self, code: str, seats: Collection[int], logs: Collection[tuple[int, int]]
    ) -> None: ...

    async def renew(self, code: str, networks: Iterable[str]) -> None: ...

    async def create(self, code: str, change: RoomChange) -> bool:
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        return self.rooms.get(code)

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        if v != (self.rooms[code].v if code in self.rooms else 0):
            return None
        self.rooms[code] = StoredRoom(v + 1, change.doc)
        self.changes[code] = change
        self.stream.setdefault(code, []).append((v + 1, change.event))
        for number in change.gone:
            self.seats.pop((code, number), None)
        if change.seat is not None:
            self.seats[code, change.seat.number] = change.seat.record
        self.pubsub.notify(code, Notification.ROOM)
        return v + 1

    async def append(self, code: str, event: str) -> int | None:
        room = self.rooms.get(code)
        if room is None:
            return None
        self.rooms[code] = StoredRoom(room.v + 1, room.doc)
        self.stream[code].append((room.v + 1, event))
        self.pubsub.notify(code, Notification.ROOM)
        return room.v + 1

    async def events(self, code: str, after: int) -> list[tuple[int, str]] | None:
        return [(v, text) for v, text in self.stream.get(code, []) if v > after]

    async def take_seat(self, code: str, seat: int) -> SeatRecord | None:
        record = self.seats.get((code, seat))
        if record is None:
            return None
        taken = self.seats[code, seat] = replace(record, generation=record.generation + 1)
        return taken

    async def read_seat(self, code: str, seat: int) -> SeatRecord | None:
        return self.seats.get((code, seat))

    async def read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        return await self.read(code), await self.read_seat(code, seat)

    async def read_seats(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        return [self.seats.get((code, seat)) for seat in seats]

    async def read_log(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        return self.logs.get((code, n, seat), [])[start:]

    async def read_logs(self, code: str, n: int, seats: Sequence[int]) -> list[list[LogRecord]]:
        return [await self.read_log(code, n, seat) for seat in seats]

    async def public_rooms(self, limit: int) -> list[str]:
        return [code for code, change in self.changes.items() if change.public][:limit]

    async def public_rows(self, codes: Sequence[str]) -> list[str | None]:
        return [self.changes[code].row or None for code in codes]

    async def due(self) -> list[str]:
        """The rooms that time wants to change."""
        now = now_ms()
        due = {code: change.deadline for code, change in self.changes.items()}
        return [code for code, when in due.items() if when is not None and when <= now]

    def count_hint(self, hint_count: HintCount, answer: Callable[[CommitAnswer], None]) -> None:
        asyncio.get_running_loop().call_soon(lambda: answer(self._advise(hint_count)))

    def _advise(self, hint_count: HintCount) -> CommitAnswer:
        held = hint_count.held
        room, seat = (
            self.changes[held.code],
            self.seats[held.code, held.seat],
        )
        log = self.logs.get((held.code, held.n, held.seat), [])
        if room.state != "RUNNING" or room.n != held.n:
            return CommitFailure.NOT_RUNNING
        if room.t_end is not None and now_ms() >= room.t_end:
            return CommitFailure.TOO_LATE
        if seat.generation != held.generation:
            return CommitFailure.REPLACED
        if len(log) != hint_count.at:
            return CommitFailure.STALE
        where = (held.code, held.seat)
        if self.advised_at.get(where) != (held.n, hint_count.at):
            self.advised_at[where] = (held.n, hint_count.at)
            before = seat.hint_count if seat.hint_round == held.n else 0
            self.seats[where] = replace(seat, hint_count=before + 1, hint_round=held.n)
        return self.seats[where].hint_count

    def commit(self, commit: Commit, answer: Callable[[CommitAnswer], None]) -> None:
        asyncio.get_running_loop().call_soon(lambda: answer(self._commit(commit)))

    def _commit(self, act: Commit) -> CommitAnswer:  # noqa: PLR0911  # one for each in commit.lua
        held = act.held
        room, seat = self.changes[held.code], self.seats[held.code, held.seat]
        if room.state != "RUNNING" or room.n != held.n:
            return CommitFailure.NOT_RUNNING
        assert room.t0 is not None
        now = now_ms()
        ms = now - room.t0
        log = self.logs.setdefault((held.code, held.n, held.seat), [])
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
        self.seats[held.code, held.seat] = replace(
            seat,
            last_id=act.id,
            n=held.n,
            first_id=act.id if fresh else seat.first_id,
            standing=act.standing,
            gained=ms if act.gained else 0 if fresh else seat.gained,
            over=ms if act.over else None if fresh else seat.over,
        )
        return ms

"""The only fake of the store: it keeps everything in memory and uses the event loop's clock.

All processes share one `MemoryStore`, and a test may look into its parts and change them. Each
process has a `Connection` to it, whose `faults` a test can switch on. The contract and the
state machines in `tests/store` compare the fake with the real store.
"""

import asyncio
import inspect
from collections import Counter, defaultdict, deque
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from server.live.repository import change_to
from server.rooms.events import ROOM_TIMINGS
from server.rooms.record import Room, VersionedRoom
from server.store import (
    BoardRow,
    ClaimStep,
    Commit,
    CommitFailure,
    CommitResult,
    DayCounts,
    HintCount,
    LogRecord,
    LogWriter,
    Notification,
    ProgressNotification,
    RoomChange,
    SeatProgress,
    SeatRecord,
    Store,
    StoreAway,
    StoredReview,
    StoredRoom,
    StoreError,
    StoreFull,
    TableChange,
)
from server.store.acts import ENTRY, HEADER, OnResult
from server.store.counts import BOT_COUNTED_S, KEPT_COUNTED_S
from server.store.keys import TTL_SECONDS
from server.store.processes import LEFT
from server.store.rooms import NO_PARTS, RETRY_MS, Parts

EPOCH_MS = 1_790_000_000_000
"""The time when the clock of an event loop starts."""

AnyNotification = int | Notification | ProgressNotification
OnNotification = Callable[[AnyNotification], None]
Hook = Callable[..., Awaitable[Any]]
"""A function that is called instead of a method, with the method and its arguments."""

GROWING = {
    *("bots.renew", "commits.commit", "commits.count_hint", "deal_labels.keep"),
    *("days.choose", "days.report"),
    *("guards.claim", "kept.claim", "open_rooms.keep_code", "open_rooms.renew", "reviews.begin"),
    *("reviews.finish", "reviews.keep", "rooms.append", "rooms.create"),
}
"""Calls that a full store refuses, besides changes that create a seat."""


@dataclass
class Clock:
    """The shared clock: the event loop's time, plus a shift that a test may set."""

    shift_ms: int = 0

    def now_ms(self) -> int:
        return EPOCH_MS + self.shift_ms + round(asyncio.get_running_loop().time() * 1_000)


class Rooms(dict[str, StoredRoom]):
    """The records of all rooms, and the latest change of each."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.changes: dict[str, RoomChange] = {}
        self.events_of: dict[str, list[tuple[int, str]]] = {}  # the events of each room
        self.histories: dict[str, list[str]] = {}  # of kept tables
        self.shelves: dict[str, dict[int, str]] = {}  # of kept tables

    async def create(self, code: str, change: RoomChange) -> bool:
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        return self.get(code)

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        store, seats = self._store, self._store.seats
        if change.deadline is not None and change.listed:
            listed = store.lists.deadlines.get(code, change.deadline)
            store.lists.deadlines[code] = min(listed, change.deadline)
        if change.process:
            store.processes.hosted[change.process].add(code)
        if v != (self[code].v if code in self else 0):
            return None
        for number, read in change.ends.items():
            seat = seats.record(code, number)
            if seat is None or seat.fingerprint != read.fingerprint:
                return None
        self[code], self.changes[code] = StoredRoom(v + 1, change.doc), change
        self.change_table(code, change.table)
        earlier = self.events_of.get(code, []) if v else []
        self.events_of[code] = [*earlier, (v + 1, change.event)]
        if change.table is not None and change.table.replaces_all:
            self.events_of[code] = []
        seats.follow(code, change)
        store.notify(code, v + 1)
        if change.listed:
            store.lists.write(code)
        return v + 1

    def change_table(self, code: str, change: TableChange | None) -> None:
        if change is None:
            return
        shelf, history = self.shelves.get(code, {}), self.histories.get(code, [])
        shelf = {n: text for n, text in {**shelf, **change.shelved}.items() if text}
        self.shelves[code] = shelf
        history = [] if change.replaces_all else history
        self.histories[code] = [*history, *change.entries][-change.length :]
        if change.is_over:
            del self.shelves[code], self.histories[code]

    async def history(self, code: str) -> list[str]:
        return self.histories.get(code, [])

    async def shelf(self, code: str) -> dict[int, str]:
        return dict(self.shelves.get(code, {}))

    async def shelved(self, code: str, n: int) -> str | None:
        return self.shelves.get(code, {}).get(n)

    async def append(self, code: str, event: str) -> int | None:
        room = self.get(code)
        if room is None:
            return None
        self[code] = StoredRoom(room.v + 1, room.doc)
        self.events_of.setdefault(code, []).append((room.v + 1, event))
        self._store.notify(code, room.v + 1)
        return room.v + 1

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        return [(v, text) for v, text in self.events_of.get(code, []) if v > after]

    async def delete(
        self, code: str, parts: Parts = NO_PARTS, v: int | None = None, *, by_host: bool = False
    ) -> bool:
        if v is not None and (code not in self or self[code].v != v):
            return False
        gone = self[code].v if code in self else 0
        for part in (self, self.changes, self.events_of, self.histories, self.shelves):
            part.pop(code, None)
        await self.drop(code, parts)
        self._store.lists.forget(code)
        if by_host:
            self._store.notify(code, Notification.DELETED)
        self._store.notify(code, gone + 1)
        return True

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        closed = [seat for seat in seats if not self._store.seats.races_in(code, seat, n)]
        return sum(len(self._store.logs.get((code, n, seat), [])) for seat in closed)

    async def drop(self, code: str, parts: Parts) -> None:
        seats, logs, reviews = parts
        for number in seats:
            self._store.seats.forget(code, number)
        for n, number in logs:
            self._store.logs.forget((code, n, number))
        for n in reviews:
            self._store.reviews.forget(code, n)

    async def renew(self, code: str, parts: Parts, ttl_s: int = 0) -> None:
        """Do nothing: no key expires here."""


class Lists:
    """The lists of deadlines and of public and unreadable rooms, each with a time by code."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.deadlines: dict[str, int] = {}
        self.listed: dict[str, int] = {}
        self.unreadable: dict[str, int] = {}  # the time when each room was set aside

    async def due(self, now: int, limit: int = 100) -> list[str]:
        due = sorted((when, code) for code, when in self.deadlines.items() if when <= now)
        return [code for _, code in due[:limit]]

    async def correct(self, code: str) -> None:
        self.write(code)

    async def public(self, limit: int = 50) -> list[str]:
        latest = sorted(((when, code) for code, when in self.listed.items()), reverse=True)
        return [code for _, code in latest[:limit]]

    async def rows(self, codes: Sequence[str]) -> list[str | None]:
        changes = self._store.rooms.changes
        return [changes[code].row or None if code in changes else None for code in codes]

    async def set_aside(self, code: str, *, is_due: bool = False) -> None:
        now, deadlines = self._store.clock.now_ms(), self.deadlines
        self.unreadable.setdefault(code, now)
        if is_due or code not in deadlines:
            deadlines[code] = now + RETRY_MS

    async def readmit(self, code: str) -> None:
        self.unreadable.pop(code, None)

    async def count_set_aside(self) -> int:
        return len(self.unreadable)

    def write(self, code: str) -> None:
        """Correct both lists for a room by its record."""
        change = self._store.rooms.changes.get(code)
        self.forget(code)
        if change is not None and change.deadline is not None:
            self.deadlines[code] = change.deadline
        if change is not None and change.public:
            self.listed[code] = self._store.clock.now_ms()

    def forget(self, code: str) -> None:
        self.deadlines.pop(code, None)
        self.listed.pop(code, None)


class Seats(dict[tuple[str, int], SeatRecord]):
    """The records of seats by room and number, without their logs."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self.hints_at: dict[tuple[str, int], tuple[int, int]] = {}

    def record(self, code: str, seat: int) -> SeatRecord | None:
        """Return a seat with the last element of its log."""
        record = self.get((code, seat))
        if record is None or record.writer is None:
            return record
        elements = self._store.logs.elements((code, record.n, seat))
        return replace(record, last_element=elements[-1] if elements else HEADER)

    def races_in(self, code: str, seat: int, n: int) -> bool:
        record = self.get((code, seat))
        return record is not None and record.races_in(n)

    async def take(self, code: str, seat: int) -> SeatRecord | None:
        record = self.get((code, seat))
        if record is None:
            return None
        generation = max(record.generation + 1, self._store.clock.now_ms())
        writer = None if record.writer is None else generation
        self[code, seat] = replace(record, generation=generation, writer=writer)
        self._store.logs.out_of_place.pop((code, record.n, seat), None)
        return self.record(code, seat)

    async def retake(
        self, code: str, seat: int, generation: int, n: int
    ) -> SeatRecord | CommitFailure:
        record = self.get((code, seat))
        if record is None or record.generation < generation:
            return CommitFailure.TAKEN_BACK
        if record.generation > generation:
            return CommitFailure.REPLACED
        taken = await self.take(code, seat) if record.races_in(n) else record
        assert taken is not None, "the seat exists"
        return taken

    async def read(self, code: str, seat: int) -> SeatRecord | None:
        return self.record(code, seat)

    async def read_all(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        return [self.record(code, seat) for seat in seats]

    def follow(self, code: str, change: RoomChange) -> None:
        """Change the seats as a change of the room says."""
        if change.seat is not None:
            at, generation = (code, change.seat.number), change.seat.generation
            if generation is None:
                self[at] = replace(self[at], token_hash=change.seat.token_hash)
            else:
                self.forget(*at)
                self[at] = SeatRecord(generation, change.seat.token_hash)
        for number in change.begins:
            self._store.logs.forget((code, change.n, number))
            self._store.logs[code, change.n, number] = []
            if (code, number) in self:
                begun = replace(self[code, number], n=change.n, writer=0)
                self[code, number] = begun
        for number, record in change.ends.items():
            ended = replace(self[code, number], writer=None, closed_id=record.last_id)
            self[code, number] = ended
        for number in change.gone:
            self.forget(code, number)

    def forget(self, code: str, seat: int) -> None:
        for part in (self, self.hints_at):
            part.pop((code, seat), None)


Place = tuple[str, int, int]


class Logs(dict[Place, list[LogRecord]]):
    """The logs by room, round and seat; `ever` also has the dropped ones."""

    def __init__(self) -> None:
        super().__init__()
        self.ever: dict[Place, list[LogRecord]] = {}
        self.out_of_place: dict[Place, list[bytes]] = {}
        """Entries of each log that the store has without those before them."""

    def __setitem__(self, place: Place, log: list[LogRecord]) -> None:
        super().__setitem__(place, log)
        self.ever[place] = log

    def elements(self, place: Place) -> list[bytes]:
        """Return the entries of a log as in a Redis list, without its header."""
        entries = [
            ENTRY.pack(each.action, each.ms, each.id, number, each.is_restored)
            for number, each in enumerate(self.get(place, []))
        ]
        return [*entries, *self.out_of_place.get(place, [])]

    def forget(self, place: Place) -> None:
        for part in (self, self.out_of_place):
            part.pop(place, None)

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        return self.get((code, n, seat), [])[start:]


@dataclass
class Writes:
    """The effects of `RPUSHX` and count_hint.lua on logs and seats."""

    store: "MemoryStore"

    def _length(self, writer: LogWriter) -> int | None:
        """Return the number of entries of a log, or None if this writer has no log."""
        seat = self.store.seats.get((writer.code, writer.seat))
        if seat is None or not seat.races_in(writer.n) or seat.writer != writer.generation:
            return None
        return len(self.store.logs.elements((writer.code, writer.n, writer.seat)))

    def commit(self, act: Commit) -> CommitResult:
        place, length = (act.writer.code, act.writer.n, act.writer.seat), self._length(act.writer)
        if length is None:
            return CommitFailure.GONE
        logs, entry = self.store.logs, LogRecord(act.action, act.ms, act.id, act.is_restored)
        if act.at == length == len(logs[place]):
            logs[place] = [*logs[place], entry]
        else:
            packed = ENTRY.pack(act.action, act.ms, act.id, act.at, act.is_restored)
            logs.out_of_place.setdefault(place, []).append(packed)
        return act.ms if act.at == length else CommitFailure.STALE

    def count_hint(self, hint: HintCount) -> CommitResult:
        writer, length = hint.writer, self._length(hint.writer)
        if length is None:
            return CommitFailure.GONE
        if length != hint.at:
            return CommitFailure.STALE
        place = (writer.code, writer.seat)
        seat, hints_at = self.store.seats[place], self.store.seats.hints_at
        count = seat.hint_count if seat.hint_round == writer.n else 0
        if hints_at.get(place) != (writer.n, hint.at):
            hints_at[place], count = (writer.n, hint.at), count + 1
            self.store.seats[place] = replace(seat, hint_count=count, hint_round=writer.n)
        return count


class Claims:
    """Lists of names; each name counts until a time."""

    def __init__(self, store: "MemoryStore", counted_ms: int) -> None:
        self._store = store
        self._counted_ms = counted_ms
        self.until: dict[str, dict[str, int]] = defaultdict(dict)

    def counted(self, name: str) -> set[str]:
        now = self._store.clock.now_ms()
        return {each for each, until in self.until[name].items() if until > now}

    async def claim(self, each: str, limits: Mapping[str, int]) -> str | None:
        """Count a name in all lists; if one is full, count nothing and return that list."""
        for name, most in limits.items():
            known = self.counted(name)
            if each not in known and len(known) >= most:
                return name
        await self.renew([each], limits)
        return None

    async def renew(self, each: Iterable[str], names: Iterable[str]) -> None:
        until, renewed = self._store.clock.now_ms() + self._counted_ms, list(each)
        for name in names:
            self.until[name].update(dict.fromkeys(renewed, until))

    async def release(self, each: Iterable[str], names: Iterable[str]) -> None:
        gone = list(each)
        for name in names:
            for one in gone:
                self.until[name].pop(one, None)

    async def count(self, name: str = "") -> int:
        return len(self.counted(name))


class OpenRooms(Claims):
    without_space = 0
    """How many of the next codes have no space."""

    def __init__(self, store: "MemoryStore", counted_ms: int) -> None:
        super().__init__(store, counted_ms)
        self.attempts: dict[str, str] = {}

    async def code_of(self, attempt: str) -> str:
        return self.attempts.get(attempt, "")

    async def keep_code(self, attempt: str, drawn: str) -> str:
        return self.attempts.setdefault(attempt, drawn)

    def has_space(self, code: str) -> bool:  # noqa: ARG002  # all codes alike
        if self.without_space == 0:
            return True
        self.without_space -= 1
        return False


class Reviews(dict[tuple[str, int], StoredReview]):
    """The reviews by room and round; a review that a test puts here is valid for any t0."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store
        self._t0s: dict[tuple[str, int], int] = {}

    async def read(self, code: str, n: int, t0: int) -> StoredReview:
        known = self._t0s.get((code, n), t0) == t0
        return self.get((code, n), StoredReview()) if known else StoredReview()

    async def begin(self, code: str, n: int, t0: int) -> bool:
        if code not in self._store.rooms:
            return False
        if self._t0s.get((code, n), t0) != t0:
            self.forget(code, n)
        self._t0s[code, n] = t0
        self.setdefault((code, n), StoredReview(has_begun=True))
        return True

    async def keep(self, code: str, n: int, t0: int, seat: int, text: str) -> bool:
        if not await self.begin(code, n, t0):
            return False
        known = self[code, n]
        self[code, n] = replace(known, texts={seat: text, **known.texts})
        return True

    async def finish(self, code: str, n: int, t0: int) -> bool:
        if not await self.begin(code, n, t0):
            return False
        self[code, n] = replace(self[code, n], is_done=True)
        return True

    def forget(self, code: str, n: int) -> None:
        self.pop((code, n), None)
        self._t0s.pop((code, n), None)


class DealLabels(dict[str, str]):
    async def read(self, deal: str) -> str | None:
        return self.get(deal)

    async def keep(self, deal: str, label: str) -> None:
        self[deal] = label


class Days:
    """Today's race: the deals, the claims and the boards, by day and game."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}
        self.begun: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        self.released: defaultdict[tuple[str, str], dict[str, str]] = defaultdict(dict)
        self.board: defaultdict[tuple[str, str], dict[str, tuple[int | None, str, bytes]]]
        self.board = defaultdict(dict)

    async def choose(self, day: str, game: str, text: str, _until: int) -> str:
        return self.kept.setdefault((day, game), text)

    async def deals(self, day: str, games: tuple[str, ...]) -> dict[str, str]:
        return {game: self.kept[day, game] for game in games if (day, game) in self.kept}

    async def chosen(self, days: list[str], game: str) -> list[str]:
        return [day for day in days if (day, game) in self.kept]

    async def advance_claim(
        self, day: str, game: str, player: str, step: ClaimStep, claim: str, _until: int
    ) -> str:
        begun, released = self.begun[day, game], self.released[day, game]
        claim = await self.claim_of(day, game, player) or claim
        own, _, attempts = claim.partition(" +")
        if claim.endswith(" open") or (step == "release" and not attempts):
            return claim
        under_way = int(attempts or 0) + (1 if step == "claim" else -1)
        if step == "open" or under_way > 0:
            released.pop(player, None)
            begun[player] = f"{own} open" if step == "open" else f"{own} +{under_way}"
            return begun[player]
        del begun[player]
        released[player] = own
        return own

    async def claim_of(self, day: str, game: str, player: str) -> str:
        return self.begun[day, game].get(player) or self.released[day, game].get(player, "")

    async def claims(self, day: str, game: str, start: int = 0) -> tuple[int | None, list[str]]:
        claims = list(self.begun[day, game].values())
        return (start + 1 if claims[start + 1 :] else None), claims[start : start + 1]

    async def report(
        self,
        day: str,
        game: str,
        entry: str,
        order: int | None,
        result: str,
        log: bytes,
        _until: int,
    ) -> bool:
        is_new = entry not in self.board[day, game]
        self.board[day, game].setdefault(entry, (order, result, log))
        return is_new

    async def counts(self, day: str, game: str, last_won: int) -> DayCounts:
        ranked = self._ranked(day, game)
        won = sum(order <= last_won for order, _ in ranked)
        return DayCounts(len(self.begun[day, game]), len(ranked), won)

    async def counts_below(self, day: str, game: str, limits: Sequence[int]) -> list[int]:
        orders = [order for order, _ in self._ranked(day, game)]
        return [sum(order < limit for order in orders) for limit in limits]

    def _ranked(self, day: str, game: str) -> list[tuple[int, str]]:
        orders = ((order, entry) for entry, (order, *_) in self.board[day, game].items())
        return sorted((order, entry) for order, entry in orders if order is not None)

    async def rank_of(self, day: str, game: str, entry: str) -> int | None:
        entries = [entry for _, entry in self._ranked(day, game)]
        return entries.index(entry) if entry in entries else None

    async def rows(self, day: str, game: str, first: int, size: int) -> list[BoardRow]:
        ranked = self._ranked(day, game)
        orders = [order for order, _ in ranked]
        shown = ranked[first : first + size]
        return [BoardRow(orders.index(order) + 1, entry) for order, entry in shown]

    async def results(self, day: str, game: str, entries: list[str]) -> list[str | None]:
        board = self.board[day, game]
        return [board[entry][1] if entry in board else None for entry in entries]

    async def replace_result(self, day: str, game: str, entry: str, text: str) -> None:
        order, _, log = self.board[day, game][entry]
        self.board[day, game][entry] = order, text, log

    async def logs(self, day: str, game: str, entries: list[str]) -> list[bytes | None]:
        board = self.board[day, game]
        return [board[entry][2] if entry in board else None for entry in entries]


class Guards(dict[str, tuple[str, int]]):
    """The holder of each guard, and the time until it expires."""

    def __init__(self, store: "MemoryStore") -> None:
        self._store = store

    async def claim(self, work: str, maker: str, seconds: int) -> bool:
        if self._maker(work) is not None:
            return False
        self[work] = maker, self._store.clock.now_ms() + seconds * 1_000
        return True

    async def renew(self, work: str, maker: str, seconds: int) -> bool:
        if self._maker(work) != maker:
            return False
        self[work] = maker, self._store.clock.now_ms() + seconds * 1_000
        return True

    async def release(self, work: str, maker: str) -> None:
        if self._maker(work) == maker:
            del self[work]

    def _maker(self, work: str) -> str | None:
        maker, until = self.get(work, ("", 0))
        return maker if until > self._store.clock.now_ms() else None


class Processes:
    """The times of the latest heartbeats, and the rooms, by process."""

    def __init__(self) -> None:
        self.beats: dict[str, int] = {}
        self.hosted: dict[str, set[str]] = defaultdict(set)

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None:
        self.hosted[process].update(codes)
        self.beats[process] = now

    async def leave(self, process: str) -> None:
        self.beats[process] = LEFT

    async def left(self) -> list[str]:
        return [process for process, when in self.beats.items() if when == LEFT]

    async def silent(self, since: int) -> list[str]:
        return [process for process, when in self.beats.items() if when < since]

    async def rooms_of(self, process: str) -> list[str]:
        return sorted(self.hosted[process])

    async def drop_room(self, process: str, code: str) -> None:
        self.hosted[process].discard(code)

    async def forget(self, process: str) -> None:
        self.beats.pop(process, None)
        self.hosted.pop(process, None)


class MemoryStore:
    """The store that all processes `connect` to."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.rooms = Rooms(self)
        self.lists = Lists(self)
        self.seats = Seats(self)
        self.logs = Logs()
        self.writes = Writes(self)
        self.open_rooms = OpenRooms(self, TTL_SECONDS * 1_000)
        self.kept = OpenRooms(self, KEPT_COUNTED_S * 1_000)
        self.bots = Claims(self, BOT_COUNTED_S * 1_000)
        self.reviews = Reviews(self)
        self.deal_labels = DealLabels()
        self.days = Days()
        self.guards = Guards(self)
        self.processes = Processes()
        self.invented: dict[tuple[str, int], SeatProgress] = {}
        self.connections: list[Connection] = []

    def connect(self) -> "Connection":
        """Return a connection for one more process."""
        self.connections.append(Connection(self))
        return self.connections[-1]

    def notify(self, code: str, notification: AnyNotification, by: "PubSub | None" = None) -> None:
        """Notify the processes that subscribe to a room, but not the one that publishes."""
        for connection in self.connections:
            if connection.pubsub.echoes or connection.pubsub is not by:
                connection.pubsub.receive(code, notification)

    def put(self, room: Room, v: int = 1, *seats: SeatProgress) -> VersionedRoom:
        """Put a room into the store, with the progress of seats."""
        change = change_to(room, None, ROOM_TIMINGS)
        self.rooms[room.code] = StoredRoom(v, change.doc)
        self.rooms.changes[room.code] = change
        self.rooms.events_of.setdefault(room.code, [])
        self.lists.write(room.code)
        for each in (*room.seats, *room.waiting):
            blank = SeatRecord(each.generation, f"hash {each.number}")
            self.seats.setdefault((room.code, each.number), blank)
        self.seats.follow(room.code, change)
        self.progress(room.code, *seats)
        return VersionedRoom(room, v, change.doc)

    def progress(self, code: str, *seats: SeatProgress) -> None:
        """Store the progress of seats, as if other processes had stored acts, or after a failover.

        No real log leads to this progress: replays return what `invented` has.
        """
        for each in seats:
            known = self.seats.get((code, each.seat), SeatRecord(1, "hash"))
            hints: Any = {"hint_count": each.hint_count, "hint_round": each.hint_round}
            taken = replace(known, n=each.n, writer=known.writer or 0, **hints)
            self.seats[code, each.seat] = taken
            latest = LogRecord(0, each.last_ms, each.acts)
            self.logs[code, each.n, each.seat] = [latest] * each.acts
            self.invented[code, each.seat] = each

    def keys_of(self, code: str) -> set[str]:
        parts: list[tuple[str, Iterable[tuple[Any, ...]]]]
        parts = [("seat", self.seats), ("log", self.logs), ("review", self.reviews)]
        places = [(kind, *place) for kind, part in parts for place in part]
        found = {f"{kind} {' '.join(map(str, rest))}" for kind, of, *rest in places if of == code}
        return found | ({"room"} if code in self.rooms else set())


@dataclass
class Faults:
    """The faults between one process and the store, and a record of its calls."""

    away: bool = False
    is_full: bool = False
    failing: dict[str, Exception] = field(default_factory=dict)
    """Errors by call, such as "rooms.read", or by the code of a room that is read."""
    hooks: dict[str, Hook] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    given: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    """All calls with their arguments, in order."""

    def check(self, call: str, *given: Any) -> None:
        if self.away:
            raise StoreAway
        for name in (call, given[0] if call.startswith("rooms.read") else call):
            if name in self.failing:
                raise self.failing[name]
        new = given[2].seat if call == "rooms.change" else None
        grows = new is not None and new.generation is not None
        grows |= call == "days.advance_claim" and given[3] == "claim"
        if self.is_full and (grows or call in GROWING):
            raise StoreFull

    def lose_answer(self, *calls: str) -> None:
        """Execute the next of these calls, but lose its result."""

        async def unanswered(method: Hook, *given: Any, **named: Any) -> None:
            for call in calls:
                del self.hooks[call]
            await method(*given, **named)
            raise StoreAway

        self.hooks |= dict.fromkeys(calls, unanswered)

    def refuse(self, call: str, times: int = 1, answer: Any = None) -> None:
        """Refuse the next such calls, as if another process had been faster."""

        async def refused(_method: Hook, *_given: Any, **_named: Any) -> Any:
            nonlocal times
            times -= 1
            if times == 0:
                del self.hooks[call]
            return answer

        self.hooks[call] = refused

    def slow(self, call: str, seconds: float) -> None:
        """Return from such calls only after some seconds."""

        async def slowly(method: Hook, *given: Any, **named: Any) -> Any:
            answer = await method(*given, **named)
            await asyncio.sleep(seconds)
            return answer

        self.hooks[call] = slowly

    @contextmanager
    def held(self, call: str, *, after: bool = False) -> Iterator[None]:
        """Hold all such calls until the block ends, or hold their results (`after`)."""
        end = asyncio.Event()

        async def hold(method: Hook, *given: Any, **named: Any) -> Any:
            if not after:
                await end.wait()
            answer = await method(*given, **named)
            if after:
                await end.wait()
            return answer

        self.hooks[call] = hold
        try:
            yield
        finally:
            del self.hooks[call]
            end.set()


class Part:
    """A part of the store for one process: each of its calls may fail."""

    def __init__(self, faults: Faults, name: str, part: Any) -> None:
        self._faults = faults
        self._name = name
        self._part = part

    def __getattr__(self, method: str) -> Any:
        found = getattr(self._part, method)
        if not inspect.iscoroutinefunction(found):
            return found
        return partial(self._call, f"{self._name}.{method}", found)

    async def _call(self, call: str, method: Hook, *given: Any, **named: Any) -> Any:
        faults = self._faults
        faults.calls[call] += 1
        faults.given.append((call, given))
        faults.check(call, *given)
        hook = faults.hooks.get(call)
        return await (method(*given, **named) if hook is None else hook(method, *given, **named))


class PubSub:
    """The subscriptions of one process; notifications arrive in a later turn of the loop."""

    echoes = False
    """Whether the process receives its own publications, as if another process had sent them."""
    is_deaf = False
    """Whether notifications are lost and nobody notices."""
    is_cut = False
    """Whether notifications are lost and the process notices."""

    def __init__(self, store: MemoryStore, faults: Faults) -> None:
        self._store = store
        self._faults = faults
        self.callbacks: dict[str, OnNotification] = {}
        self.published: list[list[SeatProgress]] = []  # by call

    async def subscribe(self, code: str, callback: OnNotification) -> None:
        self._faults.check("pubsub.subscribe", code)
        hook = self._faults.hooks.get("pubsub.subscribe")
        await (self._subscribe if hook is None else partial(hook, self._subscribe))(code, callback)

    async def _subscribe(self, code: str, callback: OnNotification) -> None:
        self.callbacks[code] = callback

    def unsubscribe(self, code: str) -> None:
        self.callbacks.pop(code, None)

    def is_subscribed(self, code: str) -> bool:
        return code in self.callbacks and not self.is_cut

    def publish(
        self,
        code: str,
        progress: Collection[SeatProgress],
        on_reply: Callable[[int | StoreError], None],
    ) -> None:
        self.published.append(list(progress))
        is_away = self._faults.away or "pubsub.publish" in self._faults.failing
        for each in progress:
            if not is_away:
                written = ProgressNotification(ProgressNotification.write(each))
                self._store.notify(code, written, by=self)
            asyncio.get_running_loop().call_soon(on_reply, StoreAway() if is_away else 1)

    async def probe(self) -> None:
        self._faults.check("pubsub.probe")

    def receive(self, code: str, notification: int | Notification | ProgressNotification) -> None:
        """Deliver a notification, unless it is lost."""
        if code in self.callbacks and not (self.is_deaf or self.is_cut):
            asyncio.get_running_loop().call_soon(self._notify, code, notification)

    def _notify(self, code: str, notification: int | Notification | ProgressNotification) -> None:
        if code in self.callbacks:
            self.callbacks[code](notification)

    def renew(self) -> None:
        """Reconnect a process that has noticed the loss: it may have missed notifications."""
        self.is_cut = False
        for code in self.callbacks:
            self.receive(code, Notification.LOST)


class Commits:
    """The acts and hints of one process, stored in order in later turns of the loop.

    While `is_held`, each waits for `let`.
    """

    def __init__(self, store: MemoryStore, faults: Faults) -> None:
        self._writes = store.writes
        self._faults = faults
        self.is_held = False
        self.waiting: deque[tuple[Commit | HintCount | CommitResult, OnResult]] = deque()

    def commit(self, each: Commit | HintCount, on_result: OnResult) -> None:
        self.waiting.append((each, on_result))
        if not self.is_held:
            asyncio.get_running_loop().call_soon(self.let)

    count_hint = commit

    def let(self, most: int = 1) -> None:
        """Store this many waiting acts and hints, the oldest first, and report their results."""
        for _ in range(min(most, len(self.waiting))):
            self.store()
            result, on_result = self.waiting.popleft()
            assert isinstance(result, int | CommitFailure)
            on_result(result)

    def store(self) -> None:
        """Store the oldest waiting act or hint, but do not report its result yet."""
        each, on_result = self.waiting[0]
        if isinstance(each, Commit | HintCount):
            self.waiting[0] = self._store(each), on_result

    def fail(self, failure: CommitFailure) -> None:
        """Report a failure of the oldest waiting act or hint."""
        _, on_result = self.waiting.popleft()
        on_result(failure)

    def _store(self, each: Commit | HintCount) -> CommitResult:
        is_act = isinstance(each, Commit)
        call = "commits.commit" if is_act else "commits.count_hint"
        self._faults.calls[call] += 1
        try:
            self._faults.check(call, each.writer.code)
        except StoreError:
            return CommitFailure.AWAY
        writes = self._writes
        return writes.commit(each) if isinstance(each, Commit) else writes.count_hint(each)


class Connection(Store):
    """The store for one process, without real connections."""

    clock: Any
    commits: Any
    pubsub: Any
    rooms: Any
    lists: Any
    seats: Any
    logs: Any
    open_rooms: Any
    kept: Any
    bots: Any
    reviews: Any
    deal_labels: Any
    days: Any
    guards: Any
    processes: Any

    def __init__(self, store: MemoryStore) -> None:
        self.shared = store
        self.faults = Faults()
        self.clock = store.clock
        self.pubsub = PubSub(store, self.faults)
        self.commits = Commits(store, self.faults)
        for name in [*Connection.__annotations__][3:]:
            setattr(self, name, Part(self.faults, name, getattr(store, name)))
        self.interrupted_ms = 0

    def interrupted_at_ms(self) -> int:
        return self.interrupted_ms

    async def ready(self) -> None:
        self.faults.check("ready")

    async def ping(self) -> None:
        self.faults.check("ping")

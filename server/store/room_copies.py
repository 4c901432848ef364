"""Copies of whole rooms, for backups.

Law: a copy is a room as it was at one moment. Its record, seats and events, and the lengths of its
logs are read by one script; the entries up to these lengths never change. A room is restored in
one step too: its keys are written under other names and then renamed, so no process sees a part.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from server.store.address import Address
from server.store.clock import RedisClock
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway, Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.open_rooms import RedisOpenRooms
from server.store.packed_commands import Word, pack
from server.store.room_lists import RedisRoomLists
from server.store.scripts import COPY_ROOM, RESTORE_ROOM

SCAN_SIZE = 1_000  # keys that one step of a scan looks at
PART = 1_000  # entries in one command, and commands that are sent at once, at most
ATTEMPTS = 20
"""Attempts to read a room whose logs are removed meanwhile, or a cluster that moves slots."""
STAGED_SECONDS = 3_600  # time after which the keys of a restore that was interrupted are removed
NO_HOLDER = b"0"
"""The generation of a restored seat: older than that of any connection, so none can store acts.

An act of an older connection is answered as after a failover that has lost its taking of the seat.
"""

Fields = dict[bytes, bytes]
StreamEntry = tuple[bytes, list[bytes]]  # an entry of a stream: its id, and its fields and values


@dataclass(frozen=True, slots=True)
class RoomParts:
    """The seats, logs and reviews of a room."""

    seats: frozenset[int] = frozenset()  # the numbers of the seats
    logs: frozenset[tuple[int, int]] = frozenset()  # the round and the seat of each log
    reviews: frozenset[int] = frozenset()  # the rounds with a review

    def __or__(self, other: "RoomParts") -> "RoomParts":
        return RoomParts(
            self.seats | other.seats, self.logs | other.logs, self.reviews | other.reviews
        )

    def __le__(self, other: "RoomParts") -> bool:
        return (
            self.seats <= other.seats and self.logs <= other.logs and self.reviews <= other.reviews
        )


@dataclass(frozen=True, slots=True)
class RoomCopy:
    """A room at one moment; times are in ms by the shared clock of its store."""

    code: str  # the code of the room
    taken_at: int  # the moment of the copy
    changed_at: int | None  # its time in the list of public rooms; None: it is not in the list
    record: Fields  # the fields of its record
    events: list[StreamEntry] = field(default_factory=list)
    """The entries of its stream of events, oldest first."""
    seats: dict[int, Fields] = field(default_factory=dict)  # the fields of its seats, by number
    logs: dict[tuple[int, int], list[bytes]] = field(default_factory=dict)
    """The packed entries of its logs, by round and seat."""
    reviews: dict[int, Fields] = field(default_factory=dict)  # the fields of its reviews, by round

    @property
    def doc(self) -> str:
        """The document of the record.

        Raises:
            Unreadable: there is none, or it is no text.
        """
        try:
            return self.record[b"doc"].decode()
        except (KeyError, UnicodeDecodeError):
            raise Unreadable("a room without a document") from None


@dataclass(eq=False)
class RoomCopies:
    """The rooms of a store, read and written whole; every method may raise StoreAway."""

    _client: ClusterClient
    _keys: Keys
    _clock: RedisClock
    _lists: RedisRoomLists
    _open_rooms: RedisOpenRooms

    async def rooms(self) -> dict[str, RoomParts]:
        """Return all rooms' codes and parts; those that change meanwhile may be missing."""
        for _ in range(ATTEMPTS):
            owners = list(self._client.owners)
            found: dict[str, dict[str, set[tuple[int, ...]]]] = {}
            for owner in dict.fromkeys(owners):
                async for key in self._scan(owner):
                    parsed = self._keys.parse(key)
                    if parsed is not None:
                        code, kind, numbers = parsed
                        found.setdefault(code, {}).setdefault(kind, set()).add(numbers)
            if owners == self._client.owners:
                return {code: _parts(of_kind) for code, of_kind in found.items()}
        raise StoreAway("The cluster moves its slots all the time; try again later.")

    async def existing(self, codes: Sequence[str]) -> list[str]:
        """Return those of the codes under which there is a room."""
        taken: list[str] = []
        for some in _slices(codes):
            names = [self._keys.room(code) for code in some]
            replies = await self._client.ask_all(*((name, pack("EXISTS", name)) for name in names))
            taken += [code for code, exists in zip(some, replies, strict=True) if exists]
        return taken

    async def copy(self, code: str, parts: RoomParts) -> RoomCopy | None:
        """Return a copy of a room with these parts; None if there is no such room.

        Raises:
            Unreadable: the room's key, or another one of its keys, has another type.
        """
        for _ in range(ATTEMPTS):
            copied = await self._copy(code, parts)
            if copied is None:
                return None
            copy, lengths = copied
            if all(len(copy.logs[log]) == length for log, length in lengths.items()):
                return copy
            # A log was removed between the two reads, so the room has changed.
        raise StoreAway("A room changes all the time; try again later.")

    async def restore(
        self, copy: RoomCopy, *, networks: Iterable[str], replaced: RoomParts | None
    ) -> bool:
        """Write a room whole, and count it for these networks; return whether it was written.

        With `replaced` a room of the same code is replaced, which has these parts, and otherwise
        it stays. Connections to the seats of the room cannot store acts any more.

        Raises:
            StoreFull: Redis has no memory for the room, which is not there then.
        """
        code, room = copy.code, self._keys.room(copy.code)
        written = dict(self._contents(copy))
        staged = {key: self._keys.staged(code, key) for key in written}
        commands = [pack("UNLINK", *names) for names in _slices(list(staged.values()))]
        for key, writes in written.items():
            commands += [pack(command, staged[key], *words) for command, *words in writes]
            commands.append(pack("EXPIRE", staged[key], STAGED_SECONDS))
        for some in _slices(commands):
            await self._client.ask_all(*((room, command) for command in some))
        deadline = _number(copy.record.get(b"deadline"))
        if deadline is not None:
            # Before the room is there: if this process dies then, sweepers must find it.
            await self._lists.list_deadline(code, deadline)
        in_place = [] if replaced is None else self._names(code, replaced)
        command = RESTORE_ROOM.command(
            (room, *staged.values(), *written, *in_place),
            *(int(replaced is not None), len(written), TTL_SECONDS, self._keys.channel(code)),
        )
        restored = bool(await self._client.ask(room, command))
        if restored:
            public = copy.record.get(b"public") == b"1"
            changed_at = self._clock.now() if copy.changed_at is None else copy.changed_at
            v = _number(copy.record.get(b"v")) or 0
            await self._lists.write(code, changed_at, v, deadline, public=public)
            await self._open_rooms.renew(code, networks)
        return restored

    async def _scan(self, owner: Address) -> AsyncIterator[str]:
        """Yield all keys with the prefix of the store that one master has."""
        cursor = b"0"
        while True:
            command = pack("SCAN", cursor, "MATCH", self._keys.pattern(), "COUNT", SCAN_SIZE)
            cursor, keys = await self._client.ask_master(owner, command)
            for key in keys:
                yield key.decode(errors="replace")
            if cursor == b"0":
                return

    async def _copy(
        self, code: str, parts: RoomParts
    ) -> tuple[RoomCopy, dict[tuple[int, int], int]] | None:
        """Return a copy with those entries of its logs that are still there, and their numbers."""
        names = self._names(code, parts)
        seats, reviews, logs = sorted(parts.seats), sorted(parts.reviews), sorted(parts.logs)
        taken_at = self._clock.now()
        record, events, fields, lengths = await self._client.ask(
            names[0], COPY_ROOM.command(tuple(names), len(seats) + len(reviews))
        )
        if None in (record, events, *fields, *lengths):
            raise Unreadable("a key of another type")
        if not record:
            return None
        public = self._keys.public
        changed_at = await self._client.call(public, "ZSCORE", public, code)
        counts = {log: count for log, count in zip(logs, lengths, strict=True) if count}
        copy = RoomCopy(
            code=code,
            taken_at=taken_at,
            changed_at=None if changed_at is None else round(float(changed_at)),
            record=_fields(record),
            events=[(id_, list(words)) for id_, words in events],
            seats={seat: _fields(each) for seat, each in zip(seats, fields, strict=False) if each},
            logs={log: await self._entries(code, log, count) for log, count in counts.items()},
            reviews={
                n: _fields(each)
                for n, each in zip(reviews, fields[len(seats) :], strict=True)
                if each
            },
        )
        return copy, counts

    async def _entries(self, code: str, log: tuple[int, int], count: int) -> list[bytes]:
        """Return the first entries of a log, in parts: other commands wait for each reply."""
        key = self._keys.log(code, *log)
        entries: list[bytes] = []
        for first in range(0, count, PART):
            last = min(first + PART, count) - 1
            entries += await self._client.ask(key, pack("LRANGE", key, first, last))
        return entries

    def _names(self, code: str, parts: RoomParts) -> list[str]:
        return [
            *(self._keys.room(code), self._keys.events(code)),
            *(self._keys.seat(code, number) for number in sorted(parts.seats)),
            *(self._keys.review(code, n) for n in sorted(parts.reviews)),
            *(self._keys.log(code, n, number) for n, number in sorted(parts.logs)),
        ]

    def _contents(self, copy: RoomCopy) -> Iterator[tuple[str, list[list[Word]]]]:
        """Yield the keys of a room, each with the commands that write it, without its name."""
        keys, code = self._keys, copy.code
        yield keys.room(code), [_hash(copy.record)]
        if copy.events:
            yield keys.events(code), [["XADD", id_, *words] for id_, words in copy.events]
        for number, fields in copy.seats.items():
            yield keys.seat(code, number), [_hash(fields | {b"gen": NO_HOLDER})]
        for n, fields in copy.reviews.items():
            yield keys.review(code, n), [_hash(fields)]
        for (n, number), entries in copy.logs.items():
            if entries:
                parts = _slices(entries)
                yield keys.log(code, n, number), [["RPUSH", *part] for part in parts]


def _parts(of_kind: Mapping[str, set[tuple[int, ...]]]) -> RoomParts:
    """Return the parts of a room, from the numbers in the names of its keys by kind."""
    return RoomParts(
        frozenset(number for (number,) in of_kind.get("seat", ())),
        frozenset((n, number) for n, number in of_kind.get("log", ())),
        frozenset(n for (n,) in of_kind.get("review", ())),
    )


def _slices(words: Collection[Any]) -> Iterator[Any]:
    sequence = list(words)
    return (sequence[first : first + PART] for first in range(0, len(sequence), PART))


def _fields(reply: Sequence[bytes]) -> Fields:
    return dict(zip(reply[::2], reply[1::2], strict=True))


def _hash(fields: Mapping[bytes, bytes]) -> list[Word]:
    return ["HSET", *(word for pair in fields.items() for word in pair)]


def _number(value: bytes | None) -> int | None:
    return int(value) if value is not None and value.isdigit() else None

"""Rooms: their records, their events, and the two lists of all rooms.

A deadline is stored in the room's record, together with the other fields, and in a sorted set in
another slot, which all processes read. The set is corrected after each change; until then it may
list a room too early, but never too late.

Each list is one key, so one node of a cluster owns it. While that node is away, `due` or
`public_rooms` fails, and so does every change of any room that sets a deadline. If the node dies
before its replica has the latest deadlines, they are missing until their rooms change again.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from server.store.clock import Clock
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreDamaged, Unreadable
from server.store.exchange import Reply
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import RoomChange, StoredRoom
from server.store.scripts import APPEND, CHANGE, COMMAND, DELETE, GROW
from server.store.words import Word, pack


class Rooms:
    """The store's methods for rooms as a whole.

    Every method raises StoreAway when Redis does not answer; a write may then have been executed
    or not. Cancelling a method drops the reply but does not stop the write.
    """

    _client: ClusterClient
    _keys: Keys
    clock: Clock

    async def now(self) -> int:
        """Return the time of the clock that all processes share, in ms since the epoch."""
        return self.clock.now()

    async def create(self, code: str, change: RoomChange) -> bool:
        """Create a room at version 1; return False if the code is taken."""
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        """Return the room's record, or None if there is no such room.

        Raises:
            Unreadable: the room's key holds no record.
        """
        return parse_room(await self._client.ask(*read_room(self._keys.room(code))))

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        """Write the room if it is still at version `v`; return the new version.

        Return None if the room has another version or is gone, or if a seat in `out` has another
        mark; the caller must then read the room again and decide again. If the memory of Redis is
        full, the change is still written, unless it creates a room or a seat.

        Raises:
            StoreFull: Redis has no memory for a new room or seat.
        """
        room = self._keys.room(code)
        touched: tuple[str, ...] = (room, self._keys.events(code))
        fields: list[Word] = [v, change.doc, change.state, change.n]
        fields += [_optional(change.t0), _optional(change.t_end), _optional(change.deadline)]
        fields += [int(change.public), change.event, TTL_SECONDS, self._keys.channel(code)]
        if change.seat is not None:
            touched += (self._keys.seat(code, change.seat.number),)
        seat = change.seat
        fields += ["", ""] if seat is None else [seat.token_hash, seat.generation]
        fields.append(change.row)
        touched += tuple(self._keys.seat(code, number) for number in change.out)
        fields += [mark or "" for mark in change.out.values()]
        touched += tuple(self._keys.seat(code, number) for number in change.gone)
        grows = v == 0 or change.seat is not None
        script = GROW if grows else CHANGE
        commands = [(room, script.command(touched, *fields))]
        if change.deadline is not None and change.listed:
            # If this process dies before the next step, sweepers must still find the room. The
            # deadline moves only to an earlier time, because the change may still be refused.
            deadlines = self._keys.deadlines
            earlier = ("ZADD", deadlines, "LT", change.deadline, code)
            commands.insert(0, (deadlines, pack(*earlier) if grows else _always(*earlier)))
        if change.process:
            # If this process dies before the next heartbeat, others must still find its room.
            rooms = self._keys.process(change.process)
            commands.insert(0, (rooms, _always("SADD", rooms, code)))
        *_, reached = await self._client.ask_in_order(*commands)
        if reached == 0:
            return None
        if change.listed:
            now = self.clock.now()
            await self._write_lists(code, now, int(reached), change.deadline, public=change.public)
        return int(reached)

    async def append(self, code: str, event: str) -> int | None:
        """Add an event that changes no record.

        Return the room's new version, or None if there is no such room.
        """
        room = self._keys.room(code)
        command = APPEND.command(
            (room, self._keys.events(code)), event, TTL_SECONDS, self._keys.channel(code)
        )
        return int(await self._client.ask(room, command)) or None

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        """Return the events after version `after` that are still kept, oldest first."""
        stream = self._keys.events(code)
        entries = await self._client.ask(stream, pack("XRANGE", stream, f"{after + 1}-0", "+"))
        return [
            (int(id_.partition(b"-")[0]), field[1].decode(errors="replace"))
            for id_, field in entries
        ]

    async def delete(self, code: str, seats: int, rounds: int, *, v: int | None = None) -> bool:
        """Delete all keys of a room with seats 0 to `seats` and rounds 0 to `rounds`.

        With `v`, delete only if the room is still at this version; return False if the room has
        another version or is gone. Deleting needs no free memory in Redis.
        """
        room_keys = [self._keys.room(code), self._keys.events(code)]
        for number in range(seats + 1):
            room_keys.append(self._keys.seat(code, number))
            room_keys += [self._keys.log(code, n, number) for n in range(rounds + 1)]
        command = DELETE.command(tuple(room_keys), _optional(v), self._keys.channel(code))
        if not await self._client.ask(room_keys[0], command):
            return False
        await self._client.ask_in_order(
            *(
                (each, pack("ZREM", each, code))
                for each in (self._keys.deadlines, self._keys.public)
            ),
        )
        return True

    async def due(self, now: int, limit: int = 100) -> list[str]:
        """Return at most `limit` rooms whose deadline is at `now` or before, most overdue first.

        Rooms stay due until a change or `forget_deadline` moves their deadline. Each call extends
        the life of both lists by a week and removes rooms from the public list that have not
        changed for a week.
        """
        deadlines, public = self._keys.deadlines, self._keys.public
        expired = now - TTL_SECONDS * 1000
        codes, *_ = await self._client.ask_all(
            (deadlines, pack("ZRANGE", deadlines, "-inf", now, "BYSCORE", "LIMIT", 0, limit)),
            (deadlines, pack("EXPIRE", deadlines, TTL_SECONDS)),
        )
        with suppress(StoreDamaged):  # races end all the same
            await self._client.ask_all(
                (public, pack("ZREMRANGEBYSCORE", public, "-inf", expired)),
                (public, pack("EXPIRE", public, TTL_SECONDS)),
            )
        return _codes(codes)

    async def forget_deadline(self, code: str) -> None:
        """Correct the lists for a room that is gone, or has no deadline or a later one."""
        v, deadline, public = _parse_listed(
            await self._client.ask(*_read_listed(self._keys.room(code)))
        )
        await self._write_lists(code, self.clock.now(), v, deadline, public=public)

    async def public_rooms(self, limit: int = 50) -> list[str]:
        """Return at most `limit` public rooms, the latest changed first.

        A room in the result may have been deleted a moment ago.
        """
        oldest = await self.now() - TTL_SECONDS * 1000
        public = self._keys.public
        command = pack("ZRANGE", public, "+inf", oldest, "BYSCORE", "REV", "LIMIT", 0, limit)
        return _codes(await self._client.ask(public, command))

    async def public_rows(self, codes: Sequence[str]) -> list[str | None]:
        """Return the `row` of each of these rooms; None if it is not that of the present record.

        That is so for rooms that are gone, unreadable or not public, and for those that the
        release before has written.
        """
        rooms = [self._keys.room(code) for code in codes]
        replies = await asyncio.gather(
            *(self._client.call(room, "HMGET", room, "v", "row", "row_v") for room in rooms),
            return_exceptions=True,
        )
        return [_parse_row(reply) for reply in replies]

    async def _list_deadline(self, code: str, deadline: int) -> None:
        """List the room's deadline, unless an earlier one is listed."""
        deadlines = self._keys.deadlines
        await self._client.ask(deadlines, _always("ZADD", deadlines, "LT", deadline, code))

    async def _write_lists(
        self, code: str, now: int, v: int, deadline: int | None, *, public: bool
    ) -> None:
        """Write the room's entries in both lists, until they agree with its record."""
        deadlines, rooms = self._keys.deadlines, self._keys.public
        while True:
            *_, record = await self._client.ask_in_order(
                (
                    deadlines,
                    pack("ZREM", deadlines, code)
                    if deadline is None
                    else _always("ZADD", deadlines, deadline, code),
                ),
                (
                    rooms,
                    _always("ZADD", rooms, now, code) if public else pack("ZREM", rooms, code),
                ),
                _read_listed(self._keys.room(code)),
            )
            written = v
            v, deadline, public = _parse_listed(record)
            if v == written:
                return
            # Another process changed the room meanwhile and may already have written its entries,
            # which this call has then overwritten. So the newer entries are written once more.


def read_room(room: str) -> tuple[str, bytes]:
    """Return the command that reads a room's record, with its key, which is given."""
    return room, pack("HMGET", room, "v", "doc")


def parse_room(reply: Sequence[bytes | None]) -> StoredRoom | None:
    """Return the record in a reply to `read_room`, or None if there is no such room.

    Raises:
        Unreadable: the room's key holds no record.
    """
    v, doc = reply
    if v is None:
        return None
    if not v.isdigit() or doc is None:
        raise Unreadable("a room without a version or a document")
    try:
        return StoredRoom(int(v), doc.decode())
    except UnicodeDecodeError:
        raise Unreadable("a document that is no text") from None


def _parse_row(reply: Reply) -> str | None:
    if isinstance(reply, Unreadable):
        return None
    if isinstance(reply, BaseException):
        raise reply
    v, row, row_v = reply
    return None if v != row_v or not row else row.decode(errors="replace")


def _always(command: str, key: str, *words: Word) -> bytes:
    """Pack a command that is executed even if the memory of Redis is full."""
    return COMMAND.command((key,), command, *words)


def _read_listed(room: str) -> tuple[str, bytes]:
    """Return the command that reads the fields of a room on which the lists depend."""
    return room, pack("HMGET", room, "v", "deadline", "public")


def _parse_listed(record: Sequence[bytes | None]) -> tuple[int, int | None, bool]:
    v, deadline, public = record
    return int(v or 0), int(deadline) if deadline else None, public == b"1"


def _optional(value: int | None) -> Word:
    return "" if value is None else value


def _codes(members: Sequence[bytes]) -> list[str]:
    return [member.decode(errors="replace") for member in members]

"""Rooms: their records and their events."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from server.store.clock import Clock
from server.store.cluster import ClusterClient
from server.store.connection import Word, pack
from server.store.errors import Unreadable
from server.store.keys import TTL_SECONDS, Keys
from server.store.records import RoomChange, StoredRoom
from server.store.room_lists import RoomLists
from server.store.scripts import APPEND, CHANGE, DELETE, GROW, always
from server.store.seats import Seats

PART = 1_000  # keys that one command removes, at most: other commands wait for it


@dataclass(eq=False)
class Rooms:
    """The records, the events and the other keys of rooms.

    Every method raises StoreAway when Redis does not answer; a write may then have been executed
    or not. Cancelling a method drops the reply but does not stop the write.
    """

    _client: ClusterClient
    _keys: Keys
    _clock: Clock
    _lists: RoomLists
    _seats: Seats

    async def create(self, code: str, change: RoomChange) -> bool:
        """Create a room at version 1; return False if the code is taken."""
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        """Return the room's record, or None if there is no such room.

        Raises:
            Unreadable: the room's key holds no record.
        """
        return _parse_room(await self._client.ask(*_room_query(self._keys.room(code))))

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        """Write the room if it is still at version `v`; return the new version.

        Return None if the room has another version or is gone, or if a seat in `ends` has another
        mark; the caller must then read the room again and decide again. If the memory of Redis is
        full, the change is still written, unless it creates a room or a seat.

        Raises:
            StoreFull: Redis has no memory for a new room or seat.
        """
        keys, room, n, seat = self._keys, self._keys.room(code), change.n, change.seat
        touched = [room, keys.events(code)]
        if seat is not None:
            touched.append(keys.seat(code, seat.number))
        for number in change.begins:
            touched += [keys.seat(code, number), keys.log(code, n, number)]
        for number, record in change.ends.items():
            logs = (keys.log(code, n, number, writer) for writer in (record.writer or 0, 0))
            touched += [keys.seat(code, number), *logs]
        touched += [keys.seat(code, number) for number in change.gone]
        fields: list[Word] = [v, change.doc, n, _optional(change.deadline), int(change.public)]
        fields += [change.event, TTL_SECONDS, keys.channel(code)]
        fields += ["", ""] if seat is None else [seat.token_hash, seat.generation]
        fields += [change.row, len(change.begins), len(change.ends)]
        for record in change.ends.values():
            fields += [record.mark, record.last_id]
        grows = v == 0 or change.seat is not None
        script = GROW if grows else CHANGE
        commands = [(room, script.command(tuple(touched), *fields))]
        if change.deadline is not None and change.listed:
            # If this process dies before the next step, sweepers must still find the room. The
            # deadline moves only to an earlier time, because the change may still be refused.
            deadlines = self._keys.deadlines
            earlier = ("ZADD", deadlines, "LT", change.deadline, code)
            commands.insert(0, (deadlines, pack(*earlier) if grows else always(*earlier)))
        if change.process:
            # If this process dies before the next heartbeat, others must still find its room.
            rooms = self._keys.process(change.process)
            commands.insert(0, (rooms, always("SADD", rooms, code)))
        *_, reached = await self._client.ask_in_order(*commands)
        if reached == 0:
            return None
        if change.listed:
            now = self._clock.now()
            await self._lists.write(code, now, int(reached), change.deadline, public=change.public)
        return int(reached)

    async def append(self, code: str, event: str) -> int | None:
        """Add an event that changes no record; return the new version, None without a room."""
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
        keys = self._keys
        room_keys = [keys.room(code), keys.events(code)]
        for number in range(seats + 1):
            room_keys.append(keys.seat(code, number))
            room_keys += [keys.log(code, n, number) for n in range(rounds + 1)]
        room_keys += [keys.review(code, n) for n in range(rounds + 1)]
        for number, record in enumerate(await self._seats.read_all(code, range(seats + 1))):
            if record is not None and record.writer:
                room_keys.append(keys.log(code, record.n, number, record.writer))
        command = DELETE.command(tuple(room_keys), _optional(v), self._keys.channel(code))
        if not await self._client.ask(room_keys[0], command):
            return False
        await self._client.ask_in_order(
            *(
                (each, pack("ZREM", each, code))
                for each in (self._keys.deadlines, self._keys.public)
            )
        )
        return True

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        """Return the total number of acts in the closed logs of these seats in round `n`."""
        wanted = [self._keys.log(code, n, seat) for seat in seats]
        lengths = await self._client.ask_all(*((key, pack("LLEN", key)) for key in wanted))
        return sum(max(0, length - 1) for length in lengths)

    async def drop(
        self,
        code: str,
        seats: Collection[int],
        logs: Collection[tuple[int, int]],
        reviews: Collection[int] = (),
    ) -> None:
        """Delete what the room's record no longer needs.

        These are seats, logs by round and seat, and reviews by round.
        """
        unused = [self._keys.seat(code, number) for number in seats]
        unused += [self._keys.log(code, n, number) for n, number in logs]
        unused += [self._keys.review(code, n) for n in reviews]
        parts = (unused[first : first + PART] for first in range(0, len(unused), PART))
        await self._client.ask_in_order(*((part[0], pack("UNLINK", *part)) for part in parts))


def _room_query(room: str) -> tuple[str, bytes]:
    """Return the command that reads a room's record, with its key, which is given."""
    return room, pack("HMGET", room, "v", "doc")


def _parse_room(reply: Sequence[bytes | None]) -> StoredRoom | None:
    """Return the record in a reply to `_room_query`, or None if there is no such room.

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


def _optional(value: int | None) -> Word:
    return "" if value is None else value

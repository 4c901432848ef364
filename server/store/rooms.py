"""Rooms: their records and events, the lists of all rooms, and the rooms that cannot be read.

1. A deadline is stored in the room's record and in a sorted set in another slot, which all
   processes read. Each change corrects the set afterwards. Until then it may list a room too
   early, but never too late.
2. Each list is one key, so one node of a cluster owns it. While that node is down, `due` and
   `public` fail, and so does every change that sets a deadline. If the node dies before its
   replica has the latest deadlines, older ones stay until their rooms change again. Those of a
   day's games are soon put right: see `server/live/days.py`.
3. All processes together try an unreadable room once a minute, or less often if there are
   thousands, so that no other room waits behind them.
4. A room's hash contains the number of its data format, its `form`; logs have theirs in a header.
   This release refuses rooms of any other form. A new form takes two releases: the first can read
   it, the second writes it. So two successive releases can share a store, and after a rollback by
   one release all rooms are readable.
"""

import asyncio
import random
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from server.store.clock import Clock
from server.store.cluster import StorePart
from server.store.connection import Command, Word, keyed
from server.store.errors import StoreDamaged, Unreadable
from server.store.keys import FORM, TTL_SECONDS
from server.store.records import DELETED, RoomChange, StoredRoom
from server.store.scripts import APPEND_EVENT, CHANGE_ROOM, DELETE_ROOM, GROW_ROOM, even_if_full
from server.store.seats import Seats

RETRY_MS: Final = 60_000  # wait at least this long before trying an unreadable room again
RETRY_EACH_MS: Final = 20  # and this long per unreadable room: they must not fill the sweeps
BATCH: Final = 1_000  # keys that one command removes, since other commands wait for it
FORM_FIELDS: Final = ("form", "state")
OLD_RACE: Final = [None, b"RUNNING"]
"""What `FORM_FIELDS` hold during a race of form 0. Until 27 November 2026 the state was stored
beside the document, seats had no writer, and logs no header. All other rooms have form 1."""

Parts = tuple[Collection[int], Collection[tuple[int, int]], Collection[int]]
"""Seats (by number), logs (by round and seat) and reviews (by round) of a room."""
NO_PARTS: Final[Parts] = (), (), ()


@dataclass(eq=False)
class RoomLists(StorePart):
    """The lists of deadlines, public rooms and unreadable rooms; methods may raise StoreAway."""

    _clock: Clock

    async def due(self, now_ms: int, limit: int = 100) -> list[str]:
        """Return at most `limit` rooms whose deadline has come, most overdue first.

        A room stays due until a change or `correct` moves its deadline. Each call extends the life
        of both lists, and removes public rooms that must have expired.
        """
        deadlines, public = self._keys.deadlines, self._keys.public
        codes, _ = await self._client.ask_all(
            keyed("ZRANGE", deadlines, "-inf", now_ms, "BYSCORE", "LIMIT", 0, limit),
            keyed("EXPIRE", deadlines, TTL_SECONDS),
        )
        with suppress(StoreDamaged):  # races have to end even if the public list is damaged
            expired = now_ms - TTL_SECONDS * 1000
            await self._client.ask_all(
                keyed("ZREMRANGEBYSCORE", public, "-inf", expired),
                keyed("EXPIRE", public, TTL_SECONDS),
            )
        return _codes(codes)

    async def correct(self, code: str) -> None:
        """Make a room's entries in both lists match its record; remove them if it is gone."""
        record = await self._client.ask(_read_fields(self._keys.room(code)))
        v, deadline, public = _parse_fields(record)
        await self.write(code, v, deadline, public=public)

    async def public(self, limit: int = 50) -> list[str]:
        """Return at most `limit` public rooms, last changed first; some may no longer exist."""
        public, oldest = self._keys.public, self._clock.now_ms() - TTL_SECONDS * 1000
        words = "+inf", oldest, "BYSCORE", "REV", "LIMIT", 0, limit
        return _codes(await self._client.call("ZRANGE", public, *words))

    async def rows(self, codes: Sequence[str]) -> list[str | None]:
        """Return the text of each room's row in the public list; None if it has none."""
        return await asyncio.gather(*map(self._row, codes))

    async def _row(self, code: str) -> str | None:
        """Return the text of a room's row; None if it is gone, not public or unreadable."""
        try:
            row = await self._client.call("HGET", self._keys.room(code), "row")
        except Unreadable:
            return None
        return row.decode(errors="replace") if row else None

    async def set_aside(self, code: str, *, is_due: bool = False) -> None:
        """Record that a room is unreadable, and set a deadline for trying it again.

        An existing deadline stays, unless the room is due because it has come (`is_due`).
        """
        wait_ms = max(RETRY_MS, RETRY_EACH_MS * await self.count_set_aside())
        now_ms = self._clock.now_ms()
        # The random part makes it likely that another process tries it next.
        again_ms = now_ms + round(wait_ms * random.uniform(1, 1.5))  # noqa: S311  # not a secret
        expired_ms = now_ms - TTL_SECONDS * 1_000
        unreadable, deadlines = self._keys.unreadable, self._keys.deadlines
        await self._client.ask_in_order(
            keyed("ZREMRANGEBYSCORE", unreadable, "-inf", expired_ms),
            keyed("ZADD", unreadable, "NX", now_ms, code),
            keyed("EXPIRE", unreadable, TTL_SECONDS),
            keyed("ZADD", deadlines, *(() if is_due else ("NX",)), again_ms, code),
        )

    async def readmit(self, code: str) -> None:
        """Record that a room can be read again, or is gone."""
        await self._client.call("ZREM", self._keys.unreadable, code)

    async def count_set_aside(self) -> int:
        """Return how many rooms wait to be tried again because they were unreadable."""
        return int(await self._client.call("ZCARD", self._keys.unreadable))

    async def write(self, code: str, v: int, deadline: int | None, *, public: bool) -> None:
        """Enter a room in the lists of deadlines and of public rooms, as of its version `v`."""
        keys, now_ms = self._keys, self._clock.now_ms()
        written = None  # the version whose entries were written last
        while v != written:
            # If another process has changed the room since, this may overwrite newer entries. So
            # read the room afterwards, and write again if it has another version.
            *_, record = await self._client.ask_in_order(
                _entry(keys.deadlines, code, deadline),
                _entry(keys.public, code, now_ms if public else None),
                _read_fields(keys.room(code)),
            )
            written = v
            v, deadline, public = _parse_fields(record)


def _entry(key: str, code: str, ms: int | None) -> Command:
    """Return the command that sets a room's time in a list, or removes the room (None)."""
    return keyed("ZREM", key, code) if ms is None else even_if_full("ZADD", key, ms, code)


def _read_fields(room: str) -> Command:
    """Return the command that reads a room's version, and the fields that the lists copy."""
    return keyed("HMGET", room, "v", "deadline", "public")


def _parse_fields(reply: Sequence[bytes | None]) -> tuple[int, int | None, bool]:
    """Return a room's version (0 if it is gone), its deadline, and whether it is public."""
    v, deadline, public = reply
    return int(v or 0), int(deadline) if deadline else None, public == b"1"


def _codes(members: Sequence[bytes]) -> list[str]:
    return [member.decode(errors="replace") for member in members]


@dataclass(eq=False)
class Rooms(StorePart):
    """The records, the events and the other keys of rooms.

    Every method raises StoreAway when Redis does not answer; a write may then have been executed.
    Cancelling a method drops the reply but does not stop the write.
    """

    _lists: RoomLists
    _seats: Seats

    async def create(self, code: str, change: RoomChange) -> bool:
        """Create a room at version 1; return False if the code is taken."""
        return await self.change(code, 0, change) is not None

    async def read(self, code: str) -> StoredRoom | None:
        """Return the room's record, if it exists, or raise Unreadable."""
        fields = ("v", "doc", *FORM_FIELDS)
        v, doc, *form = await self._client.call("HMGET", self._keys.room(code), *fields)
        if v is None:
            return None
        if form == OLD_RACE:
            raise Unreadable("its race is in form 0, of before 27 November 2026")
        if form[0] not in {None, b"%d" % FORM}:
            newer = form[0].decode(errors="replace")
            raise Unreadable(f"a newer release has stored it, in form {newer}")
        if not v.isdigit() or doc is None:
            raise Unreadable("a room without a version or a document")
        try:
            return StoredRoom(int(v), doc.decode())
        except UnicodeDecodeError:
            raise Unreadable("a document that is no text") from None

    async def count_old_races(self, codes: Sequence[str]) -> int:
        """Return how many of these rooms are in a race of form 0, which `read` refuses."""
        keys = map(self._keys.room, codes)
        replies = (self._client.call("HMGET", key, *FORM_FIELDS) for key in keys)
        # An error counts as another form: such a room is unreadable anyway.
        return (await asyncio.gather(*replies, return_exceptions=True)).count(OLD_RACE)

    async def changed_at_ms(self, code: str, ttl_s: int) -> int:
        """Return when a room was last changed (ms since the epoch), judging by its keys' expiry.

        They live for `ttl_s` after a change. A line of chat renews them for `TTL_SECONDS`, so it
        counts as a change too, except at a kept table, whose keys live longer than that.
        """
        expires_at_ms = int(await self._client.call("PEXPIRETIME", self._keys.room(code)))
        return max(0, expires_at_ms - ttl_s * 1_000)

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        """Write the room if it is still at version `v`; return the new version.

        Return None if the room has another version or is gone, or if a seat in `change.ends` has
        changed since it was read: the caller then reads and decides again. If Redis's memory is
        full, only a change that creates a room or a seat is refused, with StoreFull.
        """
        seat = change.seat
        creates_seat = seat is not None and seat.generation is not None
        if v == 0 or creates_seat:
            script, build = GROW_ROOM, keyed
        else:
            script, build = CHANGE_ROOM, even_if_full
        keys, arguments = self._change_words(code, v, change)
        commands = [script.command(keys, *arguments)]
        if change.deadline is not None and change.listed:
            # If this process dies before it writes the lists, sweeps must still find the room. The
            # deadline must not move to a later time (hence LT): the change may yet be refused.
            commands.insert(0, build("ZADD", self._keys.deadlines, "LT", change.deadline, code))
        if change.process:
            # If this process dies before its next heartbeat, others must still find its room.
            commands.insert(0, even_if_full("SADD", self._keys.process(change.process), code))
        *_, new_v = await self._client.ask_in_order(*commands)
        if new_v == 0:
            return None
        if change.listed:
            await self._lists.write(code, int(new_v), change.deadline, public=change.public)
        return int(new_v)

    def _change_words(self, code: str, v: int, change: RoomChange) -> tuple[list[str], list[Word]]:
        """Return the keys and the arguments for change_room.lua, whose header lists them."""
        keys, n, seat, table = self._keys, change.n, change.seat, change.table
        touched = [keys.room(code), keys.events(code)]
        if seat is not None:
            touched.append(keys.seat(code, seat.number))
        for number in change.begins:
            touched += [keys.seat(code, number), keys.log(code, n, number)]
        for number, record in change.ends.items():
            open_log = keys.log(code, n, number, record.writer or 0)
            closed_log = keys.log(code, n, number)  # the open one is renamed to this
            touched += [keys.seat(code, number), open_log, closed_log]
        touched += [keys.seat(code, number) for number in change.gone]
        if table is not None:
            if table.replaces_all:
                touched += [keys.history(code), keys.events(code)]  # deleted before new entries
            # The last arguments are their contents; if the table is over, both keys are deleted.
            touched += [keys.history(code), keys.shelf(code)]
        deadline = "" if change.deadline is None else change.deadline
        arguments: list[Word] = [v, change.doc, n, deadline, int(change.public), change.event]
        arguments += [change.ttl_s, keys.channel(code)]
        arguments += ["", ""] if seat is None else [seat.token_hash, seat.generation or ""]
        arguments += [change.row, len(change.begins), len(change.ends), FORM]
        for record in change.ends.values():
            arguments += [record.fingerprint, record.last_id]
        if table is not None and not table.is_over:
            arguments += [table.length, len(table.shelved)]
            for number_and_text in table.shelved.items():
                arguments += number_and_text
            arguments += table.entries
        return touched, arguments

    async def append(self, code: str, event: str) -> int | None:
        """Add an event, such as chat; return the room's new version, or None if it is gone."""
        touched = self._keys.room(code), self._keys.events(code)
        command = APPEND_EVENT.command(touched, event, TTL_SECONDS, self._keys.channel(code))
        return int(await self._client.ask(command)) or None

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        """Return the kept events after version `after`, oldest first."""
        entries = await self._client.call("XRANGE", self._keys.events(code), f"{after + 1}-0", "+")
        texts = ((id_.partition(b"-")[0], text) for id_, (_, text) in entries)
        return [(int(v), text.decode(errors="replace")) for v, text in texts]

    async def delete(
        self, code: str, parts: Parts = NO_PARTS, v: int | None = None, *, by_host: bool = False
    ) -> bool:
        """Delete a room with these seats, logs and reviews; if `v` is given, only at this version.

        Return False if the room has another version or is gone. With `by_host`, subscribers get
        the notification DELETED. This works even if Redis's memory is full.
        """
        keys = self._keys
        touched = [keys.room(code), keys.events(code), keys.history(code), keys.shelf(code)]
        touched += self._keys_of(code, parts)
        seats = sorted(parts[0])
        records = await self._seats.read_all(code, seats)
        for number, record in zip(seats, records, strict=True):
            if record is not None and record.writer:
                touched.append(keys.log(code, record.n, number, record.writer))
        arguments = "" if v is None else v, keys.channel(code), DELETED if by_host else ""
        if not await self._client.ask(DELETE_ROOM.command(touched, *arguments)):
            return False
        lists = (keys.deadlines, keys.public)
        await self._client.ask_in_order(*(keyed("ZREM", key, code) for key in lists))
        return True

    async def count_acts(self, code: str, n: int, seats: Sequence[int]) -> int:
        """Return how many acts the closed logs of these seats have in round `n`."""
        keys = [self._keys.log(code, n, seat) for seat in seats]
        lengths = await self._client.ask_all(*(keyed("LLEN", key) for key in keys))
        return sum(max(0, length - 1) for length in lengths)  # without headers

    async def drop(self, code: str, parts: Parts) -> None:
        """Delete seats, closed logs and reviews that the room no longer uses."""
        unused = self._keys_of(code, parts)
        batches = (unused[first : first + BATCH] for first in range(0, len(unused), BATCH))
        await self._client.ask_in_order(*(keyed("UNLINK", *batch) for batch in batches))

    async def renew(self, code: str, parts: Parts, ttl_s: int = TTL_SECONDS) -> None:
        """Let these seats, closed logs and reviews expire in `ttl_s` seconds."""
        keys = self._keys_of(code, parts)
        await self._client.ask_all(*(keyed("EXPIRE", key, ttl_s) for key in keys))

    async def history(self, code: str) -> list[str]:
        """Return the texts of a kept table's history, one for each round, oldest first."""
        entries = await self._client.call("LRANGE", self._keys.history(code), 0, -1)
        return [entry.decode(errors="replace") for entry in entries]

    async def shelf(self, code: str) -> dict[int, str]:
        """Return the texts of the rounds that have left a kept table's record, by number."""
        words = await self._client.call("HGETALL", self._keys.shelf(code))
        pairs = zip(words[::2], words[1::2], strict=True)
        return {int(n): text.decode(errors="replace") for n, text in pairs if n.isdigit()}

    async def shelved(self, code: str, n: int) -> str | None:
        """Return the text of round `n` on the shelf, if it is there."""
        text: bytes | None = await self._client.call("HGET", self._keys.shelf(code), n)
        return None if text is None else text.decode(errors="replace")

    def _keys_of(self, code: str, parts: Parts) -> list[str]:
        """Return the keys of these seats, closed logs and reviews."""
        seats, logs, reviews = parts
        keys = [self._keys.seat(code, number) for number in seats]
        keys += [self._keys.log(code, n, number) for n, number in logs]
        return keys + [self._keys.review(code, n) for n in reviews]

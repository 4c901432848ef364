"""The rooms of a store that go into a backup, and come back from one.

A room that this release cannot read is copied and restored as it is, with its times as they were.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

import structlog

from server.backup.backup_file import BackupWriter, read
from server.live.room_changes import change_to
from server.live.unreadable import parse_room
from server.rooms.record import Room
from server.rooms.restored_rooms import restored
from server.rooms.retention import all_of
from server.rooms.timings import ROOM_TIMINGS
from server.store import RoomCopy, RoomParts, Store, StoreAway, Unreadable

ATTEMPTS = 20  # attempts to copy a room whose players come all the time

log = structlog.get_logger()


Existing = Literal["refuse", "keep", "replace"]
"""The choice for rooms of a backup that are in the store already."""


class RoomsExist(Exception):  # noqa: N818  # a state of the store
    """The store has rooms of the backup already; `str()` is one sentence for the operator."""


class Restored(NamedTuple):
    """The numbers of rooms that were written, and of those that stay as they were."""

    written: int
    kept: int


async def save(store: Store, writer: BackupWriter) -> list[str]:
    """Write all rooms of a store; return the codes of those that cannot be read."""
    unreadable: list[str] = []
    for code, found in (await store.copies.rooms()).items():
        try:
            copy = await _copy(store, code, found)
        except Unreadable:
            unreadable.append(code)
            continue
        if copy is not None:
            writer.write(copy)
    return unreadable


async def restore(store: Store, path: Path, codes: Sequence[str], existing: Existing) -> Restored:
    """Write the rooms of a backup to a store, whose servers may run meanwhile.

    `codes` are those that `check_backup` has returned for the file.

    Raises:
        BadBackup: the file has changed since.
        RoomsExist: the store has some of the rooms, and `existing` refuses that; nothing was
            written.
    """
    there = set(await store.copies.existing(codes))
    if there and existing == "refuse":
        raise RoomsExist(
            f"{len(there)} of the {len(codes)} rooms are in the store already, such as "
            f"{min(there)}; choose --existing keep or --existing replace."
        )
    in_place = await store.copies.rooms() if there and existing == "replace" else {}
    written = 0
    for copy in read(path):
        if existing != "replace" and copy.code in there:
            continue
        replaced = None
        if existing == "replace":
            replaced = in_place.get(copy.code, RoomParts()) | await _stored(store, copy.code)
        room, networks = resumed(copy, store.clock.now())
        written += await store.copies.restore(room, networks=networks, replaced=replaced)
    return Restored(written, len(codes) - written)


def resumed(copy: RoomCopy, now: int) -> tuple[RoomCopy, Iterable[str]]:
    """Return the copy with its times moved to `now`, and the networks whose limits count the room.

    A copy that cannot be read comes back as it is. "" stands for the limit of all networks.
    """
    try:
        room = parse_room(copy.code, copy.doc)
    except Unreadable as error:
        log.warning(
            "room cannot be read and is restored as it was", room=copy.code, why=str(error)
        )
        return copy, ("",)
    room = restored(room, copy.taken_at, now)
    pause_ms = now - copy.taken_at
    record = copy.record | _fields(room)
    changed_at = None if copy.changed_at is None else copy.changed_at + pause_ms
    moved = replace(copy, taken_at=now, changed_at=changed_at, record=record)
    return moved, ("", *room.networks)


def _fields(room: Room) -> dict[bytes, bytes]:
    """Return the fields of a record that depend on the room."""
    change = change_to(room, None, ROOM_TIMINGS)
    times = {b"t0": change.t0, b"t_end": change.t_end, b"deadline": change.deadline}
    return {
        b"doc": change.doc.encode(),
        b"state": change.state.encode(),
        b"n": b"%d" % change.n,
        b"public": b"%d" % change.public,
        b"row": change.row.encode(),
        **{name: b"" if time is None else b"%d" % time for name, time in times.items()},
    }


async def _copy(store: Store, code: str, found: RoomParts) -> RoomCopy | None:
    """Return a copy of a room with all parts that its record names, and all others found.

    A record that names more parts than were copied has changed: the room is copied again.
    """
    parts = found
    for _ in range(ATTEMPTS):
        copy = await store.copies.copy(code, parts)
        if copy is None:
            return None
        with suppress(Unreadable):  # then only the found parts are known
            if not (named := _named(code, copy.doc)) <= parts:
                parts |= named
                continue
        return copy
    raise StoreAway("A room changes all the time; try again later.")


async def _stored(store: Store, code: str) -> RoomParts:
    """Return the parts that the stored record names."""
    try:
        stored = await store.rooms.read(code)
        return RoomParts() if stored is None else _named(code, stored.doc)
    except Unreadable:
        return RoomParts()


def _named(code: str, doc: str) -> RoomParts:
    """Return the parts that a record names.

    Raises:
        Unreadable: this release cannot read it.
    """
    return RoomParts(*all_of(parse_room(code, doc)))

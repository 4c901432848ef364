"""The commands `rooms` and `stats`: open rooms and their players."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import NamedTuple

from protocol.vocabulary import Presence, RoomState, SeatState
from server.config import RoomsOptions, StatsOptions, StoreOptions
from server.live.repository import ttl_of
from server.live.unreadable import parse_room
from server.operators import Failed, Output, one_line, table
from server.rooms.record import Room
from server.store import Store, StoreAway, StoreDamaged, StoreUnusable, Unreadable
from server.store.inspection import BEATS_MS

HEADS = ("code", "state", "game", "players", "connected", "watching", "host", "age", "idle")
UNREADABLE = "UNREADABLE"


class OpenRoom(NamedTuple):
    """A room as the operator sees it."""

    code: str
    state: str
    game: str = ""
    players: int = 0  # those who play rather than watch
    connected: int = 0  # of the players
    watching: int = 0
    host: str = ""  # the name
    public: bool = False
    kept: bool = False  # whether it is a kept table
    races: int = 0  # started so far
    age_s: int | None = None  # since the first race that is still in its record
    idle_s: int | None = None  # since its last change, line of chat, or act


@asynccontextmanager
async def attached(options: StoreOptions) -> AsyncIterator[Store]:
    """Open the servers' store for a block, and turn the block's errors into a command's errors.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
        Failed: this release cannot read something that the block asked for.
    """
    store = await Store.attach(options)
    try:
        yield store
    except StoreAway as error:
        raise StoreUnusable(f"The store did not answer: {error}") from error
    except Unreadable as error:
        raise Failed(f"This release cannot read it: {error}.") from error
    finally:
        await store.close()


async def list_rooms(options: RoomsOptions) -> Output:
    """List the open rooms. Raises the errors of `attached`."""
    rooms, _ = await _read_open_rooms(options)
    if options.as_json:
        return Output(json.dumps([room._asdict() for room in rooms], indent=2))
    if not rooms:
        return Output("No open rooms.")
    # The first six fields, from `code` to `watching`, are shown unchanged.
    rows = [(*it[:6], one_line(it.host), _span(it.age_s), _span(it.idle_s)) for it in rooms]
    players = sum(room.players for room in rooms)
    connected = sum(room.connected for room in rooms)
    count = "1 open room" if len(rooms) == 1 else f"{len(rooms)} open rooms"
    total = f"{count}, {connected} of {players} players connected."
    return Output(f"{table(HEADS, rows)}\n\n{total}")


async def count_rooms(options: StatsOptions) -> Output:
    """Count the open rooms, their people and the servers. Raises the errors of `attached`."""
    rooms, servers = await _read_open_rooms(options)
    states = Counter(room.state for room in rooms)
    totals: dict[str, int] = {
        "rooms": len(rooms),
        **{f"rooms_{state.lower()}": states[state] for state in (*RoomState, UNREADABLE)},
        "rooms_public": sum(room.public for room in rooms),
        "rooms_kept": sum(room.kept for room in rooms),
        "players": sum(room.players for room in rooms),
        "players_connected": sum(room.connected for room in rooms),
        "players_racing": sum(room.connected for room in rooms if room.state == RoomState.RUNNING),
        "watching": sum(room.watching for room in rooms),
        "races": sum(room.races for room in rooms),
        "servers": servers,
    }
    if options.as_json:
        games = Counter(room.game for room in rooms if room.game)
        return Output(json.dumps({**totals, "games": dict(sorted(games.items()))}, indent=2))
    rows = [(name.replace("_", ", "), count) for name, count in totals.items()]
    return Output(table(("what", "now"), rows))


async def _read_open_rooms(options: RoomsOptions) -> tuple[list[OpenRoom], int]:
    """Return the open rooms, sorted by connected people, and the number of servers."""
    async with attached(options) as store:
        now_ms = store.clock.now_ms()
        codes = {*await store.open_rooms.names()}
        with suppress(StoreDamaged):
            codes |= {*await store.kept.names()}  # their entries in `open_rooms` expire earlier
        rooms = [await _read_open_room(store, code, now_ms) for code in sorted(codes)]
        servers = await store.processes.beating(now_ms - BEATS_MS)
    found = [room for room in rooms if room is not None]
    return sorted(found, key=lambda room: (-room.connected, room.code)), servers


async def _read_open_room(store: Store, room_code: str, now_ms: int) -> OpenRoom | None:
    """Return an open room, marked if it is unreadable; None if it has closed or is gone."""
    try:
        room = await read_room(store, room_code)
        if room is None or room.state is RoomState.CLOSED:
            return None
        used_at_ms = await _used_at_ms(store, room)
    except Unreadable:
        return OpenRoom(room_code, UNREADABLE)
    return describe(room, now_ms)._replace(idle_s=max(0, now_ms - used_at_ms) // 1_000)


async def read_room(store: Store, room_code: str) -> Room | None:
    """Return a room, if it exists; raise Unreadable if it cannot be read."""
    stored = await store.rooms.read(room_code)
    return None if stored is None else parse_room(room_code, stored.doc)


async def _used_at_ms(store: Store, room: Room) -> int:
    """Return when a room, or a game in it, last changed (ms since the epoch)."""
    used_at_ms = await store.rooms.changed_at_ms(room.code, ttl_of(room))
    current = room.round
    if room.state is RoomState.RUNNING and current is not None:
        seats = await store.seats.read_all(room.code, [seat.number for seat in room.playing()])
        acts = [seat.last_act for seat in seats if seat is not None]
        used_at_ms = max([used_at_ms, *(current.t0 + act.ms for act in acts if act is not None)])
    return used_at_ms


def _span(seconds: int | None) -> object:
    return "" if seconds is None else timedelta(seconds=seconds)


def describe(room: Room, now_ms: int) -> OpenRoom:
    """Return a room as the operator sees it at `now_ms` (since the epoch)."""
    here = [seat for seat in room.seats if not (seat.was_kicked or seat.has_left)]
    players = [seat for seat in here if seat.role == "player"]
    playing = [seat for seat in players if seat.state is not SeatState.WATCHING]
    connected = [seat for seat in here if seat.connection is Presence.ON]
    starts = [played.t0 for played in (*room.rounds, room.round) if played is not None]
    host = None if room.host is None else room.seat(room.host)
    return OpenRoom(
        code=room.code,
        state=room.state.value,
        game=room.settings.game,
        players=len(playing),
        connected=sum(seat in connected for seat in playing),
        watching=sum(seat not in playing for seat in connected),
        host="" if host is None else host.name,
        public=room.settings.public,
        kept=room.kept is not None,
        races=room.rounds_started,
        age_s=max(0, now_ms - min(starts)) // 1_000 if starts else None,
    )

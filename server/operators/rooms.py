"""The commands `rooms` and `stats`: open rooms and their players."""

import json
from collections import Counter
from datetime import timedelta
from typing import NamedTuple

from protocol.vocabulary import Presence, RoomState, SeatState
from server.config import RoomsOptions, StatsOptions
from server.live.unreadable import parse_room
from server.operators.output import Answer, one_line, table
from server.rooms.record import Room
from server.store import Store, StoreError, StoreUnusable, Unreadable

HEADS = ("code", "state", "game", "players", "connected", "watching", "host", "age")
UNREADABLE = "UNREADABLE"
SILENT_MS = 15_000  # the age of the last heartbeat of a server that counts as gone


class OpenRoom(NamedTuple):
    """A room as its operator sees it."""

    code: str
    state: str
    game: str = ""
    players: int = 0  # with a seat to play
    connected: int = 0  # of these
    watching: int = 0
    host: str = ""
    public: bool = False
    races: int = 0
    age_s: int | None = None  # since the first race that the room still has


async def list_rooms(options: RoomsOptions) -> Answer:
    """Return a row for each open room.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    found, _ = await _read(options)
    if options.as_json:
        return Answer(json.dumps([each._asdict() for each in found], indent=2))
    if not found:
        return Answer("No open rooms.")
    ages = ["" if each.age_s is None else timedelta(seconds=each.age_s) for each in found]
    rows = [(*each[:6], one_line(each.host), age) for each, age in zip(found, ages, strict=True)]
    here, players = sum(each.connected for each in found), sum(each.players for each in found)
    total = f"{len(found)} open rooms, {here} of {players} players connected."
    return Answer(f"{table(HEADS, rows)}\n\n{total}")


async def count_rooms(options: StatsOptions) -> Answer:
    """Return totals over all open rooms, and the servers; raises as `list_rooms`."""
    found, servers = await _read(options)
    states = Counter(each.state for each in found)
    totals: dict[str, int] = {
        "rooms": len(found),
        **{f"rooms_{state.lower()}": states[state] for state in (*RoomState, UNREADABLE)},
        "rooms_public": sum(each.public for each in found),
        "players": sum(each.players for each in found),
        "players_connected": sum(each.connected for each in found),
        "players_racing": sum(each.connected for each in found if each.state == RoomState.RUNNING),
        "watching": sum(each.watching for each in found),
        "races": sum(each.races for each in found),
        "servers": servers,
    }
    if options.as_json:
        games = Counter(each.game for each in found if each.game)
        return Answer(json.dumps({**totals, "games": dict(sorted(games.items()))}, indent=2))
    rows = [(name.replace("_", ", "), count) for name, count in totals.items()]
    return Answer(table(("what", "now"), rows))


async def _read(options: RoomsOptions) -> tuple[list[OpenRoom], int]:
    """Return the open rooms, the most connected players first, and the number of servers."""
    store = await Store.attach(options)
    try:
        now = store.clock.now()
        read = [await _room(store, code, now) for code in await store.open_rooms.names()]
        servers = await store.processes.beating(now - SILENT_MS)
    except StoreError as error:
        raise StoreUnusable(f"The store did not answer: {error}") from error
    finally:
        await store.close()
    found = [each for each in read if each is not None]
    return sorted(found, key=lambda each: (-each.connected, each.code)), servers


async def _room(store: Store, code: str, now: int) -> OpenRoom | None:
    try:
        stored = await store.rooms.read(code)
        room = None if stored is None else parse_room(code, stored.doc)
    except Unreadable:
        return OpenRoom(code, UNREADABLE)
    return None if room is None or room.state is RoomState.CLOSED else shown(room, now)


def shown(room: Room, now: int) -> OpenRoom:
    """Return a room as its operator sees it at `now`, in ms since the epoch."""
    here = [seat for seat in room.seats if not (seat.was_kicked or seat.has_left)]
    players = [seat for seat in here if seat.role == "player"]
    playing = [seat for seat in players if seat.state is not SeatState.WATCHING]
    connected = [seat for seat in here if seat.connection is Presence.ON]
    starts = [each.t0 for each in (*room.rounds, room.round) if each is not None]
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
        races=room.rounds_started,
        age_s=max(0, now - min(starts)) // 1_000 if starts else None,
    )

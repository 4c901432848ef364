"""The commands `rooms` and `stats`: open rooms and their players."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass

from protocol.vocabulary import Presence, RoomState, SeatState
from server.config import RoomsOptions
from server.live.unreadable import parse_room
from server.operators.answer import Answer
from server.operators.tables import duration, table
from server.rooms.record import Room
from server.store import Store, StoreError, StoreUnusable, Unreadable

HEADS = ("code", "state", "game", "players", "connected", "watching", "host", "age")
UNREADABLE = "UNREADABLE"
SILENT_MS = 15_000  # the age of the last heartbeat of a server that counts as gone


@dataclass(frozen=True, slots=True)
class OpenRoom:
    """A room as its operator sees it.

    `players` have a seat to play, `connected` of them a connection. `age_s` are the seconds since
    the first race that the room still has, None before it.
    """

    code: str
    state: str
    game: str
    players: int
    connected: int
    watching: int
    host: str
    public: bool
    races: int
    age_s: int | None


async def list_rooms(options: RoomsOptions) -> Answer:
    """Return a row for each open room.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    async with _attached(options) as store:
        found = await open_rooms(store)
    if options.as_json:
        return Answer(json.dumps([asdict(each) for each in found], indent=2))
    rows = [
        (
            *(each.code, each.state, each.game, each.players, each.connected, each.watching),
            *(each.host, "" if each.age_s is None else duration(each.age_s)),
        )
        for each in found
    ]
    return Answer(
        "\n".join([table(HEADS, rows), "", _total(found)] if rows else ["No open rooms."])
    )


async def count_rooms(options: RoomsOptions) -> Answer:
    """Return totals over all open rooms, servers and the store's memory.

    Raises:
        StoreUnusable, StoreTooOld: the store cannot be used, or did not answer.
    """
    async with _attached(options) as store:
        found = await open_rooms(store)
        servers = await store.processes.beating(store.clock.now() - SILENT_MS)
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
    return Answer(
        table(("what", "now"), [(name.replace("_", ", "), each) for name, each in totals.items()])
    )


async def open_rooms(store: Store) -> list[OpenRoom]:
    """Return all open rooms, those with the most connected players first."""
    found = []
    now = store.clock.now()
    for code in await store.open_rooms.codes():
        try:
            stored = await store.rooms.read(code)
            if stored is None:
                continue
            room = parse_room(code, stored.doc)
        except Unreadable:
            found.append(
                OpenRoom(code, UNREADABLE, "", 0, 0, 0, "", public=False, races=0, age_s=None)
            )
            continue
        if room.state is not RoomState.CLOSED:
            found.append(shown(room, now))
    return sorted(found, key=lambda each: (-each.connected, each.code))


def shown(room: Room, now: int) -> OpenRoom:
    """Return a room as its operator sees it at `now`, in ms since the epoch."""
    here = [seat for seat in room.seats if not (seat.was_kicked or seat.has_left)]
    playing = [
        seat for seat in here if seat.role == "player" and seat.state is not SeatState.WATCHING
    ]
    connected = [seat for seat in here if seat.connection is Presence.ON]
    starts = [each.t0 for each in (*room.rounds, *((room.round,) if room.round else ()))]
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


def _total(found: Iterable[OpenRoom]) -> str:
    rooms = list(found)
    connected = sum(each.connected for each in rooms)
    players = sum(each.players for each in rooms)
    return f"{len(rooms)} open rooms, {connected} of {players} players connected."


@asynccontextmanager
async def _attached(options: RoomsOptions) -> AsyncIterator[Store]:
    store = await Store.attach(options, create=False)
    try:
        yield store
    except StoreError as error:
        raise StoreUnusable(f"The store did not answer: {error}") from error
    finally:
        await store.close()

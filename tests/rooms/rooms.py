"""Rooms in every state, for tests: Ada (host, 0), Bob (1), and Cy (2), a spectator."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from protocol.from_client import ClientMessage, Join, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import Role, RoomState
from server.rooms.events import Command, Disconnected, Entropy, Event, SitDown, Tick
from server.rooms.opening import open_room
from server.rooms.record import PlayerStats, Room
from server.rooms.room import FINISHED_IDLE_MS, apply
from server.rooms.timings import COUNTDOWN_MS, GRACE_MS

CODE = "7K3QZ0A"
NOW = 1_790_000_000_000
T0 = NOW + COUNTDOWN_MS
ENTROPY = Entropy(bytes(range(16)), bytes(16))
ADA, BOB, CY = 0, 1, 2
FOUR_SUITS: Mapping[str, Any] = MappingProxyType({"game": "spider-4", "auto_remove": False})
"""Settings of the game in which cards have all their suits."""
NO_STATS: Mapping[int, PlayerStats] = MappingProxyType({})


def happen(room: Room, *events: Event) -> Room:
    """Return the room after some events."""
    for event in events:
        room = apply(room, event)
    return room


def sends(
    seat: int, message: ClientMessage, now: int = NOW, stats: Mapping[int, PlayerStats] = NO_STATS
) -> Command[ClientMessage]:
    """Return the command of a message that a seat sends."""
    return Command(seat, now, ENTROPY, message, stats)


def joins(name: str, role: Role = "player", **fields: Any) -> SitDown:
    """Return the event of a person who joins; `fields` are those of the event."""
    return SitDown(Join(room=CODE, name=name, role=role), **fields)


def lobby(**settings: Any) -> Room:
    return happen(
        open_room(CODE, "Ada", Settings(**settings)),
        joins("Bob"),
        joins("Cy", "spectator"),
    )


def counting_down(**settings: Any) -> Room:
    return happen(lobby(**settings), sends(BOB, Ready()), sends(ADA, Ready()))


def running(**settings: Any) -> Room:
    return happen(counting_down(**settings), Tick(T0))


def practice(**settings: Any) -> Room:
    return happen(lobby(**settings), sends(ADA, Start()), Tick(T0))


def finished(**settings: Any) -> Room:
    room = running(**settings)
    assert room.round is not None
    assert room.round.t_end is not None
    return happen(
        room, Tick(room.round.t_end, {ADA: PlayerStats(score=52), BOB: PlayerStats(score=40)})
    )


def closed(**settings: Any) -> Room:
    gone = happen(finished(**settings), *(Disconnected(seat, 1, T0) for seat in (ADA, BOB, CY)))
    room = happen(gone, Tick(T0 + GRACE_MS), Tick(T0 * 2 + FINISHED_IDLE_MS))
    assert room.state is RoomState.CLOSED
    return room


ROOMS = {
    RoomState.LOBBY: lobby,
    RoomState.COUNTDOWN: counting_down,
    RoomState.RUNNING: running,
    RoomState.FINISHED: finished,
    RoomState.CLOSED: closed,
}


def states(room: Room) -> str:
    """Return the seats' states in one line: `Ada READY, Bob SEATED, Cy WATCHING`."""
    return ", ".join(f"{seat.name} {seat.state.value}" for seat in room.seats)


def connections(room: Room) -> str:
    """Return the seats' connections in one line: `Ada on, Bob grace, Cy gone`."""
    return ", ".join(f"{seat.name} {seat.connection.value}" for seat in room.seats)

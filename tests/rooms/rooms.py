"""Rooms in every state, for tests: Ada (host, 0), Bob (1), and Cy (2), a spectator."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from protocol.from_client import Chase, ClientMessage, Join, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, Role, RoomState, SeatKind
from server.rooms.deals import Entropy
from server.rooms.events import (
    COUNTDOWN_MS,
    GRACE_MS,
    Command,
    Disconnected,
    Event,
    Refusal,
    SitDown,
    Tick,
)
from server.rooms.lobby import open_room
from server.rooms.ranking import LeaderboardRow, Ranking
from server.rooms.record import PlayerStats, Room, round_of
from server.rooms.room import FINISHED_IDLE_MS, apply

CODE = "7K3QZ0A"
NOW = 1_790_000_000_000
T0 = NOW + COUNTDOWN_MS
ENTROPY = Entropy(bytes(range(16)), bytes(16))
ADA, BOB, CY = 0, 1, 2
FOUR_SUITS: Mapping[str, Any] = MappingProxyType({"game": "spider-4", "auto_remove": False})
"""Settings of a game with all four suits."""
NO_STATS: Mapping[int, PlayerStats] = MappingProxyType({})


def happen(room: Room, *events: Event) -> Room:
    """Return the room after some events."""
    for event in events:
        room = apply(room, event)
    return room


def leaderboard(room: Room, live: Mapping[int, PlayerStats]) -> list[LeaderboardRow]:
    """Return the leaderboard of the room's current round."""
    return Ranking(round_of(room), live).rows


def sends(
    seat: int, message: ClientMessage, now: int = NOW, stats: Mapping[int, PlayerStats] = NO_STATS
) -> Command[ClientMessage]:
    return Command(seat, now, ENTROPY, message, stats)


def refused_code(room: Room, event: Event) -> ErrorCode:
    with pytest.raises(Refusal) as refused:
        apply(room, event)
    return refused.value.code


def joins(name: str, role: Role = "player", kind: SeatKind = "person", **fields: Any) -> SitDown:
    """Return the event of a newcomer, with other fields of `SitDown`."""
    return SitDown(Join(room=CODE, name=name, role=role, kind=kind), **fields)


def lobby(**settings: Any) -> Room:
    room = open_room(CODE, "Ada", Settings(**settings))
    return happen(room, joins("Bob"), joins("Cy", "spectator"))


def counting_down(**settings: Any) -> Room:
    return happen(lobby(**settings), sends(BOB, Ready()), sends(ADA, Ready()))


def running(**settings: Any) -> Room:
    return happen(counting_down(**settings), Tick(T0))


def raced_by_programs(**settings: Any) -> Room:
    """Return a race of Ada, Bob and a program (3); another program (4) chases them."""
    room = happen(lobby(chasers=True, **settings), joins("Robo", kind="program"))
    room = happen(room, *(sends(seat, Ready()) for seat in (ADA, BOB, 3)), Tick(T0))
    return happen(room, joins("Late", kind="program"), sends(4, Chase(), T0))


def practice(**settings: Any) -> Room:
    return happen(lobby(**settings), sends(ADA, Start()), Tick(T0))


def finished(**settings: Any) -> Room:
    room = running(**settings)
    stats = {ADA: PlayerStats(score=52), BOB: PlayerStats(score=40)}
    return apply(room, Tick(round_of(room).t_end or 0, stats))


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

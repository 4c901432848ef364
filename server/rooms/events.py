"""What can happen to a room. Clock, timings, entropy and stats come in as arguments.

Messages of clients come as a `Command`. Events that no client sends have classes of their own.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeGuard, TypeVar

from protocol.from_client import Abort, ClientMessage, Forfeit, Join, Kick, Leave
from server.rooms.identity import Identity
from server.rooms.record import PlayerStats
from server.rooms.timings import ROOM_TIMINGS, RoomTimings

M_co = TypeVar("M_co", bound=ClientMessage, covariant=True)


@dataclass(frozen=True, slots=True)
class Entropy:
    """The random part of a round, drawn by the caller from the system's CSPRNG."""

    seed: bytes
    salt: bytes


@dataclass(frozen=True, slots=True)
class Command(Generic[M_co]):
    """A message that the owner of a seat has sent, at `now` (milliseconds since the epoch).

    `stats` are those of all seats whose games are on, by seat, if `needs_stats` says so.
    """

    seat: int
    now: int
    entropy: Entropy
    message: M_co
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)
    timings: RoomTimings = ROOM_TIMINGS


@dataclass(frozen=True, slots=True)
class SitDown:
    """A person joins, with the connection of `generation` at a process.

    With `now` the person is not connected yet, and must be soon. `seats_per_address` is the limit
    for their address, if the host has another one.
    """

    message: Join
    identity: Identity = Identity()  # noqa: RUF009  # a frozen value
    seats_per_address: int = 100
    now: int | None = None
    generation: int = 1
    process: str = ""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game of a seat has ended, in round `n`. `stats` are as in a `Command`."""

    seat: int
    n: int
    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reconnected:
    """A seat was taken again, by the connection of this generation, at a process, from a tab."""

    seat: int
    generation: int
    process: str = ""
    tab: str = ""
    networks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection of this generation was lost. `now` is in milliseconds since the epoch."""

    seat: int
    generation: int
    now: int


@dataclass(frozen=True, slots=True)
class ProcessDied:
    """A process has died, and with it all of its connections."""

    process: str
    now: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed. `stats` are as in a `Command`.

    `entropy` is for the next round, which begins when the last player to wait for is gone.
    """

    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)
    entropy: Entropy | None = None
    timings: RoomTimings = ROOM_TIMINGS


Event = Command[Any] | SitDown | GameEnded | Reconnected | Disconnected | ProcessDied | Tick

EventType = type[ClientMessage] | type[Event]
"""The class of an event or, of a command, that of its message."""

NEED_STATS: frozenset[EventType] = frozenset({Abort, Forfeit, GameEnded, Kick, Leave, Tick})
"""Events that may end a game, or depend on how a game has ended."""


def type_of(event: Event) -> EventType:
    """Return the type of an event, which is its key in the table of transitions."""
    return type(event.message) if isinstance(event, Command) else type(event)


def needs_stats(event: Event) -> TypeGuard[Command[Any] | GameEnded | Tick]:
    """Return whether the stats of all seats must be filled in before the event is applied."""
    return type_of(event) in NEED_STATS

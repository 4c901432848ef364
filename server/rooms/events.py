"""What can happen to a room. Clock, chance and figures come in as arguments.

Where an event has `figures`, they are those of everybody at a table, by seat; whoever applies it
to a stored room fills them in (the repository of `live`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from protocol.settings import Settings
from protocol.vocabulary import Role
from server.rooms.identity import Identity
from server.rooms.record import PlayerStats


@dataclass(frozen=True, slots=True)
class Entropy:
    """The random part of a round, drawn by the caller from the system's CSPRNG."""

    seed: bytes
    salt: bytes


@dataclass(frozen=True, slots=True)
class SitDown:
    """Somebody joins, and is to come to the seat in a moment from `now`, if that is said.

    Their address may have so many seats, if the host is elsewhere.
    """

    name: str
    role: Role
    identity: Identity = Identity()  # noqa: RUF009  # a frozen value
    seats_per_address: int = 100
    now: int | None = None


@dataclass(frozen=True, slots=True)
class Configure:
    """The host replaces the settings."""

    seat: int
    settings: Settings


@dataclass(frozen=True, slots=True)
class Choose:
    """The host chooses the next game of the match's card, by its number from 1."""

    seat: int
    game: int


@dataclass(frozen=True, slots=True)
class SetReady:
    """A player is ready, or is not; the last one starts the countdown."""

    seat: int
    ready: bool
    now: int
    entropy: Entropy


@dataclass(frozen=True, slots=True)
class Start:
    """The host starts the countdown."""

    seat: int
    now: int
    entropy: Entropy


@dataclass(frozen=True, slots=True)
class Abort:
    """The host stops the countdown, or a race that nobody has won yet."""

    seat: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chase:
    """Somebody who looks on begins the deal of the race, unranked and on a clock of their own."""

    seat: int
    now: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A player's game has ended, in round `n`."""

    seat: int
    n: int
    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A player gives up."""

    seat: int
    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody gives the seat up for good."""

    seat: int
    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kick:
    """The host shows somebody out, or does not let somebody in; with a ban for good."""

    seat: int
    target: int
    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)
    ban: bool = False


@dataclass(frozen=True, slots=True)
class Admit:
    """The host lets in somebody who waits."""

    seat: int
    target: int


@dataclass(frozen=True, slots=True)
class End:
    """The host gives those who still race some seconds more."""

    seat: int
    grace_s: int
    now: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Somebody asks for another room, for which this code was drawn."""

    seat: int
    code: str


@dataclass(frozen=True, slots=True)
class NextRound:
    """The host goes back to the lobby."""

    seat: int


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
    """The connection of this generation was lost."""

    seat: int
    generation: int
    now: int


@dataclass(frozen=True, slots=True)
class ProcessDied:
    """A process has died, and with it all connections that it had."""

    process: str
    now: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed."""

    now: int
    stats: Mapping[int, PlayerStats] = field(default_factory=dict)


NeedsStats = Abort | GameEnded | Forfeit | Leave | Kick | Tick
"""The events that may end a game, or depend on how one has ended, and so need the figures."""

Event = (
    SitDown
    | Configure
    | Choose
    | SetReady
    | Start
    | Abort
    | Chase
    | GameEnded
    | Forfeit
    | Leave
    | Kick
    | Admit
    | End
    | Rematch
    | NextRound
    | Reconnected
    | Disconnected
    | ProcessDied
    | Tick
)

"""All events of a room, with the clock, timings, entropy and stats that they need.

A client's message is wrapped in a `Command`. Events that no client sends have their own classes.
`now_ms` is milliseconds since the epoch by the store's clock.
"""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeGuard, TypeVar

from protocol.from_client import Abort, ClientMessage, Forfeit, Forget, Join, Kick, Leave, TakeOver
from protocol.vocabulary import ErrorCode
from server.rooms.deals import Entropy
from server.rooms.record import Identity, Outgoing, Stats
from server.rooms.settings import Clash

COUNTDOWN_MS = 5_000
GRACE_MS = 15_000
FORFEIT_HOLD_MS = 5_000
KEPT_DAYS = 90


@dataclass(frozen=True, slots=True)
class RoomTimings:
    """The durations that apply to all rooms of a server."""

    countdown_ms: int = COUNTDOWN_MS
    grace_ms: int = GRACE_MS  # a seat is gone this long after its connection was lost
    forfeit_hold_ms: int = FORFEIT_HOLD_MS  # a pending forfeit becomes final after this time
    kept_days: int = KEPT_DAYS  # a kept table closes this long after its last race


ROOM_TIMINGS = RoomTimings()


class Refusal(Exception):  # noqa: N818  # the protocol's word, not an error of the server
    """An event was refused; `clash` names the settings that clash, if that is why.

    Transitions and the functions that they call raise it wherever they are said to refuse.
    """

    def __init__(self, code: ErrorCode, clash: Clash | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.clash = clash


M_co = TypeVar("M_co", bound=ClientMessage, covariant=True)


@dataclass(frozen=True, slots=True)
class Command(Generic[M_co]):
    """A message from the owner of a seat."""

    seat: int
    now_ms: int
    entropy: Entropy  # for a round that it may start
    message: M_co
    stats: Stats = field(default_factory=dict)  # of all running games, if the message needs them
    timings: RoomTimings = ROOM_TIMINGS
    token_hash: str = ""  # of a new computer player's token, or of the code of a `carry`


@dataclass(frozen=True, slots=True)
class SitDown:
    """A person joins."""

    message: Join
    identity: Identity = Identity()  # noqa: RUF009  # a tuple, which nobody can change
    seats_per_address: int = 100  # the limit for the person's address; the host's has none
    generation: int = 1  # of the person's connection
    process: str = ""  # the process that has the connection
    attempt: str = ""  # the hash of the attempt to join, if there is one
    now_ms: int = 0


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Another device of a seat's owner takes the seat over, with the code of a `carry`."""

    seat: int
    message: TakeOver
    code_hash: str
    identity: Identity  # of the new device
    now_ms: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game of a seat has ended; `stats` are as in a `Command`."""

    seat: int
    n: int  # the number of the round
    now_ms: int
    stats: Stats = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reported:
    """A process has tried to report a result to the board of its day."""

    n: int  # the number of the round
    was: Outgoing  # the entry in the outbox before
    becomes: Outgoing | None  # the entry afterwards; None if the board has the result


@dataclass(frozen=True, slots=True)
class Reconnected:
    """A seat has a new connection with this generation."""

    seat: int
    generation: int
    process: str = ""  # the process that has the connection
    tab: str = ""  # the client's name for its page
    networks: tuple[str, ...] = ()  # the hashed networks; if empty, the seat keeps its own
    stand_in: str = ""  # the hash of the stand-in's token; empty if the owner is back


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection of this generation was lost."""

    seat: int
    generation: int
    now_ms: int


@dataclass(frozen=True, slots=True)
class ProcessDied:
    """A process has died, and its connections with it."""

    process: str
    now_ms: int


@dataclass(frozen=True, slots=True)
class Closed:
    """An operator has closed the room."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; `stats` are as in a `Command`."""

    now_ms: int
    stats: Stats = field(default_factory=dict)
    entropy: Entropy | None = None  # for the next round; without it the tick starts none
    timings: RoomTimings = ROOM_TIMINGS


Event = (
    Command[Any]
    | SitDown
    | TakenOver
    | GameEnded
    | Reported
    | Reconnected
    | Disconnected
    | ProcessDied
    | Closed
    | Tick
)

EventType = type[ClientMessage] | type[Event]  # for a command, the type of its message

WRITTEN_ALONE: frozenset[EventType] = frozenset({Forget})
"""Events that change more than the record, so no other event is written together with them."""


def type_of(event: Event) -> EventType:
    """Return the event's key in `TRANSITIONS`."""
    return type(event.message) if isinstance(event, Command) else type(event)


def needs_stats(event: Event) -> TypeGuard[Command[Any] | GameEnded | Tick]:
    """Return whether the event needs the stats: it may end a game, or depend on how one ended."""
    return type_of(event) in {Abort, Forfeit, GameEnded, Kick, Leave, Tick}

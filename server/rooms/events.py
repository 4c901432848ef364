"""All events of a room. Clock, timings, entropy and stats come in as arguments.

Messages of clients come as a `Command`. Events that no client sends have classes of their own.
`now_ms` is in milliseconds since the epoch by the store's clock.
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
    """The times of all rooms of a server, in milliseconds unless named otherwise."""

    countdown_ms: int = COUNTDOWN_MS
    grace_ms: int = GRACE_MS  # from the loss of a connection until a seat is gone
    forfeit_hold_ms: int = FORFEIT_HOLD_MS  # until a held forfeit is final
    kept_days: int = KEPT_DAYS  # from the last race of a kept table until it closes


ROOM_TIMINGS = RoomTimings()


class Refusal(Exception):  # noqa: N818  # the protocol's word; no error of the server
    """A refused event; `clash` names settings that exclude each other, if that is why."""

    def __init__(self, code: ErrorCode, clash: Clash | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.clash = clash


M_co = TypeVar("M_co", bound=ClientMessage, covariant=True)


@dataclass(frozen=True, slots=True)
class Command(Generic[M_co]):
    """A message that the owner of a seat has sent."""

    seat: int  # the number of the seat
    now_ms: int  # ms since the epoch
    entropy: Entropy  # for a round that it may begin
    message: M_co  # as it was received
    stats: Stats = field(default_factory=dict)  # of all seats whose games are on, if needed
    timings: RoomTimings = ROOM_TIMINGS  # those of the server
    token_hash: str = ""  # names a computer player that is added; or the hash of a `carry` code


@dataclass(frozen=True, slots=True)
class SitDown:
    """A person joins."""

    message: Join  # as it was received
    identity: Identity = Identity()  # noqa: RUF009  # the origin of the person, as hashes
    seats_per_address: int = 100  # the limit for the person's address, if the host has another
    generation: int = 1  # the fencing token of the person's connection
    process: str = ""  # the process that has the connection
    attempt: str = ""  # the hash of the attempt to join; empty without one
    now_ms: int = 0  # ms since the epoch


@dataclass(frozen=True, slots=True)
class TakenOver:
    """Another device of a seat's owner takes the seat over, with the code of a `carry`."""

    seat: int  # the number of the seat
    message: TakeOver  # as received
    code_hash: str  # the hash of its code
    identity: Identity  # the origin of the device, as hashes
    now_ms: int  # ms since the epoch


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game of a seat has ended; `stats` are as in a `Command`."""

    seat: int  # the number of the seat
    n: int  # the round of the game
    now_ms: int  # ms since the epoch
    stats: Stats = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reported:
    """A result was reported to the board of its day, or could not be."""

    n: int  # the round of the result
    was: Outgoing  # what the outbox had
    becomes: Outgoing | None  # what it has now; None if the board has the result


@dataclass(frozen=True, slots=True)
class Reconnected:
    """A seat was taken again by a connection with this generation."""

    seat: int  # the number of the seat
    generation: int  # its fencing token
    process: str = ""  # the process that has the connection
    tab: str = ""  # the page that it is from, as the client names it
    networks: tuple[str, ...] = ()  # the hashed ones that it is from; none keeps the seat's
    stand_in: str = ""  # the hash of the token of the seat's stand-in; empty of its owner


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection of this generation was lost."""

    seat: int  # the number of the seat
    generation: int  # its fencing token
    now_ms: int  # ms since the epoch


@dataclass(frozen=True, slots=True)
class ProcessDied:
    """A process has died, and with it all of its connections."""

    process: str  # its name
    now_ms: int  # ms since the epoch


@dataclass(frozen=True, slots=True)
class Closed:
    """An operator closes the room, in any state."""


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed; `stats` are as in a `Command`."""

    now_ms: int  # ms since the epoch
    stats: Stats = field(default_factory=dict)
    entropy: Entropy | None = None  # for a next round, if one is due
    timings: RoomTimings = ROOM_TIMINGS  # those of the server


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

EventType = type[ClientMessage] | type[Event]  # of a command it is that of the message

NEED_STATS: frozenset[EventType] = frozenset({Abort, Forfeit, GameEnded, Kick, Leave, Tick})
"""Events that may end a game, or depend on how a game has ended."""


WRITTEN_ALONE: frozenset[EventType] = frozenset({Forget})
"""Events that change more than the record: no other event is written along."""


def type_of(event: Event) -> EventType:
    """Return the type of an event, which is its key in the table of transitions."""
    return type(event.message) if isinstance(event, Command) else type(event)


def needs_stats(event: Event) -> TypeGuard[Command[Any] | GameEnded | Tick]:
    """Return whether the stats of all seats must be filled in before the event is applied."""
    return type_of(event) in NEED_STATS

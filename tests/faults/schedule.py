"""Which fault happens when: drawn beforehand from the seed, and so the same every time."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What can go wrong."""

    KILL_SERVER = "server killed -9"
    TERMINATE_SERVER = "server told to stop"
    STALL_SERVER = "server stopped for a while"
    KILL_REDIS = "Redis killed -9"
    STALL_REDIS = "Redis stopped for a while"
    CUT = "socket cut"
    CUT_MID_FRAME = "socket cut mid-frame"
    ABANDON = "socket left open, another taken"
    SECOND_TAB = "second tab takes the seat"


OF_PROCESSES = (
    Kind.KILL_SERVER,
    Kind.TERMINATE_SERVER,
    Kind.STALL_SERVER,
    Kind.KILL_REDIS,
    Kind.STALL_REDIS,
)
OF_PLAYERS = (Kind.CUT, Kind.CUT_MID_FRAME, Kind.ABANDON, Kind.SECOND_TAB)
# Seconds from one fault to the next.
PROCESSES_EVERY = (1.5, 4.5)
PLAYERS_EVERY = (0.3, 1.3)
MOST_PLAYERS = 5


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, `at` seconds after the start.

    `victims` are servers or players by number; `seconds` is how long it lasts, or how long a
    process stays away that was ended.
    """

    at: float
    kind: Kind
    victims: tuple[int, ...] = ()
    seconds: float = 0.0


def draw(seed: int, seconds: float, servers: int, players: int) -> list[Fault]:
    """All faults of a run, in the order of time; every kind before any comes again."""
    rng = random.Random(f"faults {seed}")
    faults = [
        Fault(at, kind, *_who_and_how_long(rng, kind, servers))
        for at, kind in _times(rng, seconds, OF_PROCESSES, PROCESSES_EVERY)
    ]
    faults += [
        Fault(
            at, kind, tuple(rng.sample(range(players), rng.randint(1, min(MOST_PLAYERS, players))))
        )
        for at, kind in _times(rng, seconds, OF_PLAYERS, PLAYERS_EVERY)
    ]
    return sorted(faults, key=lambda fault: fault.at)


def _times(
    rng: random.Random, seconds: float, kinds: Sequence[Kind], every: tuple[float, float]
) -> Iterator[tuple[float, Kind]]:
    at, deck = 0.0, list[Kind]()
    while (at := at + rng.uniform(*every)) < seconds:
        deck = deck or rng.sample(kinds, len(kinds))
        yield at, deck.pop()


def _who_and_how_long(
    rng: random.Random, kind: Kind, servers: int
) -> tuple[tuple[int, ...], float]:
    match kind:
        case Kind.STALL_REDIS:
            return (), rng.uniform(1.0, 5.0)
        case Kind.KILL_REDIS:
            return (), rng.uniform(0.0, 2.0)
        case Kind.STALL_SERVER:
            return (rng.randrange(servers),), rng.uniform(0.5, 3.0)
        case _:
            return (rng.randrange(servers),), rng.uniform(0.0, 1.5)

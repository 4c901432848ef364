"""The schedule of faults, which is drawn from the seed before the run."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.servers import MASTERS


class FaultKind(StrEnum):
    KILL_SERVER = "server killed -9"
    TERMINATE_SERVER = "server told to stop"
    STALL_SERVER = "server stopped for a while"
    KILL_REDIS = "Redis killed -9"
    STALL_REDIS = "Redis stopped for a while"
    STEP_CLOCK = "Redis's clock set forward or back"
    FILL_REDIS = "Redis full for a while"
    FULL_DISK = "disk of Redis full for a while"
    REFUSE_WRITES = "writes refused for a while, with reloads"
    KILL_MASTER = "cluster master killed -9"
    KILL_AHEAD = "cluster master killed -9 ahead of its replica"
    STALL_MASTER = "cluster master stopped for seconds"
    HAND_OVER = "cluster master handed over"
    CUT = "socket cut"
    CUT_MID_FRAME = "socket cut mid-frame"
    ABANDON = "socket left open, another taken"
    SECOND_TAB = "second tab takes the seat"


# How many seconds each kind lasts, or a process stays away, at least and at most.
OF_SERVERS = {
    FaultKind.KILL_SERVER: (0.0, 1.5),
    FaultKind.TERMINATE_SERVER: (0.0, 1.5),
    FaultKind.STALL_SERVER: (0.5, 3.0),
}
OF_REDIS = {
    FaultKind.KILL_REDIS: (0.0, 2.0),
    FaultKind.STALL_REDIS: (1.0, 5.0),
    FaultKind.FILL_REDIS: (1.0, 4.0),
    FaultKind.FULL_DISK: (0.5, 2.0),
    FaultKind.REFUSE_WRITES: (1.0, 4.0),
}
OF_CLOCKS = {**OF_REDIS, FaultKind.STEP_CLOCK: (0.5, 3.0)}
OF_CLUSTER = {
    FaultKind.KILL_MASTER: (2.0, 5.0),
    FaultKind.KILL_AHEAD: (2.0, 5.0),
    FaultKind.STALL_MASTER: (0.5, 5.0),
    FaultKind.HAND_OVER: (0.0, 0.0),
    FaultKind.REFUSE_WRITES: (1.0, 4.0),
}
LASTS = {**OF_SERVERS, **OF_CLOCKS, **OF_CLUSTER}
OF_PLAYERS = (FaultKind.CUT, FaultKind.CUT_MID_FRAME, FaultKind.ABANDON, FaultKind.SECOND_TAB)
STEPS_S = (-30, 60, 25 * 3_600)
# Seconds from one fault to the next.
PROCESSES_EVERY = (1.0, 3.0)
PLAYERS_EVERY = (0.3, 1.3)
MOST_PLAYERS = 5


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, `at` seconds after the start.

    `victims`: numbers of servers, masters or players, or how many seconds a clock is wrong.
    `seconds`: how long the fault lasts, or how long a dead process stays away.
    """

    at: float
    kind: FaultKind
    victims: tuple[int, ...] = ()
    seconds: float = 0.0


def draw(
    seed: int, seconds: float, servers: int, players: int, stores: Sequence[FaultKind]
) -> list[Fault]:
    """Return all faults of a run by time; every kind occurs before any occurs again."""
    rng = random.Random(f"faults {seed}")
    kinds = (*OF_SERVERS, *stores)
    times = _times(rng, seconds, kinds, PROCESSES_EVERY)
    faults = [Fault(at, kind, *_who_and_how_long(rng, kind, servers)) for at, kind in times]
    faults += [
        Fault(
            at, kind, tuple(rng.sample(range(players), rng.randint(1, min(MOST_PLAYERS, players))))
        )
        for at, kind in _times(rng, seconds, OF_PLAYERS, PLAYERS_EVERY)
    ]
    return sorted(faults, key=lambda fault: fault.at)


def _times(
    rng: random.Random, seconds: float, kinds: Sequence[FaultKind], every: tuple[float, float]
) -> Iterator[tuple[float, FaultKind]]:
    at, deck = 0.0, list[FaultKind]()
    while (at := at + rng.uniform(*every)) < seconds:
        deck = deck or rng.sample(kinds, len(kinds))
        yield at, deck.pop()


def _who_and_how_long(
    rng: random.Random, kind: FaultKind, servers: int
) -> tuple[tuple[int, ...], float]:
    seconds = LASTS[kind]
    if kind is FaultKind.STEP_CLOCK:
        return (rng.choice(STEPS_S),), rng.uniform(*seconds)
    if kind in OF_REDIS and kind not in OF_CLUSTER:
        return (), rng.uniform(*seconds)
    return (rng.randrange(MASTERS if kind in OF_CLUSTER else servers),), rng.uniform(*seconds)

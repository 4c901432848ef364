"""The notes of a scripted player, which the checker reads after the run."""

import time
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

from spider_race_client import Table

from protocol.views import Standing

Pile = tuple[str, int, tuple[str, ...]]


class Ack(NamedTuple):
    """An `acted` message: the length of the log, and the score and time after these entries."""

    at: int
    score: int
    elapsed_ms: int


@dataclass(slots=True)
class Sent:
    """One act in round `n`: its sender, its content, and every answer to it.

    `tab` is the number of the sending tab of this seat; tabs share no state, so an id is unique
    only within a tab. `refused` is the code of a final refusal. `again` marks an act that was
    acknowledged before and is sent again to a store that has lost it.
    """

    n: int
    tab: int
    id: int
    at: int
    action: str
    tries: int = 0
    acks: list[Ack] = field(default_factory=list)
    acked_s: float = 0.0  # the time of the last of them, by this machine's monotonic clock
    refused: str | None = None
    again: bool = False

    @property
    def may_stand(self) -> bool:
        """Whether the act may be in the log; an act that was refused at its first try is not."""
        return self.refused is None or self.tries > 1 or bool(self.acks)

    def __str__(self) -> str:
        return f"round {self.n}, tab {self.tab}, id {self.id}, at {self.at}: {self.action}"


class Shown(NamedTuple):
    """A whole table that a tab had in round `n`."""

    n: int
    tab: int
    at: int
    score: int
    piles: tuple[Pile, ...]

    @classmethod
    def of(cls, n: int, tab: int, table: Table) -> "Shown":
        piles = ((name, pile.face_down, pile.cards) for name, pile in table.piles.items())
        return cls(n, tab, table.at, table.score, tuple(piles))


@dataclass(slots=True)
class Notes:
    """Everything about one seat; the lists of texts must be empty in a correct run."""

    name: str
    room: str = ""
    seat: int = -1
    acts: list[Sent] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    rankings: dict[int, list[tuple[Standing, ...]]] = field(default_factory=dict)
    """The rankings of each round; a failover may take back its end, and it ends otherwise."""
    stranded: list[str] = field(default_factory=list)  # it could not come back
    disorder: list[str] = field(default_factory=list)  # answers in another order than the acts
    oddities: list[str] = field(default_factory=list)  # violations of the protocol
    acknowledged: dict[int, dict[int, Sent]] = field(default_factory=dict)
    """The latest acknowledged acts, by round and place in the log."""
    taken_back: list[Sent] = field(default_factory=list)  # acknowledged, and then missing
    rooms_back: int = 0  # times that a room was older than it had been
    unfinished: int = 0
    """The connections that ended before they had the seat, and may still take it."""
    diary: deque[str] = field(default_factory=lambda: deque(maxlen=40))

    def take_back(self, n: int, at: int) -> list[Sent]:
        """Return the acknowledged acts of a round that a table with `at` entries does not have."""
        acknowledged = self.acknowledged.setdefault(n, {})
        lost = [acknowledged.pop(place) for place in sorted(acknowledged) if place >= at]
        if lost:
            # Tables with the lost acts are no longer true: other acts may take their places.
            self.shown = [each for each in self.shown if each.n != n or each.at <= at]
            self.taken_back += lost
            self.acts = [sent for sent in self.acts if sent not in lost]
        return lost

    def rounds(self) -> set[int]:
        """Return the rounds in which the player did or saw anything."""
        seen = {sent.n for sent in self.acts} | {table.n for table in self.shown}
        return seen | self.rankings.keys()

    def write(self, text: str) -> None:
        """Record an event for the report of a failed run."""
        self.diary.append(f"{time.monotonic() % 10_000:.3f} {text}")

    def __str__(self) -> str:
        return f"{self.room} seat {self.seat} ({self.name})"

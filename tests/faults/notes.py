"""What a scripted player writes down while it plays, for the checker to read afterwards."""

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
Pile = tuple[str, int, tuple[str, ...]]


def notation(action: Message) -> str:
    """An action of the wire as it stands in the published logs: `t9x1-t4`, `remove t3`, `deal`."""
    match action["type"]:
        case "move":
            mark = "!" if action["exception"] else ""
            return f"{action['from']}x{action['count']}-{action['to']}{mark}"
        case "remove":
            return f"remove {action['from']}"
        case plain:
            return str(plain)


@dataclass(frozen=True, slots=True)
class Ack:
    """What `acted` said: the length of the log, and the game after that many entries.

    `heard` is when, by the clock of this machine that only goes forward.
    """

    at: int
    score: int
    elapsed_ms: int
    heard: float = 0.0


@dataclass(slots=True)
class Sent:
    """One act in round `n`: who sent it, as what, and what was ever said about it.

    `tab` numbers those who sent for this seat one after the other, without knowing of each
    other; ids are told apart only within one. `refused` is the code of a refusal for good.
    `again` says that it was acknowledged before, and is given back to a store that lacks it.
    """

    n: int
    tab: int
    id: int
    at: int
    action: str
    tries: int = 0
    acks: list[Ack] = field(default_factory=list)
    refused: str | None = None
    again: bool = False

    @property
    def may_stand(self) -> bool:
        """Whether the act may be in the log: what was refused at the first try is not there."""
        return self.refused is None or self.tries > 1 or bool(self.acks)

    def __str__(self) -> str:
        return f"round {self.n}, tab {self.tab}, id {self.id}, at {self.at}: {self.action}"


@dataclass(frozen=True, slots=True)
class Shown:
    """A whole table, as it was shown to a tab in round `n`; `heard` as in `Ack`."""

    n: int
    tab: int
    at: int
    score: int
    piles: tuple[Pile, ...]
    heard: float = 0.0

    @classmethod
    def of(cls, n: int, tab: int, table: Message) -> "Shown":
        piles = ((pile["id"], pile["down"], tuple(pile["up"])) for pile in table["piles"])
        return cls(n, tab, table["at"], table["score"], tuple(piles), time.monotonic())


@dataclass(slots=True)
class Notes:
    """Everything about one seat. The lists of texts must be empty in a run without fault."""

    name: str
    room: str = ""
    seat: int = -1
    acts: list[Sent] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    rankings: dict[int, list[Message]] = field(default_factory=dict)
    stranded: list[str] = field(default_factory=list)  # it could not come back
    disorder: list[str] = field(default_factory=list)  # answers in another order than asked
    silence: list[str] = field(default_factory=list)  # no answer, or no news, for too long
    oddities: list[str] = field(default_factory=list)  # what the protocol does not allow
    closes: Counter[int] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    resumes: int = 0
    taken_back: list[Sent] = field(default_factory=list)  # acknowledged, and then not there
    rematches: set[str] = field(default_factory=set)  # rooms in which this one is said to go on
    lines: int = 0  # that were said, by anybody
    rooms_back: int = 0  # times that a room was older than it had been
    own_ghosts: int = 0  # replaced by a resume of one's own that was left before its answer
    waits: list[tuple[float, float]] = field(default_factory=list)  # for an act: from, until
    longest_away_ms: float = 0.0
    acks_before: int = 0  # acts that the release before has acknowledged
    over_before: set[int] = field(default_factory=set)  # rounds that it has said are over
    diary: deque[str] = field(default_factory=lambda: deque(maxlen=40))

    def rounds(self) -> set[int]:
        """The rounds in which the player did or saw anything."""
        seen = {sent.n for sent in self.acts} | {table.n for table in self.shown}
        return seen | self.over()

    def over(self) -> set[int]:
        """The rounds that the player was told are over."""
        return self.rankings.keys() | self.over_before

    @property
    def longest_act_ms(self) -> float:
        """The longest that the player has waited for an act."""
        return 1_000 * max((until - since for since, until in self.waits), default=0.0)

    def write(self, text: str) -> None:
        """Notes what happened, for whoever has to understand it."""
        self.diary.append(f"{time.monotonic() % 10_000:.3f} {text}")

    def __str__(self) -> str:
        return f"{self.room} seat {self.seat} ({self.name})"

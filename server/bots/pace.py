"""The times at which a computer player acts, whatever its search takes.

1. An act is either obvious, or its player has to think. A person would find the same acts so.
2. Most thoughts are short and a few are long, as those of people are.
3. With these averages one suit takes a Beginner six to nine minutes, Club four to six, and an
   Expert two and a half to four. `bench/bots.py` measures it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.vocabulary import BotLevel, BotPace
from server.games.actions import DEAL, Action, ActionKind, count, kind, source, target
from server.solver.chance import Chance
from server.solver.plans import VisibleTable

FEW: Final = 2
"""So few moves need no thought."""


@dataclass(frozen=True, slots=True)
class _Averages:
    """The seconds from one act to the next, on average."""

    thought_s: float
    obvious_s: float


_AVERAGES: Final[Mapping[BotLevel, _Averages]] = {
    "beginner": _Averages(8.0, 2.9),
    "club": _Averages(4.8, 1.75),
    "expert": _Averages(3.1, 1.1),
}
_FACTORS: Final[Mapping[BotPace, float]] = {"slower": 1.5, "usual": 1.0, "faster": 0.6}


class Pace:
    """The thinking times of one game, from a seed alone."""

    def __init__(self, level: BotLevel, pace: BotPace, *seeds: int | str) -> None:
        self._chance = Chance("pace", *seeds)
        self._averages = _AVERAGES[level]
        self._factor = _FACTORS[pace]
        self._sees_new_cards = True  # a whole deal of them

    def next_s(self, table: VisibleTable, legal: Sequence[Action], action: Action | None) -> float:
        """Return the seconds from the latest act to this one; without one the player stops."""
        thinks = action is None or self._sees_new_cards or not is_obvious(table, legal, action)
        self._sees_new_cards = action == DEAL
        if thinks:  # 0.6 to 2.2 times the average
            share = 0.6 + 1.6 * self._part() * self._part()
            return self._factor * self._averages.thought_s * share
        share = (2 + 2 * self._part()) / 3
        return self._factor * self._averages.obvious_s * share

    def _part(self) -> float:
        """Return a number from 0 to 1, on average a half."""
        return self._chance.below(1_000) / 1_000


def is_obvious(table: VisibleTable, legal: Sequence[Action], action: Action) -> bool:
    """Return whether the player of a table need not think about an action.

    It joins cards of a suit, brings a card home or removes a suit, or there is hardly another one.
    """
    if sum(kind(each) in _CHOICES for each in legal) <= FEW:
        return True
    if kind(action) is not ActionKind.MOVE:
        return action != DEAL
    if target(action) >= len(table.columns):
        return True
    onto = table.columns[target(action)].cards
    return onto[-1:] == bytes((table.columns[source(action)].cards[-count(action)] + 1,))


_CHOICES: Final = (ActionKind.MOVE, ActionKind.DEAL)

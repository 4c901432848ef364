"""The strengths of computer players: what each one looks at before it acts.

- A *Beginner* follows short plans (`plans.py`), cares little for the cards that lie face down,
  and so deals early.
- A *Club* player follows longer plans, turns cards up wherever it can, and deals when no plan
  helps.
- An *Expert* looks at far more plans, with weights for each number of suits. It also counts the
  moves that the next unseen card would have (`outlooks.py`). Once all cards have been seen, it
  searches for a win.

None takes anything back. A player that sees nothing that helps, and cannot deal, looks for
anything that still gains (`plans.py`, 3). It stops only where it finds nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from protocol.games import GAMES
from protocol.vocabulary import BotLevel
from server.games.actions import DEAL, FINISH, Action, ActionKind, count, kind, source, target
from server.games.cards import Card, PileState
from server.solver.beam import Attempt, Beam
from server.solver.budgets import Budget
from server.solver.columns import Columns
from server.solver.little_spider_player import PILE_STRENGTHS, LittleSpiderPlayer
from server.solver.outlooks import Outlook
from server.solver.plan_weights import (
    BEGINNER_WEIGHTS,
    CLUB_ONE_SUIT,
    CLUB_WEIGHTS,
    EXPERT_WEIGHTS,
    PlanWeights,
)
from server.solver.plans import (
    Planning,
    PlanSearch,
    filling_moves,
    gain_from,
    plan_for,
    position_of,
)
from server.solver.verdicts import never
from server.solver.visible_table import VisibleTable
from server.solver.weights import StageWeights, weights_of


class Player(Protocol):
    """A computer player in one game."""

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """Return one of the legal actions, or None where nothing gains any more.

        It depends on the tables since the deal alone. A player in a hurry looks at few plans.
        """


@dataclass(frozen=True, slots=True)
class Strength:
    """What a player of a level looks at."""

    planning: Planning
    """The searches for plans."""
    weights: PlanWeights
    """The weights by which the player compares plans."""
    searches_end: bool = False
    """Whether a win is searched for once all cards have been seen."""


BEGINNER_PLANNING: Final = Planning(PlanSearch(6, 3, True), PlanSearch(6, 3, True))
CLUB_PLANNING: Final = Planning(PlanSearch(12, 6, True), PlanSearch(100, 12, False))
EXPERT_PLANNING: Final = Planning(PlanSearch(150, 12, True), PlanSearch(400, 12, False))
ENDINGS: Final = (30, 150)
"""The widths of the beams that search for a win once all cards have been seen."""
MOST_COLUMNS: Final = 50_000
"""The columns that a player keeps from one plan to the next: they take 30 MB."""
ENDING_CHILDREN: Final = 100_000
"""The most positions that are judged in such a search."""


def player_of(level: BotLevel, game: str) -> Player:
    """Return a player for one game."""
    if GAMES[game].goal == "cards":
        return LittleSpiderPlayer(PILE_STRENGTHS[level])
    return Planner(strength_of(level, game), weights_of(game))


def strength_of(level: BotLevel, game: str) -> Strength:
    """Return the strength of a level in a game with columns.

    An Expert has weights of its own for each number of suits, and Club for one suit.
    """
    match level:
        case "beginner":
            return Strength(BEGINNER_PLANNING, BEGINNER_WEIGHTS)
        case "club":
            is_easy = GAMES[game].suits == 1
            return Strength(CLUB_PLANNING, CLUB_ONE_SUIT if is_easy else CLUB_WEIGHTS)
        case "expert":
            weights = EXPERT_WEIGHTS[GAMES[game].suits]
            return Strength(EXPERT_PLANNING, weights, searches_end=True)


class Planner:
    """A player of Spider or Spiderette."""

    def __init__(self, strength: Strength, weights: StageWeights) -> None:
        self._strength = strength
        self._weights = weights  # of the search for a win
        self._columns = Columns(strength.weights.columns)
        self._planned: list[int] = []
        self._expected: list[int] = []
        self._is_last = False  # whether nothing gains after what is planned

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """See `Player`."""
        for action in legal:
            if action == FINISH or kind(action) is ActionKind.REMOVE:
                return action
        sizes = [column.down + len(column.cards) for column in table.columns]
        if not self._planned or sizes != self._expected:
            self._planned = self._plan(table, legal, hurry=hurry)
        if not self._planned:
            return None
        action = Action(self._planned.pop(0))
        if action not in legal:
            self._planned = []
            return DEAL if DEAL in legal else None
        if self._planned:
            sizes[source(action)] -= count(action)
            sizes[target(action)] += count(action)
            self._expected = sizes  # other ones if a suit is completed
        return action

    def _plan(self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool) -> list[int]:
        """Return the next actions; none if nothing gains any more."""
        strength = self._strength
        if self._is_last:
            return []
        if strength.searches_end and not table.unseen and (won := self._ending(table)):
            return won
        if len(self._columns.made) > MOST_COLUMNS:
            self._columns = Columns(strength.weights.columns)
        moves = plan_for(
            self._columns,
            position_of(self._columns, table.columns),
            CLUB_PLANNING if hurry and strength.searches_end else strength.planning,
            Outlook(table.unseen, strength.weights),
            table.stock // len(table.columns),
            relaxed=table.relaxed,
        )
        return moves or self._deal(table, legal) or self._gain(table, legal)

    def _ending(self, table: VisibleTable) -> list[int]:
        """Return moves that win a game without a hidden card, or none if no win is found."""
        piles = [
            PileState(column.down, tuple([Card(card) for card in column.cards]))
            for column in table.columns
        ]
        for width in ENDINGS:
            budget = Budget(ENDING_CHILDREN, never)
            beam = Beam(self._weights, Attempt(width, 0, True), budget, seed=0, relaxed=True)
            won = beam.search(piles, ())
            if won is not None:
                return won
        return []

    def _deal(self, table: VisibleTable, legal: Sequence[Action]) -> list[int]:
        """Return a deal, after moves that fill empty columns; nothing where none is possible."""
        if DEAL in legal:
            return [DEAL]
        if not table.stock:
            return []
        moves = filling_moves(self._columns, position_of(self._columns, table.columns))
        return [] if moves is None else [*moves, DEAL]

    def _gain(self, table: VisibleTable, legal: Sequence[Action]) -> list[int]:
        """Return moves that still gain something, or none."""
        start = position_of(self._columns, table.columns)
        found = gain_from(self._columns, start, counts_pairs=table.counts_pairs)
        if not found.is_last:
            return found.moves
        for action in legal:  # exceptions, which are in no plan
            if kind(action) is ActionKind.MOVE:
                column = table.columns[source(action)]
                if column.down and count(action) == len(column.cards):
                    return [action]
        self._is_last = True
        return found.moves

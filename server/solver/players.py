"""The strengths of computer players: what each one looks at before it acts.

- A *Beginner* follows short plans (`plans.py`), cares little for the cards that lie face down,
  and so deals early.
- A *Club* player follows longer plans, turns cards up wherever it can, and deals when no plan
  helps.
- An *Expert* looks at far more plans, with weights for each number of suits. It also counts the
  moves that the next unseen card would have (`plans.py`). Once all cards have been seen, it
  searches for a win.

None takes anything back. A player that sees nothing that helps, and cannot deal, looks for
anything that still gains (`plans.py`, 3). It stops only where it finds nothing.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from protocol.games import GAMES
from protocol.vocabulary import BotLevel
from server.games.actions import (
    DEAL,
    FINISH,
    Action,
    ActionKind,
    count,
    kind,
    move,
    source,
    target,
)
from server.games.cards import KING, RANK_MASK, Card, PileState
from server.games.foundations import accepted_cards
from server.solver.beam import Attempt, Beam, Budget, never
from server.solver.columns import Columns, StageWeights, Weights, weights_of
from server.solver.pile_search import PileAttempt, PileSearch
from server.solver.piles import PILE_WEIGHTS, Piles
from server.solver.plans import (
    Outlook,
    Planning,
    PlanSearch,
    PlanWeights,
    VisibleTable,
    filling_moves,
    gain_from,
    plan_for,
    position_of,
)

_COLUMNS: Final = Weights(
    card=84,
    down=71,
    closed=48,
    over_closed=12,
    deep=0,
    joined=36,
    longer=8,
    mixed=83,
    broken=14,
    inverted=41,
    above=-4,
    space=205,
    king=22,
    end=-1,
)

BEGINNER_WEIGHTS: Final = PlanWeights(_COLUMNS, turned=30)
"""Weights that care little for cards face down."""
CLUB_WEIGHTS: Final = PlanWeights(_COLUMNS, turned=500)
"""Weights of a player who turns cards up wherever it can."""
CLUB_ONE_SUIT: Final = PlanWeights(
    Weights(
        card=74,
        down=90,
        closed=54,
        over_closed=6,
        deep=-3,
        joined=33,
        longer=7,
        mixed=78,
        broken=-2,
        inverted=23,
        above=-1,
        space=264,
        king=-47,
        end=0,
    ),
    turned=500,
)
"""Weights of such a player with one suit."""
_ONE_SUIT: Final = PlanWeights(
    Weights(
        card=52,
        down=136,
        closed=69,
        over_closed=-8,
        deep=-11,
        joined=26,
        longer=5,
        mixed=65,
        broken=-38,
        inverted=-19,
        above=5,
        space=401,
        king=-208,
        end=1,
    ),
    turned=1126,
    fits=315,
    bases=-257,
    ready=267,
)
_TWO_SUITS: Final = PlanWeights(
    Weights(
        card=58,
        down=138,
        closed=-26,
        over_closed=6,
        deep=-6,
        joined=32,
        longer=6,
        mixed=114,
        broken=-8,
        inverted=12,
        above=12,
        space=359,
        king=-149,
        end=-1,
    ),
    turned=1126,
    fits=277,
    bases=-76,
    ready=270,
)

EXPERT_WEIGHTS: Final[Mapping[int, PlanWeights]] = MappingProxyType(
    {1: _ONE_SUIT, 2: _TWO_SUITS, 4: CLUB_WEIGHTS}
)
"""Weights of a player who weighs what is still hidden, by the number of suits."""


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


@dataclass(frozen=True, slots=True)
class PileStrength:
    """How a player of a level plays."""

    kept: int
    """The cards of each pile that it does not play home while the stock has cards."""
    attempts: tuple[PileAttempt, ...]
    """The searches for a win, in order."""


NARROW: Final = PileAttempt(30, 0)
PILE_STRENGTHS: Final[Mapping[BotLevel, PileStrength]] = {
    "beginner": PileStrength(0, (NARROW,)),
    "club": PileStrength(1, (NARROW,)),
    "expert": PileStrength(52, (NARROW, PileAttempt(100, 30))),
}
MOST_CHILDREN: Final = 300_000
"""The positions that are judged in the searches for a win: two seconds in pure Python."""
MOST_POSITIONS: Final = 20_000
"""The positions that are looked at for a way to bring a card home."""

_Piles = tuple[bytes, ...]


class LittleSpiderPlayer:
    """A player of Little Spider."""

    def __init__(self, strength: PileStrength) -> None:
        self._strength = strength
        self._planned: list[int] = []
        self._has_searched = False  # for a win

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """Return a legal action, or None if no card can go home any more; see `Player`."""
        del hurry  # there is one search in a game
        if FINISH in legal:
            return FINISH
        home = [action for action in legal if _goes_home(action, table)]
        if table.stock:
            kept = self._strength.kept
            played = [each for each in home if len(table.columns[source(each)].cards) > kept]
            return played[0] if played else DEAL
        if not self._has_searched:
            self._has_searched = True
            self._planned = self._win(table)
        if not self._planned:
            self._planned = [*home[:1]] or _way_home(table)
        if not self._planned:
            return None
        action = self._planned.pop(0)
        if _goes_home(action, table):
            # A search leaves it open which foundation takes the card: no two take the same.
            return next(each for each in home if source(each) == source(action))
        return Action(action)

    def _win(self, table: VisibleTable) -> list[int]:
        """Return actions that win without a stock, or none if no win is found."""
        piles = [column.cards for column in table.columns]
        budget = Budget(MOST_CHILDREN, never)
        for number, attempt in enumerate(self._strength.attempts):
            for red_up in (False, True):
                pile_table = Piles(PILE_WEIGHTS, red_up=red_up, noise=attempt.noise, seed=number)
                search = PileSearch(pile_table, attempt.width, budget, red_up=red_up)
                won = search.finish(search.starts(piles, table.foundations, ()))
                if won is not None:
                    return won
        return []


def _goes_home(action: int, table: VisibleTable) -> bool:
    return kind(action) is ActionKind.MOVE and target(action) >= len(table.columns)


def _way_home(table: VisibleTable) -> list[int]:
    """Return the fewest moves between piles that uncover a card which goes home."""
    foundations = [bytearray(cards) for cards in table.foundations]
    wanted = {card for cards in accepted_cards(foundations) for card in cards}
    start = tuple(column.cards for column in table.columns)
    came: dict[_Piles, tuple[_Piles, Action] | None] = {start: None}
    left = deque([start])
    while left and len(came) < MOST_POSITIONS:
        piles = left.popleft()
        for action, after in _moves(piles):
            if after in came:
                continue
            came[after] = piles, action
            if any(pile and pile[-1] in wanted for pile in after):
                return _way_to(after, came)
            left.append(after)
    return []


def _way_to(piles: _Piles, came: Mapping[_Piles, tuple[_Piles, Action] | None]) -> list[int]:
    """Return the moves from the first position to these piles."""
    way: list[int] = []
    while (step := came[piles]) is not None:
        piles, action = step
        way.insert(0, action)
    return way


def _moves(piles: _Piles) -> Iterator[tuple[Action, _Piles]]:
    """Yield the moves between piles, each with the piles after it (RULES, Little Spider 4)."""
    for here, pile in enumerate(piles):
        for to, onto in enumerate(piles):
            if here == to or not pile or not onto:
                continue
            apart = abs((pile[-1] & RANK_MASK) - (onto[-1] & RANK_MASK))
            if apart in {1, KING - 1}:
                after = list(piles)
                after[here], after[to] = pile[:-1], onto + pile[-1:]
                yield move(here, 1, to), tuple(after)

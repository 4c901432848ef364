"""Computer players of three levels.

- A *Beginner* follows short plans (`plans.py`), hardly cares about face-down cards, and so deals
  early.
- A *Club* player follows longer plans, turns up cards wherever possible, and deals if no plan
  helps.
- An *Expert* considers far more plans. With one or two suits, it considers how likely the next
  unseen card is to fit. Once all cards have been seen, it searches for a win.

They never undo anything. If no plan helps and nothing can be dealt, a player looks for any gain
(`plans.py`, 3), and stops if it finds none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.games import GAMES
from protocol.vocabulary import BotLevel
from server.games.actions import DEAL, FINISH, Action, ActionKind, count, kind, source, target
from server.games.cards import Card, PileState
from server.solver import plans
from server.solver.beam import Attempt, Beam, Budget, fill_spaces
from server.solver.columns import COLUMN_WEIGHTS, Columns, Position, Weights
from server.solver.piles import PILE_WEIGHTS, Piles, PileSearch
from server.solver.plans import PlanSearch, PlanWeights, VisibleTable

# The weights that computer players use to compare plans. Two programs have computed them.
#
# - Beginner and Club use the weights of the solver (`climb_weights.py`), which won most deals of
#   four suits. If the solver gets better ones, keep the old ones here: the levels were measured
#   with them. With one suit, Club's weights lie between these and an Expert's, at three tenths of
#   the way, so that Club stays stronger than a Beginner.
# - `fit_plan_weights.py` found an Expert's weights from games that it won and lost. The fit for
#   two suits started from the weights for one. For four suits a fit won no more games than Club's
#   weights, so an Expert uses those.

_CLUB_ONE_SUIT = Weights(74, 90, 54, 6, -3, 33, 7, 78, -2, 23, -1, 264, -47, 0)
_EXPERT_ONE_SUIT = Weights(52, 136, 69, -8, -11, 26, 5, 65, -38, -19, 5, 401, -208, 1)
_EXPERT_TWO_SUITS = Weights(58, 138, -26, 6, -6, 32, 6, 114, -8, 12, 12, 359, -149, -1)

BEGINNER_WEIGHTS: Final = PlanWeights(COLUMN_WEIGHTS, turned=30)
CLUB_WEIGHTS: Final = PlanWeights(COLUMN_WEIGHTS, turned=500)


@dataclass(frozen=True, slots=True)
class Strength:
    """How a player of one level searches."""

    search: PlanSearch
    last_search: PlanSearch  # used if `search` finds nothing and the stock is empty
    weights: PlanWeights
    searches_end: bool = False  # whether to search for a win once all cards have been seen


CLUB_SEARCHES: Final = (PlanSearch(12, 6), PlanSearch(100, 12, pruned=False))
_BEGINNER: Final = Strength(PlanSearch(6, 3), PlanSearch(6, 3), BEGINNER_WEIGHTS)
_CLUB: Final = Strength(*CLUB_SEARCHES, CLUB_WEIGHTS)
_CLUB_OF_ONE_SUIT: Final = Strength(*CLUB_SEARCHES, PlanWeights(_CLUB_ONE_SUIT, turned=500))


def _expert(weights: PlanWeights) -> Strength:
    searches = PlanSearch(150, 12), PlanSearch(400, 12, pruned=False)
    return Strength(*searches, weights, searches_end=True)


STRENGTHS: Final[Mapping[BotLevel, Mapping[int, Strength]]] = {
    "beginner": {1: _BEGINNER, 2: _BEGINNER, 4: _BEGINNER},
    "club": {1: _CLUB_OF_ONE_SUIT, 2: _CLUB, 4: _CLUB},
    "expert": {
        1: _expert(PlanWeights(_EXPERT_ONE_SUIT, 1126, fits=315, bases=-257, ready=267)),
        2: _expert(PlanWeights(_EXPERT_TWO_SUITS, 1126, fits=277, bases=-76, ready=270)),
        4: _expert(CLUB_WEIGHTS),
    },
}  # in games with columns, by level and number of suits
ENDING_WIDTHS: Final = (30, 150)  # of the beams that search for a win, in order
ENDING_BUDGET: Final = 100_000  # how many positions each of them may judge
MAX_COLUMNS: Final = 50_000  # columns that a player keeps between plans: they take 30 MB
MAX_GAIN_POSITIONS: Final = 20_000  # in a search for a gain: half a second in pure Python


class Planner:
    """A player of Spider or Spiderette."""

    def __init__(self, strength: Strength) -> None:
        self._strength = strength
        self._all_columns = Columns(strength.weights.columns)
        self._planned: list[int] = []  # the actions still to take
        self._expected_sizes: list[int] = []  # of the columns, before the next planned action
        self._is_last_plan = False  # whether nothing is left to gain after the planned actions

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """Return one of the legal actions, or None if there is nothing more to gain.

        The choice depends only on the tables seen in this game. In a `hurry`, search less.
        """
        for action in legal:
            if action == FINISH or kind(action) is ActionKind.REMOVE:
                return action
        sizes = [column.down + len(column.cards) for column in table.columns]
        if not self._planned or sizes != self._expected_sizes:
            self._planned = self._plan(table, legal, hurry=hurry)
        if not self._planned:
            return None
        action = Action(self._planned.pop(0))
        if action not in legal:  # not expected, since a plan consists of legal actions
            self._planned = []
            return DEAL if DEAL in legal else None
        if self._planned:
            sizes[source(action)] -= count(action)
            sizes[target(action)] += count(action)
            self._expected_sizes = sizes  # if a suit leaves, the sizes differ and the plan ends
        return action

    def _plan(self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool) -> list[int]:
        """Return the next actions, or [] if there is nothing more to gain."""
        strength = self._strength
        if self._is_last_plan:
            return []
        if strength.searches_end and not table.unseen and (won := self._ending(table)):
            return won
        if len(self._all_columns.made) > MAX_COLUMNS:
            self._all_columns = Columns(strength.weights.columns)
        search, last_search = strength.search, strength.last_search
        if hurry and search.width > CLUB_SEARCHES[0].width:  # then an Expert searches like Club
            search, last_search = CLUB_SEARCHES
        start = plans.position_of(self._all_columns, table.columns)
        prices = plans.Prices(table.unseen, strength.weights)
        deals = table.stock // len(table.columns)
        # A deal needs a card on each column. So until the last deal, plans leave that many cards.
        min_cards = len(table.columns) if deals and not table.relaxed else 0
        moves = plans.plan_from(self._all_columns, start, search, prices, min_cards)
        if not moves and not deals:  # no deal will help any more, so search harder
            moves = plans.plan_from(self._all_columns, start, last_search, prices, min_cards)
        return moves or self._deal(table, legal, start) or self._gain(table, legal, start)

    def _ending(self, table: VisibleTable) -> list[int]:
        """Return actions that win, or [] if no beam finds any; all cards must have been seen."""
        piles = [PileState(each.down, tuple(map(Card, each.cards))) for each in table.columns]
        for width in ENDING_WIDTHS:
            attempt, budget = Attempt(width, 0), Budget(ENDING_BUDGET)
            beam = Beam(COLUMN_WEIGHTS, attempt, budget, seed=0, relaxed=True)
            if (won := beam.search(piles, ())) is not None:  # no deals, so `relaxed` is unused
                return won
        return []

    def _deal(self, table: VisibleTable, legal: Sequence[Action], start: Position) -> list[int]:
        """Return the moves that fill all empty columns, and a deal; [] if nothing can be dealt."""
        if DEAL in legal:
            return [DEAL]
        if not table.stock:
            return []
        # Plan all moves at once: a new plan would empty the first filled column again.
        filled = fill_spaces(self._all_columns, start, Budget(0))  # counted, but not limited
        return [] if filled is None else [*filled.actions(), DEAL]

    def _gain(self, table: VisibleTable, legal: Sequence[Action], start: Position) -> list[int]:
        """Return moves that turn up a card or complete a suit, or else make pairs if any score."""
        search = plans.GainSearch(
            self._all_columns, start.columns, MAX_GAIN_POSITIONS, can_deal=False
        )
        if (moves := search.search()) is not None:
            return moves
        # The search never moves mixed runs. If the room allows this, one may turn up a card.
        for action in legal:
            if kind(action) is ActionKind.MOVE:
                column = table.columns[source(action)]
                if column.down and count(action) == len(column.cards):
                    return [action]
        self._is_last_plan = True  # at most pairs are left to gain, all in this plan
        if not table.counts_pairs:
            return []
        _, best_position = search.most_pairs()
        return search.line(best_position)


@dataclass(frozen=True, slots=True)
class PileStrength:
    """How a player of one level plays Little Spider."""

    kept_per_pile: int  # how many cards to keep on each pile while the stock has cards
    attempts: tuple[Attempt, ...]  # the searches for a win, in order


NARROW: Final = Attempt(30, 0)
PILE_STRENGTHS: Final[Mapping[BotLevel, PileStrength]] = {
    "beginner": PileStrength(0, (NARROW,)),
    "club": PileStrength(1, (NARROW,)),
    "expert": PileStrength(52, (NARROW, Attempt(100, 30))),
}
WIN_BUDGET: Final = 300_000  # positions to judge in all of them: two seconds in pure Python
MAX_HOME_POSITIONS: Final = 20_000  # positions to look at for a way to bring a card home


class LittleSpiderPlayer:
    """A player of Little Spider."""

    def __init__(self, strength: PileStrength) -> None:
        self._strength = strength
        self._planned: list[int] = []  # the actions still to take
        self._has_searched = False  # whether it has searched for a win

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """Return one of the legal actions, or None if no way to bring a card home is found."""
        del hurry  # one search in a whole game is fast enough
        if FINISH in legal:
            return FINISH
        home = [action for action in legal if _goes_home(action, table)]
        if table.stock:
            # A level keeps some cards on each pile, and deals once no others can go home.
            kept = self._strength.kept_per_pile
            allowed = [each for each in home if len(table.columns[source(each)].cards) > kept]
            return allowed[0] if allowed else DEAL
        if not self._has_searched:
            self._has_searched = True
            self._planned = self._win(table)
        if not self._planned:
            self._planned = [home[0]] if home else self._way_home(table)
        if not self._planned:
            return None
        action = self._planned.pop(0)
        if _goes_home(action, table):
            # The search does not choose the foundation. Only one can take the card.
            return next(each for each in home if source(each) == source(action))
        return Action(action)

    def _win(self, table: VisibleTable) -> list[int]:
        """Return actions that win once the stock is empty, or [] if no search finds any."""
        piles = [column.cards for column in table.columns]
        budget = Budget(WIN_BUDGET)
        for number, attempt in enumerate(self._strength.attempts):
            for red_up in (False, True):  # one colour builds up from the ace, the other down
                all_piles = Piles(PILE_WEIGHTS, red_up=red_up, noise=attempt.noise, seed=number)
                search = PileSearch(all_piles, attempt.width, budget)
                won = search.win_from(search.starts(piles, table.foundations, ()))
                if won is not None:
                    return won
        return []

    @staticmethod
    def _way_home(table: VisibleTable) -> list[int]:
        """Return the fewest moves between piles that let a card go home, or [] if none do."""
        piles = [column.cards for column in table.columns]
        search = plans.UncoveringSearch(piles, table.foundations, MAX_HOME_POSITIONS)
        for _ in search.steps():
            pass
        return search.moves


def _goes_home(action: int, table: VisibleTable) -> bool:
    return kind(action) is ActionKind.MOVE and target(action) >= len(table.columns)


Player = Planner | LittleSpiderPlayer


def player_of(level: BotLevel, game: str) -> Player:
    """Return a new player of this level for one game of this variant."""
    variant = GAMES[game]
    if variant.goal == "cards":
        return LittleSpiderPlayer(PILE_STRENGTHS[level])
    return Planner(STRENGTHS[level][variant.suits])

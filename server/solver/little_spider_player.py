"""The player of Little Spider at each strength.

1. While the stock has cards, playing one home is seldom good: piles that are empty stay so at the
   end, and the last card of a suit must lie at the bottom of one. A weak player plays all cards
   home at once, a better one keeps the last card of each pile, and the best one plays none.
2. Once the stock is empty, all cards lie face up. The player searches for a win.
3. Without a win it takes the shortest way to the next card that goes home, as long as one does.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.vocabulary import BotLevel
from server.games.actions import DEAL, FINISH, Action, ActionKind, kind, move, source, target
from server.games.cards import KING, RANK_MASK
from server.games.foundations import accepted_cards
from server.solver.budgets import Budget
from server.solver.pile_search import PileAttempt, PileSearch
from server.solver.piles import Piles
from server.solver.verdicts import never
from server.solver.visible_table import VisibleTable
from server.solver.weights import PILE_WEIGHTS


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

"""A beam for each number of deals that are left.

1. A stage lies between two deals. Each of its levels makes one move more than the one before; of
   all children the best few stay.
2. A stage ends after some levels without a lower cost. The best positions of all its levels get
   their empty columns filled, are dealt to, and are judged again: the best of these begin the
   next stage.
3. A child is priced by its two new columns, and is made only if it stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.actions import COUNT_MASK, DEAL, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import PileState
from server.solver.columns import (
    START,
    Columns,
    Position,
    StageWeights,
    cost_of_all,
    key_of,
    list_all,
    list_promising,
    place_factor,
)

ShouldStop = Callable[[], bool]
"""A function that a search calls every few thousand positions; the search ends once it is true."""


def never() -> bool:
    """Return that no search has to stop."""
    return False


ASKED_EVERY: Final = 4096
"""The number of children between two questions whether to stop."""


class Budget:
    """The children that a search may still price, of all its attempts together."""

    __slots__ = ("_ask_at", "_limit", "_should_stop", "_stopped", "spent")

    def __init__(self, limit: int, should_stop: ShouldStop) -> None:
        self.spent = 0
        self._limit = limit
        self._should_stop = should_stop
        self._stopped = False
        self._ask_at = 0

    def is_left(self) -> bool:
        """Return whether the search may go on."""
        if self.spent >= self._ask_at:
            self._ask_at = self.spent + ASKED_EVERY
            self._stopped = self._stopped or self._should_stop()
        return not self._stopped and self.spent < self._limit


PATIENCE: Final = 12
"""The levels without gain after which a stage ends."""
LAST_PATIENCE: Final = 48
"""The same for the stage in which the stock is empty."""
DEALT: Final = 3
"""The number of positions that are dealt to for each one that begins a stage."""

# A child as one integer, sorted by cost: cost, number of the parent, move.
_MOVE_BITS: Final = 14
_MOVE_MASK: Final = (1 << _MOVE_BITS) - 1
_PARENT_BITS: Final = 16
_PARENT_MASK: Final = (1 << _PARENT_BITS) - 1
_COST_SHIFT: Final = _MOVE_BITS + _PARENT_BITS
_LOWEST_COST: Final = -(1 << 24)


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a beam searches."""

    width: int  # the number of positions that stay
    noise: int  # the most by which the cost of a column differs from its weights
    pruned: bool  # whether moves that seldom help are left out


class Beam:
    """One attempt to win from a position with known cards."""

    def __init__(
        self, weights: StageWeights, attempt: Attempt, budget: Budget, *, seed: int, relaxed: bool
    ) -> None:
        self._tables = [Columns(each, noise=attempt.noise, seed=seed) for each in weights]
        self._columns = self._tables[0]
        self._width = attempt.width
        self._pruned = attempt.pruned
        self._budget = budget
        self._relaxed = relaxed
        self._ordered = True
        self._seen: set[int] = set()
        self.fewest_cards = 0
        """The fewest cards on the table in a position of the latest stage."""
        self.lowest_cost = 0
        """The lowest cost of a position of the latest stage."""
        self.deals_made = 0
        """The number of deals before the latest stage."""

    def search(self, piles: Sequence[PileState], deals: Sequence[bytes]) -> list[int] | None:
        """Return actions that win, without removals, or None.

        `piles` are the columns, and `deals` the cards of each deal that is left, from the first
        column on.
        """
        self._columns = self._table(len(deals))
        columns = [self._columns.column(bytes(pile.cards), pile.down) for pile in piles]
        starts = [Position(columns, None, START, cost_of_all(columns), 0)]
        for left in range(len(deals), -1, -1):
            self._ordered = left > 0
            reached, won = self._explore(starts)
            self.fewest_cards = min([position.cards() for position in reached])
            self.deals_made = len(deals) - left
            self.lowest_cost = min([position.cost for position in reached])
            if won is not None and not left:
                return won.actions()
            if not left or not self._budget.is_left():
                return None
            table = self._table(left - 1)
            starts = self._deal_to_best(reached, deals[len(deals) - left], table)
            self._columns = table
            if not starts:
                return None
        return None

    def _table(self, left: int) -> Columns:
        """Return the columns of the stage with so many deals left."""
        return self._tables[min(left, len(self._tables) - 1)]

    def _explore(self, starts: list[Position]) -> tuple[list[Position], Position | None]:
        """Return the positions of a stage, and one of them without cards, if there is one."""
        self._seen = set()
        for start in starts:
            start.key = key_of(start.columns, ordered=self._ordered)
            self._seen.add(start.key)
            if not start.cards():
                return [start], start
        reached = list(starts)
        level = starts
        best = min([start.cost for start in starts])
        patience = PATIENCE if self._ordered else LAST_PATIENCE
        left = patience
        while left and level and self._budget.is_left():
            level = self._next_level(level)
            left -= 1
            if level:
                reached += level
                if level[0].cost < best:
                    best = level[0].cost
                    left = patience
                for position in level:
                    if not position.cards():
                        return reached, position
        return reached, None

    def _next_level(self, level: list[Position]) -> list[Position]:
        """Return the cheapest positions that one more move reaches from a level."""
        priced: list[int] = []
        for number, position in enumerate(level):
            self._price(position, number << _MOVE_BITS, priced)
        priced.sort()
        made: list[Position] = []
        for child in priced[: self._width]:
            parent = level[child >> _MOVE_BITS & _PARENT_MASK]
            made.append(self._make(parent, child & _MOVE_MASK))
        return made

    def _price(self, position: Position, parent: int, priced: list[int]) -> None:
        """Append the children of a position that were not seen before."""
        table, seen, ordered = self._columns, self._seen, self._ordered
        columns = position.columns
        base_cost, base_key = position.cost - _LOWEST_COST, position.key
        moves = list_promising(columns) if self._pruned else list_all(columns)
        self._budget.spent += len(moves)
        for move in moves:
            here = move >> SOURCE_SHIFT & PILE_MASK
            to = move >> TARGET_SHIFT
            n = move & COUNT_MASK
            source, target = columns[here], columns[to]
            rest = table.without(source, n)
            grown = table.with_run(target, source.head - source.run + n, n)
            gained_here, gained_to = rest.key - source.key, grown.key - target.key
            if ordered:
                key = base_key + gained_here * (2 * here + 1) + gained_to * (2 * to + 1)
            else:
                key = base_key + gained_here + gained_to
            if key not in seen:
                seen.add(key)
                cost = base_cost + rest.cost + grown.cost - source.cost - target.cost
                priced.append(cost << _COST_SHIFT | parent | move)

    def _make(self, position: Position, move: int) -> Position:
        """Return the position after a move."""
        here = move >> SOURCE_SHIFT & PILE_MASK
        to = move >> TARGET_SHIFT
        n = move & COUNT_MASK
        columns = position.columns.copy()
        source, target = columns[here], columns[to]
        rest = self._columns.without(source, n)
        grown = self._columns.with_run(target, source.head - source.run + n, n)
        columns[here], columns[to] = rest, grown
        cost = position.cost + rest.cost + grown.cost - source.cost - target.cost
        key = (
            position.key
            + (rest.key - source.key) * place_factor(here, ordered=self._ordered)
            + (grown.key - target.key) * place_factor(to, ordered=self._ordered)
        )
        return Position(columns, position, move, cost, key)

    # Deals.

    def _deal_to_best(
        self, reached: list[Position], cards: bytes, table: Columns
    ) -> list[Position]:
        """Return the best positions after a deal, with columns of the table of the next stage."""
        order = [position.cost << _COST_SHIFT | at for at, position in enumerate(reached)]
        order.sort()
        dealt: list[Position] = []
        seen: set[int] = set()
        for each in order[: DEALT * self._width]:
            position = reached[each & (1 << _COST_SHIFT) - 1]
            ready = position if self._relaxed else self._fill(position)
            if ready is None:
                continue
            after = self._deal(ready, cards, table)
            if after.key not in seen:
                seen.add(after.key)
                dealt.append(after)
        order = [position.cost << _COST_SHIFT | at for at, position in enumerate(dealt)]
        order.sort()
        return [dealt[each & (1 << _COST_SHIFT) - 1] for each in order[: self._width]]

    def _fill(self, position: Position) -> Position | None:
        """Return the position with a card on each column, or None if they are too few."""
        while True:
            space = position.space()
            if space < 0:
                return position
            if position.cards() < len(position.columns):
                return None
            filled = self._fill_one(position, space)
            if filled is None:
                return None
            position = filled

    def _fill_one(self, position: Position, space: int) -> Position | None:
        """Return the position with the cheapest run on an empty column."""
        best: Position | None = None
        for here, column in enumerate(position.columns):
            # A whole column would only leave another empty one.
            most = column.run if column.run < column.size else column.run - 1
            for n in range(1, most + 1):
                self._budget.spent += 1
                after = self._make(position, n | here << SOURCE_SHIFT | space << TARGET_SHIFT)
                if best is None or after.cost < best.cost:
                    best = after
        return best

    def _deal(self, position: Position, cards: bytes, table: Columns) -> Position:
        columns = [table.column(column.cards, column.down) for column in position.columns]
        for place, card in enumerate(cards):
            columns[place] = table.with_run(columns[place], card, 1)
        self._budget.spent += 1
        key = key_of(columns, ordered=True)
        return Position(columns, position, DEAL, cost_of_all(columns), key)

"""Beam search: one stage before each remaining deal, and one after the last deal.

1. A stage goes level by level. The *children* of a level are the positions one move later. The
   cheapest of them are the next level.
2. A stage ends after some levels without a lower cost. In its best positions, from all levels, the
   empty columns are filled and cards are dealt. The best results start the next stage.
3. To price a child, only the two columns that its move changes are looked up. The position itself
   is made only for children that are kept.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from server.games.actions import COUNT_MASK, DEAL, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import PileState
from server.solver.columns import (
    START,
    Columns,
    Position,
    Reached,
    Weights,
    after_move,
    first_space,
    list_all,
    list_promising,
    position_with,
)

ShouldStop = Callable[[], bool]  # called every few thousand positions; true ends the search

ASKED_EVERY: Final = 4096  # positions judged between two calls of `ShouldStop`


class Budget:
    """How many positions all attempts of a search may judge together."""

    __slots__ = ("_ask_at", "_limit", "_should_stop", "_stopped", "spent")

    def __init__(self, limit: int, should_stop: ShouldStop | None = None) -> None:
        self.spent = 0  # positions judged so far
        self._limit, self._should_stop = limit, should_stop
        self._stopped = False
        self._ask_at = 0  # call `_should_stop` once `spent` has reached this

    def is_left(self) -> bool:
        """Return whether the search may go on; now and then, this calls `should_stop`."""
        if self._should_stop is not None and self.spent >= self._ask_at:
            self._ask_at = self.spent + ASKED_EVERY
            self._stopped = self._stopped or self._should_stop()
        return not self._stopped and self.spent < self._limit


PATIENCE: Final = 12  # a stage ends after this many levels without a lower cost
LAST_PATIENCE: Final = 48  # the same for the stage with an empty stock
TRIED_PER_START: Final = 3  # deal to this many positions for each that may start the next stage

# A child is one integer, to sort fast: its cost, its parent's number in the level, and its move.
MOVE_BITS: Final = 14
MOVE_MASK: Final = (1 << MOVE_BITS) - 1
PARENT_BITS: Final = 16
PARENT_MASK: Final = (1 << PARENT_BITS) - 1
COST_SHIFT: Final = MOVE_BITS + PARENT_BITS
LOWEST_COST: Final = -(1 << 24)  # subtracted from each cost, so that no child is negative


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a beam searches, over columns or piles."""

    width: int  # how many positions each level keeps
    noise: int  # chance changes the cost of a column or pile by up to this much
    pruned: bool = True  # whether to leave out moves between columns that seldom help


P = TypeVar("P", bound=Reached)


class Levels(Generic[P]):
    """The levels of one stage of a beam. Subclasses define the children of a position."""

    def __init__(self, width: int, budget: Budget) -> None:
        self._width, self._budget = width, budget
        self._seen: set[int] = set()  # the keys of all positions of the stage
        self.fewest_cards = 0  # on the table, in any position of the latest stage

    def _explore(self, starts: list[P], patience: int, reached: list[P] | None = None) -> P | None:
        """Return a position without cards, or None after `patience` levels without a lower cost.

        Add the positions of all levels to `reached`, if given.
        """
        self._seen = {start.key for start in starts}
        level, levels_left = starts[: self._width], patience
        lowest = min([position.cost for position in level], default=0)
        self.fewest_cards = min([position.size() for position in level], default=0)
        while True:
            for position in level:
                size = position.size()
                if not size:
                    return position
                self.fewest_cards = min(self.fewest_cards, size)
            if reached is not None:
                reached += level
            if not levels_left or not level or not self._budget.is_left():
                return None
            level = self._next_level(level)
            levels_left -= 1
            if level and level[0].cost < lowest:
                lowest, levels_left = level[0].cost, patience

    def _next_level(self, level: list[P]) -> list[P]:
        """Return the cheapest of the new children of these positions, in order."""
        children: list[int] = []
        for number, position in enumerate(level):
            self._append_children(position, number << MOVE_BITS, children)
        children.sort()
        return [
            self._position_after(level[child >> MOVE_BITS & PARENT_MASK], child)
            for child in children[: self._width]
        ]

    def _append_children(self, position: P, parent_bits: int, children: list[int]) -> None:
        """Append a position's new children; `parent_bits`: its number, shifted by `MOVE_BITS`."""
        raise NotImplementedError

    def _position_after(self, position: P, child: int) -> P:
        """Return the position that a child stands for, given its parent."""
        raise NotImplementedError


class Beam(Levels[Position]):
    """One attempt to win from a position with known cards."""

    def __init__(
        self, weights: Weights, attempt: Attempt, budget: Budget, *, seed: int, relaxed: bool
    ) -> None:
        """Prepare an attempt. `relaxed`: whether cards can be dealt onto empty columns."""
        super().__init__(attempt.width, budget)
        self._all_columns = Columns(weights, noise=attempt.noise, seed=seed)
        self._pruned = attempt.pruned
        self._relaxed = relaxed
        self._ordered = True  # whether the order of columns matters: it does before a deal

    def search(self, piles: Sequence[PileState], deals: Sequence[bytes]) -> list[int] | None:
        """Return actions that win, or None. `deals`: the cards of each deal.

        The actions contain no removals: complete suits leave at once.
        """
        starts = [position_with(self._all_columns.of(piles), None, START)]
        for cards in deals:
            reached: list[Position] = []
            self._explore(starts, PATIENCE, reached)
            starts = self._deal_to_best(reached, cards) if self._budget.is_left() else []
            if not starts:
                return None
        # Without deals, it does not matter which column is which, so the keys ignore their order.
        self._ordered = False
        for start in starts:
            start.key = sum([column.key for column in start.columns])
        won = self._explore(starts, LAST_PATIENCE)
        return None if won is None else won.actions()

    def _position_after(self, position: Position, child: int) -> Position:
        return after_move(self._all_columns, position, child & MOVE_MASK, ordered=self._ordered)

    def _append_children(self, position: Position, parent_bits: int, children: list[int]) -> None:
        all_columns, seen, ordered = self._all_columns, self._seen, self._ordered
        columns = position.columns
        base_cost, base_key = position.cost - LOWEST_COST, position.key
        moves = list_promising(columns) if self._pruned else list_all(columns)
        self._budget.spent += len(moves)
        for move in moves:
            here, to, n = move >> SOURCE_SHIFT & PILE_MASK, move >> TARGET_SHIFT, move & COUNT_MASK
            source, target = columns[here], columns[to]
            rest = all_columns.without(source, n)
            head = source.head - source.run + n  # the highest card that moves
            grown = all_columns.with_run(target, head, n)
            gained_here, gained_to = rest.key - source.key, grown.key - target.key
            if ordered:  # multiply each column's part of the key by a factor for its place
                key = base_key + gained_here * (2 * here + 1) + gained_to * (2 * to + 1)
            else:
                key = base_key + gained_here + gained_to
            if key not in seen:
                seen.add(key)
                cost = base_cost + rest.cost + grown.cost - source.cost - target.cost
                children.append(cost << COST_SHIFT | parent_bits | move)

    def _deal_to_best(self, reached: list[Position], cards: bytes) -> list[Position]:
        """Deal `cards` in the best of the `reached` positions; return the cheapest results."""
        reached.sort(key=lambda position: position.cost)
        dealt: list[Position] = []
        seen: set[int] = set()
        for position in reached[: TRIED_PER_START * self._width]:
            ready: Position | None = position
            if not self._relaxed:  # then cards are dealt only once no column is empty
                ready = fill_spaces(self._all_columns, position, self._budget)
            if ready is None:
                continue
            columns = self._all_columns.dealt_to(ready.columns, cards)
            after = position_with(columns, ready, DEAL)
            self._budget.spent += 1
            if after.key not in seen:
                seen.add(after.key)
                dealt.append(after)
        dealt.sort(key=lambda position: position.cost)
        return dealt[: self._width]


def fill_spaces(all_columns: Columns, position: Position, budget: Budget) -> Position | None:
    """Fill each empty column by the cheapest move; return None if there are too few cards."""
    while (space := first_space(position.columns)) >= 0:
        if position.size() < len(position.columns):
            return None
        onto = space << TARGET_SHIFT
        # Moving a whole column would only leave another one empty.
        filled = [
            after_move(all_columns, position, n | here << SOURCE_SHIFT | onto, ordered=True)
            for here, column in enumerate(position.columns)
            for n in range(1, min(column.run, column.size - 1) + 1)
        ]
        budget.spent += len(filled)
        position = min(filled, key=lambda each: each.cost)
    return position

"""A search that leaves out no legal move: where it ends without a win, there is none.

1. A position is one integer, made of the numbers of its columns: no two positions share one.
2. Columns that no later deal tells apart are sorted by their numbers. Once the stock is empty,
   these are all of them.
3. The cheapest positions come first, so that a win is found early. A proof needs all of them.
4. Where the player removes suits, a complete one may stay, and its removal is an action.
"""

from array import array
from collections.abc import Sequence
from typing import Final

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import (
    COUNT_MASK,
    DEAL,
    NOT_A_MOVE,
    PILE_MASK,
    REMOVE,
    SOURCE_SHIFT,
    TARGET_SHIFT,
)
from server.games.cards import PileState
from server.games.tableau import SPACE
from server.solver.beam import Budget
from server.solver.columns import Column, Columns, Weights

_NUMBER_BITS: Final = 24
_NUMBER_MASK: Final = (1 << _NUMBER_BITS) - 1
_COST_STEP: Final = 4
"""The bits of a cost that do not count in the order of the search."""
_COLUMN_WEIGHT: Final = 8
"""The positions that take as much memory as one column with its neighbours."""


class ExhaustiveSearch:
    """One search of all positions that can be reached from a position with known cards."""

    def __init__(
        self,
        weights: Weights,
        budget: Budget,
        *,
        most_positions: int,
        relaxed: bool,
        auto_remove: bool,
    ) -> None:
        self._all_columns = Columns(weights, keeps_suits=not auto_remove)
        self._per_stock_card = weights.card + weights.down
        self._budget = budget
        self._most_positions = most_positions
        self._relaxed = relaxed
        self._keeps_suits = not auto_remove
        self._deals: list[bytes] = []
        # By the number of a position: its key, the position before it, the action between them.
        self._keys: list[int] = []
        self._parents = array("I")
        self._actions = array("I")
        self._known: set[int] = set()
        self._queue: dict[int, array[int]] = {}
        self._cheapest = 0
        self.is_exhausted = False
        """Whether every position that can be reached was looked at."""

    def search(self, piles: Sequence[PileState], deals: Sequence[bytes]) -> list[int] | None:
        """Return actions that win, or None; with suits that stay, their removals are among them.

        `piles` are the columns, and `deals` the cards of each deal that is left, from the first
        column on.
        """
        self._deals = list(deals)
        columns = [self._all_columns.column(bytes(pile.cards), pile.down) for pile in piles]
        start = columns
        self._add(start, 0, 0, 0)
        while (number := self._pop()) >= 0:
            if not self._budget.is_left() or self._is_full():
                return None
            key = self._keys[number]
            done = key & _NUMBER_MASK
            columns = self._columns_of(key, len(piles))
            if done == len(self._deals) and _is_won(columns):
                return self._line(number, start)
            self._expand(columns, done, number)
        self.is_exhausted = True
        return None

    @property
    def positions(self) -> int:
        """The number of different positions that were found so far."""
        return len(self._keys)

    def _is_full(self) -> bool:
        stored = len(self._keys) + _COLUMN_WEIGHT * len(self._all_columns.made)
        return stored > self._most_positions or len(self._all_columns.made) > _NUMBER_MASK

    def _first_alike(self, done: int) -> int:
        """Return the first of the columns that later deals treat alike."""
        first = 0
        for cards in self._deals[done:]:
            first = max(first, len(cards))
        return first

    def _columns_of(self, key: int, size: int) -> list[Column]:
        """Return the columns of a position by its key."""
        made = self._all_columns.made
        columns: list[Column] = []
        for _ in range(size):
            key >>= _NUMBER_BITS
            columns.append(made[key & _NUMBER_MASK])
        return columns

    # The queue.

    def _add(self, columns: list[Column], done: int, parent: int, action: int) -> None:
        """Queue a position unless it is known.

        Columns that later deals treat alike are sorted in the key, so their order does not count.
        Positions of about the same cost share an array of the queue.
        """
        numbers = [column.number for column in columns]
        first = self._first_alike(done)
        if first < len(numbers):
            alike = numbers[first:]
            alike.sort()
            numbers[first:] = alike
        key = 0
        for number in reversed(numbers):
            key = (key | number) << _NUMBER_BITS
        key |= done
        if key in self._known:
            return
        self._known.add(key)
        cost = 0
        for column in columns:
            cost += column.cost
        for cards in self._deals[done:]:
            cost += len(cards) * self._per_stock_card
        place = cost >> _COST_STEP
        queued = self._queue.get(place)
        if queued is None:
            queued = self._queue[place] = array("I")
        queued.append(len(self._keys))
        if place < self._cheapest or len(self._keys) == 0:
            self._cheapest = place
        self._keys.append(key)
        self._parents.append(parent)
        self._actions.append(action)

    def _pop(self) -> int:
        """Return the latest of the cheapest positions and take it off the queue, or -1."""
        while self._queue:
            queued = self._queue.get(self._cheapest)
            if queued:
                return queued.pop()
            if queued is not None:
                del self._queue[self._cheapest]
            if self._queue and self._cheapest not in self._queue:
                self._cheapest = min(self._queue)
        return -1

    # The moves.

    def _expand(self, columns: list[Column], done: int, number: int) -> None:
        """Queue what follows from position `number`: after each removal, move and deal."""
        first = self._first_alike(done)
        spaces = _spaces(columns, first)
        for here, source in enumerate(columns):
            from_here = here << SOURCE_SHIFT
            if source.run == SUIT_SIZE and self._keeps_suits:
                self._add_after(columns, done, number, REMOVE | from_here)
            for to, target in enumerate(columns):
                n = target.last - source.last
                if 0 < n <= source.run and target.last != SPACE:
                    self._budget.spent += 1
                    self._add_after(columns, done, number, n | from_here | to << TARGET_SHIFT)
            for to in spaces:
                # Columns that are alike need no whole column moved from one to another.
                whole = source.size if here >= first and to >= first else 0
                for n in range(1, source.run + 1):
                    if n != whole:
                        self._budget.spent += 1
                        self._add_after(columns, done, number, n | from_here | to << TARGET_SHIFT)
        if done < len(self._deals) and (self._relaxed or not spaces):
            self._budget.spent += 1
            self._add_after(columns, done, number, DEAL)

    def _add_after(self, columns: list[Column], done: int, number: int, action: int) -> None:
        """Queue the position after an action in position `number`, after `done` deals."""
        after = self._after(columns, done, action)
        self._add(after, done + 1 if action == DEAL else done, number, action)

    def _after(self, columns: list[Column], done: int, action: int) -> list[Column]:
        """Return the columns after an action."""
        all_columns, after = self._all_columns, columns.copy()
        if action == DEAL:
            for place, card in enumerate(self._deals[done]):
                after[place] = all_columns.with_run(after[place], card, 1)
            return after
        here = action >> SOURCE_SHIFT & PILE_MASK
        source = columns[here]
        if action >= NOT_A_MOVE:
            after[here] = all_columns.without(source, SUIT_SIZE)
            return after
        to, n = action >> TARGET_SHIFT, action & COUNT_MASK
        after[here] = all_columns.without(source, n)
        after[to] = all_columns.with_run(columns[to], source.head - source.run + n, n)
        return after

    # The line.

    def _line(self, number: int, columns: list[Column]) -> list[int]:
        """Return the actions that lead to a position, with the columns where they really lie."""
        actions: list[int] = []
        while number:
            actions.append(self._actions[number])
            number = self._parents[number]
        line: list[int] = []
        done = 0
        for action in reversed(actions):
            places = _places(columns, self._first_alike(done))
            placed = action
            if action != DEAL:
                placed &= ~(PILE_MASK << SOURCE_SHIFT)
                placed |= places[action >> SOURCE_SHIFT & PILE_MASK] << SOURCE_SHIFT
            if action < NOT_A_MOVE:
                placed &= ~(PILE_MASK << TARGET_SHIFT)
                placed |= places[action >> TARGET_SHIFT] << TARGET_SHIFT
            columns = self._after(columns, done, placed)
            done += action == DEAL
            line.append(placed)
        return line


def _is_won(columns: list[Column]) -> bool:
    """Return whether each column is empty or one complete suit."""
    for column in columns:
        if column.size and (column.size != SUIT_SIZE or column.run != SUIT_SIZE):
            return False
    return True


def _spaces(columns: list[Column], first: int) -> list[int]:
    """Return the empty columns, of those that are alike only one."""
    spaces: list[int] = []
    for place, column in enumerate(columns):
        if not column.size:
            spaces.append(place)
            if place >= first:
                break
    return spaces


def _places(columns: list[Column], first: int) -> list[int]:
    """Return the places of columns in the order in which their position is stored."""
    places = list(range(len(columns)))
    alike = places[first:]
    alike.sort(key=lambda place: columns[place].number)
    return places[:first] + alike

"""Searches that try every legal move: if one ends without a goal, no goal can be reached.

1. The key of a position consists of the numbers of its columns, so no two positions share a key.
2. In a key, columns whose order matters to no later deal are sorted by number. Once the stock is
   empty, that means every column.
3. The cheapest positions come first, to find a goal early. A proof needs all of them.
4. Where players remove suits themselves, a complete suit may stay, and removing it is an action.
"""

import sys
from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from typing import Final

from protocol.vocabulary import SUIT_SIZE
from server.games import actions
from server.games.actions import (
    COUNT_MASK,
    DEAL,
    NOT_A_MOVE,
    PILE_MASK,
    REMOVE,
    SOURCE_SHIFT,
    TARGET_SHIFT,
)
from server.solver.beam import Budget
from server.solver.columns import Column, Columns, first_space, list_all, number_bytes

_COST_BITS: Final = 4  # this many low bits of a cost do not affect the order of the search
_NUMBER_BITS: Final = 32  # enough for the number of any position
_NUMBER_MASK: Final = (1 << _NUMBER_BITS) - 1
_COLUMN_WEIGHT: Final = 8  # one column with its caches takes the memory of this many positions


class Exploration(ABC):
    """A search of all positions that can be reached, the cheapest first, until one is a goal."""

    def __init__(
        self,
        all_columns: Columns,
        start: list[Column],
        max_positions: int,
        deals: Sequence[bytes] = (),
        *,
        budget: Budget | None = None,
        relaxed: bool = False,
    ) -> None:
        """Prepare a search. `relaxed`: whether the next `deals` may go onto empty columns."""
        self._all_columns, self._start, self._deals = all_columns, start, deals
        self._max_positions = max_positions
        self._budget = budget or Budget(sys.maxsize)
        self._relaxed = relaxed
        self._deal_numbers = [number_bytes(dealt) for dealt in range(len(deals) + 1)]
        # By the number of deals made: the first column that gets no card in any later deal; deals
        # never get larger. From there on the order of columns makes no difference.
        self._unordered_from = [*map(len, deals), 0]
        # A card in the stock costs as much as one that lies face down.
        self._per_stock_card = all_columns.weights.card + all_columns.weights.down
        # By position, in order of discovery: its key, its parent, and the action from the parent.
        self._keys: list[bytes] = []
        self._parents = array("I")
        self._actions = array("I")
        self._known: set[bytes] = set()  # the same keys
        # A heap of rounded costs and inverted numbers: of equal costs, the latest comes first.
        self._queue: list[int] = []
        # After all steps:
        self.goal = -1  # the number of a position that is a goal; -1 if none was found
        self.is_exhausted = False  # whether the search has seen all positions and found no goal

    @abstractmethod
    def _is_goal(self, columns: list[Column], dealt: int) -> bool:
        """Return whether this position, after `dealt` deals, is a goal."""

    def _is_full(self) -> bool:
        return len(self._keys) > self._max_positions

    def steps(self) -> Iterator[None]:
        """Search; each step looks at one position."""
        key = self._key([column.number for column in self._start], dealt=0)
        self._add(key, self._start, dealt=0, parent=0, action=0)
        while self.goal < 0 and self._queue:
            number = _NUMBER_MASK - (heappop(self._queue) & _NUMBER_MASK)
            if not self._budget.is_left() or self._is_full():
                return
            self._expand(self.columns_of(number), _numbers_in(self._keys[number])[-1], number)
            yield
        self.is_exhausted = self.goal < 0

    def search(self) -> list[int] | None:
        """Return actions that reach a goal, or None. With `keeps_suits` they include removals."""
        for _ in self.steps():
            pass
        return None if self.goal < 0 else self.line(self.goal)

    def columns_of(self, number: int) -> list[Column]:
        """Return the columns of a position, in the order of its key."""
        made = self._all_columns.made
        return [made[each] for each in _numbers_in(self._keys[number])[:-1]]

    def _add(
        self, key: bytes, columns: list[Column], dealt: int, parent: int, action: int
    ) -> None:
        """Store and queue a position after `dealt` deals, reached by `action` from `parent`."""
        self._known.add(key)
        cost = sum([column.cost for column in columns])
        cost += self._per_stock_card * sum(map(len, self._deals[dealt:]))
        number = len(self._keys)
        rounded, newest_first = cost >> _COST_BITS, _NUMBER_MASK - number
        heappush(self._queue, rounded << _NUMBER_BITS | newest_first)
        if self._is_goal(columns, dealt):
            self.goal = number
        self._keys.append(key)
        self._parents.append(parent)
        self._actions.append(action)

    def _key(self, numbers: list[bytes], dealt: int) -> bytes:
        """Return the key of a position, given the `numbers` of its columns, which this sorts.

        Only columns that get no more cards are sorted: their order is irrelevant.
        """
        unordered_from = self._unordered_from[dealt]
        if not unordered_from:
            numbers.sort()
        elif unordered_from < len(numbers):
            numbers[unordered_from:] = sorted(numbers[unordered_from:])
        numbers.append(self._deal_numbers[dealt])
        return b"".join(numbers)

    def _expand(self, columns: list[Column], dealt: int, number: int) -> None:
        """Add the new positions that follow position `number`, which has these columns."""
        all_columns = self._all_columns
        numbers = [column.number for column in columns]
        listed = self._list_actions(columns, dealt)
        self._budget.spent += len(listed)
        for action in listed:
            dealt_after = dealt
            if action < NOT_A_MOVE:
                # Most moves lead to known positions: columns are computed below, for new ones.
                here, to = action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT
                n, column = action & COUNT_MASK, columns[here]
                after = numbers.copy()
                after[here] = all_columns.without(column, n).number
                head = column.head - column.run + n
                after[to] = all_columns.with_run(columns[to], head, n).number
            else:
                dealt_after += action == DEAL
                after = [column.number for column in self._after(columns, dealt, action)]
            key = self._key(after, dealt_after)
            if key not in self._known:
                self._add(key, self._after(columns, dealt, action), dealt_after, number, action)

    def _list_actions(self, columns: list[Column], dealt: int) -> list[int]:
        """Return the actions to try after `dealt` deals, without equivalent ones."""
        listed = list_all(columns, self._unordered_from[dealt])
        if self._all_columns.keeps_suits:
            for here, column in enumerate(columns):
                if column.run == SUIT_SIZE:
                    listed.append(REMOVE | here << SOURCE_SHIFT)
        if dealt < len(self._deals) and (self._relaxed or first_space(columns) < 0):
            listed.append(DEAL)
        return listed

    def _after(self, columns: list[Column], dealt: int, action: int) -> list[Column]:
        """Return the columns after an action, which comes after `dealt` deals."""
        all_columns, after = self._all_columns, columns.copy()
        if action == DEAL:
            return all_columns.dealt_to(columns, self._deals[dealt])
        here = action >> SOURCE_SHIFT & PILE_MASK
        column = columns[here]
        if action >= NOT_A_MOVE:
            after[here] = all_columns.without(column, SUIT_SIZE)
            return after
        to, n = action >> TARGET_SHIFT, action & COUNT_MASK
        after[here] = all_columns.without(column, n)
        after[to] = all_columns.with_run(columns[to], column.head - column.run + n, n)
        return after

    def line(self, number: int) -> list[int]:
        """Return the actions to position `number`, with columns numbered as on the table."""
        columns, dealt = self._start, 0
        stored: list[int] = []
        while number:
            stored.append(self._actions[number])
            number = self._parents[number]
        line: list[int] = []
        for action in reversed(stored):
            # Stored actions number the columns in the order of the key, which sorts some of them.
            places = _order_in_key(columns, self._unordered_from[dealt])
            played: int = DEAL
            if action < NOT_A_MOVE:
                here, to = places[actions.source(action)], places[actions.target(action)]
                played = actions.move(here, actions.count(action), to)
            elif action != DEAL:
                played = actions.remove(places[actions.source(action)])
            columns = self._after(columns, dealt, played)
            dealt += action == DEAL
            line.append(played)
        return line


class ExhaustiveSearch(Exploration):
    """The search for a win from a position with known cards."""

    def _is_goal(self, columns: list[Column], dealt: int) -> bool:
        if dealt < len(self._deals):
            return False
        for column in columns:  # a complete suit may stay, alone in its column
            if column.size and (column.size != SUIT_SIZE or column.run != SUIT_SIZE):
                return False
        return True

    def _is_full(self) -> bool:
        stored = len(self._keys) + _COLUMN_WEIGHT * len(self._all_columns.made)
        return stored > self._max_positions


def _numbers_in(key: bytes) -> list[int]:
    """Return the numbers in a key: one for each column, and the number of deals made."""
    return memoryview(key).cast("I").tolist()


def _order_in_key(columns: list[Column], unordered_from: int) -> list[int]:
    """Return the indexes of columns in the order of their key, sorted from `unordered_from` on."""
    rest = sorted(range(unordered_from, len(columns)), key=lambda index: columns[index].number)
    return [*range(unordered_from), *rest]

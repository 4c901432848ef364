"""The positions of a search, and the moves between columns that it looks at."""

from typing import Final

from server.games.actions import SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import RANK_MASK, SUIT_SHIFT
from server.games.tableau import SPACE
from server.solver.columns import Column

START: Final = -1
"""The action of a position that begins a search."""


class Position:
    """Columns from left to right, and the action that led to them."""

    __slots__ = ("action", "columns", "cost", "key", "parent")

    def __init__(
        self, columns: list[Column], parent: "Position | None", action: int, cost: int, key: int
    ) -> None:
        self.columns = columns
        self.parent = parent
        self.action = action
        self.cost = cost
        self.key = key

    def actions(self) -> list[int]:
        """Return the actions from the beginning of the search, removals left out."""
        actions: list[int] = []
        position: Position | None = self
        while position is not None and position.action != START:
            actions.append(position.action)
            position = position.parent
        actions.reverse()
        return actions

    def cards(self) -> int:
        """Return the number of cards on the table."""
        cards = 0
        for column in self.columns:
            cards += column.size
        return cards

    def space(self) -> int:
        """Return the first empty column, or -1."""
        for place, column in enumerate(self.columns):
            if not column.size:
                return place
        return -1


def place_factor(place: int, *, ordered: bool) -> int:
    """Return what the key of a column counts at a place."""
    return 2 * place + 1 if ordered else 1


def key_of(columns: list[Column], *, ordered: bool) -> int:
    """Return the key of a position; the order of its columns counts while the stock has cards."""
    key = 0
    for place, column in enumerate(columns):
        key += column.key * place_factor(place, ordered=ordered)
    return key


def cost_of_all(columns: list[Column]) -> int:
    """Return the cost of a position."""
    cost = 0
    for column in columns:
        cost += column.cost
    return cost


def list_promising(columns: list[Column]) -> list[int]:
    """Return the moves of whole runs, and of parts where a longer run comes of it."""
    moves: list[int] = []
    space = _first_space(columns)
    for here, column in enumerate(columns):
        run = column.run
        if not run:
            continue
        wanted = (column.head & RANK_MASK) + 1
        for to, onto in enumerate(columns):
            rank = onto.last
            if rank == SPACE:
                if to == space and run < column.size:
                    moves.append(run | here << SOURCE_SHIFT | to << TARGET_SHIFT)
            elif rank == wanted:
                moves.append(run | here << SOURCE_SHIFT | to << TARGET_SHIFT)
            elif column.last < rank < wanted and to != here:
                part = rank - column.last
                same_suit = onto.head >> SUIT_SHIFT == column.head >> SUIT_SHIFT
                if same_suit and onto.run + part > run:
                    moves.append(part | here << SOURCE_SHIFT | to << TARGET_SHIFT)
    return moves


def list_all(columns: list[Column]) -> list[int]:
    """Return the moves of runs and of their parts, of all empty columns only onto the first."""
    moves: list[int] = []
    space = _first_space(columns)
    for here, column in enumerate(columns):
        run = column.run
        if not run:
            continue
        for to, onto in enumerate(columns):
            rank = onto.last
            if rank == SPACE:
                if to == space:
                    most = run if run < column.size else run - 1
                    onto_space = here << SOURCE_SHIFT | to << TARGET_SHIFT
                    moves += [n | onto_space for n in range(1, most + 1)]
            elif column.last < rank <= column.last + run and to != here:
                part = rank - column.last
                moves.append(part | here << SOURCE_SHIFT | to << TARGET_SHIFT)
    return moves


def _first_space(columns: list[Column]) -> int:
    for place, column in enumerate(columns):
        if not column.run:
            return place
    return -1

"""The moves of the same cards onto each set of columns, as tuples that are made once."""

from typing import Final

from protocol.games import GAMES
from protocol.vocabulary import SUIT_SIZE
from server.games.actions import Action, move

MOST_COLUMNS: Final = max(game.columns for game in GAMES.values())
KEPT: Final = 200
"""The number of sets that each table keeps, so that all tables together stay below 4 MB.

A server that has played for days has met about fifty sets with most of its tables.
"""


class MovesOnto(dict[int, tuple[Action, ...]]):
    """The moves of the last `count` cards of a column, by the set of their targets.

    A set of columns is a mask of bits, and the moves are in the order of their targets.
    """

    __slots__ = ("_moves",)

    def __init__(self, source: int, count: int) -> None:
        self._moves = [move(source, count, target) for target in range(MOST_COLUMNS)]

    def __missing__(self, targets: int) -> tuple[Action, ...]:
        moves = tuple(each for bit, each in enumerate(self._moves) if targets >> bit & 1)
        if len(self) < KEPT:
            self[targets] = moves
        return moves


MOVES: Final[tuple[tuple[MovesOnto, ...], ...]] = tuple(
    tuple(MovesOnto(source, count) for count in range(SUIT_SIZE + 1))
    for source in range(MOST_COLUMNS)
)
"""The moves of the last cards of each column, by the column and the number of cards."""

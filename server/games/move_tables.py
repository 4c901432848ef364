"""The moves of the same cards onto each set of piles, as tuples that are made once."""

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import PILE_MASK, Action, move

MOST_COLUMNS = 10


class MovesOnto(dict[int, tuple[Action, ...]]):
    """The moves of the last `count` cards of a pile, by the set of their targets.

    A set of piles is a mask of bits, and the moves are in the order of their targets. Each tuple
    is made when its set first occurs, since few of all sets ever do.
    """

    __slots__ = ("_count", "_source")

    def __init__(self, source: int, count: int) -> None:
        self._source, self._count = source, count

    def __missing__(self, targets: int) -> tuple[Action, ...]:
        moves = tuple(
            move(self._source, self._count, target)
            for target in range(PILE_MASK + 1)
            if targets >> target & 1
        )
        self[targets] = moves
        return moves


MOVES: tuple[tuple[MovesOnto, ...], ...] = tuple(
    tuple(MovesOnto(source, count) for count in range(SUIT_SIZE + 1))
    for source in range(MOST_COLUMNS)
)
"""The moves of the last cards of each column, by the column and the number of cards."""

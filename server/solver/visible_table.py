"""What a player sees of a table: all that a computer player may know."""

from dataclasses import dataclass
from typing import Final

from protocol.games import GameId

UNKNOWN: Final = 0x7F
"""A card whose face nobody sees. Its rank is above all others, so no card fits on it."""


@dataclass(frozen=True, slots=True)
class VisibleColumn:
    """A column: its face-down cards are counted only."""

    down: int
    """The number of cards that lie face down."""
    cards: bytes
    """The face-up cards on them, bottom to top."""

    @property
    def searchable(self) -> bytes:
        """All cards of the column, those face down as unknown ones."""
        return bytes((UNKNOWN,)) * self.down + self.cards


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """A table as its player sees it."""

    game: GameId
    """The game that is played."""
    columns: tuple[VisibleColumn, ...]
    """The columns, from left to right."""
    foundations: tuple[bytes, ...]
    """The cards of each foundation, bottom to top."""
    unseen: tuple[int, ...]
    """The cards that nobody has seen yet, sorted: those face down and those of the stock."""
    stock: int
    """The number of cards that are not dealt."""
    relaxed: bool = False
    """Whether cards are dealt onto empty columns, too."""
    counts_pairs: bool = True
    """Whether pairs add to the score."""

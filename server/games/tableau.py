from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import sub
from typing import Self

from protocol.vocabulary import SUIT_SIZE
from server.games.cards import RANK_MASK, SUIT_RUNS, SUIT_SHIFT, PileState
from server.games.errors import NotationError


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a tableau: its columns, its suits, and the face-down cards it begins with.

    `hidden` is the number of face-down cards dealt to each column, `face_down` their sum, and
    `born_open` the number of columns that begin without any.
    """

    columns: int
    suits: int
    hidden: tuple[int, ...]
    face_down: int = field(init=False)
    born_open: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "face_down", sum(self.hidden))
        object.__setattr__(self, "born_open", self.hidden.count(0))


class Tableau:
    """The columns of Spider, with four measurements of each column.

    `cards` holds the cards of each column, bottom to top, and `down` the number of its face-down
    cards. The measurements are `last`, the rank of the last card (0 for an empty column); `run`,
    the length of the one-suit run at the end; `mixed`, the length of the run of any suits at the
    end, kept only if `exceptions` is true; and `pairs`, the number of face-up cards on the next
    higher card of their suit. Code that changes `cards` or `down` must call `measure`; `turn`
    and `move` and `take_suit` leave that to their caller.
    """

    __slots__ = ("cards", "down", "exceptions", "last", "mixed", "pairs", "run")

    def __init__(self, piles: Sequence[PileState], *, exceptions: bool) -> None:
        size = len(piles)
        self.cards = [bytearray(pile.cards) for pile in piles]
        self.down = bytearray(pile.down for pile in piles)
        self.exceptions = exceptions
        self.last, self.run = bytearray(size), bytearray(size)
        self.mixed, self.pairs = bytearray(size), bytearray(size)
        for place in range(size):
            self.measure(place)

    def copy(self) -> Self:
        """Return an independent copy."""
        twin = object.__new__(type(self))
        twin.cards = [column[:] for column in self.cards]
        twin.down, twin.exceptions = self.down[:], self.exceptions
        twin.last, twin.run = self.last[:], self.run[:]
        twin.mixed, twin.pairs = self.mixed[:], self.pairs[:]
        return twin

    def measure(self, place: int) -> None:
        """Measure a column again after it has changed."""
        column = self.cards[place]
        if not column:
            self.last[place] = self.run[place] = self.mixed[place] = self.pairs[place] = 0
            return
        self.last[place] = column[-1] & RANK_MASK
        up = column[self.down[place] :]
        steps = [*map(sub, up, up[1:])]
        run = 1
        if pairs := steps.count(1):
            for step in reversed(steps):
                if step != 1:
                    break
                run += 1
        self.run[place] = run
        self.pairs[place] = pairs
        if self.exceptions:
            for step in steps[-run::-1]:
                if step & RANK_MASK != 1:
                    break
                run += 1
            self.mixed[place] = run

    def turn(self, place: int) -> int:
        """Turn up the last card if it lies face down; return the column as a bit, or 0."""
        down = self.down[place]
        if down and down == len(self.cards[place]):
            self.down[place] = down - 1
            return 1 << place
        return 0

    def move(self, source: int, n: int, target: int) -> None:
        """Move the last cards of a column to another."""
        column = self.cards[source]
        self.cards[target] += column[-n:]
        del column[-n:]

    def take_suit(self, place: int) -> int:
        """Remove the complete suit at the end of a column and return its suit."""
        column = self.cards[place]
        suit = column[-1] >> SUIT_SHIFT
        del column[-SUIT_SIZE:]
        return suit

    def is_complete(self) -> bool:
        """Return whether every column is empty or holds one complete suit and nothing else."""
        # RULES 6: the comparison of lengths comes first, since it is cheap and usually false.
        run = self.run
        return run.count(0) + run.count(SUIT_SIZE) == len(run) and all(
            len(column) in {0, SUIT_SIZE} for column in self.cards
        )

    def complete_suits(self) -> int:
        """Return the number of complete suits that lie face up anywhere in the columns."""
        return sum(
            column.count(run, down)
            for column, down in zip(self.cards, self.down, strict=True)
            if len(column) - down >= SUIT_SIZE
            for run in SUIT_RUNS
        )

    def spaces(self) -> tuple[int, ...]:
        """Return the empty columns."""
        return tuple(place for place, rank in enumerate(self.last) if not rank)


def check_columns(shape: Shape, piles: Sequence[PileState]) -> None:
    """Refuse columns that no game can reach.

    Raises:
        NotationError: A column has more face-down cards than it was dealt, or its last card
            lies face down.
    """
    for index, hidden in enumerate(shape.hidden):
        down, cards = piles[index]
        if down > hidden:
            raise NotationError(f"column {index + 1} has never had {down} cards face down")
        if down and down == len(cards):
            raise NotationError(f"the last card of column {index + 1} must lie face up")

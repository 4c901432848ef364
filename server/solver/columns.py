"""Positions, and columns as shared objects, so that two look-ups are enough to price a move.

1. Within one `Columns`, two columns with the same cards are the same object.
2. Columns never change. A column caches the columns that it turns into without its last cards, or
   with a run on top.
3. A complete suit leaves at once, and a card that becomes the last one turns up. So no column ends
   with a complete suit or a face-down card. In an exhaustive search, suits may stay.
4. Cards are small integers: within a suit, each is one more than the next lower card. A *space* is
   an empty column.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import COUNT_MASK, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import KING, RANK_MASK, SUIT_SHIFT, PileState
from server.games.tableau import SPACE


@dataclass(frozen=True, slots=True)
class Weights:
    """The costs of a column's features. The cost of a position is the sum over its columns.

    Lower is better, but only positions of the same deal can be compared. `climb_weights.py` found
    the defaults, which the search uses in all games.
    """

    card: int = 84  # each card on the table; a suit that leaves saves this thirteen times
    down: int = 71  # each face-down card
    has_down: int = 48  # a column with face-down cards
    run_on_down: int = 12  # each run above face-down cards
    deep: int = 0  # each pair of face-down cards in a column: the lower one turns up later
    joined: int = 36  # subtracted for each card on the next higher one of its suit
    longer: int = 8  # also subtracted for such a card, once for each card of the run below it
    mixed: int = 83  # each card on the next higher one of another suit
    broken: int = 14  # each card on any other card
    inverted: int = 41  # added if such a card is higher than the one that it covers
    above: int = -4  # for each card that a broken one covers: each card above it
    space: int = 205  # subtracted for an empty column
    king: int = 22  # subtracted for a king at the bottom of its column
    end: int = -1  # for each rank from the last card up to a king


COLUMN_WEIGHTS: Final = Weights()


def cost_of(cards: bytes, down: int, weights: Weights) -> int:
    """Return the cost of a column whose first `down` cards lie face down."""
    size = len(cards)
    if not size:
        return -weights.space
    cost = size * weights.card + (KING - (cards[-1] & RANK_MASK)) * weights.end
    if down:
        cost += weights.has_down + weights.run_on_down
        cost += down * weights.down + down * (down - 1) // 2 * weights.deep
    elif cards[0] & RANK_MASK == KING:
        cost -= weights.king
    run = 1
    for index in range(down + 1, size):
        under, card = cards[index - 1], cards[index]
        if under == card + 1:
            cost -= weights.joined + run * weights.longer
            run += 1
            continue
        run = 1
        if down:
            cost += weights.run_on_down
        if (under - card) & RANK_MASK == 1:
            cost += weights.mixed
        else:
            cost += weights.broken + (size - index) * weights.above
            if card & RANK_MASK > under & RANK_MASK:
                cost += weights.inverted
    return cost


_KEY_BITS: Final = 44  # few enough for sums of keys to remain small integers
_KEY_MASK: Final = (1 << _KEY_BITS) - 1
_LENGTH_BITS: Final = 4  # enough for the length of a run


def draw_key(cards: bytes, salt: bytes, max_noise: int) -> tuple[int, int]:
    """Return the key of a column or pile, and the noise in its cost, both from a salted hash."""
    chance = int.from_bytes(blake2b(cards, digest_size=8, key=salt).digest(), "big")
    noise = (chance >> _KEY_BITS) % (2 * max_noise + 1) - max_noise
    return chance & _KEY_MASK, noise


def number_bytes(number: int) -> bytes:
    """Return a number as four bytes. The exact keys of an exhaustive search consist of these."""
    return number.to_bytes(4, sys.byteorder)


class Column:
    """The cards of a column, with all that a search needs to know about them."""

    __slots__ = ("cards", "cost", "down", "grown", "head", "key",
                 "last_rank", "number", "rests", "run", "size")  # fmt: skip

    def __init__(self, cards: bytes, down: int, cost: int, key: int, number: int) -> None:
        self.number = number_bytes(number)  # its index in `Columns.made`
        self.cards = cards  # bottom to top
        self.down = down  # the number of face-down cards
        self.size = len(cards)
        self.cost = cost  # its share of a position's cost
        self.key = key  # its share of a position's key
        self.run = length_of_run(cards, down)  # the length of the one-suit run at the end
        self.last_rank = cards[-1] & RANK_MASK if cards else SPACE
        self.head = cards[-self.run] if cards else 0  # the first card of that run, its highest
        self.rests: list[Column | None] = [None] * (self.run + 1)  # the cache of `Columns.without`
        self.grown: dict[int, Column] = {}  # the cache of `Columns.with_run`


class Columns:
    """All columns of one search. With `keeps_suits`, suits stay until `without` takes them off."""

    def __init__(
        self, weights: Weights, *, noise: int = 0, seed: int = 0, keeps_suits: bool = False
    ) -> None:
        """Vary the cost of each column by up to `noise`, depending on `seed`."""
        self.made: list[Column] = []  # all columns made so far
        self.weights = weights
        self.keeps_suits = keeps_suits
        self._noise = noise
        self._salt = (seed & (1 << 64) - 1).to_bytes(8, "big")
        self._known: dict[bytes, Column] = {}

    def of(self, piles: Sequence[PileState]) -> list[Column]:
        """Return the columns that have the cards of these piles."""
        return [self.column(bytes(pile.cards), pile.down) for pile in piles]

    def column(self, cards: bytes, down: int) -> Column:
        """Return the column of these cards, `down` face down, once complete suits have left."""
        while True:
            if down and down == len(cards):
                down -= 1  # the last card turns up
            if self.keeps_suits or length_of_run(cards, down) < SUIT_SIZE:
                break
            cards = cards[:-SUIT_SIZE]  # a complete suit leaves
        content = bytes((down,)) + cards
        if (found := self._known.get(content)) is None:
            key, noise = draw_key(content, self._salt, self._noise)
            cost = cost_of(cards, down, self.weights) + noise
            found = self._known[content] = Column(cards, down, cost, key, len(self.made))
            self.made.append(found)
        return found

    def without(self, column: Column, n: int) -> Column:
        """Return a column without the last `n` cards of the run at its end."""
        if (rest := column.rests[n]) is None:
            rest = column.rests[n] = self.column(column.cards[: column.size - n], column.down)
        return rest

    def with_run(self, column: Column, head: int, n: int) -> Column:
        """Return a column with a run of `n` cards on top; `head` is the run's highest card."""
        run = head << _LENGTH_BITS | n
        if (grown := column.grown.get(run)) is None:
            cards = column.cards + bytes(range(head, head - n, -1))
            grown = column.grown[run] = self.column(cards, column.down)
        return grown

    def dealt_to(self, columns: list[Column], cards: bytes) -> list[Column]:
        """Return these columns after a deal, which puts one card on each of the first ones."""
        after = columns.copy()
        for index, card in enumerate(cards):
            after[index] = self.with_run(after[index], card, 1)
        return after


def length_of_run(cards: bytes, down: int) -> int:
    """Return the length of the one-suit run at the end; the first `down` cards lie face down."""
    up = len(cards) - down
    if not up:
        return 0
    length = 1
    while length < up and cards[-length - 1] == cards[-length] + 1:
        length += 1
    return length


def pairs_in(columns: list[Column]) -> int:
    """Return how many face-up cards lie on the next higher card of their suit."""
    pairs = 0
    for column in columns:
        cards = column.cards
        for index in range(column.down + 1, column.size):
            pairs += cards[index - 1] == cards[index] + 1
    return pairs


START: Final = -1  # the action of the first position of a search


class Reached:
    """A position that a search has reached, with the action that led to it."""

    __slots__ = ("action", "cost", "key", "parent")

    def __init__(self, parent: "Reached | None", action: int, cost: int, key: int) -> None:
        self.parent = parent
        self.action = action
        self.cost = cost  # the search goes on from the cheapest positions
        self.key = key  # the same for equal positions

    def size(self) -> int:
        """Return the number of cards on the table; subclasses define it."""
        raise NotImplementedError

    def actions(self) -> list[int]:
        """Return the actions from the start of the search to this position, without removals."""
        actions: list[int] = []
        position: Reached | None = self
        while position is not None and position.action != START:
            actions.append(position.action)
            position = position.parent
        actions.reverse()
        return actions


class Position(Reached):
    """A position of columns. Its key is the sum of theirs, weighted by index if order matters."""

    __slots__ = ("columns",)

    def __init__(
        self, columns: list[Column], parent: Reached | None, action: int, cost: int, key: int
    ) -> None:
        super().__init__(parent, action, cost, key)
        self.columns = columns

    def size(self) -> int:
        """Return the number of cards on the table."""
        return size_of(self.columns)


def size_of(columns: list[Column]) -> int:
    """Return the number of cards in all these columns."""
    return sum([column.size for column in columns])


def position_with(columns: list[Column], parent: Position | None, action: int) -> Position:
    """Return the position with these columns, in order. For moves, `after_move` is faster."""
    cost = key = 0
    for index, column in enumerate(columns):
        cost += column.cost
        key += column.key * (2 * index + 1)  # no two places have the same factor
    return Position(columns, parent, action, cost, key)


def after_move(all_columns: Columns, position: Position, move: int, *, ordered: bool) -> Position:
    """Return the position after a move; `ordered`: whether the order of columns matters."""
    here, to, n = move >> SOURCE_SHIFT & PILE_MASK, move >> TARGET_SHIFT, move & COUNT_MASK
    columns = position.columns.copy()
    source, target = columns[here], columns[to]
    rest = all_columns.without(source, n)
    head = source.head - source.run + n  # the highest card that moves
    grown = all_columns.with_run(target, head, n)
    columns[here], columns[to] = rest, grown
    cost = position.cost + rest.cost + grown.cost - source.cost - target.cost
    gained_here, gained_to = rest.key - source.key, grown.key - target.key
    if ordered:  # multiply each column's part of the key by a factor for its place
        gained_here, gained_to = gained_here * (2 * here + 1), gained_to * (2 * to + 1)
    return Position(columns, position, move, cost, position.key + gained_here + gained_to)


def list_promising(columns: list[Column]) -> list[int]:
    """Return the moves of whole runs, and of parts of runs if these make another run longer."""
    moves: list[int] = []
    space = first_space(columns)
    for here, column in enumerate(columns):
        run = column.run
        if not run:
            continue
        wanted = (column.head & RANK_MASK) + 1
        for to, onto in enumerate(columns):
            rank = onto.last_rank
            if rank == SPACE:
                if to == space and run < column.size:  # a whole column would gain nothing there
                    moves.append(run | here << SOURCE_SHIFT | to << TARGET_SHIFT)
            elif rank == wanted:
                moves.append(run | here << SOURCE_SHIFT | to << TARGET_SHIFT)
            elif column.last_rank < rank < wanted and to != here:
                # Only the end of the run fits; it must make the target's run longer than this one.
                n = rank - column.last_rank
                same_suit = onto.head >> SUIT_SHIFT == column.head >> SUIT_SHIFT
                if same_suit and onto.run + n > run:
                    moves.append(n | here << SOURCE_SHIFT | to << TARGET_SHIFT)
    return moves


def list_all(columns: list[Column], unordered_from: int = 0) -> list[int]:
    """Return the moves of runs and of their parts, without moves that are equivalent to others.

    The order of the columns from `unordered_from` on does not matter. So only the first empty one
    of them is a target, and no other one of them moves there as a whole.
    """
    moves: list[int] = []
    spaces = 0  # bit n is set if column n is empty and a target
    for index, column in enumerate(columns):
        if not column.run:
            spaces |= 1 << index
            if index >= unordered_from:
                break
    for here, column in enumerate(columns):
        run = column.run
        if not run:
            continue
        for to, onto in enumerate(columns):
            rank = onto.last_rank
            if rank == SPACE:
                if spaces >> to & 1:
                    # If the order of the two does not matter, moving all cards changes nothing.
                    is_swap = run == column.size and min(here, to) >= unordered_from
                    max_count = run - 1 if is_swap else run
                    onto_space = here << SOURCE_SHIFT | to << TARGET_SHIFT
                    moves += [n | onto_space for n in range(1, max_count + 1)]
            elif column.last_rank < rank <= column.last_rank + run and to != here:
                n = rank - column.last_rank
                moves.append(n | here << SOURCE_SHIFT | to << TARGET_SHIFT)
    return moves


def first_space(columns: list[Column]) -> int:
    """Return the index of the first empty column, or -1."""
    for index, column in enumerate(columns):
        if not column.run:
            return index
    return -1

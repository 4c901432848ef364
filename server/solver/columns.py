"""Columns as objects that exist once, so that a move is priced by two look-ups.

1. Two columns with the same cards are the same object, within one `Columns`.
2. A column is never changed. "Without its last cards" and "with this run on it" are other
   columns, which it keeps once they were asked for.
3. A complete suit leaves at once, and a card that becomes the last one turns up. So no column
   ends with a complete suit, or with a card face down. An exhaustive search lets suits stay.
"""

from hashlib import blake2b
from typing import Final

from protocol.vocabulary import SUIT_SIZE
from server.games.cards import RANK_MASK
from server.games.tableau import SPACE
from server.solver.costs import cost_of
from server.solver.weights import Weights

KEY_BITS: Final = 44
"""The bits of a column's key: few enough for sums of keys to remain small integers."""
_KEY_MASK: Final = (1 << KEY_BITS) - 1
_LENGTH_BITS: Final = 4


class Column:
    """The cards of a column, with what a search asks of them."""

    __slots__ = (
        "cards",
        "cost",
        "down",
        "grown",
        "head",
        "key",
        "last",
        "number",
        "rests",
        "run",
        "size",
    )

    def __init__(self, cards: bytes, down: int, cost: int, key: int, number: int) -> None:
        self.number = number  # counted from 0 in the order in which columns were made
        self.cards = cards  # bottom to top
        self.down = down  # the number of cards face down
        self.size = len(cards)
        self.cost = cost
        self.key = key
        self.run = length_of_run(cards, down)  # the length of the one-suit run at the end
        self.last = cards[-1] & RANK_MASK if cards else SPACE
        self.head = cards[-self.run] if cards else 0  # the first card of that run
        self.rests: list[Column | None] = [None] * (self.run + 1)
        self.grown: dict[int, Column] = {}


class Columns:
    """All columns of one search, made with the same weights and the same noise.

    With `keeps_suits` complete suits stay until `without` takes them off.
    """

    def __init__(
        self, weights: Weights, *, noise: int = 0, seed: int = 0, keeps_suits: bool = False
    ) -> None:
        self.made: list[Column] = []
        """All columns that were asked for, by their numbers."""
        self._keeps_suits = keeps_suits
        self._weights = weights
        self._noise = noise
        self._salt = (seed & (1 << 64) - 1).to_bytes(8, "big")
        self._known: dict[bytes, Column] = {}

    def column(self, cards: bytes, down: int) -> Column:
        """Return the column of these cards once complete suits have left."""
        while True:
            if down and down == len(cards):
                down -= 1
            if self._keeps_suits or length_of_run(cards, down) < SUIT_SIZE:
                break
            cards = cards[:-SUIT_SIZE]
        name = bytes((down,)) + cards
        found = self._known.get(name)
        if found is None:
            digest = blake2b(name, digest_size=8, key=self._salt).digest()
            chance = int.from_bytes(digest, "big")
            cost = cost_of(cards, down, self._weights)
            if self._noise:
                cost += (chance >> KEY_BITS) % (2 * self._noise + 1) - self._noise
            found = Column(cards, down, cost, chance & _KEY_MASK, len(self.made))
            self._known[name] = found
            self.made.append(found)
        return found

    def without(self, column: Column, n: int) -> Column:
        """Return a column without the last `n` cards of the run at its end."""
        rest = column.rests[n]
        if rest is None:
            rest = self.column(column.cards[: column.size - n], column.down)
            column.rests[n] = rest
        return rest

    def with_run(self, column: Column, head: int, n: int) -> Column:
        """Return a column with the run of `n` cards on it that begins with the card `head`."""
        name = head << _LENGTH_BITS | n
        grown = column.grown.get(name)
        if grown is None:
            run = bytes(range(head, head - n, -1))
            grown = self.column(column.cards + run, column.down)
            column.grown[name] = grown
        return grown


def length_of_run(cards: bytes, down: int) -> int:
    """Return the length of the run of one suit at the end of cards, `down` of them face down."""
    up = len(cards) - down
    if not up:
        return 0
    length = 1
    while length < up and cards[-length - 1] == cards[-length] + 1:
        length += 1
    return length


def pairs_in(columns: list[Column]) -> int:
    """Return the number of cards that lie on the next higher one of their suit."""
    return sum([_pairs_of(column.cards, column.down) for column in columns])


def _pairs_of(cards: bytes, down: int) -> int:
    pairs = 0
    for place in range(down + 1, len(cards)):
        if cards[place - 1] == cards[place] + 1:
            pairs += 1
    return pairs

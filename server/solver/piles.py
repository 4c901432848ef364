"""The piles of Little Spider as objects that exist once, with what each of them costs.

Each suit goes home in one order, once it is known which colour builds up. The *turn* of a card is
its place in that order: 1 for the first card of its suit, 13 for the last one.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from server.games.cards import ACE, KING, RANK_MASK, SUIT_SHIFT, is_red
from server.solver.columns import KEY_BITS


@dataclass(frozen=True, slots=True)
class PileWeights:
    """What the features of the piles of Little Spider cost."""

    card: int
    """A card on a pile."""
    empty: int
    """An empty pile, which stays empty."""
    blocking: int
    """A card above one of its suit that goes home before it."""
    covering: int
    """A card above any other one whose turn comes before its own."""
    deep: int
    """A card above another one, once for each turn that is left from the latter on."""
    adjacent: int
    """Saved by a card on one of an adjacent rank."""
    ordered: int
    """Saved besides if both have one suit and go home in this order."""
    next: int
    """A card above one that goes home next."""
    second: int
    """A card above one that goes home after the next one."""


PILE_WEIGHTS: Final = PileWeights(
    card=131,
    empty=48,
    blocking=93,
    covering=22,
    deep=2,
    adjacent=8,
    ordered=36,
    next=22,
    second=8,
)
"""The weights of Little Spider."""


_KEY_MASK: Final = (1 << KEY_BITS) - 1
_CODES: Final = 4 << SUIT_SHIFT
_NONE: Final = KING + 1


class Pile:
    """The cards of a pile, with what a search asks of them."""

    __slots__ = ("above", "can_be_last", "cards", "cost", "grown", "key", "last", "rest", "size")

    def __init__(self, cards: bytes, cost: int, key: int, *, can_be_last: bool) -> None:
        self.cards = cards  # bottom to top
        self.size = len(cards)
        self.last = cards[-1] if cards else 0
        self.can_be_last = can_be_last  # whether its first card is the last one of its suit
        self.cost = cost
        self.key = key
        self.above = [0] * _CODES  # by card: the number of cards that lie on it
        for place, card in enumerate(cards):
            self.above[card] = self.size - 1 - place
        self.rest: Pile | None = None
        self.grown: list[Pile | None] = [None] * _CODES


class Piles:
    """All piles of one search, in which one colour builds up."""

    def __init__(self, weights: PileWeights, *, red_up: bool, noise: int, seed: int) -> None:
        """Vary the cost of each pile by up to `noise`, in a way that `seed` and `red_up` give."""
        self.weights = weights
        self.turns = turns(red_up=red_up)
        self._noise = noise
        self._salt = (2 * seed + red_up & (1 << 64) - 1).to_bytes(8, "big")
        self._known: dict[bytes, Pile] = {}

    def pile(self, cards: bytes) -> Pile:
        """Return the pile of these cards."""
        found = self._known.get(cards)
        if found is None:
            digest = blake2b(cards, digest_size=8, key=self._salt).digest()
            chance = int.from_bytes(digest, "big")
            cost = cost_of_pile(cards, self.turns, self.weights)
            if self._noise:
                cost += (chance >> KEY_BITS) % (2 * self._noise + 1) - self._noise
            can_be_last = bool(cards) and self.turns[cards[0]] == KING
            found = Pile(cards, cost, chance & _KEY_MASK, can_be_last=can_be_last)
            self._known[cards] = found
        return found

    def without(self, pile: Pile) -> Pile:
        """Return a pile without its last card."""
        rest = pile.rest
        if rest is None:
            rest = pile.rest = self.pile(pile.cards[:-1])
        return rest

    def with_card(self, pile: Pile, card: int) -> Pile:
        """Return a pile with a card on it."""
        grown = pile.grown[card]
        if grown is None:
            grown = pile.grown[card] = self.pile(pile.cards + bytes((card,)))
        return grown


def turns(*, red_up: bool) -> list[int]:
    """Return the turn of each card: its place in the order in which its suit goes home."""
    order = [0] * _CODES
    for suit in range(4):
        for rank in range(ACE, KING + 1):
            card = suit << SUIT_SHIFT | rank
            order[card] = rank if is_red(card) is red_up else KING + 1 - rank
    return order


def cost_of_pile(cards: bytes, order: list[int], weights: PileWeights) -> int:
    """Return the cost of a pile, given the turns of the cards."""
    size = len(cards)
    if not size:
        return weights.empty
    cost = size * weights.card
    first, firsts = _NONE, [_NONE] * 4  # the earliest turns of the cards beneath
    for place, card in enumerate(cards):
        turn, suit = order[card], card >> SUIT_SHIFT
        if firsts[suit] < turn:
            cost += weights.blocking
        elif first < turn:
            cost += weights.covering
        cost += (size - 1 - place) * (_NONE - turn) * weights.deep
        if place:
            under = cards[place - 1]
            apart = abs((under & RANK_MASK) - (card & RANK_MASK))
            if apart in {1, KING - ACE}:
                cost -= weights.adjacent
                if under >> SUIT_SHIFT == suit and order[under] > turn:
                    cost -= weights.ordered
        first, firsts[suit] = min(first, turn), min(firsts[suit], turn)
    return cost

"""Cards as small integers: `suit << 4 | rank`, rank 1 (ace) to 13 (king), suits S H D C.

A card and the next higher card of its suit differ by exactly 1, and a pile is a `bytearray`.

`NOTATION.md` specifies how piles are written: bottom to top, with the number of face-down cards in
brackets. The server never writes a face-down card.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple, NewType

from protocol.vocabulary import RANKS, SUITS
from server.games.errors import NotationError

Card = NewType("Card", int)

ACE: Final = 1
KING: Final = 13
SUIT_SHIFT: Final = 4
RANK_MASK: Final = 15
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)

_NAMES: Final = {suit << SUIT_SHIFT | rank: RANKS[rank - 1] + SUITS[suit]
          for suit in range(4) for rank in range(ACE, KING + 1)}  # fmt: skip
_CARDS: Final = {name: Card(card) for card, name in _NAMES.items()}

SUIT_RUNS: Final[tuple[bytes, ...]] = tuple(
    bytes(suit << SUIT_SHIFT | rank for rank in range(KING, 0, -1)) for suit in range(4)
)  # the complete suits as they lie in a pile, from king to ace


class PileState(NamedTuple):
    """The cards of a pile, bottom to top; the first `down` of them lie face down."""

    down: int
    cards: tuple[Card, ...]


EMPTY: Final = PileState(0, ())


def make_card(rank: int, suit: int) -> Card:
    """Return the card of a rank (1 to 13) and a suit (0 to 3, in the order S H D C)."""
    assert ACE <= rank <= KING, "a rank is 1 to 13"
    assert 0 <= suit < len(SUITS), "a suit is 0 to 3"
    return Card(suit << SUIT_SHIFT | rank)


def rank_of(card: int) -> int:
    """Return the rank of a card, 1 for an ace to 13 for a king."""
    return card & RANK_MASK


def suit_of(card: int) -> int:
    """Return the suit of a card, 0 to 3 in the order S H D C."""
    return card >> SUIT_SHIFT


def is_red(card: int) -> bool:
    """Return whether the card is a heart or a diamond."""
    return card >> SUIT_SHIFT in {HEARTS, DIAMONDS}


def card_names(cards: Iterable[int]) -> list[str]:
    """Return the names of cards, rank then suit: `AS`, `TD`."""
    return [_NAMES[card] for card in cards]


def format_cards(cards: Iterable[int]) -> str:
    """Return the names of cards, joined by spaces."""
    return " ".join(card_names(cards))


def parse_card(text: str) -> Card:
    """Return the card with a name such as `TS`, or raise NotationError."""
    if text not in _CARDS:
        raise NotationError(f"not a card: {text!r}")
    return _CARDS[text]


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in a text, separated by blanks, or raise NotationError."""
    return tuple(map(parse_card, text.split()))


def format_pile(down: int, up: Iterable[int]) -> str:
    """Return a pile as its player sees it: `[2] KS QS` with two cards face down."""
    text = format_cards(up)
    if not down:
        return text
    return f"[{down}] {text}" if text else f"[{down}]"

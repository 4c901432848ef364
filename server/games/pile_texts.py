"""Piles as text, specified in `NOTATION.md`: bottom to top, face-down cards in brackets.

Where cards may be seen, the brackets hold the face-down cards; elsewhere only their number.
Every pile has exactly one text of each form, and no other text is read.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from protocol.vocabulary import RANKS, SUITS
from server.games.cards import Card, PileState, format_cards, parse_card
from server.games.errors import NotationError

_CARD = f"[{RANKS}][{SUITS}]"
_CARDS = f"{_CARD}(?: {_CARD})*"
_OPEN = re.compile(rf"(?:\[(?P<down>{_CARDS})\](?: (?!$)|$))?(?P<up>{_CARDS})?")
_HIDDEN = re.compile(rf"(?:\[(?P<down>[1-9][0-9]{{0,2}})\](?: (?!$)|$))?(?P<up>{_CARDS})?")


class HiddenPile(NamedTuple):
    """A pile as its player sees it: the number of face-down cards, and the face-up cards."""

    down: int
    up: tuple[Card, ...]


def format_pile(pile: PileState, *, hidden: bool) -> str:
    """Return a pile as text, an empty one as '': `[5H 6C] KS QS`, or `[2] KS QS` if hidden."""
    down, cards = pile
    if hidden:
        return format_hidden_pile(down, cards[down:])
    up = format_cards(cards[down:])
    if not down:
        return up
    below = f"[{format_cards(cards[:down])}]"
    return f"{below} {up}" if up else below


def format_hidden_pile(down: int, up: Iterable[int]) -> str:
    """Return a pile as text that hides its face-down cards, from their number."""
    text = format_cards(up)
    if not down:
        return text
    return f"[{down}] {text}" if text else f"[{down}]"


def parse_pile(text: str) -> PileState:
    """Return the pile of a text that shows every card.

    Raises:
        NotationError: The text is not the notation of such a pile.
    """
    found = _OPEN.fullmatch(text)
    if found is None:
        raise NotationError(f"not a pile: {text!r}")
    down = _parse_cards(found["down"])
    return PileState(len(down), down + _parse_cards(found["up"]))


def parse_hidden_pile(text: str) -> HiddenPile:
    """Return the pile of a text that hides its face-down cards.

    Raises:
        NotationError: The text is not the notation of such a pile.
    """
    found = _HIDDEN.fullmatch(text)
    if found is None:
        raise NotationError(f"not a pile: {text!r}")
    return HiddenPile(int(found["down"] or 0), _parse_cards(found["up"]))


def _parse_cards(text: str | None) -> tuple[Card, ...]:
    return tuple(map(parse_card, text.split(" "))) if text else ()

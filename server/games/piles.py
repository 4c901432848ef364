from typing import NamedTuple

from server.games.cards import Card


class PileState(NamedTuple):
    """The cards of a pile, bottom to top; the first `down` of them lie face down."""

    down: int
    cards: tuple[Card, ...]


EMPTY = PileState(0, ())

from abc import ABC, abstractmethod
from collections.abc import Sequence

from server.games.cards import Card, PileState
from server.games.game import Game
from server.games.options import Rules
from server.games.variant_spec import VariantSpec


class Variant(VariantSpec, ABC):
    """A game of the catalogue: its kind, and how it is dealt and set up."""

    @abstractmethod
    def deal(self, rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
        """The piles that a deck is dealt to; its first card is dealt first."""

    @abstractmethod
    def set_up(self, rules: Rules, piles: Sequence[PileState]) -> Game:
        """A game that goes on from a position, one state for each of the kind's piles.

        The position need not hold all cards, so that a test can say just what it is about.

        Raises:
            NotationError: no game can stand like this.
        """

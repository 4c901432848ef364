from abc import ABC, abstractmethod
from collections.abc import Sequence

from server.games.cards import Card, PileState
from server.games.game import Game
from server.games.options import Rules
from server.games.variant_spec import VariantSpec


class Variant(VariantSpec, ABC):
    """A game of the catalogue, with its deal and its setup."""

    @abstractmethod
    def deal(self, rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
        """Return the piles after a deck is dealt, one state for each pile of the variant.

        The first card of the deck is dealt first.
        """

    @abstractmethod
    def set_up(self, rules: Rules, piles: Sequence[PileState]) -> Game:
        """Return a game that continues from a position, one state for each pile of the variant.

        The position need not hold all cards, so that a test can list only the cards it needs.

        Raises:
            NotationError: No game can reach this position.
        """

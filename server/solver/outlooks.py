"""The outlook of a position: the moves that it would give to the next unseen card."""

from collections.abc import Sequence
from typing import Final

from server.games.cards import KING, RANK_MASK
from server.solver.plan_weights import PlanWeights
from server.solver.positions import Position
from server.solver.visible_table import UNKNOWN

_RANKS: Final = KING + 2
_UNKNOWN_RANK: Final = UNKNOWN & RANK_MASK
PER_CARD: Final = 1_000
"""The sum of the chances of all ranks."""


class Outlook:
    """The prices of positions for a player who has not seen certain cards.

    A price is the cost of a position, less what is gained by a card that turns up. The chances of
    the next unseen card count too, if the weights of a player look ahead.
    """

    __slots__ = ("_chances", "_looks_ahead", "_weights")

    def __init__(self, unseen: Sequence[int], weights: PlanWeights) -> None:
        """Count the ranks of the unseen cards."""
        self._weights = weights
        self._looks_ahead = weights.fits != 0 or weights.bases != 0 or weights.ready != 0
        self._chances = [0] * _RANKS
        """By rank: the chance that the next unseen card has it, in parts of `PER_CARD`."""
        for card in unseen:
            self._chances[card & RANK_MASK] += 1
        for rank, number in enumerate(self._chances):
            self._chances[rank] = number * PER_CARD // len(unseen) if number else 0

    def price(self, position: Position) -> int:
        """Return the price of a position; the best plan ends at the lowest price."""
        price = position.cost
        if self._looks_ahead:
            price -= self._savings(position)
        for column in position.columns:
            if column.last == _UNKNOWN_RANK:
                return price - self._weights.turned
        return price

    def _savings(self, position: Position) -> int:
        """Return what the outlook of a position takes off its price; see `PlanWeights`."""
        weights = self._weights
        lasts = 0  # bits: the ranks of the last cards of columns
        heads = 0  # bits: the ranks of the first cards of runs on face-down cards or on nothing
        for column in position.columns:
            if column.size and column.last != _UNKNOWN_RANK:
                lasts |= 1 << column.last
                if column.run + column.down == column.size:
                    heads |= 1 << (column.head & RANK_MASK)
        fits = 0
        bases = 0
        for rank, chance in enumerate(self._chances):
            if chance:
                if lasts >> (rank + 1) & 1:
                    fits += chance
                if heads >> (rank - 1) & 1:
                    bases += chance
        ready = 0
        for column in position.columns:
            is_near = column.down > 0 and column.run + column.down == column.size
            if is_near and column.last != _UNKNOWN_RANK:
                ready += lasts >> ((column.head & RANK_MASK) + 1) & 1
        return (weights.fits * fits + weights.bases * bases) // PER_CARD + weights.ready * ready

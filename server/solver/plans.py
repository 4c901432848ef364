"""Plans: moves that a player can foresee, up to the next card that turns up.

1. A narrow beam over moves between columns finds a plan. Face-down cards are unknown, so the
   search does not go on after one has turned up.
2. The costs are the solver's, with other weights (`PlanWeights`). A plan is worth playing if its
   last position has a lower price than the first one (`Prices`). Turning up a card lowers
   the price too. So in the end, no plan is left that helps.
3. If no plan helps and nothing can be dealt, a wide search looks for any gain: a card that turns
   up or a complete suit. Neither can be taken back. If it finds neither, the player ends by making
   as many *pairs* as possible: cards on the next higher card of their suit.
4. A `VisibleTable` is all that a computer player may know. This module and `players.py` import no
   game and no deck, which import-linter checks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from protocol.games import GameId
from server.games.actions import move
from server.games.cards import ACE, KING, RANK_MASK
from server.solver.columns import (
    START,
    Column,
    Columns,
    Position,
    Reached,
    Weights,
    after_move,
    first_space,
    list_all,
    list_promising,
    pairs_in,
    position_with,
    size_of,
)
from server.solver.exhaustive_search import Exploration
from server.solver.piles import next_home

UNKNOWN: Final = 0x7F  # stands for a card that nobody sees; no card fits on its rank


@dataclass(frozen=True, slots=True)
class VisibleColumn:
    """What a player sees of a column."""

    down: int  # the number of face-down cards
    cards: bytes  # the face-up cards, bottom to top


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """What a player sees of a table."""

    game: GameId
    columns: tuple[VisibleColumn, ...]  # from left to right
    foundations: tuple[bytes, ...]  # the cards of each foundation, bottom to top
    unseen: tuple[int, ...]  # all cards that the player has not seen yet, sorted
    stock: int  # the number of cards in the stock
    relaxed: bool = False  # whether cards can be dealt onto empty columns
    counts_pairs: bool = True  # whether pairs add to the score


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """The weights for the prices of positions, for players that do not see all cards.

    All but `columns` are subtracted: `fits` and `bases` times the chance of such a next card.
    """

    columns: Weights
    turned: int  # a card turns up, so that the player sees it
    fits: int = 0  # the next unseen card fits on a column
    bases: int = 0  # a run with no face-up card beneath it fits on the next unseen card
    ready: int = 0  # each run that lies on face-down cards and fits on a column now


_UNKNOWN_RANK: Final = UNKNOWN & RANK_MASK
CERTAIN: Final = 1_000  # the chances of all ranks together


class Prices:
    """Prices of positions: their costs, less the weights of likely gains (`PlanWeights`)."""

    __slots__ = ("_chances", "_looks_ahead", "_weights")

    def __init__(self, unseen: Sequence[int], weights: PlanWeights) -> None:
        """Compute the chances of each rank for the next unseen card."""
        self._weights = weights
        self._looks_ahead = weights.fits != 0 or weights.bases != 0 or weights.ready != 0
        self._chances = [0] * (KING + 2)  # by rank: from 0 to `CERTAIN`
        for card in unseen:
            self._chances[card & RANK_MASK] += 1
        for rank, number in enumerate(self._chances):
            self._chances[rank] = number * CERTAIN // len(unseen) if number else 0

    def price(self, position: Position) -> int:
        """Return the price of a position. The best plan ends where it is lowest."""
        price = position.cost
        if self._looks_ahead:
            price -= self._savings(position)
        return price - self._weights.turned if shows_unknown_card(position.columns) else price

    def _savings(self, position: Position) -> int:
        """Return what `fits`, `bases` and `ready` subtract from the price."""
        weights = self._weights
        lasts = 0  # bit n is set if the last card of some column has rank n
        heads = 0  # bit n is set if some run with no face-up card beneath it starts at rank n
        for column in position.columns:
            if column.size and column.last_rank != _UNKNOWN_RANK:
                lasts |= 1 << column.last_rank
                if column.run + column.down == column.size:
                    heads |= 1 << (column.head & RANK_MASK)
        fits = bases = ready = 0
        for rank, chance in enumerate(self._chances):
            if chance:
                if lasts >> (rank + 1) & 1:
                    fits += chance  # the next card fits on a column
                if heads >> (rank - 1) & 1:
                    bases += chance  # a run fits on the next card
        for column in position.columns:
            is_on_hidden = column.down > 0 and column.run + column.down == column.size
            if is_on_hidden and column.last_rank != _UNKNOWN_RANK:
                # The run fits on a column, and then a card turns up.
                ready += lasts >> ((column.head & RANK_MASK) + 1) & 1
        return (weights.fits * fits + weights.bases * bases) // CERTAIN + weights.ready * ready


MAX_MOVES: Final = 24  # of a plan


@dataclass(frozen=True, slots=True)
class PlanSearch:
    """How plans are searched for."""

    width: int  # how many positions each level keeps
    patience: int  # the search ends after this many levels without a lower cost
    pruned: bool = True  # whether to leave out moves that seldom help


def shows_unknown_card(columns: list[Column]) -> bool:
    """Return whether a card has turned up: the last card of a column is an unknown one."""
    for column in columns:  # noqa: SIM110  # twice as fast where it is compiled
        if column.last_rank == _UNKNOWN_RANK:
            return True
    return False


def position_of(all_columns: Columns, columns: Sequence[VisibleColumn]) -> Position:
    """Return the position of these columns, as the start of a search."""
    hidden = bytes((UNKNOWN,))
    made = [all_columns.column(hidden * each.down + each.cards, each.down) for each in columns]
    return position_with(made, None, START)


def plan_from(
    all_columns: Columns, start: Position, search: PlanSearch, prices: Prices, min_cards: int
) -> list[int]:
    """Return the moves to the position with the lowest price, or [] if that is `start`.

    The beam keeps the positions with the lowest costs. Of all positions that it has kept, the plan
    ends at the one with the lowest price. At least `min_cards` cards must stay on the table.
    """
    seen = {start.key}
    level, lowest_cost, levels_left = [start], start.cost, search.patience
    best, lowest_price = start, prices.price(start)
    for _ in range(MAX_MOVES):
        children: list[Position] = []
        for position in level:
            columns = position.columns
            moves = list_promising(columns) if search.pruned else list_all(columns)
            for action in moves:
                after = after_move(all_columns, position, action, ordered=True)
                if after.key not in seen:
                    seen.add(after.key)
                    children.append(after)
        children.sort(key=lambda position: position.cost)
        level = children[: search.width]
        if not level or not levels_left:
            break
        levels_left -= 1
        for position in level:
            price = prices.price(position)
            if price < lowest_price and position.size() >= min_cards:
                best, lowest_price = position, price
        if level[0].cost < lowest_cost:
            lowest_cost, levels_left = level[0].cost, search.patience
        # Nothing can be planned beyond a card that the player has not seen.
        level = [each for each in level if not shows_unknown_card(each.columns)]
    return best.actions()


class GainSearch(Exploration):
    """The search for moves that turn a card up or complete a suit, or at least make pairs.

    It makes no deals. But if the stock could be dealt once all spaces are filled (`can_deal`),
    filling them is a goal too.
    """

    def __init__(
        self, all_columns: Columns, start: list[Column], max_positions: int, *, can_deal: bool
    ) -> None:
        super().__init__(all_columns, start, max_positions)
        self._can_deal = can_deal
        self._start_size = size_of(start)

    def _is_goal(self, columns: list[Column], dealt: int) -> bool:
        del dealt  # always 0: this search makes no deals
        if self._can_deal and first_space(columns) < 0:
            return True  # the stock can be dealt
        return size_of(columns) < self._start_size or shows_unknown_card(columns)

    def most_pairs(self) -> tuple[int, int]:
        """Return the largest number of pairs, and the number of the first position that has it."""
        pairs = [pairs_in(self.columns_of(number)) for number in range(len(self._keys))]
        return max(pairs), pairs.index(max(pairs))


class UncoveringSearch:
    """The search for the fewest moves that let a card go home, once the stock is empty."""

    def __init__(
        self, piles: Sequence[bytes], foundations: Sequence[bytes], max_positions: int
    ) -> None:
        self._wanted = next_home(foundations)
        self._start = tuple(piles)
        self._max_positions = max_positions
        # After all steps:
        self.moves: list[int] = []  # none if a card can go home now, or the search found no way
        self.is_exhausted = False  # whether it is proved that no card can ever go home

    def steps(self) -> Iterator[None]:
        """Search for a position where a card can go home; each step looks at one position."""
        if self._lets_card_go_home(self._start):
            return
        # The piles of each position, and the moves that led to it; grows during the loop.
        reached = [(self._start, Reached(None, START, cost=0, key=0))]
        known = {tuple(sorted(self._start))}
        for piles, before in reached:
            if len(reached) > self._max_positions:
                return
            for action, after in _moves_between(piles):
                key = tuple(sorted(after))
                if key in known:
                    continue
                known.add(key)
                position = Reached(before, action, cost=0, key=0)
                if self._lets_card_go_home(after):
                    self.moves = position.actions()
                    return
                reached.append((after, position))
            yield
        self.is_exhausted = True

    def _lets_card_go_home(self, piles: tuple[bytes, ...]) -> bool:
        return any(pile and pile[-1] in self._wanted for pile in piles)


def _moves_between(piles: tuple[bytes, ...]) -> Iterator[tuple[int, tuple[bytes, ...]]]:
    """Yield the moves between piles, each with the resulting piles (RULES, Little Spider 4)."""
    for here, to in permutations([index for index, pile in enumerate(piles) if pile], 2):
        pile, onto = piles[here], piles[to]
        if abs((pile[-1] & RANK_MASK) - (onto[-1] & RANK_MASK)) in {1, KING - ACE}:
            after = list(piles)
            after[here], after[to] = pile[:-1], onto + pile[-1:]
            yield move(here, 1, to), tuple(after)

"""Plans: moves that a player can foresee, up to the next card that turns up.

1. A narrow beam over moves between columns finds a plan. Face-down cards are unknown, so the
   search does not go on after one has turned up.
2. The costs are the solver's, with other weights (`PlanWeights`). A plan is worth playing if its
   last position has a lower price than the first one (`Prices`). A card that turns up lowers the
   price. So a player who follows plans stops in the end.
3. If no plan helps and nothing can be dealt, a wide search looks for any gain: a card that turns
   up, a complete suit, or else pairs. The first two cannot be taken back, and nothing comes after
   pairs. So a player in search of gains stops too.
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

UNKNOWN: Final = 0x7F  # a card that nobody sees; no card fits on its rank


@dataclass(frozen=True, slots=True)
class VisibleColumn:
    """A column as its player sees it."""

    down: int  # the number of face-down cards
    cards: bytes  # the face-up cards, bottom to top


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """A table as its player sees it."""

    game: GameId
    columns: tuple[VisibleColumn, ...]  # from left to right
    foundations: tuple[bytes, ...]  # the cards of each foundation, bottom to top
    unseen: tuple[int, ...]  # all cards that nobody has seen yet, sorted
    stock: int  # the number of cards in the stock
    relaxed: bool = False  # whether cards can be dealt onto empty columns
    counts_pairs: bool = True  # whether pairs add to the score


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """The weights for players that do not see all cards."""

    columns: Weights
    turned: int  # saved by a card that turns up, since the player then sees it
    fits: int = 0  # saved if the next unseen card certainly fits on a column; less if it may
    bases: int = 0  # saved if a run with no face-up card beneath it fits on that card
    ready: int = 0  # saved by each run on face-down cards that fits on a column now


_UNKNOWN_RANK: Final = UNKNOWN & RANK_MASK
PER_CARD: Final = 1_000  # the sum of the chances of all ranks


class Prices:
    """Prices of positions: their costs, minus savings for a turned card and likely next cards."""

    __slots__ = ("_chances", "_looks_ahead", "_weights")

    def __init__(self, unseen: Sequence[int], weights: PlanWeights) -> None:
        """Compute the chances of the next unseen card."""
        self._weights = weights
        self._looks_ahead = weights.fits != 0 or weights.bases != 0 or weights.ready != 0
        # By rank: the chance that the next unseen card has this rank, in parts of `PER_CARD`.
        self._chances = [0] * (KING + 2)
        for card in unseen:
            self._chances[card & RANK_MASK] += 1
        for rank, number in enumerate(self._chances):
            self._chances[rank] = number * PER_CARD // len(unseen) if number else 0

    def price(self, position: Position) -> int:
        """Return the price of a position; the best plan ends at the lowest price."""
        price = position.cost
        if self._looks_ahead:
            price -= self._savings(position)
        return price - self._weights.turned if shows_unknown_card(position.columns) else price

    def _savings(self, position: Position) -> int:
        """Return what likely next cards, and runs that can turn up a card, save."""
        weights = self._weights
        lasts = 0  # bits: the ranks of the last cards of columns
        heads = 0  # bits: the highest ranks of runs that lie on face-down cards or on nothing
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
            is_near = column.down > 0 and column.run + column.down == column.size
            if is_near and column.last_rank != _UNKNOWN_RANK:
                ready += lasts >> ((column.head & RANK_MASK) + 1) & 1
        return (weights.fits * fits + weights.bases * bases) // PER_CARD + weights.ready * ready


DEPTH: Final = 24  # the most moves of a plan


@dataclass(frozen=True, slots=True)
class PlanSearch:
    """How plans are searched for."""

    width: int  # the number of positions kept at each level
    patience: int  # the search ends after this many levels without a lower cost
    pruned: bool = True  # whether to leave out moves that seldom help


def shows_unknown_card(columns: list[Column]) -> bool:
    """Return whether a card has just turned up: an unknown one is the last of its column."""
    for column in columns:  # noqa: SIM110  # twice as fast where it is compiled
        if column.last_rank == _UNKNOWN_RANK:
            return True
    return False


def position_of(all_columns: Columns, columns: Sequence[VisibleColumn]) -> Position:
    """Return the position of visible columns as the start of a search."""
    hidden = bytes((UNKNOWN,))
    made = [all_columns.column(hidden * each.down + each.cards, each.down) for each in columns]
    return position_with(made, None, START)


def plan_from(
    all_columns: Columns, start: Position, search: PlanSearch, prices: Prices, fewest: int
) -> list[int]:
    """Return the moves to the position with the lowest price; [] if that is `start`.

    `prices` choose the plan's end, and the costs of positions what the beam keeps. At least
    `fewest` cards stay on the table.
    """
    seen = {start.key}
    level, best, left = [start], start.cost, search.patience
    found, lowest = start, prices.price(start)
    for _ in range(DEPTH):
        made: list[Position] = []
        for position in level:
            columns = position.columns
            for action in list_promising(columns) if search.pruned else list_all(columns):
                after = after_move(all_columns, position, action, ordered=True)
                if after.key not in seen:
                    seen.add(after.key)
                    made.append(after)
        made.sort(key=lambda position: position.cost)
        level = made[: search.width]
        if not level or not left:
            break
        left -= 1
        for position in level:
            price = prices.price(position)
            if price < lowest and position.size() >= fewest:
                found, lowest = position, price
        if level[0].cost < best:
            best, left = level[0].cost, search.patience
        # Nothing can be planned beyond a card that the player has not seen.
        level = [each for each in level if not shows_unknown_card(each.columns)]
    return found.actions()


class GainSearch(Exploration):
    """The search for moves that turn a card up or complete a suit, or else make pairs.

    It makes no deals. If it `can_deal` once no space is left, filling the spaces is a goal too.
    """

    def __init__(
        self, all_columns: Columns, start: list[Column], most_positions: int, *, can_deal: bool
    ) -> None:
        super().__init__(all_columns, start, most_positions)
        self._can_deal = can_deal
        self._size = size_of(start)

    def _is_goal(self, columns: list[Column], dealt: int) -> bool:
        del dealt  # always 0: this search makes no deals
        if self._can_deal and first_space(columns) < 0:
            return True  # the stock can be dealt
        return size_of(columns) < self._size or shows_unknown_card(columns)

    def most_pairs(self) -> tuple[int, int]:
        """Return the most pairs in any position, and the number of the first such position."""
        pairs = [pairs_in(self.columns_of(number)) for number in range(len(self._keys))]
        return max(pairs), pairs.index(max(pairs))


class UncoveringSearch:
    """The search for the fewest moves that let a card go home, once the stock is empty."""

    def __init__(
        self, piles: Sequence[bytes], foundations: Sequence[bytes], most_positions: int
    ) -> None:
        self._wanted = next_home(foundations)
        self._start = tuple(piles)
        self._most_positions = most_positions
        self.moves: list[int] = []  # after all steps: the moves, if any were found
        self.is_exhausted = False  # whether no card can ever go home, now or after moves

    def steps(self) -> Iterator[None]:
        """Search; each step looks at one position."""
        if self._lets_card_go_home(self._start):
            return
        # The positions, each with its way from the start.
        reached = [(self._start, Reached(None, START, cost=0, key=0))]
        known = {tuple(sorted(self._start))}
        for piles, before in reached:
            if len(reached) > self._most_positions:
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

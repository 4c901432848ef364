"""Plans: moves that a player can see to the end, up to the next card that turns up.

1. A plan is found by a narrow beam over the moves between columns. Cards face down are unknown;
   a position in which one has turned up is looked at no further.
2. The costs are those of the solver, with weights of their own (`PlanWeights`). A plan is
   worth playing if its last position has a lower price than the first one (`Outlook`). A card
   that turns up lowers the price. So a player who follows plans ends.
3. Where no plan helps and nothing can be dealt, a wide search looks for anything that still gains:
   a card that turns up, a complete suit, or else pairs. The first two cannot be taken back, and
   after the last one nothing follows. So a player who looks for gains ends, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, NamedTuple

from protocol.games import GameId
from server.games.actions import COUNT_MASK, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import KING, RANK_MASK
from server.solver.columns import (
    START,
    Column,
    Columns,
    Position,
    Weights,
    cost_of_all,
    key_of,
    list_all,
    list_promising,
    pairs_in,
    place_factor,
)

UNKNOWN: Final = 0x7F
"""A card whose face nobody sees. Its rank is above all others, so no card fits on it."""


@dataclass(frozen=True, slots=True)
class VisibleColumn:
    """A column: its face-down cards are counted only."""

    down: int
    """The number of cards that lie face down."""
    cards: bytes
    """The face-up cards on them, bottom to top."""

    @property
    def searchable(self) -> bytes:
        """All cards of the column, those face down as unknown ones."""
        return bytes((UNKNOWN,)) * self.down + self.cards


@dataclass(frozen=True, slots=True)
class VisibleTable:
    """A table as its player sees it."""

    game: GameId
    """The game that is played."""
    columns: tuple[VisibleColumn, ...]
    """The columns, from left to right."""
    foundations: tuple[bytes, ...]
    """The cards of each foundation, bottom to top."""
    unseen: tuple[int, ...]
    """The cards that nobody has seen yet, sorted: those face down and those of the stock."""
    stock: int
    """The number of cards that are not dealt."""
    relaxed: bool = False
    """Whether cards are dealt onto empty columns, too."""
    counts_pairs: bool = True
    """Whether pairs add to the score."""


@dataclass(frozen=True, slots=True)
class PlanWeights:
    """What a position costs a player who does not see all cards."""

    columns: Weights
    """The weights of the columns."""
    turned: int
    """Saved by a card that turns up, since the player then sees it."""
    fits: int = 0
    """Saved if the next unseen card is certain to fit on a column; a smaller chance saves less."""
    bases: int = 0
    """Saved if a run with no face-up card beneath is certain to fit on the next unseen card."""
    ready: int = 0
    """Saved by each run on face-down cards that fits on a column now."""


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


DEPTH: Final = 24
"""The most moves of a plan."""
MOST_REACHED: Final = 20_000
"""The positions that are looked at for a gain: half a second in pure Python."""


@dataclass(frozen=True, slots=True)
class PlanSearch:
    """How plans are searched for."""

    width: int
    """The positions of a level that are looked at further."""
    patience: int
    """The levels without a lower cost after which the search ends."""
    pruned: bool
    """Whether moves that seldom help are left out."""


@dataclass(frozen=True, slots=True)
class Planning:
    """How a player searches for plans in each part of a game."""

    search: PlanSearch
    """The search for plans."""
    last_search: PlanSearch
    """The search once nothing else helps and no card is left to deal."""


def turns_up(column: Column) -> bool:
    """Return whether the last card of a column is one that has just turned up."""
    return column.size > 0 and column.cards[-1] == UNKNOWN


def position_of(table: Columns, columns: Sequence[VisibleColumn]) -> Position:
    """Return the position of visible columns, as one that begins a search."""
    start = [table.column(column.searchable, column.down) for column in columns]
    return Position(start, None, START, cost_of_all(start), key_of(start, ordered=True))


def plan_for(
    table: Columns,
    start: Position,
    planning: Planning,
    outlook: Outlook,
    left: int,
    *,
    relaxed: bool,
) -> list[int]:
    """Return the moves of the best plan, or none if no plan helps; `left` counts the deals.

    While cards are left in the stock, no plan leaves too few on the table to deal.
    """
    fewest = len(start.columns) if left and not relaxed else 0
    moves = plan_from(table, start, planning.search, outlook, fewest)
    if not moves and not left:
        moves = plan_from(table, start, planning.last_search, outlook, fewest)
    return moves


def plan_from(
    table: Columns, start: Position, search: PlanSearch, outlook: Outlook, fewest: int
) -> list[int]:
    """Return the moves to the position with the lowest price; none if that is `start`.

    They leave at least `fewest` cards on the table.
    """
    seen = {start.key}
    level, best, left = [start], start.cost, search.patience
    found, lowest = start, outlook.price(start)
    for _ in range(DEPTH):
        level = _next_level(table, level, search, seen)
        if not level or not left:
            break
        left -= 1
        for position in level:
            price = outlook.price(position)
            if price < lowest and position.cards() >= fewest:
                found, lowest = position, price
        if level[0].cost < best:
            best, left = level[0].cost, search.patience
        level = [each for each in level if not any(map(turns_up, each.columns))]
    return found.actions()


class Gain(NamedTuple):
    """Moves that gain something, none if nothing is found."""

    moves: list[int]
    is_last: bool
    """Whether nothing more than these moves is found: no card turns up, no suit is complete."""


def gain_from(table: Columns, start: Position, *, counts_pairs: bool) -> Gain:
    """Return moves that turn a card up or complete a suit, or else those to the most pairs.

    The cheapest positions are looked at first, and all of them if they are few. Nothing is dealt,
    so the order of columns does not count.
    """
    start.key = key_of(start.columns, ordered=False)
    seen = {start.key}
    reached = [start]
    left = [(start.cost, 0)]  # with the numbers of positions in `reached`
    while left and len(reached) < MOST_REACHED:
        position = reached[heappop(left)[1]]
        for move in list_all(position.columns):
            after = _after(table, position, move, ordered=False)
            if after.key in seen:
                continue
            if after.cards() < start.cards() or any(map(turns_up, after.columns)):
                return Gain(after.actions(), is_last=False)
            seen.add(after.key)
            heappush(left, (after.cost, len(reached)))
            reached.append(after)
    # Of positions with as many pairs the first one needs the fewest moves, more or less.
    best = max(reached, key=lambda each: pairs_in(each.columns)) if counts_pairs else start
    return Gain(best.actions(), is_last=True)


def filling_moves(table: Columns, start: Position) -> list[int] | None:
    """Return the cheapest moves that put a card on each empty column; None if cards are too few.

    They are planned together: the next plan would empty the first of these columns again.
    """
    position = start
    while (space := position.space()) >= 0:
        filled = [
            _after(table, position, n | here << SOURCE_SHIFT | space << TARGET_SHIFT)
            for here, column in enumerate(position.columns)
            for n in range(1, min(column.run, column.size - 1) + 1)
        ]
        if not filled:
            return None
        position = min(filled, key=lambda each: each.cost)
    return position.actions()


def _next_level(
    table: Columns, level: list[Position], search: PlanSearch, seen: set[int]
) -> list[Position]:
    """Return the cheapest new positions that one more move reaches from a level."""
    made: list[Position] = []
    for position in level:
        columns = position.columns
        for move in list_promising(columns) if search.pruned else list_all(columns):
            after = _after(table, position, move)
            if after.key not in seen:
                seen.add(after.key)
                made.append(after)
    made.sort(key=lambda position: position.cost)
    return made[: search.width]


def _after(table: Columns, position: Position, move: int, *, ordered: bool = True) -> Position:
    """Return the position after a move between columns."""
    here = move >> SOURCE_SHIFT & PILE_MASK
    to = move >> TARGET_SHIFT
    n = move & COUNT_MASK
    columns = position.columns.copy()
    source, target = columns[here], columns[to]
    rest = table.without(source, n)
    grown = table.with_run(target, source.head - source.run + n, n)
    columns[here], columns[to] = rest, grown
    cost = position.cost + rest.cost + grown.cost - source.cost - target.cost
    key = (
        position.key
        + (rest.key - source.key) * place_factor(here, ordered=ordered)
        + (grown.key - target.key) * place_factor(to, ordered=ordered)
    )
    return Position(columns, position, move, cost, key)

"""The player of Little Spider: cards go home as soon as they can."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from protocol.games import GAMES
from server.games.actions import DEAL, FINISH, Action, ActionKind, kind, move, target
from server.games.cards import KING, RANK_MASK
from server.solver.visible_table import VisibleTable

MOST_POSITIONS: Final = 4_000
"""The positions that are looked at for a way to bring a card home."""

_Piles = tuple[bytes, ...]


class LittleSpiderPlayer:
    """A player that takes the shortest way to the next card that goes home, at every strength."""

    def __init__(self) -> None:
        self._planned: list[Action] = []

    def choose(
        self, table: VisibleTable, legal: Sequence[Action], *, hurry: bool = False
    ) -> Action | None:
        """Return a legal action, or None if no card can go home any more; it takes no time."""
        del hurry
        columns = len(table.columns)
        for action in legal:
            if action == FINISH or (kind(action) is ActionKind.MOVE and target(action) >= columns):
                self._planned = []
                return action
        if DEAL in legal:
            return DEAL
        if not self._planned:
            self._planned = _way_home(table)
        if not self._planned or self._planned[0] not in legal:
            return None
        return self._planned.pop(0)


def _way_home(table: VisibleTable) -> list[Action]:
    """Return the fewest moves between piles that uncover a card which goes home."""
    wanted = set(_wanted(table))
    start = tuple(column.cards for column in table.columns)
    ways: dict[_Piles, list[Action]] = {start: []}
    left = deque([start])
    while left and len(ways) < MOST_POSITIONS:
        piles = left.popleft()
        for action, after in _moves(piles):
            if after in ways:
                continue
            ways[after] = [*ways[piles], action]
            if any(pile and pile[-1] in wanted for pile in after):
                return ways[after]
            left.append(after)
    return []


def _wanted(table: VisibleTable) -> Iterator[int]:
    """Yield the next card of each foundation that has begun."""
    slots = [pile for pile in GAMES[table.game].piles if pile.role == "foundation"]
    for slot, cards in zip(slots, table.foundations, strict=True):
        if cards:
            yield cards[-1] + (1 if slot.direction == "up" else -1)


def _moves(piles: _Piles) -> Iterator[tuple[Action, _Piles]]:
    """Yield the moves between piles, each with the piles after it (RULES, Little Spider 4)."""
    for here, pile in enumerate(piles):
        for to, onto in enumerate(piles):
            if here == to or not pile or not onto:
                continue
            apart = abs((pile[-1] & RANK_MASK) - (onto[-1] & RANK_MASK))
            if apart in {1, KING - 1}:
                after = list(piles)
                after[here], after[to] = pile[:-1], onto + pile[-1:]
                yield move(here, 1, to), tuple(after)

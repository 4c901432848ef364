"""A search that wins easy games through the engine's public interface, for tests of won games.

The search goes from deal to deal: among the positions that can be reached without dealing it
expands the best first, deals in the best positions it has found, and continues from those. It
sees a face-down card only when the engine turns it up.
"""

from heapq import heappop, heappush, nlargest
from itertools import count, pairwise

from protocol.vocabulary import Outcome
from server.games.actions import DEAL, Action, ActionKind, kind
from server.games.cards import PileState, rank_of
from server.games.game import Game

_WIDTHS = (4, 12, 36, 108)
_NODES_EACH = 40


def find_win(game: Game, *, nodes: int = 20_000) -> list[Action] | None:
    """Return the actions that win a game, or None if no win is found in `nodes` positions.

    Nothing is taken back, so the actions are good under every undo policy. The game itself is
    left as it is.
    """
    left = nodes
    for width in _WIDTHS:
        won, used = _from_deal_to_deal(game, width, left)
        if won is not None:
            return list(won.log[game.at :])
        left -= used
    return None


def _from_deal_to_deal(game: Game, width: int, nodes: int) -> tuple[Game | None, int]:
    starts = [game]
    used = 0
    while starts and used < nodes:
        seen, won = _explore(starts, min(width * _NODES_EACH, nodes - used))
        used += len(seen)
        if won is not None:
            return won, used
        best = (start.copy() for _, _, start in nlargest(width, seen))
        starts = [start for start in best if _deal(start)]
    return None, used


def _deal(game: Game) -> bool:
    """Fill the spaces at the least cost, then deal; return whether that was possible."""
    while not game.is_legal(DEAL):
        fillings = [_after(game, action) for action in _moves(game)]
        fewer = [after for after in fillings if _spaces(after) < _spaces(game)]
        if not fewer:
            return False
        game.apply(max(fewer, key=_value).log[-1])
    game.apply(DEAL)
    return True


def _after(game: Game, action: Action) -> Game:
    twin = game.copy()
    twin.apply(action)
    return twin


def _spaces(game: Game) -> int:
    return sum(not game.pile(index).cards for index in _columns(game))


def _explore(starts: list[Game], nodes: int) -> tuple[list[tuple[float, int, Game]], Game | None]:
    """Return the positions explored without a deal, with their values, and a win or None."""
    ties = count()
    seen: list[tuple[float, int, Game]] = []
    queue: list[tuple[float, int, Game]] = []
    keys = set()
    for start in starts:
        heappush(queue, (-_value(start), next(ties), start))
        keys.add(_key(start))
    while queue and len(seen) < nodes:
        worth, _, parent = heappop(queue)
        seen.append((-worth, next(ties), parent))
        for action in _moves(parent):
            child = _after(parent, action)
            if child.outcome is Outcome.WON:
                return seen, child
            key = _key(child)
            if key not in keys:
                keys.add(key)
                heappush(queue, (-_value(child), next(ties), child))
    return seen, None


def _moves(game: Game) -> list[Action]:
    legal = game.legal_actions()
    removals = [action for action in legal if kind(action) is ActionKind.REMOVE]
    return removals[:1] or [action for action in legal if kind(action) is ActionKind.MOVE]


def _key(game: Game) -> object:
    """Return a key that is equal for positions that differ only in the order of columns."""
    if game.variant.goal == "cards":
        return game.key()
    return tuple(sorted(game.pile(index) for index in _columns(game)))


def _columns(game: Game) -> list[int]:
    return [index for index, spec in enumerate(game.variant.piles) if spec.role == "tableau"]


def _value(game: Game) -> float:
    counts = game.counts
    if game.variant.goal == "cards":
        return counts.home
    columns = sum(_value_of_column(game.pile(index)) for index in _columns(game))
    return 100 * counts.suits - 10 * counts.face_down + columns


def _value_of_column(pile: PileState) -> float:
    if not pile.cards:
        return 40
    value = 0.0
    run = 1
    for upper, lower in pairwise(pile.cards[pile.down :]):
        if upper == lower + 1:
            run += 1
            value += 1 + 0.05 * run
        else:
            run = 1
            value -= 1 if rank_of(upper) == rank_of(lower) + 1 else 5
    return value

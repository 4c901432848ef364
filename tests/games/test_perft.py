"""Pinned numbers of continuations, which show accidental changes of the rules.

Only moves, deals and removals count; the reference in this folder has counted each number too.
"""

import pytest

from server.games.game import Game
from tests.games import reference
from tests.games.positions import ALL_ON_TABLE, dealt, forward, position

PINNED = [
    ("spider-4", {}, (7, 49, 341)),
    ("spider-4", {"layout": "spread"}, (7, 50, 353)),
    ("spider-2", {}, (7, 49, 343)),
    ("spider-1", {}, (7, 51, 385)),
    ("spider-1", {"auto_remove": True, "relaxed_deal": True}, (7, 51, 385)),
    ("spider-4", {"exceptions": "hard"}, (7, 51, 385)),
    ("spider-4", {"exceptions": "easy"}, (7, 53, 433)),
    ("spiderette-4", {}, (3, 9, 36)),
    ("spiderette-2", {}, (3, 9, 36)),
    ("spiderette-1", {}, (3, 9, 38)),
    ("little-spider", {}, (1, 7, 16)),
]
FEW = "t0: 3S; t3: 9S; t6: KS; stock: TS 8S 7S 6S 5S 4S 2S AS QS JS"
LATE = [
    ("spider-4", {}, ALL_ON_TABLE, (216, 28544)),
    ("spider-1", {}, "t0: [5S 4S] KS-2S; t1: AS; t2: 9S-4S; t3: TS; t4: 3S-AS", (121, 12721)),
    ("spiderette-1", {}, FEW, (12, 144, 1728)),
    ("spiderette-1", {"relaxed_deal": True}, FEW, (13, 161, 1975)),
    ("little-spider", {}, "u0: 5H 4C; u1: 3D 2D; u2: 4D; l0: 3S; f0: AD; f2: KS-4S", (8, 41, 202)),
]


def perft(game: Game, depth: int) -> int:
    """Return the number of sequences of `depth` moves, deals and removals."""
    moves = forward(game)
    if depth == 1:
        return len(moves)
    total = 0
    for action in moves:
        twin = game.copy()
        twin.apply(action)
        total += perft(twin, depth - 1)
    return total


def slow_perft(game: Game, depth: int) -> int:
    """Return the same number by the reference."""
    if depth == 0:
        return 1
    total = 0
    for action in reference.legal_moves(game):
        twin = game.copy()
        twin.apply(action)
        total += slow_perft(twin, depth - 1)
    return total


@pytest.mark.parametrize(("game", "settings", "counts"), PINNED)
def test_deal_1_has_the_pinned_numbers_of_continuations(
    game: str, settings: dict[str, object], counts: tuple[int, ...]
) -> None:
    start = dealt(game, 1, **settings)
    assert tuple(perft(start, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize(("game", "settings", "text", "counts"), LATE)
def test_late_positions_have_the_pinned_numbers_of_continuations(
    game: str, settings: dict[str, object], text: str, counts: tuple[int, ...]
) -> None:
    start = position(text, game, **settings)
    assert tuple(perft(start, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.parametrize("game", ["spider-2", "spiderette-1", "little-spider"])
def test_the_reference_counts_the_same_continuations(game: str) -> None:
    start = dealt(game, 7)
    assert perft(start, 2) == slow_perft(start, 2)

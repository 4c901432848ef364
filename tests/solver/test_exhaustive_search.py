"""The exhaustive search, beside every position that the engine itself can reach."""

import random
from collections import Counter
from itertools import product

import pytest

from protocol.vocabulary import Outcome
from server.games.actions import FINISH, REDO, UNDO
from server.games.cards import SUIT_RUNS, Card, PileState
from server.games.catalogue import set_up
from server.games.game import Game
from server.games.rules import Rules
from server.solver.budgets import Budget
from server.solver.exhaustive_search import ExhaustiveSearch
from server.solver.lines import as_played
from server.solver.spider import deals_of
from server.solver.verdicts import never
from server.solver.weights import WEIGHTS

COLUMNS = 7


def small(seed: int, *, auto_remove: bool, relaxed: bool) -> Game:
    """Return a position of two or four suits, of which some cards are in the stock."""
    chance = random.Random(seed)
    # Two suits with few swaps are often won; four with many ones have few moves.
    suits, swaps = chance.choice(((2, 1), (2, 3), (4, 200)))
    cards = [Card(card) for run in SUIT_RUNS[:suits] for card in run]
    for _ in range(swaps):
        one, other = chance.sample(range(len(cards)), 2)
        cards[one], cards[other] = cards[other], cards[one]
    in_stock = chance.choice((0, 3, 7))
    stock, cards = cards[:in_stock], cards[in_stock:]
    cuts = sorted(chance.sample(range(1, len(cards)), COLUMNS - 1))
    columns = [
        cards[start:end] for start, end in zip([0, *cuts], [*cuts, len(cards)], strict=True)
    ]
    chance.shuffle(columns)
    piles = [
        PileState(min(chance.randrange(2), at, max(len(column) - 1, 0)), tuple(column))
        for at, column in enumerate(columns)
    ]
    piles += [PileState(len(stock), tuple(stock)), *[PileState(0, ())] * 4]
    return set_up(
        Rules("spiderette-4", auto_remove=auto_remove, relaxed_deal=relaxed, undo="off"), piles
    )


def is_winnable(game: Game, most: int) -> bool | None:
    """Return whether any actions of the engine win, or None after so many positions."""
    queue, known = [game], {game.key()}
    while queue:
        at = queue.pop()
        if at.outcome is Outcome.WON or (FINISH in at.legal_actions() and at.stuck is None):
            return True
        if len(known) > most:
            return None
        for action in at.legal_actions():
            if action in {FINISH, UNDO, REDO}:
                continue
            twin = at.copy()
            twin.apply(action)
            if twin.key() not in known:
                known.add(twin.key())
                queue.append(twin)
    return False


def exhaust(game: Game, *, most_positions: int = 10_000, budget: int = 10**9) -> tuple[str, int]:
    """Return the verdict of an exhaustive search, whose lines the engine takes, and its cost."""
    piles = [game.pile(index) for index in range(COLUMNS + 1)]
    left = Budget(budget, never)
    search = ExhaustiveSearch(
        WEIGHTS["spiderette-4"][0],
        left,
        most_positions=most_positions,
        relaxed=game.rules.relaxed_deal,
        auto_remove=game.rules.auto_remove,
    )
    actions = search.search(piles[:COLUMNS], deals_of(game.variant, piles))
    if actions is not None:
        assert as_played(game, actions, removes=False) is not None
        return "won", left.spent
    return "unwinnable" if search.is_exhausted else "unknown", left.spent


def exhaust_small(seed: int, rules: tuple[bool, bool]) -> tuple[Game, str]:
    game = small(seed, auto_remove=rules[0], relaxed=rules[1])
    return game, exhaust(game)[0]


@pytest.mark.parametrize("rules", [*product((False, True), repeat=2)])
def test_a_verdict_is_the_one_of_all_positions_of_the_engine(rules: tuple[bool, bool]) -> None:
    verdicts: Counter[str] = Counter()
    checked = 0
    for seed in range(20):
        game, verdict = exhaust_small(seed, rules)
        verdicts[verdict] += 1
        # The line of a position that is won has been played.
        if verdict == "unwinnable":
            assert is_winnable(game, 500) is not True
            checked += is_winnable(game, 500) is False
    assert verdicts["won"] > 1, verdicts
    assert checked


def test_a_search_without_memory_left_proves_nothing() -> None:
    game = small(0, auto_remove=False, relaxed=False)
    assert exhaust(game, most_positions=3)[0] == "unknown"


def test_a_search_without_budget_left_proves_nothing() -> None:
    game = small(0, auto_remove=False, relaxed=False)
    kind, spent = exhaust(game, budget=5)
    assert kind == "unknown"
    assert spent < 50

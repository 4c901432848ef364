"""The search for Spider and Spiderette: narrow beams, wider ones with some noise, every move."""

from collections.abc import Sequence
from typing import Final

from protocol.games import Variant
from server.games.cards import PileState
from server.games.deals import set_up
from server.games.game import Game
from server.solver.beam import Attempt, Beam
from server.solver.budgets import Budget
from server.solver.exhaustive_search import ExhaustiveSearch
from server.solver.lines import as_played
from server.solver.verdicts import ShouldStop, Verdict
from server.solver.weights import weights_of

ATTEMPTS: Final = (
    Attempt(10, 0, True),
    Attempt(30, 40, True),
    Attempt(100, 40, True),
    Attempt(100, 80, True),
    Attempt(300, 40, True),
    Attempt(1000, 40, True),
    Attempt(3000, 40, False),
    Attempt(10000, 80, True),
    Attempt(10000, 120, True),
)
"""The attempts, in order, until one wins or the budget is spent."""
MOST_POSITIONS: Final = 2_000_000
"""The positions that an exhaustive search stores, unless the caller has more memory for it."""
MOST_IN_STOCK: Final = 24
"""The cards in the stock with which a position is still small enough to be exhausted."""


def solve_spider(
    game: Game,
    *,
    budget: int,
    seed: int,
    should_stop: ShouldStop,
    most_positions: int = MOST_POSITIONS,
) -> Verdict:
    """Return the verdict on a position of Spider or Spiderette, all of whose cards are known."""
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    running = game if game.outcome is None else set_up(game.rules, piles)
    weights, deals = weights_of(game.rules.game), deals_of(game.variant, piles)
    children = Budget(budget, should_stop)
    for number, attempt in enumerate(ATTEMPTS):
        if not children.is_left():
            break
        beam = Beam(
            weights, attempt, children, seed=seed + number, relaxed=game.rules.relaxed_deal
        )
        actions = beam.search(piles[: game.variant.columns], deals)
        line = None if actions is None else as_played(running, actions)
        if line is not None:
            return Verdict("won", line, children.spent)
    if sum(map(len, deals)) > MOST_IN_STOCK or not children.is_left():
        return Verdict("unknown", (), children.spent)
    columns = piles[: game.variant.columns]
    return exhaust(running, columns, deals, children, most_positions=most_positions)


def exhaust(
    game: Game,
    columns: Sequence[PileState],
    deals: Sequence[bytes],
    budget: Budget,
    *,
    most_positions: int = MOST_POSITIONS,
) -> Verdict:
    """Return the verdict of a search of every legal move, as far as the budget goes."""
    search = ExhaustiveSearch(
        weights_of(game.rules.game)[0],
        budget,
        most_positions=most_positions,
        relaxed=game.rules.relaxed_deal,
        auto_remove=game.rules.auto_remove,
    )
    actions = search.search(columns, deals)
    line = None if actions is None else as_played(game, actions, removes=False)
    if line is not None:
        return Verdict("won", line, budget.spent)
    # Moves of runs of mixed suits are not searched, so a proof does not cover them.
    proved = search.is_exhausted and game.rules.exceptions == "off"
    return Verdict("unwinnable" if proved else "unknown", (), budget.spent)


def deals_of(variant: Variant, piles: Sequence[PileState]) -> list[bytes]:
    """Return the cards of each deal, the next one first, from the first column on."""
    size = variant.columns
    stock = bytes(reversed(piles[size].cards))
    return [stock[at : at + size] for at in range(0, len(stock), size)]

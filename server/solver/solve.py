"""From a deal or a position to a verdict: each family of games has a search of its own."""

from collections.abc import Sequence
from typing import assert_never

from protocol.vocabulary import Outcome
from server.games.cards import Card
from server.games.deals import new_game
from server.games.game import Game
from server.games.rules import Rules
from server.solver.little_spider import solve_little_spider
from server.solver.spider import MOST_POSITIONS, solve_spider
from server.solver.verdicts import ShouldStop, Verdict, never


def solve(
    rules: Rules,
    deck: Sequence[Card],
    *,
    budget: int,
    seed: int = 0,
    should_stop: ShouldStop = never,
) -> Verdict:
    """Return the verdict on a deal; equal arguments give equal verdicts.

    The search judges at most `budget` positions, and its chance comes from `seed`.

    Raises:
        BadRules: The settings do not go together.
    """
    game = new_game(rules, deck)
    return solve_from(game, budget=budget, seed=seed, should_stop=should_stop)


def solve_from(
    game: Game,
    *,
    budget: int,
    seed: int = 0,
    should_stop: ShouldStop = never,
    most_positions: int = MOST_POSITIONS,
) -> Verdict:
    """Return the verdict on the position of a game, running or finished, which stays as it is.

    An exhaustive search of Spider or Spiderette stores at most `most_positions`, of about 150
    bytes each.

    The line continues from this position. A game that was finished must be replayed without its
    last entry before the line can be played.
    """
    if game.outcome is Outcome.WON:
        return Verdict("won", (), 0)
    match game.variant.goal:
        case "suits":
            return solve_spider(
                game,
                budget=budget,
                seed=seed,
                should_stop=should_stop,
                most_positions=most_positions,
            )
        case "cards":
            return solve_little_spider(game, budget=budget, seed=seed, should_stop=should_stop)
        case _:
            assert_never(game.variant.goal)

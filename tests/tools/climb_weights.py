"""Better weights for the solver: `python -m tests.tools.climb_weights spider-4`.

Each generation tries some changes of the weights on the same fresh deals, each with one narrow
beam, and moves towards the best changes. A lost deal counts the cards that come home, so narrow
beams are enough. The program prints the weights every few generations; `columns.py` and
`piles.py` of the solver have the results. It never uses the deals of the figures.

Run it in a compiled copy (bench/README.md), which is six times faster.
"""

import argparse
import random
import time
from dataclasses import asdict

from protocol.games import GAMES
from server.games.deals import new_game, secret_deck
from server.games.rules import Rules
from server.solver.beam import Attempt, Beam, Budget
from server.solver.columns import COLUMN_WEIGHTS, Weights
from server.solver.piles import PILE_WEIGHTS, Piles, PileSearch, PileWeights
from server.solver.solve import deals_of, split_piles

LITTLE_SPIDER = "little-spider"
FIRST_DEAL = 1_000_000
"""The number of the first deal."""
WON = 52
"""The bonus for a win, in cards."""
TRIED, BEST = 20, 6
"""How many changes a generation tries, and how many of the best it moves towards."""
SMALLEST = 6.0
"""The smallest weight for the size of changes."""
PRINTED_EVERY = 5
"""The generations between two lines of output."""


def gain_on_piles(number: int, weights: PileWeights, width: int) -> tuple[bool, float]:
    """Return whether one beam for each colour wins a deal of Little Spider, and its gain."""
    start = new_game(
        Rules(LITTLE_SPIDER, score="cards"), secret_deck(LITTLE_SPIDER, number.to_bytes(16, "big"))
    )
    piles = [start.pile(index) for index in range(len(start.variant.piles))]
    budget = Budget(10**9)
    fewest, won = start.variant.cards, False
    for red_up in (False, True):
        table = Piles(weights, red_up=red_up, noise=0, seed=0)
        search = PileSearch(table, width, budget)
        won = search.win_from(search.starts(*split_piles(piles))) is not None or won
        fewest = min(fewest, search.fewest_cards)
    return won, start.variant.cards - fewest + WON * won - budget.spent / 100_000


def gain_of(
    game: str, number: int, weights: Weights | PileWeights, width: int
) -> tuple[bool, float]:
    """Return whether one beam wins a deal, and its gain."""
    if isinstance(weights, PileWeights):
        return gain_on_piles(number, weights, width)
    variant = GAMES[game]
    start = new_game(Rules(game), secret_deck(game, number.to_bytes(16, "big")))
    piles = [start.pile(index) for index in range(variant.columns + 1)]
    budget = Budget(10**9)
    beam = Beam(weights, Attempt(width, 0, pruned=True), budget, seed=0, relaxed=False)
    won = beam.search(piles[:-1], deals_of(piles[-1], variant.columns)) is not None
    return won, variant.cards - beam.fewest_cards + WON * won - budget.spent / 10_000


def weights_from(game: str, numbers: dict[str, float]) -> Weights | PileWeights:
    """Return weights from numbers by name."""
    kind = PileWeights if game == LITTLE_SPIDER else Weights
    return kind(**{name: round(number) for name, number in numbers.items()})


def main() -> None:
    """Climb until the time is up."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game", choices=sorted(GAMES))
    options.add_argument("--width", type=int, default=8)
    options.add_argument("--deals", type=int, default=25)
    options.add_argument("--seconds", type=float, default=600.0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--step", type=float, default=0.3)
    given = options.parse_args()
    chance = random.Random(given.seed)
    started = PILE_WEIGHTS if given.game == LITTLE_SPIDER else COLUMN_WEIGHTS
    centre = {name: float(number) for name, number in asdict(started).items()}
    deal, generation, wins, gains = FIRST_DEAL + 100_000 * given.seed, 0, 0, 0.0
    began = time.monotonic()
    while (passed := time.monotonic() - began) < given.seconds:
        step = given.step * (1 - 0.75 * passed / given.seconds)
        tried: list[tuple[float, dict[str, float]]] = []
        for _ in range(TRIED):
            other = {
                name: number + chance.gauss(0, step) * max(abs(number), SMALLEST)
                for name, number in centre.items()
            }
            weights = weights_from(given.game, other)
            found = [
                gain_of(given.game, deal + at, weights, given.width) for at in range(given.deals)
            ]
            wins += sum(won for won, _ in found)
            gains += sum(gain for _, gain in found)
            tried.append((sum(gain for _, gain in found), other))
        deal += given.deals
        generation += 1
        tried.sort(key=lambda each: -each[0])
        centre = {name: sum(other[name] for _, other in tried[:BEST]) / BEST for name in centre}
        if generation % PRINTED_EVERY == 0:
            played = PRINTED_EVERY * TRIED * given.deals
            found_now = weights_from(given.game, centre)
            print(f"{generation} {wins / played:.1%} {gains / played:.1f} {found_now}", flush=True)
            wins, gains = 0, 0.0


if __name__ == "__main__":
    main()

"""Better weights for an Expert's plans: `python -m tests.tools.fit_plan_weights spider-1`.

An Expert with a narrow search plays deals to their end. A logistic regression then fits the chance
to win to the features of each position before a card is turned up or dealt. The number of
remaining deals is a factor, and each game has the same weight. A penalty keeps the weights near
the previous ones. The weight `turned` does not change.

A fit describes past games, so it may play worse: a step of 0.3 is safer than the whole fit. Keep a
fit in `server/solver/players.py` only if it wins more of other deals. The program never uses the
deals of `bench/bots.py`. Run it in a compiled copy (bench/README.md).
"""

import argparse
import math
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from protocol.games import GAMES
from protocol.vocabulary import Outcome
from server.games.actions import DEAL
from server.solver.columns import Columns, Weights
from server.solver.plans import CERTAIN, PlanSearch, PlanWeights, Prices, VisibleTable, position_of
from server.solver.players import STRENGTHS, Planner, Strength
from tests.solver.visible_games import dealt, rules_of, visible

FIRST_DEAL = 3_000_000
"""The number of the first deal."""
NARROW = (PlanSearch(10, 5), PlanSearch(50, 8, pruned=False))
"""The searches of the played games: ten times faster than an Expert's."""
FROM_EACH = 12
"""The most positions from one game, since they are much alike."""
PENALTY = 12.0
ITERATIONS = 12
COLUMN_FEATURES = tuple(field.name for field in fields(Weights))
AHEAD_FEATURES = ("fits", "bases", "ready")
FEATURES = (*COLUMN_FEATURES, *AHEAD_FEATURES)


def weights_from(named: dict[str, int], turned: int) -> PlanWeights:
    """Return weights from their names; all others are 0."""
    columns = Weights(**{name: named.get(name, 0) for name in COLUMN_FEATURES})
    return PlanWeights(columns, turned, **{name: named.get(name, 0) for name in AHEAD_FEATURES})


@dataclass(frozen=True, slots=True)
class Seen:
    """A position of a game, and how the game ended."""

    left: int  # the number of remaining deals
    features: tuple[float, ...]  # by weight: its factor in the price
    won: bool
    share: float  # its share of the game's weight


class Feature:
    """The factor of a weight in the price of a position."""

    def __init__(self, name: str) -> None:
        looks_ahead = name in AHEAD_FEATURES
        # The price is the factor if this weight is 1 and all others are 0.
        self._unit = CERTAIN if looks_ahead else 1
        self._weights = weights_from({name: self._unit}, turned=0)
        self._table = Columns(self._weights.columns)

    def of(self, table: VisibleTable) -> float:
        """Return the factor for a visible table."""
        prices = Prices(table.unseen, self._weights)
        return prices.price(position_of(self._table, table.columns)) / self._unit


def play(
    game_id: str, number: int, weights: PlanWeights, features: Sequence[Feature]
) -> list[Seen]:
    """Play a deal, and return some of its positions."""
    game = dealt(rules_of(GAMES[game_id].id), number)
    player = Planner(Strength(*NARROW, weights, searches_end=True))
    tables = [visible(game)]
    while game.outcome is None:
        action = player.choose(visible(game), game.legal_actions())
        if action is None:
            break
        if game.apply(action).turned or action == DEAL:
            tables.append(visible(game))
    chosen = random.Random(number).sample(tables, min(FROM_EACH, len(tables)))
    return [
        Seen(
            table.stock // len(table.columns),
            tuple([feature.of(table) for feature in features]),
            game.outcome is Outcome.WON,
            1 / len(chosen),
        )
        for table in chosen
    ]


def logistic(
    rows: Sequence[Sequence[float]], seen: Sequence[Seen], penalties: Sequence[float]
) -> list[float]:
    """Fit the coefficients of the chance to win with Newton's method."""
    size = len(penalties)
    found = [0.0] * size
    for _ in range(ITERATIONS):
        gradient = [-p * b for p, b in zip(penalties, found, strict=True)]
        matrix = [[penalties[i] * (i == j) for j in range(size)] for i in range(size)]
        for row, each in zip(rows, seen, strict=True):
            logit = sum([b * x for b, x in zip(found, row, strict=True)])
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
            error, curve = each.share * (each.won - chance), each.share * chance * (1 - chance)
            for i, x in enumerate(row):
                if x:
                    gradient[i] += error * x
                    line, scaled = matrix[i], curve * x
                    for j in range(i + 1):
                        line[j] += scaled * row[j]
        for i in range(size):
            for j in range(i + 1, size):
                matrix[i][j] = matrix[j][i]
        found = [b + step for b, step in zip(found, solved(matrix, gradient), strict=True)]
    return found


def solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve linear equations with Gaussian elimination."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        best = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(size):
            if row != at and (factor := rows[row][at] / rows[at][at]):
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[at], strict=True)]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def fitted(seen: Sequence[Seen], weights: PlanWeights, step: float) -> PlanWeights:
    """Return weights between the given ones and the ones that best separate wins from losses.

    `step` is how far to go, from 0 to 1.
    """
    present = [float(asdict(weights.columns)[name]) for name in COLUMN_FEATURES]
    present += [float(getattr(weights, name)) for name in AHEAD_FEATURES]
    columns = list(zip(*[each.features for each in seen], strict=True))
    means = [sum(column) / len(seen) for column in columns]
    spreads = [
        math.sqrt(sum([(x - mean) ** 2 for x in column]) / len(seen)) or 1.0
        for column, mean in zip(columns, means, strict=True)
    ]
    costs = [sum([w * x for w, x in zip(present, each.features, strict=True)]) for each in seen]
    middle = sum(costs) / len(costs)
    scale = math.sqrt(sum([(cost - middle) ** 2 for cost in costs]) / len(costs))
    stages = 1 + max(each.left for each in seen)
    rows = [
        [
            *[float(each.left == stage) for stage in range(stages)],
            (cost - middle) / scale,
            *[(x - m) / s for x, m, s in zip(each.features, means, spreads, strict=True)],
        ]
        for each, cost in zip(seen, costs, strict=True)
    ]
    free = 0.01
    penalties = [free] * (stages + 1) + [PENALTY] * len(FEATURES)
    coefficients = logistic(rows, seen, penalties)
    per_cost = coefficients[stages] / scale
    better = [
        round(weight + step * change / spread / per_cost)
        for weight, change, spread in zip(
            present, coefficients[stages + 1 :], spreads, strict=True
        )
    ]
    return weights_from(dict(zip(FEATURES, better, strict=True)), weights.turned)


def main() -> None:
    """Play, fit and print the weights for a number of rounds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("game", choices=[game for game in GAMES if GAMES[game].goal == "suits"])
    options.add_argument("--deals", type=int, default=2_000)
    options.add_argument("--times", type=int, default=1)
    options.add_argument("--step", type=float, default=1.0, help="how far to the fit, up to 1")
    options.add_argument("--first", type=int, default=FIRST_DEAL)
    given = options.parse_args()
    weights = STRENGTHS["expert"][GAMES[given.game].suits].weights
    features = [Feature(name) for name in FEATURES]
    for time in range(given.times):
        first = given.first + time * given.deals
        seen: list[Seen] = []
        for number in range(first, first + given.deals):
            seen += play(given.game, number, weights, features)
        won = sum(each.share for each in seen if each.won) / given.deals
        print(f"won {won:.1%} of {given.deals} with {weights}", flush=True)
        weights = fitted(seen, weights, given.step)
        print(weights, flush=True)


if __name__ == "__main__":
    main()

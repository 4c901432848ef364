"""The fit of an Expert's weights: features are what the weights count, and wins move them."""

import random
from dataclasses import asdict

import pytest

from server.solver.columns import Columns
from server.solver.outlooks import Outlook
from server.solver.plan_weights import EXPERT_WEIGHTS
from server.solver.plans import position_of
from tests.bench.fit_plan_weights import (
    COLUMN_FEATURES,
    FEATURES,
    OUTLOOK_FEATURES,
    Feature,
    Seen,
    fitted,
    solved,
    weights_from,
)
from tests.solver.visible_games import dealt, rules_of, visible


def test_the_price_of_a_position_is_the_sum_of_its_features_with_their_weights() -> None:
    table, weights = visible(dealt(rules_of("spider-2"), 7)), EXPERT_WEIGHTS[2]
    named = asdict(weights.columns) | {name: getattr(weights, name) for name in OUTLOOK_FEATURES}
    start = position_of(Columns(weights.columns), table.columns)
    price = sum(named[name] * Feature(name).of(table) for name in FEATURES)
    # Chances are rounded down to a thousandth.
    assert Outlook(table.unseen, weights).price(start) == pytest.approx(price, abs=2)


def test_linear_equations_are_solved() -> None:
    assert solved([[0.0, 2.0], [4.0, 1.0]], [6.0, 11.0]) == [2.0, 3.0]


def test_what_lost_games_have_more_of_costs_more() -> None:
    chance = random.Random(3)
    weights = weights_from(dict.fromkeys(FEATURES, 50), turned=500)
    seen = []
    for _ in range(300):
        features = tuple(chance.gauss(0, 2) for _ in FEATURES)
        bad = sum(features) + 9 * features[FEATURES.index("down")]
        seen.append(Seen(chance.randrange(3), features, bad < chance.gauss(0, 9), 1.0))
    better = asdict(fitted(seen, weights, 1.0).columns)
    assert max(COLUMN_FEATURES, key=better.__getitem__) == "down"
    assert fitted(seen, weights, 1.0).turned == 500
    assert fitted(seen, weights, 0.0) == weights

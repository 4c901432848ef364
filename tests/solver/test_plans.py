"""Prices of plans: they count the moves that the next unseen card would have."""

import pytest

from server.games.cards import parse_card
from server.solver.columns import Columns, Weights
from server.solver.plans import PER_CARD, UNKNOWN, PlanWeights, Prices, VisibleColumn, position_of
from tests.tools.fit_plan_weights import weights_from

FREE = weights_from({}, turned=0).columns


def cards(text: str) -> bytes:
    """Return the cards of a text; `?` is an unknown card."""
    return bytes(UNKNOWN if name == "?" else int(parse_card(name)) for name in text.split())


def saved(weights: PlanWeights, unseen: str, *texts: str) -> int:
    """Return what the price of a position saves; its unknown cards lie face down."""
    columns = []
    for text in texts:
        shown = cards(text)
        down = min(shown.count(UNKNOWN), max(0, len(shown) - 1))
        columns.append(VisibleColumn(down, shown[down:]))
    start = position_of(Columns(weights.columns), columns)
    return start.cost - Prices(cards(unseen), weights).price(start)


@pytest.mark.parametrize(
    ("texts", "chance"),
    [
        (["? 5S", "9H"], 500),  # a four fits on the five; nothing fits on an ace, nor on the nine
        (["4S", "4H"], 0),
        (["4S", "KH QH"], 500),  # the jack
        (["5S", "QS"], 1000),
        (["5S ?", ""], 0),  # a card that has just turned up is not known yet
    ],
)
def test_savings_for_the_next_card_depend_on_its_chance(texts: list[str], chance: int) -> None:
    weights = PlanWeights(FREE, turned=0, fits=PER_CARD)
    assert saved(weights, "4S JS 4H JH", *texts) == chance


@pytest.mark.parametrize(
    ("texts", "chance"),
    [
        (["? 3S"], 500),
        (["3S 2S"], 500),  # it would leave an empty column
        (["9S 3S"], 0),  # it lies on a card that is seen
        (["? TS 9S", "? ? 3H"], 1000),
    ],
)
def test_a_run_on_hidden_cards_saves_if_a_card_may_take_it(texts: list[str], chance: int) -> None:
    weights = PlanWeights(FREE, turned=0, bases=PER_CARD)
    assert saved(weights, "4S JS 4H JH", *texts) == chance


def test_runs_that_can_turn_a_card_up_are_counted() -> None:
    weights = PlanWeights(FREE, turned=0, ready=10)
    assert saved(weights, "4S", "? 8S 7S", "? ? 8H", "9H", "7D", "? KS") == 20


def test_a_card_that_turns_up_saves_once() -> None:
    weights = PlanWeights(FREE, turned=70)
    assert saved(weights, "4S", "? ?", "9H") == 70
    assert saved(weights, "4S", "? 5S", "9H") == 0


def test_without_unseen_cards_nothing_is_expected() -> None:
    weights = PlanWeights(Weights(*range(14)), turned=0, fits=PER_CARD, bases=PER_CARD)
    assert saved(weights, "", "5S", "9H 8H") == 0

"""Columns of the searches: their costs, their moves beside the rules, and prices of plans.

`test_solve` pins whole searches, which depend on all of this.
"""

from dataclasses import replace

import pytest

from server.games.actions import Action, format_action
from server.games.cards import parse_card
from server.games.deals import new_game
from server.games.rules import Rules
from server.games.tableau import Tableau, list_moves
from server.solver.columns import (
    COLUMN_WEIGHTS,
    Columns,
    Weights,
    cost_of,
    list_all,
    list_promising,
)
from server.solver.plans import CERTAIN, UNKNOWN, PlanWeights, Prices, VisibleColumn, position_of
from tests.games.positions import piles_of
from tests.games.texts import cards_of
from tests.solver.test_solve import deck_of
from tests.tools.fit_plan_weights import weights_from

NOTHING = Weights(**dict.fromkeys(Weights.__dataclass_fields__, 0))


def column_of(text: str) -> tuple[bytes, int]:
    """Return the cards of a text such as `5H 6C | 9S-7S`, and how many of them lie face down."""
    down, _, up = text.rpartition("|")
    return bytes(cards_of(down) + cards_of(up)), len(cards_of(down))


@pytest.mark.parametrize(
    ("weight", "text", "times"),
    [
        ("card", "5H | 9S 3C", 3),
        ("down", "5H 6H | 9S", 2),
        ("deep", "5H 6H 7H | 9S", 3),
        ("has_down", "5H | 9S", 1),
        ("has_down", "9S", 0),
        ("run_on_down", "5H | 9S-7S 6C", 2),
        ("run_on_down", "9S 6C", 0),
        ("joined", "9S-7S 6C", -2),
        ("longer", "9S-6S", -6),
        ("mixed", "9S 8C 7C 6H", 2),
        ("broken", "9S 3C 9C", 2),
        ("inverted", "9S 3C 9C", 1),
        ("above", "9S 3C 2C AC 9C", 5),
        ("space", "", -1),
        ("king", "KS", -1),
        ("king", "5H | KS", 0),
        ("end", "KS TS", 3),
    ],
)
def test_a_weight_counts(weight: str, text: str, times: int) -> None:
    assert cost_of(*column_of(text), replace(NOTHING, **{weight: 1})) == times


def test_every_part_of_a_run_moves_but_no_whole_column_goes_to_a_space() -> None:
    all_columns = Columns(COLUMN_WEIGHTS)
    found = list_all([all_columns.column(*column_of(text)) for text in ("9S-7S", "8H", "", "")])
    texts = {format_action(Action(move), ["t0", "t1", "t2"]) for move in found}
    assert texts == {"t0x1-t1", "t0x1-t2", "t0x2-t2"}


@pytest.mark.parametrize("number", range(5))
def test_moves_without_pruning_are_those_of_the_rules(number: int) -> None:
    game = new_game(Rules("spider-4"), deck_of("spider-4", number))
    piles, all_columns = piles_of(game)[:10], Columns(COLUMN_WEIGHTS)
    dealt = [all_columns.column(bytes(pile.cards), pile.down) for pile in piles]
    assert set(list_all(dealt)) == set(list_moves(Tableau(piles)))
    assert set(list_promising(dealt)) <= set(list_all(dealt))


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
    weights = PlanWeights(FREE, turned=0, fits=CERTAIN)
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
    weights = PlanWeights(FREE, turned=0, bases=CERTAIN)
    assert saved(weights, "4S JS 4H JH", *texts) == chance


def test_runs_that_can_turn_a_card_up_are_counted() -> None:
    weights = PlanWeights(FREE, turned=0, ready=10)
    assert saved(weights, "4S", "? 8S 7S", "? ? 8H", "9H", "7D", "? KS") == 20


def test_a_card_that_turns_up_saves_once() -> None:
    weights = PlanWeights(FREE, turned=70)
    assert saved(weights, "4S", "? ?", "9H") == 70
    assert saved(weights, "4S", "? 5S", "9H") == 0


def test_without_unseen_cards_nothing_is_expected() -> None:
    weights = PlanWeights(Weights(*range(14)), turned=0, fits=CERTAIN, bases=CERTAIN)
    assert saved(weights, "", "5S", "9H 8H") == 0

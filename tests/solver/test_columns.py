"""Columns and positions of the searches: what they know, what they cost, and their moves.

`test_solve` pins whole searches; here a reader sees the terms of their sums.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from server.games.actions import Action, format_action
from server.games.cards import format_cards, parse_cards
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.games.spider_moves import list_moves
from server.games.tableau import SPACE, Tableau
from server.solver.columns import Column, Columns
from server.solver.costs import cost_of
from server.solver.positions import START, Position, cost_of_all, key_of, list_all, list_promising
from server.solver.weights import WEIGHTS, Weights, weights_of
from tests.games.positions import piles_of

NOTHING = Weights(**dict.fromkeys(Weights.__dataclass_fields__, 0))
NAMES = [f"t{place}" for place in range(10)]


def table(*, noise: int = 0, seed: int = 0) -> Columns:
    return Columns(WEIGHTS["spider-4"][0], noise=noise, seed=seed)


def cards_of(text: str) -> tuple[bytes, int]:
    """Return the cards of a text such as `5H 6C | 9S-7S`, and how many of them lie face down."""
    down, _, up = text.rpartition("|")
    return bytes(parse_cards(down) + parse_cards(up)), len(parse_cards(down))


def column(of: Columns, text: str) -> Column:
    return of.column(*cards_of(text))


def columns(*texts: str) -> list[Column]:
    of = table()
    return [column(of, text) for text in texts]


def shown(of: Column) -> str:
    hidden, up = format_cards(of.cards[: of.down]), format_cards(of.cards[of.down :])
    return f"{hidden} | {up}" if hidden else up


def test_equal_cards_are_one_column() -> None:
    of = table()
    assert column(of, "5H | 9S-7S") is column(of, "5H | 9S 8S 7S")
    assert column(of, "5H | 9S") is not column(of, "5H 9S")


def test_a_column_knows_the_run_at_its_end() -> None:
    found = column(table(), "5H | TD 9S-7S")
    assert (found.size, found.run, found.last) == (5, 3, 7)
    assert format_cards([found.head]) == "9S"
    assert column(table(), "TS | 9S 8S").run == 2  # no card face down is a part of it


def test_an_empty_column_takes_any_run() -> None:
    of = table()
    found = column(of, "")
    assert (found.size, found.run, found.last) == (0, 0, SPACE)
    assert shown(of.with_run(found, parse_cards("9S")[0], 3)) == "9S 8S 7S"


def test_a_run_or_its_part_leaves_and_the_card_below_turns_up() -> None:
    of = table()
    assert shown(of.without(column(of, "5H 6C | 9S-7S"), 3)) == "5H | 6C"
    found = column(of, "9S-7S")
    assert shown(of.without(found, 2)) == "9S"
    assert of.without(found, 2) is of.without(found, 2)


def test_a_suit_leaves_at_once_and_one_under_it_too() -> None:
    of = table()
    found = of.with_run(column(of, "5H 6C | KS-8S"), parse_cards("7S")[0], 7)
    assert shown(found) == "5H | 6C"
    assert shown(column(of, "5H | KH-AH KS-AS")) == "5H"


def test_keys_depend_on_cards_and_salt_and_costs_on_no_more_than_the_limit_of_noise() -> None:
    texts = ("", "9S", "5H | 9S", "5H 9S", "9S-2S", "8C 9C 3D")
    exact, noisy = table(), table(noise=7, seed=3)
    keys = [column(exact, text).key for text in texts]
    assert keys == [column(table(), text).key for text in texts]
    assert len(set(keys)) == len(keys)
    assert keys != [column(noisy, text).key for text in texts]
    errors = [column(noisy, text).cost - column(exact, text).cost for text in texts]
    assert any(errors)
    assert max(map(abs, errors)) <= 7


@pytest.mark.parametrize(
    ("weight", "text", "times"),
    [
        ("card", "5H | 9S 3C", 3),
        ("down", "5H 6H | 9S", 2),
        ("deep", "5H 6H 7H | 9S", 3),
        ("closed", "5H | 9S", 1),
        ("closed", "9S", 0),
        ("over_closed", "5H | 9S-7S 6C", 2),
        ("over_closed", "9S 6C", 0),
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
    assert cost_of(*cards_of(text), replace(NOTHING, **{weight: 1})) == times


def test_a_game_without_weights_of_its_own_has_those_of_spider() -> None:
    assert weights_of("spiderette-1") is WEIGHTS["spiderette-1"]
    assert weights_of("a-game-of-tomorrow") is WEIGHTS["spider-4"]


def moves_of(found: Sequence[int]) -> set[str]:
    return {format_action(Action(move), NAMES) for move in found}


@pytest.mark.parametrize(
    ("texts", "moves"),
    [
        (["9S-7S", "TH", "TC"], {"t0x3-t1", "t0x3-t2"}),  # a whole run moves to any suit
        # A part moves only where a longer run comes of it.
        (["9S-7S", "JS-8S"], {"t0x1-t1"}),
        (["9S-7S", "8S"], set()),
        (["9S-7S", "8H"], set()),
        # A run moves onto the first space unless its column gets empty.
        (["4H 9S 8S", "", "", "KC"], {"t0x2-t1"}),
    ],
)
def test_promising_moves(texts: list[str], moves: set[str]) -> None:
    assert moves_of(list_promising(columns(*texts))) == moves


def test_without_pruning_every_part_moves() -> None:
    found = moves_of(list_all(columns("9S-7S", "8H", "", "")))
    assert found == {"t0x1-t1", "t0x1-t2", "t0x2-t2"}


@pytest.mark.parametrize("number", range(5))
def test_moves_without_pruning_are_those_of_the_rules(number: int) -> None:
    game = new_game(Rules("spider-4"), secret_deck("spider-4", number.to_bytes(16, "big")))
    piles, of = piles_of(game)[:10], table()
    dealt = [of.column(bytes(pile.cards), pile.down) for pile in piles]
    assert set(list_all(dealt)) == set(list_moves(Tableau(piles)))
    assert set(list_promising(dealt)) <= set(list_all(dealt))


def test_the_order_of_columns_counts_only_while_the_stock_has_cards() -> None:
    here, there = columns("9S", "8H"), columns("8H", "9S")
    assert key_of(here, ordered=True) != key_of(there, ordered=True)
    assert key_of(here, ordered=False) == key_of(there, ordered=False)


def test_a_position_knows_its_actions_cards_spaces_and_cost() -> None:
    start = Position(columns("9S", "", "TS"), None, START, 0, 0)
    after = Position(columns("", "", "TS 9S"), start, 5, 0, 0)
    assert (start.actions(), after.actions()) == ([], [5])
    assert (start.cards(), after.cards()) == (2, 2)
    assert (start.space(), after.space()) == (1, 0)
    assert Position(columns("9S"), None, START, 0, 0).space() == -1
    found = columns("9S-7S", "", "TH 2C")
    assert cost_of_all(found) == sum(column.cost for column in found)

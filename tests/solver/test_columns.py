from dataclasses import replace

import pytest

from server.games.cards import format_cards, parse_cards
from server.games.tableau import SPACE
from server.solver.columns import Column, Columns
from server.solver.costs import cost_of
from server.solver.weights import WEIGHTS, Weights, weights_of

NOTHING = Weights(**dict.fromkeys(Weights.__dataclass_fields__, 0))


def table(*, noise: int = 0, seed: int = 0) -> Columns:
    return Columns(WEIGHTS["spider-4"][0], noise=noise, seed=seed)


def column(of: Columns, text: str) -> Column:
    """Return the column of a text such as `5H 6C | 9S-7S`, whose first cards lie face down."""
    down, bar, up = text.rpartition("|")
    hidden = parse_cards(down) if bar else ()
    return of.column(bytes(hidden + parse_cards(up)), len(hidden))


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


def test_keys_depend_on_the_cards_and_the_salt_alone() -> None:
    texts = ("", "9S", "5H | 9S", "5H 9S")
    keys = [column(table(seed=1), text).key for text in texts]
    assert keys == [column(table(seed=1), text).key for text in texts]
    assert len(set(keys)) == len(keys)
    assert keys != [column(table(seed=2), text).key for text in texts]


def test_noise_changes_a_cost_by_no_more_than_its_limit() -> None:
    texts = ("9S", "5H | 9S", "9S-2S", "8C 9C 3D")
    exact = [column(table(), text).cost for text in texts]
    noisy = [column(table(noise=7, seed=3), text).cost for text in texts]
    assert noisy != exact
    assert all(abs(one - other) <= 7 for one, other in zip(noisy, exact, strict=True))


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
    down, bar, up = text.rpartition("|")
    hidden = parse_cards(down) if bar else ()
    weights = replace(NOTHING, **{weight: 1})
    assert cost_of(bytes(hidden + parse_cards(up)), len(hidden), weights) == times


def test_a_game_without_weights_of_its_own_has_those_of_spider() -> None:
    assert weights_of("spiderette-1") is WEIGHTS["spiderette-1"]
    assert weights_of("a-game-of-tomorrow") is WEIGHTS["spider-4"]

from collections.abc import Sequence

import pytest

from server.games.actions import Action, format_action
from server.games.cards import PileState, parse_cards
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.games.spider_moves import list_moves
from server.games.tableau import Tableau
from server.solver.columns import Column, Columns
from server.solver.positions import (
    START,
    Position,
    cost_of_all,
    key_of,
    list_all,
    list_promising,
)
from server.solver.weights import WEIGHTS

NAMES = [f"t{place}" for place in range(10)]


def columns(*texts: str) -> list[Column]:
    table = Columns(WEIGHTS["spider-4"][0])
    return [table.column(bytes(parse_cards(text)), 0) for text in texts]


def shown(moves: Sequence[int]) -> set[str]:
    return {format_action(Action(move), NAMES) for move in moves}


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
    assert shown(list_promising(columns(*texts))) == moves


def test_without_pruning_every_part_moves() -> None:
    found = shown(list_all(columns("9S-7S", "8H", "", "")))
    assert found == {"t0x1-t1", "t0x1-t2", "t0x2-t2"}


@pytest.mark.parametrize("number", range(5))
def test_moves_without_pruning_are_those_of_the_rules(number: int) -> None:
    game = new_game(Rules("spider-4"), secret_deck("spider-4", number.to_bytes(16, "big")))
    piles: list[PileState] = [game.pile(place) for place in range(10)]
    table = Columns(WEIGHTS["spider-4"][0])
    dealt = [table.column(bytes(pile.cards), pile.down) for pile in piles]
    assert set(list_all(dealt)) == set(list_moves(Tableau(piles)))
    assert set(list_promising(dealt)) <= set(list_all(dealt))


def test_the_order_of_columns_counts_only_while_the_stock_has_cards() -> None:
    here, there = columns("9S", "8H"), columns("8H", "9S")
    assert key_of(here, ordered=True) != key_of(there, ordered=True)
    assert key_of(here, ordered=False) == key_of(there, ordered=False)


def test_a_position_knows_its_actions_cards_and_spaces() -> None:
    start = Position(columns("9S", "", "TS"), None, START, 0, 0)
    after = Position(columns("", "", "TS 9S"), start, 5, 0, 0)
    assert (start.actions(), after.actions()) == ([], [5])
    assert (start.cards(), after.cards()) == (2, 2)
    assert (start.space(), after.space()) == (1, 0)
    assert Position(columns("9S"), None, START, 0, 0).space() == -1


def test_the_cost_of_a_position_is_that_of_its_columns() -> None:
    found = columns("9S-7S", "", "TH 2C")
    assert cost_of_all(found) == sum(column.cost for column in found)

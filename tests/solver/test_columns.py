"""Columns of the searches: the terms of their costs, and their moves beside the rules.

`test_solve` pins whole searches, which depend on all of this.
"""

from dataclasses import replace

import pytest

from server.games.actions import Action, format_action
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
from tests.games.positions import piles_of
from tests.games.texts import cards_of
from tests.solver.test_solve import deck_of

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
    assert cost_of(*column_of(text), replace(NOTHING, **{weight: 1})) == times


def test_every_part_of_a_run_moves_but_no_whole_column_goes_to_a_space() -> None:
    of = Columns(COLUMN_WEIGHTS)
    found = list_all([of.column(*column_of(text)) for text in ("9S-7S", "8H", "", "")])
    texts = {format_action(Action(move), ["t0", "t1", "t2"]) for move in found}
    assert texts == {"t0x1-t1", "t0x1-t2", "t0x2-t2"}


@pytest.mark.parametrize("number", range(5))
def test_moves_without_pruning_are_those_of_the_rules(number: int) -> None:
    game = new_game(Rules("spider-4"), deck_of("spider-4", number))
    piles, of = piles_of(game)[:10], Columns(COLUMN_WEIGHTS)
    dealt = [of.column(bytes(pile.cards), pile.down) for pile in piles]
    assert set(list_all(dealt)) == set(list_moves(Tableau(piles)))
    assert set(list_promising(dealt)) <= set(list_all(dealt))

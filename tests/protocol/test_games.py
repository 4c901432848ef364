"""The description of each game, with everything that a new game must have."""

import re
from dataclasses import replace
from typing import get_args

import pytest

from protocol.games import GAMES, GameId, Variant
from protocol.vocabulary import PILE_PATTERN, Language
from server.games.actions import PILE_MASK

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def test_every_id_has_its_game_in_the_order_of_the_menu() -> None:
    assert tuple(GAMES) == get_args(GameId), "GameId and GAMES are in protocol/games.py"


@every_game
def test_a_game_has_a_name_in_every_language(game: Variant) -> None:
    assert set(game.names) == set(get_args(Language)), "names are in protocol/games.py"


@every_game
def test_the_figures_of_a_game_agree_with_its_piles(game: Variant) -> None:
    roles = [pile.role for pile in game.piles]
    assert roles.count("tableau") == game.columns
    assert roles.count("foundation") == game.foundations
    assert roles.count("stock") == 1
    for down in game.dealt_down.values():
        assert (len(down), sum(down)) == (game.columns, game.face_down)
        assert sum(map(bool, down)) == game.covered_columns
    assert game.stock >= 0


@every_game
def test_piles_have_names_roles_and_places_of_their_own(game: Variant) -> None:
    # A new description: an old one may have computed these before coverage was measured.
    game = replace(game)
    assert game.pile_names == tuple(pile.id for pile in game.piles)
    assert [game.pile_index[name] for name in game.pile_names] == [*range(len(game.piles))]
    assert len(set(game.pile_names)) == len(game.piles) <= PILE_MASK + 1
    assert len({(pile.x, pile.y) for pile in game.piles}) == len(game.piles)
    parts = {"t": "tableau", "u": "tableau", "l": "tableau", "f": "foundation", "s": "stock"}
    assert all(pile.role == parts[pile.id[0]] for pile in game.piles)
    unnamed = [name for name in game.pile_names if not re.fullmatch(PILE_PATTERN, name)]
    assert not unnamed, "PILE_PATTERN in protocol/vocabulary.py allows ten columns"


def drawn(game: Variant) -> list[str]:
    """Where the piles of a game lie, row by row: `0 | stock:0 f0:6`; `/` fans downwards."""
    rows: dict[float, list[str]] = {}
    fans = {"down": "/", "none": ""}
    for pile in game.piles:
        rows.setdefault(pile.y, []).append(f"{pile.id}:{pile.x:g}{fans[pile.fan]}")
    return [f"{y:g} | {' '.join(rows[y])}" for y in sorted(rows)]


DRAWN = {
    "spider": [
        "0 | stock:0 f0:2 f1:3 f2:4 f3:5 f4:6 f5:7 f6:8 f7:9",
        "1 | t0:0/ t1:1/ t2:2/ t3:3/ t4:4/ t5:5/ t6:6/ t7:7/ t8:8/ t9:9/",
    ],
    "spiderette": [
        "0 | stock:0 f0:3 f1:4 f2:5 f3:6",
        "1 | t0:0/ t1:1/ t2:2/ t3:3/ t4:4/ t5:5/ t6:6/",
    ],
    "little-spider": [
        "0 | u0:1.75 u1:2.75 u2:3.75 u3:4.75",
        "1 | f0:1.75 f1:2.75 f2:3.75 f3:4.75 stock:0",
        "2 | l0:1.75 l1:2.75 l2:3.75 l3:4.75",
    ],
}


@every_game
def test_the_piles_of_a_family_lie_alike(game: Variant) -> None:
    assert drawn(game) == DRAWN[game.family]
    foundations = [pile.direction for pile in game.piles if pile.role == "foundation"]
    if game.family == "little-spider":
        assert foundations == ["up", "up", "down", "down"]

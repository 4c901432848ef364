from itertools import chain

import pytest

from server.games.catalogue import GAMES, variant_of
from server.games.deals import numbered_deck
from server.games.notation import format_position
from tests.games.positions import act, dealt, position, refused

SPIDERS = [game for game in GAMES if game.startswith("spider-")]
SPIDERETTES = [game for game in GAMES if game.startswith("spiderette-")]


@pytest.mark.parametrize(
    ("layout", "down"),
    [("left4", [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]), ("spread", [5, 4, 4, 5, 4, 4, 5, 4, 4, 5])],
)
@pytest.mark.parametrize("game", SPIDERS)
def test_spider_is_dealt_44_down_10_up_and_50_in_stock(
    game: str, layout: str, down: list[int]
) -> None:
    new = dealt(game, layout=layout)
    assert [new.pile(i).down for i in range(10)] == down
    assert [len(new.pile(i).cards) - new.pile(i).down for i in range(10)] == [1] * 10
    assert (new.counts.face_down, new.counts.stock, new.score) == (44, 50, 0)
    assert new.pile(10).down == 50


@pytest.mark.parametrize("game", SPIDERETTES)
def test_spiderette_is_dealt_as_a_staircase(game: str) -> None:
    new = dealt(game)
    assert [len(new.pile(i).cards) for i in range(7)] == [1, 2, 3, 4, 5, 6, 7]
    assert [new.pile(i).down for i in range(7)] == [0, 1, 2, 3, 4, 5, 6]
    assert (new.counts.face_down, new.counts.stock, new.score) == (21, 24, 0)


def test_spiderette_is_dealt_row_by_row() -> None:
    deck = numbered_deck("spiderette-4", 1)
    rows = [range(first, 7) for first in (1, 2, 3, 4, 5, 6, 0)]
    columns: list[list[int]] = [[] for _ in range(7)]
    for column, card in zip(chain.from_iterable(rows), deck, strict=False):
        columns[column].append(card)
    game = dealt("spiderette-4", 1)
    assert [list(game.pile(i).cards) for i in range(7)] == columns


def test_spiderettes_last_deal_is_three_cards_on_the_first_columns() -> None:
    game = dealt("spiderette-1", undo="any")
    act(game, "deal", "deal", "deal")
    before = format_position(game)
    effects = act(game, "deal")
    assert effects.changed == (0, 1, 2, 7)
    assert game.counts.stock == 0
    act(game, "undo")
    assert format_position(game) == before


def test_spiderettes_last_deal_still_needs_every_column() -> None:
    text = "t0: 3S; t1: 4H; t2: 5S; t3: 6H; t4: 7S; t5: 8H 7H; stock: AS AS AS"
    assert refused(position(text, "spiderette-4"), "deal") == "deal_empty_column"


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_is_the_beginning_of_its_game(game: str) -> None:
    new = dealt(game, 7)
    piles = variant_of(game).deal(new.rules, numbered_deck(game, 7))
    assert list(piles) == [new.pile(i) for i in range(len(new.variant.piles))]


def drawn(game: str) -> list[str]:
    """Where the piles of a game lie, row by row: `0 | stock:0 f0:6`; `/` fans downwards."""
    rows: dict[float, list[str]] = {}
    fans = {"down": "/", "none": ""}
    for pile in GAMES[game].piles:
        rows.setdefault(pile.y, []).append(f"{pile.id}:{pile.x:g}{fans[pile.fan]}")
    return [f"{y:g} | {' '.join(rows[y])}" for y in sorted(rows)]


@pytest.mark.parametrize("game", SPIDERS)
def test_spider_has_its_stock_and_its_suits_above_ten_columns(game: str) -> None:
    assert drawn(game) == [
        "0 | stock:0 f0:2 f1:3 f2:4 f3:5 f4:6 f5:7 f6:8 f7:9",
        "1 | t0:0/ t1:1/ t2:2/ t3:3/ t4:4/ t5:5/ t6:6/ t7:7/ t8:8/ t9:9/",
    ]


@pytest.mark.parametrize("game", SPIDERETTES)
def test_spiderette_has_its_stock_and_its_suits_above_seven_columns(game: str) -> None:
    assert drawn(game) == [
        "0 | stock:0 f0:3 f1:4 f2:5 f3:6",
        "1 | t0:0/ t1:1/ t2:2/ t3:3/ t4:4/ t5:5/ t6:6/",
    ]


def test_little_spider_has_its_foundations_between_its_rows() -> None:
    assert drawn("little-spider") == [
        "0 | u0:1.75 u1:2.75 u2:3.75 u3:4.75",
        "1 | f0:1.75 f1:2.75 f2:3.75 f3:4.75 stock:0",
        "2 | l0:1.75 l1:2.75 l2:3.75 l3:4.75",
    ]
    foundations = [pile for pile in GAMES["little-spider"].piles if pile.role == "foundation"]
    assert [pile.direction for pile in foundations] == ["up", "up", "down", "down"]


@pytest.mark.parametrize("game", GAMES)
def test_the_role_of_each_pile_matches_its_name(game: str) -> None:
    parts = {"t": "tableau", "u": "tableau", "l": "tableau", "f": "foundation", "s": "stock"}
    assert all(pile.role == parts[pile.id[0]] for pile in GAMES[game].piles)


@pytest.mark.parametrize("game", GAMES)
def test_a_variant_has_everything_that_is_needed_to_draw_it(game: str) -> None:
    variant = GAMES[game]
    assert len(set(variant.pile_names)) == len(variant.piles) <= 32
    assert len({(pile.x, pile.y) for pile in variant.piles}) == len(variant.piles)
    assert [variant.pile_index[name] for name in variant.pile_names] == list(
        range(len(variant.piles))
    )
    assert [pile.role for pile in variant.piles].count("stock") == 1

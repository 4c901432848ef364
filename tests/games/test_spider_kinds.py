from itertools import chain

import pytest

from server.games.catalogue import GAMES
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
    piles = new.kind.deal(new.rules, numbered_deck(game, 7))
    assert list(piles) == [new.pile(i) for i in range(len(new.kind.piles))]


@pytest.mark.parametrize("game", GAMES)
def test_a_kind_has_all_that_is_needed_to_draw_it(game: str) -> None:
    kind = GAMES[game]
    assert len(set(kind.pile_names)) == len(kind.piles) <= 32
    assert len({(pile.x, pile.y) for pile in kind.piles}) == len(kind.piles)
    assert [kind.pile_index[name] for name in kind.pile_names] == list(range(len(kind.piles)))
    assert [pile.role for pile in kind.piles].count("stock") == 1

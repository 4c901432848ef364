from itertools import chain

import pytest

from protocol.games import GAMES
from server.games.catalogue import check_rules, deal, variant_of
from server.games.deals import numbered_deck
from server.games.errors import BadRules
from server.games.rules import Rules
from tests.games.positions import dealt, every_game_of

BAD = [
    (Rules("klondike"), "unknown_game", {"game"}),
    (Rules("spider-4", layout="heap"), "unknown_value", {"layout"}),  # type: ignore[arg-type]
    (Rules("spider-4", undo="all"), "unknown_value", {"undo"}),  # type: ignore[arg-type]
    (Rules("spider-4", score="dos"), "dos_without_undo", {"undo", "score"}),
    (Rules("spider-4", score="dos", undo="free"), "dos_without_undo", {"undo", "score"}),
    (Rules("spider-4", score="dos", undo="counted"), "dos_without_undo", {"undo", "score"}),
    (
        Rules("spider-4", score="dos", undo="off", auto_remove=True),
        "dos_by_hand",
        {"auto_remove", "score"},
    ),
    (Rules("spiderette-4", score="dos", undo="off"), "score_not_of_game", {"score", "game"}),
    (Rules("spiderette-4", layout="spread"), "option_not_of_game", {"layout", "game"}),
    (Rules("little-spider"), "score_not_of_game", {"score", "game"}),
    (
        Rules("little-spider", score="cards", exceptions="easy", auto_remove=True),
        "option_not_of_game",
        {"exceptions", "auto_remove", "game"},
    ),
    (
        Rules("little-spider", score="cards", layout="spread", relaxed_deal=True),
        "option_not_of_game",
        {"layout", "relaxed_deal", "game"},
    ),
]


@pytest.mark.parametrize(("rules", "code", "fields"), BAD, ids=[code for _, code, _ in BAD])
def test_settings_that_clash_are_refused_with_the_fields_to_change(
    rules: Rules, code: str, fields: set[str]
) -> None:
    with pytest.raises(BadRules) as refused:
        check_rules(rules)
    assert refused.value.code == code
    assert set(refused.value.fields) == fields
    assert code in str(refused.value)


@pytest.mark.parametrize(
    ("family", "scores", "layouts"),
    [
        ("spider", ("woods", "dos", "cards", "moves"), ("left4", "spread")),
        ("spiderette", ("woods", "cards", "moves"), ("left4",)),
        ("little-spider", ("cards",), ("left4",)),
    ],
)
def test_each_family_lists_its_scores_and_layouts_the_usual_one_first(
    family: str, scores: tuple[str, ...], layouts: tuple[str, ...]
) -> None:
    variants = [variant for variant in GAMES.values() if variant.family == family]
    assert {(variant.scores, variant.layouts) for variant in variants} == {(scores, layouts)}


def test_every_game_has_a_score_that_goes_with_the_other_defaults() -> None:
    for game, variant in GAMES.items():
        check_rules(Rules(game, score=variant.scores[0]))
        assert variant_of(game) is variant


@pytest.mark.parametrize(
    ("layout", "down"),
    [("left4", [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]), ("spread", [5, 4, 4, 5, 4, 4, 5, 4, 4, 5])],
)
@every_game_of("spider")
def test_spider_is_dealt_44_down_10_up_and_50_in_stock(
    game: str, layout: str, down: list[int]
) -> None:
    new = dealt(game, layout=layout)
    assert [new.pile(i).down for i in range(10)] == down
    assert [len(new.pile(i).cards) - new.pile(i).down for i in range(10)] == [1] * 10
    assert (new.counts.face_down, new.counts.stock, new.score) == (44, 50, 0)
    assert new.pile(10).down == 50


@every_game_of("spiderette")
def test_spiderette_is_dealt_row_by_row_as_a_staircase(game: str) -> None:
    new = dealt(game)
    assert [new.pile(i).down for i in range(7)] == [0, 1, 2, 3, 4, 5, 6]
    assert (new.counts.face_down, new.counts.stock, new.score) == (21, 24, 0)
    rows = [range(first, 7) for first in (1, 2, 3, 4, 5, 6, 0)]
    columns: list[list[int]] = [[] for _ in range(7)]
    for column, card in zip(chain.from_iterable(rows), numbered_deck(game, 1), strict=False):
        columns[column].append(card)
    assert [list(new.pile(i).cards) for i in range(7)] == columns


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_is_the_beginning_of_its_game(game: str) -> None:
    new = dealt(game, 7)
    piles = deal(new.rules, numbered_deck(game, 7))
    assert list(piles) == [new.pile(i) for i in range(len(new.variant.piles))]

from dataclasses import replace

import pytest

from server.games.actions import move
from server.games.catalogue import GAMES, check, variant_of
from server.games.errors import BadRules
from server.games.options import Rules

GOOD = [
    Rules("spider-4"),
    Rules("spider-2", layout="spread", auto_remove=True, relaxed_deal=True, undo="any"),
    Rules("spider-1", score="dos", undo="off", exceptions="hard"),
    Rules("spider-4", score="moves", exceptions="easy"),
    Rules("spiderette-4", score="woods", exceptions="easy", auto_remove=True),
    Rules("spiderette-1", score="cards"),
    Rules("little-spider", score="cards", undo="any"),
    Rules("little-spider", score="cards", undo="free"),
    Rules("spider-4", undo="free"),
    Rules("spider-4", undo="counted"),
]

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


@pytest.mark.parametrize("rules", GOOD, ids=str)
def test_settings_that_go_together_pass(rules: Rules) -> None:
    check(rules)


@pytest.mark.parametrize(("rules", "code", "fields"), BAD, ids=[code for _, code, _ in BAD])
def test_settings_that_clash_are_refused_with_the_fields_to_change(
    rules: Rules, code: str, fields: set[str]
) -> None:
    with pytest.raises(BadRules) as refused:
        check(rules)
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
    assert all(variant.id.startswith(family) for variant in variants)


def test_every_game_has_a_score_that_goes_with_the_other_defaults() -> None:
    for game, variant in GAMES.items():
        check(Rules(game, score=variant.scores[0]))
        assert variant_of(game) is variant


@pytest.mark.parametrize("game", GAMES)
def test_what_is_derived_from_the_piles_of_a_variant_agrees(game: str) -> None:
    # A new variant, since each derives these once: perhaps while coverage is not measured.
    variant = replace(GAMES[game])
    names = tuple(pile.id for pile in variant.piles)
    assert variant.pile_names == names
    assert variant.pile_index == {name: index for index, name in enumerate(names)}
    assert variant.options == GAMES[game].options
    assert variant.action_texts.format(move(1, 2, 0)) == f"{names[1]}x2-{names[0]}"

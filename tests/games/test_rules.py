import pytest

from protocol.games import GAMES
from server.games.errors import BadRules
from server.games.rules import Rules, check_rules, variant_of

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


def test_every_game_has_a_score_that_fits_the_other_defaults() -> None:
    for game, variant in GAMES.items():
        check_rules(Rules(game, score=variant.scores[0]))
        assert variant_of(game) is variant

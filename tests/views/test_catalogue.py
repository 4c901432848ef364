import pytest

from protocol.games import GAMES
from server.rooms.settings import clash_in
from server.views.front_page import PRESETS, catalogue


def test_every_preset_can_be_played() -> None:
    for name, settings in PRESETS.items():
        assert clash_in(settings) is None, name


def test_the_catalogue_lists_every_game_with_its_scores_and_options() -> None:
    games = {game.id: game for game in catalogue().games}
    assert set(games) == set(GAMES)
    assert games["little-spider"].scores == ("cards",)
    assert "dos" in games["spider-4"].scores
    assert "dos" not in games["spiderette-4"].scores
    assert "exceptions" in games["spiderette-4"].options


@pytest.mark.parametrize(
    ("game", "figures"),
    [
        ("spider-4", "spider: 104 cards, 54 on 10 columns, 44 face down, 50 left, 990"),
        ("spider-1", "spider: 104 cards, 54 on 10 columns, 44 face down, 50 left, 990"),
        ("spiderette-2", "spiderette: 52 cards, 28 on 7 columns, 21 face down, 24 left, 500"),
        ("little-spider", "little-spider: 52 cards, 8 on 8 columns, 0 face down, 44 left, None"),
    ],
)
def test_the_catalogue_has_the_figures_of_the_rules(game: str, figures: str) -> None:
    """RULES, The games; RULES, Scores: the page explains its rules with them."""
    info = next(each for each in catalogue().games if each.id == game)
    assert figures == (
        f"{info.family}: {info.cards} cards, {info.dealt} on {info.columns} columns, "
        f"{info.face_down} face down, {info.stock} left, {info.all_removed}"
    )

from server.games.catalogue import GAMES
from server.rooms.rounds import clash_in
from server.views.catalogue import PRESETS, catalogue


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


def test_the_dos_presets_are_matches_of_six_games() -> None:
    for level in ("hard", "easy"):
        settings = PRESETS[f"dos-{level}"]
        assert (settings.rounds, settings.exceptions, settings.undo) == (6, level, "off")


def test_the_classic_preset_counts_cheats_and_the_arachnid_preset_does_not() -> None:
    assert PRESETS["classic"].undo == "any"
    assert PRESETS["arachnid"].undo == "free"

from server.games.catalogue import GAMES
from server.rooms.rounds import clash_in
from server.views.catalogue import PRESETS, catalogue


def test_every_preset_can_be_played() -> None:
    for name, settings in PRESETS.items():
        assert clash_in(settings) is None, name


def test_every_game_is_in_the_catalogue_with_what_it_knows() -> None:
    games = {game.id: game for game in catalogue().games}
    assert set(games) == set(GAMES)
    assert games["little-spider"].scores == ("cards",)
    assert "dos" in games["spider-4"].scores
    assert "dos" not in games["spiderette-4"].scores
    assert "exceptions" in games["spiderette-4"].options


def test_the_dos_presets_are_a_card_of_six_games() -> None:
    for level in ("hard", "easy"):
        settings = PRESETS[f"dos-{level}"]
        assert (settings.rounds, settings.exceptions, settings.undo) == (6, level, "off")


def test_xspider_counts_cheats_and_arachnid_knows_none() -> None:
    assert PRESETS["classic"].undo == "any"
    assert PRESETS["arachnid"].undo == "free"

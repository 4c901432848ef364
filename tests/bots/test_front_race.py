"""The race of the front page is what the engine plays."""

from tests.tools.front_race import ACTS, SCRIPT, first_game, recorded, script


def test_every_act_of_the_front_page_is_legal_and_changes_what_the_script_says() -> None:
    games = recorded()
    assert SCRIPT.read_text() == script(games)
    assert [len(acts) for acts in games] == [ACTS, ACTS]
    assert games[0] != games[1]
    for acts in games:
        game = first_game()
        for action in acts:
            game.apply(action)
        assert game.counts.suits >= 2

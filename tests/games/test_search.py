import pytest

from protocol.vocabulary import Outcome
from server.games.catalogue import replay
from server.games.deals import numbered_deck
from tests.games.positions import dealt, position
from tests.games.search import find_win
from tests.present import present


@pytest.mark.parametrize(
    ("game", "number", "score"),
    [
        ("spider-1", 4, 990),
        ("spider-1", 10, 990),
        ("spiderette-1", 3, 500),
        ("spiderette-1", 8, 500),
        ("spiderette-2", 2, 500),
        ("little-spider", 3, 52),
        ("little-spider", 4, 52),
    ],
)
def test_an_easy_deal_is_won(game: str, number: int, score: int) -> None:
    start = dealt(game, number)
    actions = present(find_win(start))
    assert start.at == 0
    won = replay(start.rules, numbered_deck(game, number), actions)
    assert (won.outcome, won.score) == (Outcome.WON, score)


def test_a_game_is_won_from_where_it_stands() -> None:
    game = position("t0: KS-6S; t1: 5S-AS; f0: KS-AS")
    actions = present(find_win(game))
    for action in actions:
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_the_search_gives_up_positions_that_cannot_be_won() -> None:
    assert find_win(position("t0: KS-6S; t1: 5S-AS; t2: 7H"), nodes=50) is None
    assert find_win(position("u0: 5H", "little-spider")) is None


def test_games_with_automatic_removal_are_won() -> None:
    start = dealt("spider-1", 4, auto_remove=True)
    actions = present(find_win(start))
    won = replay(start.rules, numbered_deck("spider-1", 4), actions)
    assert won.counts.removals == 0
    assert won.outcome is Outcome.WON

"""Games that are as good as won: the line is one that the engine takes to a win."""

import pytest

from protocol.vocabulary import Outcome
from server.games.actions import FINISH, Action
from server.games.game import Game
from server.solver.endings import EndingSearch
from tests.games.positions import position
from tests.games.wins import one_suit_game, one_suit_win
from tests.solver.visible_games import dealt, rules_of

NEARLY = """
    t0: KS-3S; t1: 2S AS; t2: KS-5S; t3: 4S 3S; t4: 2S AS
    f0: KS-AS; f1: KS-AS; f2: KS-AS; f3: KS-AS; f4: KS-AS; f5: KS-AS
"""
"""Two suits in pieces, and six that are removed."""
STUCK = "t0: KS 2S; t1: KH 4S"
HOMES = "f0: AS; f1: AC; f2: KH-2H; f3: KD-2D"


def line_of(game: Game) -> tuple[Action, ...]:
    """Return the line that a search finds."""
    search = EndingSearch(game)
    for _ in search.steps():
        pass
    return search.line


@pytest.mark.parametrize("auto_remove", [True, False])
@pytest.mark.parametrize("score", ["woods", "moves", "cards"])
def test_the_line_wins_by_the_rules_of_the_room(score: str, auto_remove: bool) -> None:
    game = position(NEARLY, "spider-1", score=score, auto_remove=auto_remove, undo="off")
    line = line_of(game)
    assert not game.at
    for action in line:
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_the_line_is_found_as_soon_as_all_cards_are_seen() -> None:
    game = one_suit_game()
    seen = [bool(line_of(game))]
    for action in one_suit_win():
        game.apply(action)
        hides = game.counts.face_down or game.counts.stock
        found = bool(line_of(game))
        assert not (hides and found)
        seen.append(found)
    assert seen[-12:-1] == [True] * 11
    assert not line_of(game)  # it is over


@pytest.mark.parametrize(
    "hidden",
    [
        NEARLY.replace("4S 3S", "[4S] 3S"),  # it can be won with the cards that lie there
        NEARLY.replace("2S AS; t2", "[2S] AS; t2"),
        STUCK + "; stock: [9S]",
    ],
)
def test_nothing_is_searched_while_a_card_is_hidden(hidden: str) -> None:
    search = EndingSearch(position(hidden, "spider-1", undo="off"))
    assert not list(search.steps())
    assert not search.line


def test_nothing_is_searched_in_a_game_that_is_over() -> None:
    game = position(STUCK, "spider-1", undo="off")
    assert list(EndingSearch(game).steps())
    game.max_entries = 0
    game.apply(FINISH)
    assert not list(EndingSearch(game).steps())


def test_the_search_ends_in_a_game_of_a_hundred_cards() -> None:
    high, middle = "KS KH KD KC JS JH JD JC 9S 9H", "QS QH QD QC TS TH TD TC"
    low = "8S 8H 8D 8C 6S 6H, 7S 7H 7D 7C 5S 5H, 4S 4H 4D 4C 2S 2H, 3S 3H 3D 3C AS AH"
    columns = [high, high, middle, middle, *low.split(", "), "4S 4H 4D 4C 2D 2C"]
    text = "; ".join(f"t{place}: {cards}" for place, cards in enumerate(columns))
    search = EndingSearch(position(text, "spider-4", undo="off"))
    assert len(list(search.steps())) == 3
    assert not search.line


def test_a_line_beyond_the_limit_of_the_log_is_not_returned() -> None:
    game = position(NEARLY, "spider-1", undo="off")
    game.max_entries = 2
    assert not line_of(game)


def test_little_spider_is_won_if_all_cards_can_go_home() -> None:
    # The cards of the kings' foundations lie in order, those of the aces' the other way round.
    kings = f"u0: AH; u1: AD; u2: KC-2C; u3: KS-2S; {HOMES}"
    game = position(kings, "little-spider", score="cards", undo="off")
    for action in line_of(game):
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_little_spider_is_not_played_for_its_player() -> None:
    assert not line_of(dealt(rules_of("little-spider"), 1))
    between = f"u0: AH; u1: 2C KC; u2: QC-3C; u3: KS-2S; u4: AD; {HOMES}".replace("u4", "l0")
    game = position(between, "little-spider", score="cards", undo="off")
    assert not line_of(game)

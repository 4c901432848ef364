"""Games at the limit of log entries, which can only be finished."""

from collections.abc import Iterable

import pytest

from protocol.games import GAMES
from protocol.vocabulary import Outcome, StuckReason
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action
from server.games.deals import new_game, numbered_deck
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.hints import find_hint
from tests.games.positions import ALL_ON_TABLE, act, dealt, forward, position, refused


def limited(max_entries: int, log: Iterable[Action] = (), game: str = "spider-4") -> Game:
    """Return a game with this limit after a log."""
    played = new_game(dealt(game, undo="any").rules, numbered_deck(game, 1))
    played.max_entries = max_entries
    for action in log:
        played.replay(action)
    return played


def at_the_limit(variant: str = "spider-4") -> Game:
    """Return a game with four entries, which is the limit."""
    game = dealt(variant, undo="any")
    game.apply(forward(game)[0])
    act(game, "undo", "redo", "undo")
    return limited(4, game.log, variant)


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_at_the_limit_can_only_be_finished(variant: str) -> None:
    game = at_the_limit(variant)
    assert game.legal_actions() == (FINISH,)
    for action in ("deal", "undo", "redo"):
        assert refused(game, action) == "game_too_long"
    assert game.stuck is StuckReason.GAME_TOO_LONG
    assert find_hint(game) is None
    score = game.score
    act(game, "finish")
    assert (game.outcome, game.at) == (Outcome.FINISHED_STUCK, 5)
    again = limited(4, game.log, variant)
    assert (again.outcome, again.score) == (Outcome.FINISHED_STUCK, score)
    assert game.legal_actions() == ()
    assert refused(game, "deal") == "game_over"


def test_a_game_below_the_limit_has_all_its_actions() -> None:
    game = limited(2)
    act(game, "deal")
    assert {DEAL, UNDO} <= set(game.legal_actions())
    assert game.stuck is None


def test_a_won_game_at_the_limit_is_finished_as_won() -> None:
    game = position(ALL_ON_TABLE)
    game.max_entries = 0
    assert (game.legal_actions(), game.stuck) == ((FINISH,), None)
    act(game, "finish")
    assert game.outcome is Outcome.WON


def test_a_log_stored_before_the_limit_existed_is_replayed() -> None:
    """Stored rooms and texts of rounds have logs of up to 20,000 entries."""
    game = limited(10, [DEAL, *[UNDO, REDO] * 50])
    assert (game.at, game.counts.undos) == (101, 50)
    assert game.legal_actions() == (FINISH,)
    with pytest.raises(IllegalAction, match="game_too_long"):
        game.replay(REDO)
    game.replay(FINISH)
    with pytest.raises(IllegalAction, match="game_over"):
        game.replay(UNDO)

"""Games at the limit of log entries, which can only be finished."""

import pytest

from protocol.vocabulary import Outcome, StuckReason
from server.games import game as games
from server.games.actions import DEAL, FINISH, REDO, UNDO
from server.games.catalogue import GAMES, replay
from server.games.deals import numbered_deck
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.hints import find_hint
from tests.games.positions import ALL_ON_TABLE, act, dealt, forward, position, refused


def at_the_limit(monkeypatch: pytest.MonkeyPatch, variant: str = "spider-4") -> Game:
    """Return a game with four entries, which is the limit."""
    game = dealt(variant, undo="any")
    game.apply(forward(game)[0])
    act(game, "undo", "redo", "undo")
    monkeypatch.setattr(games, "MAX_LOG_ENTRIES", 4)
    return replay(game.rules, numbered_deck(variant, 1), game.log)


@pytest.mark.parametrize("variant", GAMES)
def test_a_game_at_the_limit_can_only_be_finished(
    monkeypatch: pytest.MonkeyPatch, variant: str
) -> None:
    game = at_the_limit(monkeypatch, variant)
    assert game.legal_actions() == (FINISH,)
    for action in ("deal", "undo", "redo"):
        assert refused(game, action) == "game_too_long"
    assert game.stuck is StuckReason.GAME_TOO_LONG
    assert find_hint(game) is None
    act(game, "finish")
    assert (game.outcome, game.at) == (Outcome.FINISHED_STUCK, 5)
    assert game.legal_actions() == ()
    assert refused(game, "deal") == "game_over"


def test_a_game_below_the_limit_has_all_its_actions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(games, "MAX_LOG_ENTRIES", 2)
    game = dealt(undo="any")
    act(game, "deal")
    assert {DEAL, UNDO} <= set(game.legal_actions())
    assert game.stuck is None


def test_a_game_that_is_too_long_keeps_its_score_and_reads_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = at_the_limit(monkeypatch)
    score = game.score
    act(game, "finish")
    again = replay(game.rules, numbered_deck("spider-4", 1), game.log)
    assert (again.outcome, again.score) == (Outcome.FINISHED_STUCK, score)


def test_a_won_game_at_the_limit_is_finished_as_won(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MAX_LOG_ENTRIES", 0)
    game = position(ALL_ON_TABLE)
    assert (game.legal_actions(), game.stuck) == ((FINISH,), None)
    act(game, "finish")
    assert game.outcome is Outcome.WON


def test_a_log_stored_before_the_limit_existed_is_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Stored rooms and texts of rounds have logs of up to 20,000 entries."""
    long = [DEAL, *[UNDO, REDO] * 50]
    monkeypatch.setattr(games, "MAX_LOG_ENTRIES", 10)
    game = replay(dealt(undo="any").rules, numbered_deck("spider-4", 1), long)
    assert (game.at, game.counts.undos) == (101, 50)
    assert game.legal_actions() == (FINISH,)
    with pytest.raises(IllegalAction, match="game_too_long"):
        game.replay(REDO)
    game.replay(FINISH)
    with pytest.raises(IllegalAction, match="game_over"):
        game.replay(UNDO)
